//! Claims on the speed and the size of the objects.

use super::check::{Checked, ClaimCheck, join, not_measured};
use crate::commands::thesis::experiments::{RADIUS, SPEED};
use measure::numbers::significant;

/// Times whose ratio is at most this count as equal.
const NO_DIFFERENCE: f64 = 1.10;

impl ClaimCheck<'_> {
    pub(super) fn speed_makes_no_difference(&self) -> Checked {
        self.each_method(SPEED, "slowest speed over fastest, in time", |times| {
            let slowest = times.iter().map(|(_, ns)| *ns).fold(0.0, f64::max);
            let fastest = times.iter().map(|(_, ns)| *ns).fold(f64::INFINITY, f64::min);
            let ratio = slowest / fastest;
            (ratio <= NO_DIFFERENCE, ratio)
        })
    }

    pub(super) fn size_slows_all(&self) -> Checked {
        self.each_method(RADIUS, "time with the largest radius over the smallest", |times| {
            let ratio = times[times.len() - 1].1 / times[0].1;
            (ratio > NO_DIFFERENCE, ratio)
        })
    }

    /// Applies a rule to each method's times over the number behind a prefix of the input's name.
    /// The claim holds if it does for all methods.
    fn each_method(
        &self,
        prefix: &str,
        what: &str,
        rule: impl Fn(&[(f64, f64)]) -> (bool, f64),
    ) -> Checked {
        let checked = |id: &str| {
            let times = self.over_inputs(prefix, id, |cell| cell.median_ns);
            let (holds, ratio) = (times.len() > 1).then(|| rule(&times))?;
            Some((holds, format!("{id} {}", significant(ratio))))
        };
        let (held, texts): (Vec<bool>, Vec<String>) =
            self.methods.ids().into_iter().filter_map(checked).unzip();
        if held.is_empty() {
            return Err(not_measured());
        }
        Ok((held.iter().all(|holds| *holds), format!("{what}: {}", join(texts))))
    }
}
