//! The result of a cell.

use super::status::{FAILED, Status};
use crate::process::Exit;
use serde::{Deserialize, Serialize};

/// The result of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Measured, and in agreement with the others.
    Ok,
    /// Not measured to the end, for this reason.
    Skipped(String),
    /// Its pairs were wrong, or differ from those of the reference.
    Disagrees(String),
    /// It panicked, in this frame and with this message.
    Panicked(String),
    /// A program: it crashed, or what it printed cannot be used.
    Failed(String),
}

impl Outcome {
    /// The budget was used up before this frame.
    pub(crate) fn out_of_time(frame: u32, repeat: u32) -> Self {
        Self::Skipped(format!("over the time budget at repetition {repeat}, frame {frame}"))
    }

    /// A program or a drawing failed in this repetition.
    pub(crate) fn failed(reason: &str, repeat: u32) -> Self {
        Self::Failed(format!("{FAILED}{repeat}: {reason}"))
    }

    /// The status of the cell's row, and why it has no figures.
    pub fn status(&self) -> (Status, Option<String>) {
        let status = match self {
            Outcome::Ok => return (Status::Ok, None),
            Outcome::Skipped(_) => Status::Skipped,
            Outcome::Disagrees(_) | Outcome::Panicked(_) | Outcome::Failed(_) => Status::Error,
        };
        (status, Some(self.to_string()))
    }

    /// How a program ends because of this outcome.
    pub fn exit(&self) -> Exit {
        let (status, reason) = self.status();
        status.exit(reason.as_deref())
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Ok => f.write_str("ok"),
            Outcome::Skipped(reason)
            | Outcome::Disagrees(reason)
            | Outcome::Panicked(reason)
            | Outcome::Failed(reason) => f.write_str(reason),
        }
    }
}
