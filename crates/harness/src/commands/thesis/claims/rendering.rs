//! Claims on rendering.

use super::check::{Checked, ClaimCheck, join, not_measured, whole};
use crate::commands::thesis::experiments::Experiment;
use measure::numbers::significant;
use report::Cell;

/// Tolerance of a share that the thesis states, percentage points.
const SHARE_TOLERANCE: f64 = 10.0;

impl ClaimCheck<'_> {
    pub(super) fn speed_ups_are_greater_without_rendering(&self) -> Checked {
        let numbers = self.rows.numbers(Experiment::RandomDrawn);
        let n = *numbers.last().ok_or_else(not_measured)?;
        let both = |id: &'static str| {
            let drawn = self.speed_up(Experiment::RandomDrawn, id, n)?;
            Some((id, self.speed_up(Experiment::Random, id, n)?, drawn))
        };
        let ids = self.methods.without_brute_force().into_iter();
        let speed_ups: Vec<(&str, f64, f64)> = ids.filter_map(both).collect();
        if speed_ups.is_empty() {
            return Err(self.not_measured_at(n));
        }
        let holds = speed_ups.iter().all(|(_, without, with)| without > with);
        let text = |(id, without, with): &(&str, f64, f64)| {
            format!("{id} {} against {}", significant(*without), significant(*with))
        };
        let text = join(speed_ups.iter().map(text));
        Ok((holds, format!("{text} with drawing, n = {n}")))
    }

    pub(super) fn fps_cost(&self, from: Experiment, looks: [&str; 2], claimed: f64) -> Checked {
        self.change(from, looks, claimed, "% of the frames per second", |plain, rich| {
            Some(100.0 * (1.0 - rich.fps? / plain.fps?))
        })
    }

    pub(super) fn share_rise(&self, from: Experiment, looks: [&str; 2], claimed: f64) -> Checked {
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
    ) -> Checked {
        let changes = self.over_n(from, |n| {
            let cell = |input| self.rows.cell(from, input, self.methods.bsp, n);
            change(cell(plain)?, cell(rich)?)
        });
        if changes.is_empty() {
            return Err(not_measured());
        }
        let changes = || changes.iter().map(|(_, change)| *change);
        let mean = changes().sum::<f64>() / changes().count() as f64;
        let ends =
            [changes().fold(f64::INFINITY, f64::min), changes().fold(f64::NEG_INFINITY, f64::max)];
        let holds = (mean - claimed).abs() <= SHARE_TOLERANCE;
        let ([least, most], mean) = (ends.map(whole), whole(mean));
        Ok((holds, format!("{mean} {unit} on the mean, {least} to {most} over n")))
    }
}
