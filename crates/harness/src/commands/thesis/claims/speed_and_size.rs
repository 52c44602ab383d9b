//! Claims on the speed and the size of the objects.

use super::check::{ClaimCheck, ClaimOutcome, join};
use crate::commands::thesis::experiments::Experiment;
use crate::commands::thesis::inputs;
use measure::numbers::significant;

/// Times whose ratio is at most this count as equal.
const NO_DIFFERENCE: f64 = 1.10;

impl ClaimCheck<'_> {
    pub(super) fn speed_makes_no_difference(&self) -> ClaimOutcome {
        self.each_method(inputs::SPEED, "slowest speed over fastest, in time", |times| {
            let slowest = times.iter().map(|(_, ns)| *ns).fold(0.0, f64::max);
            let fastest = times.iter().map(|(_, ns)| *ns).fold(f64::INFINITY, f64::min);
            let ratio = slowest / fastest;
            (ratio <= NO_DIFFERENCE, ratio)
        })
    }

    pub(super) fn size_slows_all(&self) -> ClaimOutcome {
        self.each_method(
            inputs::RADIUS,
            "time with the largest radius over the smallest",
            |times| {
                let ratio = times[times.len() - 1].1 / times[0].1;
                (ratio > NO_DIFFERENCE, ratio)
            },
        )
    }

    /// Applies a rule to each method's times, ascending by the number behind a prefix of the input's name.
    /// The claim holds if it does for all methods.
    fn each_method(
        &self,
        prefix: &str,
        what: &str,
        rule: impl Fn(&[(f64, f64)]) -> (bool, f64),
    ) -> ClaimOutcome {
        let checked = |id: &str| {
            let cells = self.rows.cells(Experiment::SpeedAndSize).iter();
            let mut times: Vec<(f64, f64)> = cells
                .filter(|cell| cell.algorithm == id)
                .filter_map(|c| Some((c.input.strip_prefix(prefix)?.parse().ok()?, c.median_ns?)))
                .collect();
            times.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (holds, ratio) = (times.len() > 1).then(|| rule(&times))?;
            Some((holds, format!("{id} {}", significant(ratio))))
        };
        let checked: Vec<(bool, String)> =
            self.methods.ids().into_iter().filter_map(checked).collect();
        if checked.is_empty() {
            return ClaimOutcome::not_measured();
        }
        let holds = checked.iter().all(|(holds, _)| *holds);
        let texts = join(checked.into_iter().map(|(_, text)| text));
        ClaimOutcome::of(holds, format!("{what}: {texts}"))
    }
}
