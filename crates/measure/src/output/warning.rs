//! What makes figures doubtful.

use crate::input::Case;
use crate::process::{Clock, notable_drift};
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
    /// More threads were measured than there are processors for the process.
    FewProcessors {
        /// The most threads.
        threads: u64,
        /// Processors that the process may use.
        processors: usize,
    },
    /// The process was stopped while it measured, or got no processor.
    Stopped {
        /// For how many nanoseconds.
        ns: u64,
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
            Warning::FewProcessors { threads, processors } => write!(
                f,
                "{threads} threads share {processors} of the machine's hardware threads, all that the process may use \
                 (taskset, quota of a container): their times are not those of {threads} processors"
            ),
            Warning::Stopped { ns } => write!(
                f,
                "the process was stopped, or got no processor, for {:.1} s while it measured: of each stop, times have \
                 about 0.3 s at most",
                *ns as f64 / 1e9
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

    /// The warning about most of these numbers of threads, where the process may use fewer `processors`.
    pub fn of_threads(threads: impl IntoIterator<Item = u64>, processors: usize) -> Option<Self> {
        let most = threads.into_iter().max().filter(|&most| most > processors as u64);
        most.map(|threads| Warning::FewProcessors { threads, processors })
    }

    /// The warning about stops since the clock had `before_ns` of them.
    pub fn of_stops(clock: &dyn Clock, before_ns: u64) -> Option<Self> {
        let ns = clock.stopped_ns().saturating_sub(before_ns);
        (ns > 0).then_some(Warning::Stopped { ns })
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
