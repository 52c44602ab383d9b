//! Chooses in each frame between a cache of pairs, a grid of sweeps, and one sweep.
//!
//! Where objects rest, move little, or fly on, the pairs of fat AABBs are cached (`caching`), by the
//! policy with the lowest predicted cost. Where no cache pays, all boxes are searched: by `box-pruning`
//! where a sample promises few overlaps on its axis, else by a grid.

use super::box_pruning::{self, Pruning};
use crate::caching::{Caches, Caching};
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Alternative, Caption, Inspect, Mark, Overlay};
use crate::managed::{Managed, Structure};
use crate::memory::{Heap, Memory, is_idle, room};
use crate::{Counters, Frame, Pair};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm::new("auto", Kind::Other, |_| Box::<Auto>::default())
    .name("Automatic")
    .summary("each step uses neighbour list, rest grid, grid of sweeps or box pruning: the one that is predicted to be fastest")
    .source("our own; its parts are box-pruning, sweep-grid, rest-grid and neighbour-list")
    .cost("that of its choice")
    .watch_for("the step in which the motion changes: it pays for the old choice and the new one")
    .overlays(&[
        Caption::COLUMNS,
        Caption::FAT_BOXES,
        Caption::of(Overlay::CachedPairs),
        Caption::of(Overlay::Blocks),
    ])
    .chooses(true)
    .memory(|n| n * 125)
    .pair_memory(80)
    .vectorised(true)
    .keeps_state(true);

/// Tests an object below which one sweep is faster than a grid of them. Measured: 50 to 110, depending on how
/// similar the boxes are. With 80, uniform boxes on a shell took 1.5 times as long (EPYC, AVX-512).
const SWEEP_BELOW: f64 = 65.0;

/// A sweep stays in use up to this many times as many tests. Else a varying estimate would make the choice
/// oscillate.
const HYSTERESIS: f64 = 1.3;

/// Full searches between two estimates of the tests of a sweep: at first, and at most.
const SEARCHES_PER_ESTIMATE: [u32; 2] = [16, 128];

/// Chooses a method by the motion of the objects: the algorithm to begin with.
///
/// Where objects rest, move little, or fly on, it caches the pairs of fat AABBs. Where all move far, it sweeps all
/// boxes. The choice changes with the motion; it never changes the pairs. Time and memory are those of the chosen
/// method.
pub type Auto = Managed<Choice>;

/// The structures between which [`Auto`] chooses.
#[derive(Clone, Debug)]
pub struct Choice {
    caching: Caching,
    pruning: Pruning,
    part: Part,
    /// Full searches until the next estimate, and from the last one to it.
    until_estimate: u32,
    per_estimate: u32,
    /// Objects at the last estimate.
    estimated_for: usize,
    /// Tests of a sweep for each object that is present, at the last estimate.
    estimate: f64,
    /// Whether the last full search was by one sweep.
    sweeps: bool,
    /// Frames since the cache or its grid was used, and since the sweep was.
    idle: [u32; 2],
}

/// The part that answers a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Sweep,
    Caching,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            caching: Caching::new(Caches::Any),
            pruning: Pruning::default(),
            part: Part::Caching,
            until_estimate: 0,
            per_estimate: 0,
            estimated_for: 0,
            estimate: 0.0,
            sweeps: false,
            idle: [0; 2],
        }
    }
}

impl Choice {
    /// Whether one sweep is predicted to do a full search faster than the grid.
    fn is_sweep_better(&mut self, frame: &Frame<'_>) -> bool {
        let objects = frame.boxes.len();
        let is_another_scene = objects.abs_diff(self.estimated_for) > self.estimated_for / 8;
        if self.until_estimate == 0 || is_another_scene {
            self.estimated_for = objects;
            let bound = SWEEP_BELOW * if self.sweeps { HYSTERESIS } else { 1.0 };
            self.estimate = self.pruning.expected_tests(frame.boxes);
            self.sweeps = objects > 0 && self.estimate < bound;
            let [few, many] = SEARCHES_PER_ESTIMATE;
            self.per_estimate = (2 * self.per_estimate).clamp(few, many);
            self.until_estimate = self.per_estimate;
        }
        self.until_estimate -= 1;
        self.sweeps
    }
}
room!(Choice: caching, pruning);

impl Memory for Choice {
    fn heap(&self) -> Heap {
        let [caching, pruning] = [self.caching.heap(), self.pruning.heap()];
        let [caches, prunes] = self.idle.map(is_idle);
        let used = |heap: Heap, is_idle| if is_idle { heap.idle() } else { heap };
        used(caching, caches) + used(pruning, prunes)
    }

    fn trim(&mut self) {
        let [caches, prunes] = self.idle.map(is_idle);
        if caches {
            self.caching.drop_grid();
        }
        if prunes {
            self.pruning.drop_lists();
        }
        self.caching.trim();
        self.pruning.trim();
    }
}

impl Structure for Choice {
    fn update(&mut self, frame: &Frame<'_>) {
        self.part = Part::Caching;
        if self.caching.update_cache(frame) {
            (self.until_estimate, self.per_estimate) = (0, 0);
        } else if !self.caching.is_first_frame() && self.is_sweep_better(frame) {
            self.part = Part::Sweep;
            self.pruning.update(frame);
        } else {
            self.caching.update_search(frame);
        }
        let [cached, swept] = self.idle.map(|frames| frames.saturating_add(1));
        self.idle = match self.part {
            Part::Caching => [0, swept],
            Part::Sweep => [cached, 0],
        };
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        match self.part {
            Part::Caching => self.caching.find_pairs(frame, pairs),
            Part::Sweep => {
                let first = pairs.len();
                self.pruning.find_pairs(frame, pairs);
                if !frame.is_stopped() {
                    let counters = self.pruning.counters();
                    let found = pairs.len() - first;
                    self.caching.learn_sweep(frame.boxes.len(), &counters, found);
                }
            }
        }
    }

    fn counters(&self) -> Counters {
        match self.part {
            Part::Caching => self.caching.counters(),
            Part::Sweep => self.pruning.counters(),
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        match self.part {
            Part::Caching => self.caching.validate(frame),
            Part::Sweep => self.pruning.validate(frame),
        }
    }
}

impl Inspect for Choice {
    fn part(&self) -> Option<&dyn Inspect> {
        Some(match self.part {
            Part::Caching => &self.caching,
            Part::Sweep => &self.pruning,
        })
    }

    /// The ends of a sweep are no overlay of its own.
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        if let Some(part) = Inspect::part(self).filter(|_| ENTRY.shows(overlay)) {
            part.marks(overlay, visit);
        }
    }

    fn alternatives(&self, report: &mut dyn FnMut(Alternative)) {
        let sweeps = self.part == Part::Sweep;
        let mut any = false;
        self.caching.alternatives(&mut |alternative| {
            any = true;
            report(Alternative { is_chosen: alternative.is_chosen && !sweeps, ..alternative });
        });
        if any {
            // Both cost the same at the bound.
            let cost = (self.estimated_for > 0).then_some(self.estimate / SWEEP_BELOW);
            let why = "searches all in a sweep, not by the grid";
            let (name, why) = (box_pruning::ENTRY.name, why.to_owned());
            report(Alternative { name, cost, why, is_chosen: sweeps });
        }
    }

    fn remarks(&self, report: &mut dyn FnMut(String)) {
        if !self.caching.has_begun() {
            return;
        }
        let chosen = match self.part {
            Part::Sweep => box_pruning::ENTRY.name,
            Part::Caching => self.caching.chosen().name,
        };
        report(format!("Chosen: {chosen}. {}", self.caching.motion()));
        if self.part == Part::Caching {
            report(self.caching.action());
        }
    }
}
