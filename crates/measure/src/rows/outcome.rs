//! The result of a cell.

use super::reason::{Failed, Panicked, Reason};
use super::status::Status;
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
    /// It panicked.
    Panicked(Panicked),
    /// A program: it crashed, or what it printed cannot be used.
    Failed(Failed),
}

impl Outcome {
    /// The status of the cell's row, and why it has no figures.
    pub fn status(&self) -> (Status, Option<Reason>) {
        match self {
            Outcome::Ok => (Status::Ok, None),
            Outcome::Skipped(reason) => (Status::Skipped, Some(Reason::Other(reason.clone()))),
            Outcome::Disagrees(reason) => (Status::Error, Some(Reason::Other(reason.clone()))),
            Outcome::Panicked(panicked) => {
                (Status::Error, Some(Reason::Panicked(panicked.clone())))
            }
            Outcome::Failed(failed) => (Status::Error, Some(Reason::Failed(failed.clone()))),
        }
    }

    /// How a program ends because of this outcome.
    pub fn exit(&self) -> Exit {
        let (status, reason) = self.status();
        status.exit(reason.as_ref())
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Ok => f.write_str("ok"),
            Outcome::Skipped(reason) | Outcome::Disagrees(reason) => f.write_str(reason),
            Outcome::Panicked(panicked) => panicked.fmt(f),
            Outcome::Failed(failed) => failed.fmt(f),
        }
    }
}
