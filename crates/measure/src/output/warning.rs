//! What makes figures doubtful.

use crate::input::Case;
use crate::process::{Clock, notable_drift};
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// What makes figures doubtful, in words: in files and on the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning(String);

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Warning {
    /// A warning in these words.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Warnings about a case, or a part of a study.
    pub fn about(subject: &str, warnings: &[Self]) -> Self {
        Self(format!("{subject}: {}", Self::joined(warnings)))
    }

    /// The warnings about a case.
    pub fn of_case(case: &Case, warnings: &[Self]) -> Self {
        Self::about(&format!("{}, n = {}", case.input, case.n), warnings)
    }

    /// The warning about a machine whose calibration readings drifted: the same piece of work took longer at some times.
    pub fn of_drift(calibration_ns: &[u64]) -> Option<Self> {
        let percent = 100.0 * notable_drift(calibration_ns)?;
        Some(Self(format!(
            "noisy machine: the same piece of work took up to {percent:.0} % longer at some times than at others"
        )))
    }

    /// The warning about most of these numbers of threads, where the process may use fewer `processors`.
    pub fn of_threads(threads: impl IntoIterator<Item = u64>, processors: usize) -> Option<Self> {
        let most = threads.into_iter().max().filter(|&most| most > processors as u64)?;
        Some(Self(format!(
            "{most} threads share {processors} of the machine's hardware threads, all that the process may use \
             (taskset, quota of a container): their times are not those of {most} processors"
        )))
    }

    /// The warning about stops since the clock had `before_ns` of them.
    pub fn of_stops(clock: &dyn Clock, before_ns: u64) -> Option<Self> {
        let ns = clock.stopped_ns().saturating_sub(before_ns);
        (ns > 0).then(|| {
            Self(format!(
                "the process was stopped, or got no processor, for {:.1} s while it measured: of each stop, times have \
                 about 0.3 s at most",
                ns as f64 / 1e9
            ))
        })
    }

    /// The warning about a damaged file of a repetition or of a case, found when its run was resumed.
    pub fn damaged(path: &Path) -> Self {
        Self(format!("{}: damaged; what it had is measured again", path.display()))
    }

    /// All of them in one line.
    pub fn joined(warnings: &[Self]) -> String {
        warnings.iter().map(Self::to_string).collect::<Vec<_>>().join("; ")
    }
}
