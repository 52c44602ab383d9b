//! Observing, stopping and resuming a measurement.

use crate::{Outcome, OutputError, Sample};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// One repetition of one cell that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub samples: Vec<Sample>,
}

impl FinishedRepetition {
    /// Whether it is this repetition of its cell, with its frames in their order: all of them unless
    /// it ended early.
    pub(crate) fn is(&self, repeat: u32, frames: u32) -> bool {
        let is_in_order =
            |(sample, frame): (&Sample, u32)| (sample.repeat, sample.frame) == (repeat, frame);
        let measured = self.samples.len();
        let is_whole = measured == frames as usize;
        self.repeat == repeat
            && (is_whole || (self.outcome.is_some() && measured < frames as usize))
            && self.samples.iter().zip(0..).all(is_in_order)
    }
}

/// Follows a measurement. It is never called while the stopwatch runs.
pub trait Observer: Send {
    /// A repetition begins.
    fn repetition_begins(&mut self, _algorithm: &str, _threads: u32) {}

    /// `placed` of all objects have a place, before the first frame. The number may fall: a crowded
    /// scene is placed several times.
    fn objects_placed(&mut self, _placed: usize, _objects: usize) {}

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

/// Ignores everything.
impl Observer for () {}

/// The observer of a measurement, its stop flag, and what was measured before.
pub struct Watch<'a> {
    /// Follows the measurement.
    pub observer: &'a mut dyn Observer,
    /// Ends the measurement when it is set, within a frame: as soon as the algorithm checks it.
    pub stop: &'a AtomicBool,
    /// Repetitions that were measured before, by a process that was killed: they are not measured
    /// again. One that is not the next of its cell, or not whole, is ignored.
    pub finished: Vec<FinishedRepetition>,
}
