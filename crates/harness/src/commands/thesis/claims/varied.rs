//! Claims on the speed and the size of the objects.

use super::super::experiments::{ALGORITHMS, Experiment};
use super::super::names;
use super::court::{Court, Ruling, figure, join};

/// Times that differ by no more than this count as no difference.
const NO_DIFFERENCE: f64 = 1.10;

impl Court<'_> {
    pub(super) fn speed_makes_no_difference(&self) -> Ruling {
        self.varied(names::SPEED, |times| {
            let slowest = times.iter().map(|(_, ns)| *ns).fold(0.0, f64::max);
            let fastest = times.iter().map(|(_, ns)| *ns).fold(f64::INFINITY, f64::min);
            let ratio = slowest / fastest;
            (ratio <= NO_DIFFERENCE, figure(ratio))
        })
        .map(|(holds, told)| {
            Ruling::of(holds, format!("slowest speed over fastest, in time: {told}"))
        })
        .unwrap_or_else(|| Ruling::none("not measured"))
    }

    pub(super) fn size_slows_all(&self) -> Ruling {
        self.varied(names::RADIUS, |times| {
            let ratio = times[times.len() - 1].1 / times[0].1;
            (ratio > NO_DIFFERENCE, figure(ratio))
        })
        .map(|(holds, told)| {
            Ruling::of(holds, format!("time with the largest radius over the smallest: {told}"))
        })
        .unwrap_or_else(|| Ruling::none("not measured"))
    }

    /// Rules on each algorithm's times over what stands behind the input's name, ascending. Holds if
    /// it does for all.
    fn varied(
        &self,
        prefix: &str,
        rule: impl Fn(&[(f64, f64)]) -> (bool, String),
    ) -> Option<(bool, String)> {
        let cells = self.evidence.cells(Experiment::SpeedAndSize);
        let mut holds = true;
        let mut told = Vec::new();
        for id in ALGORITHMS {
            let mut times: Vec<(f64, f64)> = cells
                .iter()
                .filter(|cell| cell.algorithm == id)
                .filter_map(|c| Some((c.input.strip_prefix(prefix)?.parse().ok()?, c.median_ns?)))
                .collect();
            times.sort_by(|a, b| a.0.total_cmp(&b.0));
            if times.len() > 1 {
                let (own, text) = rule(&times);
                holds &= own;
                told.push(format!("{id} {text}"));
            }
        }
        (!told.is_empty()).then(|| (holds, join(told.into_iter())))
    }
}
