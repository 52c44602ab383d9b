//! The status of a row.

use super::reason::Reason;
use crate::process::Exit;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of a cell, as its row states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Measured, and in agreement with the others.
    Ok,
    /// Not measured, for a reason that is no fault: too little memory, or time.
    #[default]
    Skipped,
    /// Its pairs were wrong, or it panicked or failed.
    Error,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Ok => "ok",
            Status::Skipped => "skipped",
            Status::Error => "error",
        })
    }
}

impl Status {
    /// How a program ends because of a row of this status and reason.
    pub fn exit(self, reason: Option<&Reason>) -> Exit {
        match (self, reason) {
            (Status::Ok | Status::Skipped, _) => Exit::Ok,
            (Status::Error, Some(Reason::Panicked(_) | Reason::Failed(_))) => Exit::Running,
            (Status::Error, _) => Exit::Disagreement,
        }
    }
}
