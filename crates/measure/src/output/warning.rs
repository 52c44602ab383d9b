//! What makes figures doubtful.

use crate::input::Case;
use crate::process::{Clock, notable_drift};
use crate::rows::{StageRow, SummaryRow};
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

/// From this width on, as a share of the median, an interval is called wide.
const WIDE: f64 = 0.10;

/// A median, with its interval where there is one.
#[derive(Clone, Copy, Debug)]
pub struct Median {
    /// The median.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// Repetitions that it is of.
    pub repeats: u32,
}

impl SummaryRow {
    /// The median of update + pairs, ns.
    pub fn median(&self) -> Option<Median> {
        let ends = self.ci_low_ns.zip(self.ci_high_ns);
        let interval = ends.map(|(low, high)| [low as f64, high as f64]);
        Some(Median { value: self.median_ns? as f64, interval, repeats: self.repeats })
    }
}

impl StageRow {
    /// The median of a test, ns.
    pub fn median(&self) -> Option<Median> {
        let interval = self.ci_low_test_ns.zip(self.ci_high_test_ns).map(<[f64; 2]>::from);
        Some(Median { value: self.test_ns?, interval, repeats: self.repeats })
    }
}

/// Doubts about medians: noise of the machine, few repetitions, wide intervals.
pub fn noise(medians: impl IntoIterator<Item = Median>, calibration_ns: &[u64]) -> Vec<Warning> {
    let medians: Vec<Median> = medians.into_iter().collect();
    let mut warnings: Vec<Warning> = Warning::of_drift(calibration_ns).into_iter().collect();
    if medians.iter().any(|median| median.repeats == 1) {
        warnings.push(Warning::new(
            "a single repetition: its intervals reflect variation between frames only, not between runs",
        ));
    }
    let is_wide = |median: &&Median| {
        median.interval.is_some_and(|[low, high]| high - low > WIDE * median.value)
    };
    let wide = medians.iter().filter(is_wide).count();
    if wide > 0 {
        warnings.push(Warning::new(format!(
            "{wide} of {} medians have an interval wider than {:.0} % of them: measure them on a quieter \
             machine, or with more repetitions",
            medians.len(),
            WIDE * 100.0
        )));
    }
    warnings
}

/// [`noise`] of the medians of a run's rows.
pub fn noise_of_rows<'a>(
    rows: impl IntoIterator<Item = &'a SummaryRow>,
    calibration_ns: &[u64],
) -> Vec<Warning> {
    noise(rows.into_iter().filter_map(SummaryRow::median), calibration_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_interval_and_drift_are_warnings() {
        let median = |low, high| Median { value: 1000.0, interval: Some([low, high]), repeats: 2 };
        assert!(noise([median(960.0, 1050.0)], &[100, 105]).is_empty());
        let warnings = noise([median(900.0, 1010.0), median(999.0, 1001.0)], &[100, 130]);
        let text = Warning::joined(&warnings);
        assert!(text.contains("took up to 30 % longer"), "{text}");
        assert!(text.contains("; 1 of 2 medians have an interval wider than 10 %"), "{text}");
        let once = Median { repeats: 1, ..median(999.0, 1001.0) };
        assert!(Warning::joined(&noise([once], &[100])).starts_with("a single repetition: "));
    }
}
