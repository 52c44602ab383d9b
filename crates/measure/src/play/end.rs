//! How a repetition ended.

use super::error::RunError;
use crate::input::PairsError;
use crate::rows::{FAILED, Outcome, PANICKED};
use broadphase::registry::CreateError;

/// How a repetition ended.
pub(crate) enum End {
    /// All frames were measured.
    Complete,
    /// The budget was used up before this frame.
    OutOfTime { frame: u32 },
    /// The algorithm refused.
    Refused(CreateError),
    /// A frame has more pairs than can be held.
    TooManyPairs { frame: u32, error: PairsError },
    /// The pair list of this frame has a fault that it shows by itself, or a stage after the broad phase
    /// answered a pair wrongly.
    Wrong { frame: u32, fault: String },
    /// The algorithm panicked in this frame.
    Panicked { frame: u32, message: String },
    /// A program crashed, or what it printed cannot be used.
    Failed(String),
    /// The measurement was stopped.
    Stopped,
}

impl End {
    /// What a cell or a method comes to by the end of a repetition; `None` where it goes on.
    ///
    /// # Errors
    ///
    /// If it was stopped.
    pub(crate) fn outcome(self, repeat: u32) -> Result<Option<Outcome>, RunError> {
        Ok(Some(match self {
            End::Complete => return Ok(None),
            End::Stopped => return Err(RunError::Stopped),
            End::Refused(refusal) => Outcome::Skipped(refusal.to_string()),
            End::TooManyPairs { frame, error } => {
                Outcome::Skipped(format!("frame {frame}: {error}"))
            }
            End::OutOfTime { frame } => Outcome::Skipped(format!(
                "over the time budget at repetition {repeat}, frame {frame}"
            )),
            End::Wrong { frame, fault } => {
                Outcome::Disagrees(format!("frame {frame} of repetition {repeat}: {fault}"))
            }
            End::Panicked { frame, message } => {
                Outcome::Panicked(format!("{PANICKED}{frame} of repetition {repeat}: {message}"))
            }
            End::Failed(message) => Outcome::Failed(format!("{FAILED}{repeat}: {message}")),
        }))
    }
}
