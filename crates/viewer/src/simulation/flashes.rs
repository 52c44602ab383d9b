//! Parts of a structure that changed lately.

use super::structure::collect_planes;
use super::watch::Watch;
use broadphase::inspect::{Exchange, SplitPlane};
use broadphase::{Aabb, BroadPhase};

/// Steps for which a change is marked: half a second at 60 steps a second.
const FLASH_STEPS: u64 = 30;

/// The same for changes that come in most steps: 0.3 s. Longer marks would cover the structure.
const SHORT_FLASH_STEPS: u64 = 18;

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
            planes: Recent::lasting(FLASH_STEPS),
            escapes: Recent::lasting(FLASH_STEPS),
            rotations: Recent::lasting(SHORT_FLASH_STEPS),
            exchanges: Recent::lasting(SHORT_FLASH_STEPS),
        }
    }
}

/// The same, each with its freshness: 1 in the step of the change, falling to 0.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// Planes that moved.
    pub planes: Vec<(SplitPlane, f32)>,
    /// Objects that escaped from their fat AABBs.
    pub escapes: Vec<(u32, f32)>,
    /// Boxes of nodes that were rotated.
    pub rotations: Vec<(Aabb, f32)>,
    /// Ends that passed each other in sorted lists.
    pub exchanges: Vec<(Exchange, f32)>,
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
    /// Steps for which each is marked.
    lasts: u64,
}

impl<T: Copy> Recent<T> {
    fn lasting(lasts: u64) -> Self {
        Self { changes: Vec::new(), lasts }
    }

    fn add(&mut self, change: T, now: u64) {
        if self.changes.len() < MOST {
            self.changes.push((change, now));
        }
    }

    fn expire(&mut self, now: u64) {
        let lasts = self.lasts;
        self.changes.retain(|(_, step)| *step <= now && now - step < lasts);
    }

    fn show(&self, now: u64, shown: &mut Vec<(T, f32)>) {
        shown.clear();
        shown.extend(self.changes.iter().map(|(change, step)| {
            (*change, 1.0 - now.saturating_sub(*step) as f32 / self.lasts as f32)
        }));
    }
}
