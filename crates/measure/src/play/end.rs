//! How a repetition ended.

use crate::input::PairsError;
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
