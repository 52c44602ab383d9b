//! When something happened to a method.

use crate::rows::{Outcome, Panicked};

/// A frame of a repetition, both from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct RepetitionFrame {
    pub(super) repeat: u32,
    pub(super) frame: u32,
}

impl RepetitionFrame {
    /// A wrong result ends a method.
    pub(super) fn wrong(self, fault: &str) -> Outcome {
        let Self { repeat, frame } = self;
        Outcome::Disagrees(format!("frame {frame} of repetition {repeat}: {fault}"))
    }

    /// A panic ends a method.
    pub(super) fn panicked(self, message: String) -> Outcome {
        let Self { repeat, frame } = self;
        Outcome::Panicked(Panicked { frame, repeat, message })
    }

    /// A method is given up.
    pub(super) fn skipped(self, reason: &str) -> Outcome {
        let Self { repeat, frame } = self;
        Outcome::Skipped(format!("{reason} at repetition {repeat}, frame {frame}"))
    }
}
