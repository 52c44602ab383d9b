//! Keeps each repetition as it ends, and moves the bar.

use crate::progress::Progress;
use measure::{Case, FinishedRepetition, Observer, Output, OutputError};

pub(super) struct Keeper<'a> {
    pub(super) output: &'a mut Output,
    pub(super) progress: &'a mut Progress,
    pub(super) case: &'a Case,
}

impl Observer for Keeper<'_> {
    fn repetition_begins(&mut self, algorithm: &str, threads: u32) {
        self.progress.repetition_begins(self.case, algorithm, threads);
    }

    fn frame_done(&mut self, frame: u32) {
        self.progress.frame_done(frame);
    }

    fn repetition_done(&mut self, repetition: &FinishedRepetition) -> Result<(), OutputError> {
        self.progress.repetition_done(repetition);
        self.output.keep(self.case, repetition)
    }
}
