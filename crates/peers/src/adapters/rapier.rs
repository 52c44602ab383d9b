//! rapier3d's `BroadPhaseBvh`, driven as rapier's own pipeline drives it.
//!
//! The pipeline passes the boxes of moved bodies by `set_aabb` and calls `update`, which reports the pairs of
//! fat AABBs that began and ended. The margin derives from `length_unit`, which is here the typical side of
//! the boxes, as its documentation asks for. Colliders exist only because it looks them up: their shapes are
//! never used.
//!
//! Timed: finding the boxes that changed, both calls, updating the list of pairs from its events, and the
//! test of those pairs by the exact boxes.

use super::candidates::append_overlapping;
use super::typical_side;
use broadphase::registry::{Algorithm, Kind};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Pair};
use rapier3d::parry::bounding_volume::Aabb as ParryAabb;
use rapier3d::parry::utils::hashmap::{Entry, HashMap};
use rapier3d::prelude::{
    ActiveCollisionTypes, BroadPhaseBvh, BroadPhasePairEvent, ColliderBuilder, ColliderHandle,
    ColliderPair, ColliderSet, IntegrationParameters, IslandManager, RigidBodySet, SoftBodySet,
};

/// Its entry in the list.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "rapier3d",
    summary: "rapier3d's broad phase: a cached hierarchy, margins, and events for changed pairs",
    source: "crate rapier3d, geometry::BroadPhaseBvh",
    memory: |n| n * 800,
    peer: true,
    keeps_state: true,
    ..Algorithm::new("rapier3d", Kind::BoxTree, |_| Box::<Rapier>::default())
};

#[derive(Default)]
struct Rapier {
    broad_phase: BroadPhaseBvh,
    parameters: IntegrationParameters,
    world: World,
    /// The boxes of the previous frame.
    boxes: Vec<Aabb>,
    /// The collider of each present object.
    handles: Vec<Option<ColliderHandle>>,
    /// The object of each collider, by the collider's index in its arena.
    objects: Vec<u32>,
    removed: Vec<ColliderHandle>,
    events: Vec<BroadPhasePairEvent>,
    /// The pairs of fat AABBs, and the index of each in that list.
    candidates: Vec<Pair>,
    indices: HashMap<(u32, u32), u32>,
    /// Whether `length_unit` is set, from the first objects that were present.
    has_unit: bool,
}

/// The state that rapier keeps outside of its broad phase.
#[derive(Default)]
struct World {
    colliders: ColliderSet,
    bodies: RigidBodySet,
    islands: IslandManager,
    soft_bodies: SoftBodySet,
}

impl World {
    fn add(&mut self) -> ColliderHandle {
        // Without a body a collider counts as fixed, and two fixed ones make no pair by default.
        let collider =
            ColliderBuilder::ball(0.5).active_collision_types(ActiveCollisionTypes::all());
        self.colliders.insert(collider)
    }

    fn remove(&mut self, handle: ColliderHandle) {
        let Self { colliders, bodies, islands, soft_bodies } = self;
        colliders.remove(handle, islands, bodies, soft_bodies, false);
    }
}

impl Rapier {
    /// Removes the colliders of objects that are no longer there.
    fn remove_absent(&mut self, boxes: &[Aabb]) {
        self.removed.clear();
        for (object, handle) in self.handles.iter_mut().enumerate() {
            if boxes.get(object).is_none_or(Aabb::is_empty)
                && let Some(handle) = handle.take()
            {
                self.world.remove(handle);
                self.removed.push(handle);
            }
        }
        if !self.removed.is_empty() {
            // A separate update: a new collider may get the index of a removed one, and would be mistaken for
            // it.
            self.update_broad_phase();
            self.forget_pairs_of_removed();
        }
        self.handles.truncate(boxes.len());
    }

    fn update_broad_phase(&mut self) {
        let World { colliders, bodies, .. } = &self.world;
        let (parameters, events) = (&self.parameters, &mut self.events);
        self.broad_phase.update(parameters, colliders, bodies, &[], &self.removed, events);
        self.removed.clear();
        self.apply_events();
    }

    /// Hands over a box that is new or has changed.
    fn set(&mut self, object: usize, b: &Aabb) {
        let handle = *self.handles[object].get_or_insert_with(|| {
            let handle = self.world.add();
            let index = arena_index(handle);
            if self.objects.len() <= index {
                self.objects.resize(index + 1, u32::MAX);
            }
            self.objects[index] = object as u32;
            handle
        });
        let b = ParryAabb { mins: b.min.to_array().into(), maxs: b.max.to_array().into() };
        self.broad_phase.set_aabb(&self.parameters, handle, b);
    }

    /// Updates the list of candidates from the events.
    fn apply_events(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        for event in events.drain(..) {
            match event {
                BroadPhasePairEvent::AddPair(pair) => {
                    let pair = self.pair(&pair);
                    if let Entry::Vacant(entry) = self.indices.entry((pair.a, pair.b)) {
                        entry.insert(self.candidates.len() as u32);
                        self.candidates.push(pair);
                    }
                }
                BroadPhasePairEvent::DeletePair(pair) => {
                    let pair = self.pair(&pair);
                    self.forget(pair);
                }
            }
        }
        self.events = events;
    }

    fn forget(&mut self, pair: Pair) {
        if let Some(index) = self.indices.remove(&(pair.a, pair.b)) {
            self.candidates.swap_remove(index as usize);
            if let Some(moved) = self.candidates.get(index as usize) {
                self.indices.insert((moved.a, moved.b), index);
            }
        }
    }

    fn pair(&self, pair: &ColliderPair) -> Pair {
        let object = |handle| self.objects[arena_index(handle)];
        Pair::new(object(pair.collider1), object(pair.collider2))
    }

    /// Drops the pairs of removed colliders, which no event reports.
    fn forget_pairs_of_removed(&mut self) {
        let handles = &self.handles;
        let is_gone = |object: u32| handles.get(object as usize).is_none_or(Option::is_none);
        let gone = self.candidates.iter().filter(|pair| is_gone(pair.a) || is_gone(pair.b));
        for pair in gone.copied().collect::<Vec<_>>() {
            self.forget(pair);
        }
    }
}

/// A collider's index in its arena.
fn arena_index(handle: ColliderHandle) -> usize {
    handle.into_raw_parts().0 as usize
}

impl BroadPhase for Rapier {
    fn update(&mut self, frame: &Frame<'_>) {
        if !self.has_unit
            && let Some(side) = typical_side(frame.boxes)
        {
            self.parameters.length_unit = side;
            self.has_unit = true;
        }
        self.handles.resize(self.handles.len().max(frame.boxes.len()), None);
        self.boxes.resize(frame.boxes.len(), Aabb::EMPTY);
        self.remove_absent(frame.boxes);
        for (object, b) in frame.boxes.iter().enumerate() {
            // An object that was absent differs too, and has no collider yet.
            if self.boxes[object] != *b {
                self.boxes[object] = *b;
                if !b.is_empty() {
                    self.set(object, b);
                }
            }
        }
        self.update_broad_phase();
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if frame.is_stopped() {
            return;
        }
        append_overlapping(frame, &self.candidates, |_, _| false, pairs);
    }

    fn counters(&self) -> Counters {
        Counters { tests: self.candidates.len() as u64, ..Counters::default() }
    }

    /// Rapier's own memory is estimated: it does not report it.
    fn heap_bytes(&self) -> usize {
        let within_broad_phase = 64 + 64 + 8 + 8 + 24 + 16;
        let within_map = size_of::<((u32, u32), u32)>() + 1;
        let collider = size_of::<rapier3d::geometry::Collider>();
        self.handles.capacity() * (within_broad_phase + collider + size_of::<ColliderHandle>() + 4)
            + self.boxes.capacity() * size_of::<Aabb>()
            + self.candidates.capacity() * size_of::<Pair>()
            + self.indices.capacity() * within_map * 3
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(self.boxes.len(), frame.boxes.len());
        for (object, b) in frame.boxes.iter().enumerate() {
            assert_eq!(self.handles[object].is_some(), !b.is_empty(), "object {object}");
        }
        assert_eq!(self.indices.len(), self.candidates.len());
        for (index, pair) in (0..).zip(&self.candidates) {
            assert_eq!(self.indices.get(&(pair.a, pair.b)), Some(&index), "{pair}");
        }
    }
}
