//! A repetition that has ended, with its frames.

use super::outcome::Outcome;
use super::sample::Sample;
use serde::{Deserialize, Serialize};

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
    /// Whether it has its frames in their order: all of them unless it ended early.
    pub(crate) fn is_whole(&self, frames: u32) -> bool {
        let is_in_order =
            |(sample, frame): (&Sample, u32)| (sample.repeat, sample.frame) == (self.repeat, frame);
        let measured = self.samples.len();
        let has_all = measured == frames as usize;
        (has_all || (self.outcome.is_some() && measured < frames as usize))
            && self.samples.iter().zip(0..).all(is_in_order)
    }
}
