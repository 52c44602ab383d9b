//! Claims on drawing.

use super::super::experiments::{ALGORITHMS, Experiment};
use super::super::names;
use super::court::{Court, Ruling, figure, join, unmeasured, whole};
use crate::figures::Cell;

/// A share that the thesis gives holds if today's lies within so many percentage points of it.
const SHARE_TOLERANCE: f64 = 10.0;

impl Court<'_> {
    /// A ruling on drawing: only a graphics card can be compared with that of the thesis.
    pub(super) fn drawn(&self, rule: impl Fn(&Self) -> Ruling) -> Ruling {
        match self.adapter {
            None => Ruling::none("nothing was drawn"),
            Some(adapter) if adapter.contains("software") => {
                let today = rule(self).today;
                Ruling::none(format!("{today}; the processor drew, not a graphics card"))
            }
            Some(_) => rule(self),
        }
    }

    pub(super) fn undrawn_speed_ups_are_greater(&self) -> Ruling {
        self.drawn(|court| {
            let numbers = court.evidence.numbers(Experiment::RandomDrawn);
            let Some(&n) = numbers.last() else { return Ruling::none("nothing was drawn") };
            let pairs: Vec<(&str, f64, f64)> = ALGORITHMS[1..]
                .iter()
                .filter_map(|id| {
                    let drawn = court.over_classic(Experiment::RandomDrawn, names::DRAWN, id, n)?;
                    let undrawn = court.over_classic(Experiment::Random, names::RANDOM, id, n)?;
                    Some((*id, undrawn, drawn))
                })
                .collect();
            if pairs.is_empty() {
                return Ruling::none(unmeasured(n));
            }
            let holds = pairs.iter().all(|(_, undrawn, drawn)| undrawn > drawn);
            let told = pairs.iter().map(|(id, undrawn, drawn)| {
                format!("{id} {} against {}", figure(*undrawn), figure(*drawn))
            });
            Ruling::of(holds, format!("{} with drawing, n = {n}", join(told)))
        })
    }

    pub(super) fn fps_cost(&self, from: Experiment, looks: [&str; 2], claimed: f64) -> Ruling {
        self.looks(from, looks, claimed, "% of the frames per second", |plain, rich| {
            Some(100.0 * (1.0 - rich.fps? / plain.fps?))
        })
    }

    pub(super) fn share_rise(&self, from: Experiment, looks: [&str; 2], claimed: f64) -> Ruling {
        self.looks(from, looks, claimed, "points of the share", |plain, rich| {
            Some(100.0 * (rich.drawing_share()? - plain.drawing_share()?))
        })
    }

    /// A change in per cent from one look to another, its mean over all numbers of objects.
    fn looks(
        &self,
        from: Experiment,
        [plain, rich]: [&str; 2],
        claimed: f64,
        unit: &str,
        change: impl Fn(&Cell, &Cell) -> Option<f64>,
    ) -> Ruling {
        let at = |n: u64| {
            let cell = |input| self.evidence.cell(from, input, "bsp", n);
            change(cell(plain)?, cell(rich)?)
        };
        let changes: Vec<f64> = self.evidence.numbers(from).into_iter().filter_map(at).collect();
        if changes.is_empty() {
            return Ruling::none("not measured");
        }
        let mean = changes.iter().sum::<f64>() / changes.len() as f64;
        let least = changes.iter().copied().fold(f64::INFINITY, f64::min);
        let most = changes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [told, least, most] = [mean, least, most].map(whole);
        let today = format!("{told} {unit} on the mean, {least} to {most} over n");
        Ruling::of((mean - claimed).abs() <= SHARE_TOLERANCE, today)
    }
}
