//! The result of a repetition, of a cell, and of its row.

use super::figures::FrameRow;
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
        self.serialize(f)
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

/// The result of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Measured, and in agreement with the others.
    Ok,
    /// Not measured to the end, for this reason.
    Skipped(String),
    /// Its pairs were wrong, it panicked, or it failed. The reason says which: see [`Status::exit`].
    Error(String),
}

impl Outcome {
    /// The budget was used up before this frame.
    pub(crate) fn out_of_time(frame: u32, repeat: u32) -> Self {
        Self::Skipped(format!("over the time budget at repetition {repeat}, frame {frame}"))
    }

    /// A program or a drawing failed in this repetition.
    pub(crate) fn failed(reason: &str, repeat: u32) -> Self {
        Self::Error(format!("{FAILED}{repeat}: {reason}"))
    }

    /// The status of the cell's row, and why it has no figures.
    pub fn status(&self) -> (Status, Option<String>) {
        match self {
            Outcome::Ok => (Status::Ok, None),
            Outcome::Skipped(reason) => (Status::Skipped, Some(reason.clone())),
            Outcome::Error(reason) => (Status::Error, Some(reason.clone())),
        }
    }

    /// How a program ends because of this outcome.
    pub fn exit(&self) -> Exit {
        let (status, reason) = self.status();
        status.exit(reason.as_deref())
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Ok => f.write_str("ok"),
            Outcome::Skipped(reason) | Outcome::Error(reason) => f.write_str(reason),
        }
    }
}

/// One repetition of one cell that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedRepetition {
    /// Id of the algorithm, or of the program.
    pub algorithm: String,
    /// Threads that it could use.
    pub threads: u32,
    /// Which repetition, from 0.
    pub repeat: u32,
    /// Nanoseconds that it took, motion and bookkeeping included.
    pub spent_ns: u64,
    /// The result of the cell, where this repetition ends it early.
    pub outcome: Option<Outcome>,
    /// Its frames up to its end.
    pub samples: Vec<FrameRow>,
}

impl FinishedRepetition {
    /// Whether it has its frames in their order: all of them unless it ended early.
    pub(crate) fn is_whole(&self, frames: u32) -> bool {
        let is_in_order = |(sample, frame): (&FrameRow, u32)| {
            (sample.repeat, sample.frame) == (self.repeat, frame)
        };
        let measured = self.samples.len();
        let has_all = measured == frames as usize;
        (has_all || (self.outcome.is_some() && measured < frames as usize))
            && self.samples.iter().zip(0..).all(is_in_order)
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
