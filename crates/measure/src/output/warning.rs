//! What makes figures doubtful.

use crate::input::Case;
use crate::process::notable_drift;
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::PathBuf;

/// What makes figures doubtful; a text in files and on the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// The program was built without optimisation.
    DebugBuild,
    /// The machine was busy before the measurement.
    Load {
        /// Mean number of runnable threads in the last minute.
        load: f64,
        /// Hardware threads of the machine.
        threads: usize,
    },
    /// The processor's frequency is not fixed at its highest; the governor's name.
    Governor(String),
    /// The same piece of work took this share longer at some times than at others.
    Drift(f64),
    /// A single repetition was measured.
    SingleRepetition,
    /// Medians whose intervals are wide.
    WideIntervals {
        /// How many are wide.
        wide: usize,
        /// Of how many.
        of: usize,
        /// From which share of the median on an interval is called wide.
        share: f64,
    },
    /// Objects could not be placed as the scene asks.
    Placement(String),
    /// Objects waited within a step; the first such frame.
    Waiting(String),
    /// Brute force has not seen the pairs of every frame.
    Unproven,
    /// A trace was written of an input with layers.
    LayersLost {
        /// The input as the user named it.
        input: String,
    },
    /// A file of a repetition or of a case is damaged, which was found when its run was resumed.
    Damaged(PathBuf),
    /// Experiments that draw were left out, for this reason.
    NotDrawn(String),
    /// Warnings about a part of what was measured.
    About {
        /// A case, or a part of a study.
        subject: String,
        /// What is doubtful about it.
        warnings: Vec<Warning>,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::DebugBuild => f.write_str("debug build: build with --release to measure"),
            Warning::Load { load, threads } => write!(
                f,
                "noisy machine: load {load:.1} on {threads} hardware threads at the start"
            ),
            Warning::Governor(name) => write!(f, "frequency scaling: governor {name}"),
            Warning::Drift(share) => write!(
                f,
                "noisy machine: the same piece of work took up to {:.0} % longer at some times \
                 than at others",
                share * 100.0
            ),
            Warning::SingleRepetition => f.write_str(
                "a single repetition: its intervals reflect variation between frames only, not between runs",
            ),
            Warning::WideIntervals { wide, of, share } => write!(
                f,
                "{wide} of {of} medians have an interval wider than {:.0} % of them: measure them \
                 on a quieter machine, or with more repetitions",
                share * 100.0
            ),
            Warning::Placement(text) | Warning::Waiting(text) => f.write_str(text),
            Warning::Unproven => f.write_str(
                "not every frame was compared with brute force, which would take too long; \
                 algorithms were compared with each other, as far as there are several",
            ),
            Warning::LayersLost { input } => {
                write!(f, "{input}: a trace holds boxes alone, the layers are not recorded")
            }
            Warning::Damaged(path) => {
                write!(f, "{}: damaged; what it had is measured again", path.display())
            }
            Warning::NotDrawn(reason) => write!(f, "nothing was drawn: {reason}"),
            Warning::About { subject, warnings } => {
                write!(f, "{subject}: {}", Warning::joined(warnings))
            }
        }
    }
}

impl Warning {
    /// The warnings about a case.
    pub fn of_case(case: &Case, warnings: Vec<Warning>) -> Self {
        Warning::About { subject: format!("{}, n = {}", case.input, case.n), warnings }
    }

    /// The warning about a machine whose calibration readings drifted.
    pub fn of_drift(calibration_ns: &[u64]) -> Option<Self> {
        notable_drift(calibration_ns).map(Warning::Drift)
    }

    /// All of them in one line.
    pub fn joined(warnings: &[Warning]) -> String {
        warnings.iter().map(Warning::to_string).collect::<Vec<_>>().join("; ")
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
