//! The parts of the measurement, each with rows of its own.

use crate::study::StudyRow;
use clap::ValueEnum;

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpeedPart {
    /// A few objects: all of our registry and the peers.
    Small,
    /// All other inputs: our champions and the peers.
    Inputs,
    /// The frames in which the motion changes.
    Changes,
    /// Several threads against one: two, and all of the machine.
    Threads,
    /// Every input again, as a trace: our champions and the programs of `--program`.
    Programs,
}

impl SpeedPart {
    pub(super) const ALL: [Self; 5] =
        [Self::Small, Self::Inputs, Self::Changes, Self::Threads, Self::Programs];

    /// The part of a row.
    pub(super) fn of(row: &StudyRow) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.folder() == row.part)
    }

    /// The folder of its rows, and its word in them.
    pub(super) fn folder(self) -> &'static str {
        match self {
            SpeedPart::Small => "small",
            SpeedPart::Inputs => "inputs",
            SpeedPart::Changes => "changes",
            SpeedPart::Threads => "threads",
            SpeedPart::Programs => "programs",
        }
    }

    /// Its name in messages.
    pub(super) fn title(self) -> &'static str {
        match self {
            SpeedPart::Small => "few objects",
            SpeedPart::Inputs => "every input, with the peers",
            SpeedPart::Changes => "changes of motion",
            SpeedPart::Threads => "several threads",
            SpeedPart::Programs => "every input, with external programs",
        }
    }

    /// Whether our algorithms are compared with peers.
    pub(super) fn has_peers(self) -> bool {
        matches!(self, SpeedPart::Small | SpeedPart::Inputs)
    }

    /// Whether our algorithms are compared with others: with peers or with programs.
    pub(super) fn has_others(self) -> bool {
        self.has_peers() || self == SpeedPart::Programs
    }

    /// Whether the traces of the command line belong to it.
    pub(super) fn has_traces(self) -> bool {
        matches!(self, SpeedPart::Inputs | SpeedPart::Programs)
    }
}
