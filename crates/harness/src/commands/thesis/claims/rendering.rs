//! Claims on rendering.

use super::check::{ClaimCheck, ClaimOutcome, join, whole};
use crate::commands::thesis::experiments::Experiment;
use crate::commands::thesis::methods::is_software;
use crate::study::Verdict;
use measure::numbers::significant;
use report::Cell;

/// Tolerance of a share that the thesis states, percentage points.
const SHARE_TOLERANCE: f64 = 10.0;

impl ClaimCheck<'_> {
    /// The outcome of a claim on rendering: only a graphics card can be compared with that of the thesis.
    pub(super) fn rendered(&self, rule: impl Fn(&Self) -> ClaimOutcome) -> ClaimOutcome {
        match self.adapter {
            None => ClaimOutcome {
                figure: "nothing was drawn".to_owned(),
                ..ClaimOutcome::not_measured()
            },
            Some(adapter) if is_software(adapter) => {
                let outcome = rule(self);
                if outcome.verdict == Verdict::NotMeasured {
                    return outcome;
                }
                let figure = format!("{}; the processor drew, not a graphics card", outcome.figure);
                ClaimOutcome { verdict: Verdict::NotComparable, figure }
            }
            Some(_) => rule(self),
        }
    }

    pub(super) fn speed_ups_are_greater_without_rendering(&self) -> ClaimOutcome {
        self.rendered(|check| {
            let numbers = check.rows.numbers(Experiment::RandomDrawn);
            let Some(&n) = numbers.last() else { return ClaimOutcome::not_measured() };
            let both = |id: &'static str| {
                let drawn = check.speed_up(Experiment::RandomDrawn, id, n)?;
                Some((id, check.speed_up(Experiment::Random, id, n)?, drawn))
            };
            let ids = check.methods.without_brute_force().into_iter();
            let speed_ups: Vec<(&str, f64, f64)> = ids.filter_map(both).collect();
            if speed_ups.is_empty() {
                return check.not_measured_at(n);
            }
            let holds = speed_ups.iter().all(|(_, without, with)| without > with);
            let text = |(id, without, with): &(&str, f64, f64)| {
                format!("{id} {} against {}", significant(*without), significant(*with))
            };
            let text = join(speed_ups.iter().map(text));
            ClaimOutcome::of(holds, format!("{text} with drawing, n = {n}"))
        })
    }

    pub(super) fn fps_cost(
        &self,
        from: Experiment,
        looks: [&str; 2],
        claimed: f64,
    ) -> ClaimOutcome {
        self.change(from, looks, claimed, "% of the frames per second", |plain, rich| {
            Some(100.0 * (1.0 - rich.fps? / plain.fps?))
        })
    }

    pub(super) fn share_rise(
        &self,
        from: Experiment,
        looks: [&str; 2],
        claimed: f64,
    ) -> ClaimOutcome {
        self.change(from, looks, claimed, "points of the share", |plain, rich| {
            Some(100.0 * (rich.drawing_share()? - plain.drawing_share()?))
        })
    }

    /// A change in per cent from one look to another: its mean over all numbers of objects.
    fn change(
        &self,
        from: Experiment,
        [plain, rich]: [&str; 2],
        claimed: f64,
        unit: &str,
        change: impl Fn(&Cell, &Cell) -> Option<f64>,
    ) -> ClaimOutcome {
        let at = |n: u64| {
            let cell = |input| self.rows.cell(from, input, self.methods.bsp, n);
            change(cell(plain)?, cell(rich)?)
        };
        let changes: Vec<f64> = self.rows.numbers(from).into_iter().filter_map(at).collect();
        if changes.is_empty() {
            return ClaimOutcome::not_measured();
        }
        let mean = changes.iter().sum::<f64>() / changes.len() as f64;
        let least = changes.iter().copied().fold(f64::INFINITY, f64::min);
        let most = changes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let holds = (mean - claimed).abs() <= SHARE_TOLERANCE;
        let [mean, least, most] = [mean, least, most].map(whole);
        ClaimOutcome::of(holds, format!("{mean} {unit} on the mean, {least} to {most} over n"))
    }
}
