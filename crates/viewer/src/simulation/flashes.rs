//! Parts of a structure that changed lately.

use super::structure::collect_planes;
use super::watch::Watch;
use broadphase::inspect::{Exchange, SplitPlane};
use broadphase::{Aabb, BroadPhase};
use std::collections::VecDeque;

/// Steps for which a change is marked: half a second at 60 steps a second.
const FLASH_STEPS: u64 = 30;

/// The same for changes that come in most steps: 0.3 s. Longer marks would cover the structure.
const SHORT_FLASH_STEPS: u64 = 18;

/// Steps over which changes are counted: a second. Planes move seldom, and are counted over five.
const COUNTED_STEPS: u64 = 60;
const PLANES_COUNTED_STEPS: u64 = 300;

/// Most changes of a kind that are marked. More hide each other.
const MOST: usize = 10_000;

/// What changed in the last steps. A change is in a single step, which is too short to be seen.
pub(super) struct Flashes {
    planes: Recent<SplitPlane>,
    escapes: Recent<u32>,
    rotations: Recent<Aabb>,
    exchanges: Recent<Exchange>,
}

impl Default for Flashes {
    fn default() -> Self {
        Self {
            planes: Recent::new(FLASH_STEPS, PLANES_COUNTED_STEPS),
            escapes: Recent::new(FLASH_STEPS, COUNTED_STEPS),
            rotations: Recent::new(SHORT_FLASH_STEPS, COUNTED_STEPS),
            exchanges: Recent::new(SHORT_FLASH_STEPS, COUNTED_STEPS),
        }
    }
}

/// The same, by kind.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// Planes that moved.
    pub planes: Changes<SplitPlane>,
    /// Objects that escaped from their fat AABBs.
    pub escapes: Changes<u32>,
    /// Boxes of nodes that were rotated.
    pub rotations: Changes<Aabb>,
    /// Ends that passed each other in sorted lists.
    pub exchanges: Changes<Exchange>,
}

/// Changes of one kind.
#[derive(Clone, Debug)]
pub struct Changes<T> {
    /// The last ones, each with its freshness: 1 in the step of the change, falling to 0.
    pub fresh: Vec<(T, f32)>,
    /// Changes in the present step.
    pub now: usize,
    /// Changes in the last [`steps`](Self::steps) steps, the present one included.
    pub lately: usize,
    /// The number of these steps.
    pub steps: u64,
}

impl<T> Default for Changes<T> {
    fn default() -> Self {
        Self { fresh: Vec::new(), now: 0, lately: 0, steps: COUNTED_STEPS }
    }
}

impl Flashes {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Drops changes that were long ago, or in steps that were taken back.
    pub(super) fn expire(&mut self, now: u64) {
        self.planes.expire(now);
        self.escapes.expire(now);
        self.rotations.expire(now);
        self.exchanges.expire(now);
    }

    /// Adds the changes of this step in the parts that are watched.
    pub(super) fn add(&mut self, structure: &dyn BroadPhase, watch: &Watch, now: u64) {
        if watch.planes && structure.counters().rebuilds > 0 {
            let mut planes = Vec::new();
            collect_planes(structure, &mut planes);
            planes.into_iter().filter(|plane| plane.moved).for_each(|p| self.planes.add(p, now));
        }
        if watch.fat_boxes {
            structure.inspect().escapes(&mut |object| self.escapes.add(object, now));
        }
        if watch.tree_boxes.is_some() {
            structure.inspect().rotations(&mut |bounds| self.rotations.add(bounds, now));
        }
        if watch.endpoints {
            structure.inspect().exchanges(&mut |exchange| self.exchanges.add(exchange, now));
        }
    }

    /// Fills lists with the changes and their freshness.
    pub(super) fn show(&self, now: u64, changed: &mut Changed) {
        self.planes.show(now, &mut changed.planes);
        self.escapes.show(now, &mut changed.escapes);
        self.rotations.show(now, &mut changed.rotations);
        self.exchanges.show(now, &mut changed.exchanges);
    }
}

/// Changes of one kind, each with its step.
struct Recent<T> {
    changes: Vec<(T, u64)>,
    /// Their number in each step, the latest last.
    counts: VecDeque<(u64, usize)>,
    /// Steps for which each is marked, and over which they are counted.
    lasts: u64,
    counted: u64,
}

impl<T: Copy> Recent<T> {
    fn new(lasts: u64, counted: u64) -> Self {
        Self { changes: Vec::new(), counts: VecDeque::new(), lasts, counted }
    }

    fn add(&mut self, change: T, now: u64) {
        match self.counts.back_mut() {
            Some((step, number)) if *step == now => *number += 1,
            _ => self.counts.push_back((now, 1)),
        }
        if self.changes.len() < MOST {
            self.changes.push((change, now));
        }
    }

    fn expire(&mut self, now: u64) {
        let is_within = |step: u64, steps: u64| step <= now && now - step < steps;
        let (lasts, counted) = (self.lasts, self.counted);
        self.changes.retain(|(_, step)| is_within(*step, lasts));
        self.counts.retain(|(step, _)| is_within(*step, counted));
    }

    fn show(&self, now: u64, shown: &mut Changes<T>) {
        shown.fresh.clear();
        shown.fresh.extend(self.changes.iter().map(|(change, step)| {
            (*change, 1.0 - now.saturating_sub(*step) as f32 / self.lasts as f32)
        }));
        shown.now = self.counts.iter().filter(|(step, _)| *step == now).map(|(_, n)| n).sum();
        shown.lately = self.counts.iter().map(|(_, number)| number).sum();
        shown.steps = self.counted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted_longer_than_they_are_marked() {
        let mut recent = Recent::new(3, 10);
        let counts = |recent: &mut Recent<u32>, now: u64| {
            let mut shown = Changes::default();
            recent.expire(now);
            recent.show(now, &mut shown);
            (shown.fresh.len(), shown.now, shown.lately)
        };
        for (change, step) in [(7, 1), (8, 1), (9, 4)] {
            recent.add(change, step);
        }
        assert_eq!(counts(&mut recent, 4), (1, 1, 3));
        assert_eq!(counts(&mut recent, 10), (0, 0, 3));
        assert_eq!(counts(&mut recent, 11), (0, 0, 1));
        // Steps that were taken back are not counted.
        assert_eq!(counts(&mut recent, 3), (0, 0, 0));
    }
}
