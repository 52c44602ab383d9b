//! Following a measurement from outside, stopping it, and going on with it later.

use crate::{Outcome, OutputError, Sample};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// One repetition of one cell that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedRepetition {
    /// Id of the algorithm.
    pub algorithm: String,
    /// Threads that it could use.
    pub threads: u32,
    /// Which repetition, from 0.
    pub repeat: u32,
    /// Nanoseconds that it took, motion and bookkeeping included.
    pub spent_ns: u64,
    /// What the cell came to, if it ends with this repetition before its time.
    pub outcome: Option<Outcome>,
    /// Its frames, as far as it came.
    pub samples: Vec<Sample>,
}

/// Is told how a measurement goes on; never while the stopwatch runs.
pub trait Observer: Send {
    /// A repetition begins.
    fn repetition_begins(&mut self, _algorithm: &str, _threads: u32) {}

    /// The repetition that began last has measured this frame, counted from 0.
    fn frame_done(&mut self, _frame: u32) {}

    /// A repetition has ended.
    ///
    /// # Errors
    ///
    /// Where it cannot be kept; the measurement ends then.
    fn repetition_done(&mut self, _repetition: &FinishedRepetition) -> Result<(), OutputError> {
        Ok(())
    }
}

/// Looks away.
impl Observer for () {}

/// What goes with a measurement that is followed.
pub struct Watch<'a> {
    /// Who follows it.
    pub observer: &'a mut dyn Observer,
    /// Set by somebody who no longer wants it: it ends within a frame, as soon as the algorithm asks.
    pub stop: &'a AtomicBool,
    /// Repetitions that were measured before, by a process that was killed: they are not measured
    /// again.
    pub finished: Vec<FinishedRepetition>,
}
