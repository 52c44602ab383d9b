//! Parts of a structure that changed lately.

use crate::session::StructureAt;
use crate::view::View;
use broadphase::inspect::{
    BoxMark, CacheState, Change, Exchange, Inspect, Mark, Overlay, Rotation, SplitPlane, planes_of,
};
use broadphase::{Aabb, BroadPhase};
use std::collections::{BTreeMap, HashMap};

/// Steps for which a change is marked: half a second at 60 steps a second.
const FLASH_STEPS: u64 = 30;

/// The same for changes that come in most steps: 0.3 s. Longer marks would cover the structure.
const SHORT_FLASH_STEPS: u64 = 18;

/// Steps over which changes are counted: a second.
const COUNTED_STEPS: u64 = 60;

/// Steps whose numbers of changes are kept, for a jump back to one: more than are kept of a motion.
const KEPT_COUNTS: usize = 1000;

/// The last exchanges stay marked however long ago they were, each at least this fresh: slow objects exchange ends in
/// few steps.
const LAST_EXCHANGES: usize = 6;
const MIN_FRESHNESS: f32 = 0.4;

/// Most changes of a kind that are marked. More hide each other.
const MOST: usize = 10_000;

/// Changes in the last steps. A change is in a single step, which is too short to be seen. Only the parts that are
/// shown are watched: changes are counted from the step in which their part is switched on.
pub(super) struct Flashes {
    planes: Recent<MovedPlane>,
    /// The planes after the last step in which they were watched, by the numbers of their nodes. None after steps in which
    /// they were not: they may have moved.
    known_planes: Option<HashMap<u64, SplitPlane>>,
    escapes: Recent<Escape>,
    /// The fat AABBs of slow objects after the last step, index = object; empty for others, and after steps in which they
    /// were not watched.
    known_fat: Vec<Aabb>,
    rotations: Recent<Rotation>,
    exchanges: Recent<Exchange>,
}

impl Default for Flashes {
    fn default() -> Self {
        Self {
            planes: Recent::new(FLASH_STEPS, COUNTED_STEPS),
            known_planes: None,
            escapes: Recent::new(FLASH_STEPS, COUNTED_STEPS),
            known_fat: Vec::new(),
            rotations: Recent::new(SHORT_FLASH_STEPS, COUNTED_STEPS),
            exchanges: Recent {
                lasting: LAST_EXCHANGES,
                ..Recent::new(SHORT_FLASH_STEPS, COUNTED_STEPS)
            },
        }
    }
}

/// A plane that moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovedPlane {
    /// The number of its node: the root is 1; below the plane of node k is 2k, above it 2k + 1.
    pub node: u64,
    /// Where it is.
    pub now: SplitPlane,
    /// The plane of that node before, if it had one.
    pub before: Option<SplitPlane>,
}

/// An object that escaped from its fat AABB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Escape {
    /// The object.
    pub object: u32,
    /// That fat AABB, if it had one.
    pub before: Option<Aabb>,
}

/// The same, by kind.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// Planes that moved.
    pub planes: Changes<MovedPlane>,
    /// Objects that escaped from their fat AABBs.
    pub escapes: Changes<Escape>,
    /// Rotations of a tree.
    pub rotations: Changes<Rotation>,
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
    /// The number of these steps: those that were watched, at most a second. 0 where the present one is not counted.
    pub steps: u64,
}

impl<T> Default for Changes<T> {
    fn default() -> Self {
        Self { fresh: Vec::new(), now: 0, lately: 0, steps: 0 }
    }
}

impl Flashes {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Forgets the marks: another step of the same motion is shown. The numbers of changes stay.
    pub(super) fn forget_marks(&mut self) {
        self.forget_step();
        self.planes.forget_marks();
        self.escapes.forget_marks();
        self.rotations.forget_marks();
        self.exchanges.forget_marks();
    }

    /// Drops changes that were long ago, and what is known of a step that was just taken and of later ones, which were
    /// taken back.
    pub(super) fn begin(&mut self, step: u64) {
        self.planes.begin(step);
        self.escapes.begin(step);
        self.rotations.begin(step);
        self.exchanges.begin(step);
    }

    /// Adds the changes of a step that was just searched, in the parts that are watched, where that was not done. A new
    /// structure has none.
    pub(super) fn add(
        &mut self,
        StructureAt { step, structure, is_new }: StructureAt<'_>,
        view: &View,
    ) {
        if is_new {
            self.forget_step();
        }
        self.add_watched(structure, view, step);
        if is_new {
            self.planes.forget(step);
            self.escapes.forget(step);
            self.rotations.forget(step);
            self.exchanges.forget(step);
        }
    }

    /// Notes that other steps follow than those added so far: the changes of the first one are not compared with them.
    pub(super) fn forget_step(&mut self) {
        self.known_planes = None;
        self.known_fat.clear();
    }

    fn add_watched(&mut self, structure: &dyn BroadPhase, view: &View, now: u64) {
        let inspect = structure.inspect();
        if view.shows(Overlay::Planes) {
            self.add_planes(structure, now);
        } else {
            self.known_planes = None;
        }
        if view.shows(Overlay::FatBoxes) {
            self.add_escapes(inspect, now);
        } else {
            self.known_fat.clear();
        }
        if view.shows(Overlay::TreeBoxes) {
            self.rotations.add_changes(now, inspect, |change| match change {
                Change::Rotation(rotation) => Some(rotation),
                _ => None,
            });
        }
        if view.shows(Overlay::Endpoints) {
            self.exchanges.add_changes(now, inspect, |change| match change {
                Change::Exchange(exchange) => Some(exchange),
                _ => None,
            });
        }
    }

    fn add_escapes(&mut self, inspect: &dyn Inspect, now: u64) {
        let known = &mut self.known_fat;
        self.escapes.add_changes(now, inspect, |change| {
            let Change::Escape(object) = change else { return None };
            let before = known.get(object as usize).copied();
            Some(Escape { object, before: before.filter(|fat| !fat.is_empty()) })
        });
        known.clear();
        inspect.marks(Overlay::FatBoxes, &mut |mark| {
            let Mark::Box(BoxMark { object, bounds, role }) = mark else { return };
            if role == CacheState::Slow as usize {
                let object = object as usize;
                known.resize(known.len().max(object + 1), Aabb::EMPTY);
                known[object] = bounds;
            }
        });
    }

    fn add_planes(&mut self, structure: &dyn BroadPhase, now: u64) {
        let is_rebuilt = structure.counters().rebuilds > 0;
        // Most structures have no planes, and are not drawn in each step to find that out.
        let has_planes = self.known_planes.as_ref().is_none_or(|known| !known.is_empty());
        let is_drawn = is_rebuilt || has_planes;
        let planes = if is_drawn { planes_of(structure.inspect()) } else { Vec::new() };
        let nodes = plane_nodes(&planes);
        let known = self.known_planes.get_or_insert_default();
        self.planes.add(now, |add| {
            for (node, now) in nodes.iter().filter(|(_, plane)| is_rebuilt && plane.moved) {
                add(MovedPlane { node: *node, now: *now, before: known.get(node).copied() });
            }
        });
        *known = nodes.into_iter().collect();
    }

    /// Fills lists with the changes and their freshness. Where the scene stands still, only the changes of its step are
    /// marked.
    pub(super) fn show(&self, now: u64, is_running: bool, changed: &mut Changed) {
        self.planes.show(now, is_running, &mut changed.planes);
        self.escapes.show(now, is_running, &mut changed.escapes);
        self.rotations.show(now, is_running, &mut changed.rotations);
        self.exchanges.show(now, is_running, &mut changed.exchanges);
    }
}

/// Planes with the numbers of their nodes, parents first, as they come. Those that are deeper than numbers reach, or whose
/// cell is no side of another plane, are left out.
pub fn plane_nodes(planes: &[SplitPlane]) -> Vec<(u64, SplitPlane)> {
    let key = |cell: Aabb, depth: u32| {
        ([cell.min, cell.max].map(|corner| corner.to_array().map(f32::to_bits)), depth)
    };
    let mut cells = HashMap::new();
    let mut nodes = Vec::with_capacity(planes.len());
    for plane in planes.iter().filter(|plane| plane.depth < u64::BITS - 1) {
        if plane.depth == 0 {
            cells.insert(key(plane.cell, 0), 1);
        }
        let Some(&node) = cells.get(&key(plane.cell, plane.depth)) else { continue };
        nodes.push((node, *plane));
        let [low, high] = plane.sides();
        cells.insert(key(low, plane.depth + 1), 2 * node);
        cells.insert(key(high, plane.depth + 1), 2 * node + 1);
    }
    nodes
}

/// Changes of one kind, each with its step.
struct Recent<T> {
    changes: Vec<(T, u64)>,
    /// The last step whose changes were added.
    added: Option<u64>,
    /// Their number in each step that was watched.
    counts: BTreeMap<u64, usize>,
    /// Steps for which each is marked, and over which they are counted.
    lasts: u64,
    counted: u64,
    /// The last changes that are marked until others follow.
    lasting: usize,
}

impl<T: Copy> Recent<T> {
    fn new(lasts: u64, counted: u64) -> Self {
        let (changes, counts) = (Vec::new(), BTreeMap::new());
        Self { changes, added: None, counts, lasts, counted, lasting: 0 }
    }

    /// Adds the changes of a step that `visit` reports, unless that was done.
    fn add(&mut self, now: u64, visit: impl FnOnce(&mut dyn FnMut(T))) {
        if self.added.replace(now) == Some(now) {
            return;
        }
        let (changes, mut number) = (&mut self.changes, 0);
        visit(&mut |change| {
            number += 1;
            if changes.len() < MOST {
                changes.push((change, now));
            }
        });
        self.counts.insert(now, number);
        if self.counts.len() > KEPT_COUNTS {
            self.counts.pop_first();
        }
    }

    /// Adds those of the changes in a step that `of` returns.
    fn add_changes(&mut self, now: u64, inspect: &dyn Inspect, of: impl Fn(Change) -> Option<T>) {
        self.add(now, |add| inspect.changes(&mut |change| _ = of(change).map(&mut *add)));
    }

    /// Forgets the changes of a step.
    fn forget(&mut self, step: u64) {
        self.changes.retain(|(_, at)| *at != step);
        self.counts.remove(&step);
    }

    fn forget_marks(&mut self) {
        self.changes.clear();
        self.added = None;
    }

    fn begin(&mut self, now: u64) {
        self.changes.retain(|(_, step)| *step < now);
        let others = self.changes.len().saturating_sub(self.lasting);
        let old = self.changes[..others].partition_point(|(_, step)| now - step >= self.lasts);
        self.changes.drain(..old);
        self.counts.retain(|step, _| *step < now);
        self.added = self.added.filter(|step| *step < now);
    }

    fn show(&self, now: u64, is_running: bool, shown: &mut Changes<T>) {
        shown.fresh.clear();
        let least = if self.lasting > 0 { MIN_FRESHNESS } else { 0.0 };
        let others = self.changes.len().saturating_sub(self.lasting);
        shown.fresh.extend(self.changes.iter().enumerate().filter_map(
            |(place, (change, step))| {
                let ago = now.saturating_sub(*step);
                let fresh = 1.0 - ago as f32 / self.lasts as f32;
                (place >= others || ago < self.lasts).then_some((*change, fresh.max(least)))
            },
        ));
        shown.now = self.counts.get(&now).copied().unwrap_or(0);
        if !is_running && (shown.now > 0 || self.lasting == 0) {
            shown.fresh.retain(|(_, fresh)| *fresh == 1.0);
        }
        // Up to a step that was not watched.
        let known = (0..self.counted).map_while(|ago| self.counts.get(&now.checked_sub(ago)?));
        (shown.lately, shown.steps) = known.fold((0, 0), |(all, steps), of| (all + of, steps + 1));
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
            recent.show(now, true, &mut shown);
            (shown.fresh.len(), shown.now, shown.lately, shown.steps)
        };
        let add = |recent: &mut Recent<u32>, step: u64, changes: &[u32]| {
            recent.begin(step);
            recent.add(step, |add| changes.iter().copied().for_each(add));
        };
        add(&mut recent, 1, &[7, 8]);
        recent.add(1, |_| panic!("a step is counted once"));
        add(&mut recent, 2, &[]);
        add(&mut recent, 3, &[]);
        add(&mut recent, 4, &[9]);
        assert_eq!(counts(&mut recent, 4), (1, 1, 3, 4));
        (5..=10).for_each(|step| add(&mut recent, step, &[]));
        assert_eq!(counts(&mut recent, 10), (0, 0, 3, 10));
        add(&mut recent, 11, &[]);
        assert_eq!(counts(&mut recent, 11), (0, 0, 1, 10));
        // Not watched in step 12.
        add(&mut recent, 13, &[6]);
        assert_eq!(counts(&mut recent, 13), (1, 1, 1, 1));
        recent.begin(14);
        assert_eq!(counts(&mut recent, 14), (1, 0, 0, 0), "not counted");
        // After a jump, as in the run.
        recent.forget_marks();
        recent.add(4, |add| add(9));
        assert_eq!(counts(&mut recent, 4), (1, 1, 3, 4));
        // Other steps follow.
        add(&mut recent, 5, &[1, 2]);
        assert_eq!(counts(&mut recent, 5), (3, 2, 5, 5));
        assert_eq!(counts(&mut recent, 6), (3, 0, 0, 0));
    }

    #[test]
    fn last_changes_stay_marked_until_others_follow() {
        let mut recent = Recent { lasting: 2, ..Recent::new(3, 10) };
        let mut shown = Changes::default();
        recent.add(1, |add| (0..5).for_each(add));
        recent.begin(100);
        for is_running in [true, false] {
            recent.show(100, is_running, &mut shown);
            assert_eq!(shown.fresh, [(3, MIN_FRESHNESS), (4, MIN_FRESHNESS)]);
        }
        recent.begin(101);
        recent.add(101, |add| (5..8).for_each(add));
        recent.show(101, true, &mut shown);
        assert_eq!(shown.fresh, [(5, 1.0), (6, 1.0), (7, 1.0)]);
        // Not those of steps that were taken back.
        recent.begin(100);
        recent.show(100, true, &mut shown);
        assert_eq!(shown.fresh, [(3, MIN_FRESHNESS), (4, MIN_FRESHNESS)]);
    }

    #[test]
    fn still_scene_marks_only_the_changes_of_its_step() {
        let mut recent = Recent::new(3, 10);
        let mut shown = Changes::default();
        recent.add(1, |add| add(7));
        recent.add(2, |add| add(8));
        recent.show(2, true, &mut shown);
        assert_eq!(shown.fresh, [(7, 1.0 - 1.0 / 3.0), (8, 1.0)]);
        recent.show(2, false, &mut shown);
        assert_eq!((&shown.fresh[..], shown.now, shown.lately), (&[(8, 1.0)][..], 1, 2));
        recent.add(3, |_| {});
        recent.show(3, false, &mut shown);
        assert_eq!((shown.fresh.len(), shown.now, shown.lately), (0, 0, 2));
    }
}
