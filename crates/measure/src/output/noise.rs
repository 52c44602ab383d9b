//! Doubts about medians.

use super::warning::Warning;
use crate::rows::SummaryRow;

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

/// Doubts about medians: noise of the machine, few repetitions, wide intervals.
pub fn noise(medians: &[Median], calibration_ns: &[u64]) -> Vec<Warning> {
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
    let median = |row: &SummaryRow| {
        let interval = row.ci_low_ns.zip(row.ci_high_ns);
        Some(Median {
            value: row.median_ns? as f64,
            interval: interval.map(|(low, high)| [low as f64, high as f64]),
            repeats: row.repeats,
        })
    };
    let medians: Vec<Median> = rows.into_iter().filter_map(median).collect();
    noise(&medians, calibration_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_interval_and_drift_are_warnings() {
        let median = |low, high| Median { value: 1000.0, interval: Some([low, high]), repeats: 2 };
        assert!(noise(&[median(960.0, 1050.0)], &[100, 105]).is_empty());
        let warnings = noise(&[median(900.0, 1010.0), median(999.0, 1001.0)], &[100, 130]);
        let text = Warning::joined(&warnings);
        assert!(text.contains("took up to 30 % longer"), "{text}");
        assert!(text.contains("; 1 of 2 medians have an interval wider than 10 %"), "{text}");
        let once = Median { repeats: 1, ..median(999.0, 1001.0) };
        assert!(Warning::joined(&noise(&[once], &[100])).starts_with("a single repetition: "));
    }
}
