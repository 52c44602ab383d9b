//! The marks and the work that a cache reports.

use super::Caching;
use super::decide::Mode;
use super::policy::{self, Policy};
use super::preset::{Caches, Preset};
use crate::algorithms::{neighbour_list, rest_grid, sweep_grid};
use crate::entry::Algorithm;
use crate::inspect::{Alternative, Change, Inspect, Mark, Overlay, RegionMark, Work};

impl<P: Preset> Caching<P> {
    /// Whether the columns of the cache hold the objects by their own boxes. Columns of fat AABBs list absent objects, too.
    fn shows_columns(&self) -> bool {
        P::CACHES != Caches::Always && policy::ALL[self.cache.policy].margin == 0.0
    }

    /// The algorithm that answers a frame in the same way.
    fn chosen(&self) -> &'static Algorithm {
        match self.mode {
            Mode::Search => &sweep_grid::ENTRY,
            _ if policy::ALL[self.cache.policy].margin == 0.0 => &rest_grid::ENTRY,
            _ => &neighbour_list::ENTRY,
        }
    }

    /// The lowest predicted cost of the allowed policies that `suit`, in full searches.
    fn cost_of(&self, suit: impl Fn(&Policy) -> bool) -> Option<f64> {
        let suiting = self.allowed().filter(|policy| suit(&policy::ALL[*policy]));
        let costs = suiting.map(|policy| self.outlook(policy).mean / self.search);
        costs.filter(|cost| cost.is_finite()).min_by(f32::total_cmp).map(f64::from)
    }

    /// A sentence about the work of the cache in this step.
    fn action(&self) -> String {
        let boxes = margins(policy::ALL[self.policy()]);
        let done = match self.mode {
            Mode::Search => return "Nothing is cached: all boxes are searched.".to_owned(),
            Mode::Build(_) => "The cache was rebuilt in this step",
            Mode::Insert => "Escaped objects were inserted in this step",
            Mode::Keep => "The cached pairs were kept in this step",
        };
        format!("{done}. {boxes}.")
    }

    /// The policy of the cache, or of the best one if there is none.
    fn policy(&self) -> usize {
        if self.mode == Mode::Search { self.best().0 } else { self.cache.policy }
    }
}

/// A policy in words.
fn margins(policy: Policy) -> String {
    let Policy { margin, frames, is_for_resting } = policy;
    if margin == 0.0 {
        return "Only pairs of resting objects are cached".to_owned();
    }
    let whose = if is_for_resting { "each object" } else { "a moving object" };
    let motion = match frames > 0.0 {
        true => format!(", and {frames:.0} steps of its motion"),
        false => String::new(),
    };
    format!("The margin around {whose}: {:.0} % of a typical box{motion}", 100.0 * margin)
}

/// A share in percent.
fn percent(share: f32) -> String {
    if share.is_finite() { format!("{:.0} %", 100.0 * share) } else { "an unknown part".to_owned() }
}

impl<P: Preset> Inspect for Caching<P> {
    fn part(&self) -> Option<&dyn Inspect> {
        (self.mode == Mode::Search).then_some(&self.cache.columns.grid as _)
    }

    /// An algorithm that always caches has no columns to show.
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if let Some(grid) = self.part().filter(|_| P::CACHES != Caches::Always) {
            return grid.marks(overlay, visit);
        }
        match overlay {
            _ if self.mode == Mode::Search => {}
            Overlay::FatBoxes => self.cache.fat_boxes(visit),
            Overlay::CachedPairs => self.cache.cached_pairs(visit),
            Overlay::Regions if self.shows_columns() => {
                for (index, (_, bounds, objects)) in self.cache.regions().iter().enumerate() {
                    visit(Mark::Region(RegionMark {
                        axis: self.cache.columns.axis(),
                        ..RegionMark::new(index, *bounds, 0, objects)
                    }));
                }
            }
            _ => {}
        }
    }

    fn changes(&self, visit: &mut dyn FnMut(Change)) {
        if self.mode != Mode::Search {
            self.cache.escapes(visit);
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        // Regions that are not shown have no marks.
        if let Some(grid) = self.part() {
            let is_shown = P::CACHES != Caches::Always;
            return grid.tests(&mut |a, b, region| visit(a, b, region.filter(|_| is_shown)));
        }
        let shown = if self.shows_columns() { self.cache.regions() } else { Vec::new() };
        let place = |column| shown.binary_search_by_key(&column, |(shown, ..)| *shown).ok();
        self.cache.tests(self.is_new(), &mut |a, b, column| {
            visit(a, b, column.and_then(place).map(|place| place as u32));
        });
    }

    fn work(&self, report: &mut dyn FnMut(Work)) {
        if self.mode == Mode::Search {
            return;
        }
        report(Work {
            name: "cached pairs",
            meaning: "Candidate pairs and pairs of resting objects, cached while their fat AABBs hold",
            count: self.cache.pairs() as u64,
            changes: None,
        });
        report(Work {
            name: "objects sought",
            meaning: "Objects whose partners are searched in this frame: they move, or escaped their fat AABB",
            count: self.cache.escaped.len() as u64,
            changes: None,
        });
    }

    fn alternatives(&self, report: &mut dyn FnMut(Alternative)) {
        // There was no frame.
        if self.search == 0.0 {
            return;
        }
        let chosen = self.chosen().id;
        let mut offer = |entry: &Algorithm, cost, why: &str| {
            let (why, is_chosen) = (why.to_owned(), entry.id == chosen);
            report(Alternative { name: entry.name, cost, why, is_chosen });
        };
        let is_bare = |policy: &Policy| policy.margin == 0.0;
        let moving = percent(1.0 - self.forecast.sample.resting_share());
        let why = format!("searches what moves: {moving}");
        offer(&rest_grid::ENTRY, self.cost_of(is_bare), &why);
        if P::CACHES != Caches::Resting {
            let cost = self.cost_of(|policy| !is_bare(policy));
            offer(&neighbour_list::ENTRY, cost, "searches what left its fat AABB");
        }
        if P::CACHES != Caches::Always {
            offer(&sweep_grid::ENTRY, Some(1.0), "searches all, column by column");
        }
    }

    fn remarks(&self, report: &mut dyn FnMut(String)) {
        // There was no frame.
        if self.search == 0.0 {
            return;
        }
        let moving = percent(1.0 - self.forecast.sample.resting_share());
        let motion = format!("{moving} of {} sampled objects move.", self.forecast.sample.len());
        if P::CACHES == Caches::Any {
            report(format!("Chosen: {}. {motion}", self.chosen().name));
            return report(self.action());
        }
        let cost = percent(self.outlook(self.policy()).mean / self.search);
        let action = self.action();
        report(format!("{motion} A cache is predicted to cost {cost} of a full search. {action}"));
    }
}
