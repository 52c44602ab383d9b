//! The status of a row.

use crate::process::Exit;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Beginning of the reason why there are no figures if an algorithm panicked. Files have nothing else that says so.
pub(crate) const PANICKED: &str = "panicked in frame ";
/// Beginning of the reason if a program failed, or a drawing.
pub(crate) const FAILED: &str = "failed in repetition ";

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
    pub fn exit(self, reason: Option<&str>) -> Exit {
        let begins_with = |start| reason.is_some_and(|reason| reason.starts_with(start));
        match self {
            Status::Ok | Status::Skipped => Exit::Ok,
            Status::Error if begins_with(PANICKED) || begins_with(FAILED) => Exit::Running,
            Status::Error => Exit::Disagreement,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_follows_from_status_and_beginning_of_the_reason() {
        for (status, reason, exit) in [
            (Status::Error, "panicked in frame 3 of repetition 1: a: b", Exit::Running),
            (Status::Error, "failed in repetition 2: a: b", Exit::Running),
            (Status::Error, "frame 3 of repetition 1: it panicked in frame 3", Exit::Disagreement),
            (Status::Skipped, "failed in repetition 2: a", Exit::Ok),
        ] {
            assert_eq!(status.exit(Some(reason)), exit, "{reason}");
        }
        assert_eq!(Status::Error.exit(None), Exit::Disagreement);
    }
}
