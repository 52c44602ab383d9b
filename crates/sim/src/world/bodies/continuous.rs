//! A step of all bodies, and the contacts within it in the order of time (000, section 6.3.1).
//!
//! All bodies plan their paths, which respect walls, obstacles and static bodies. The first contacts of candidates are
//! queued. At each, both bodies are pushed, and the rest of their paths is planned again. Their later contacts are searched
//! among all bodies nearby, since a pushed body may leave its box of the broad phase. A queued contact is stale once the
//! path of either body has changed, which the path's version shows. Stale contacts are removed when the queue has doubled.

use super::super::homes::FREE;
use super::super::motion::Surroundings;
use super::super::response::Response;
use super::collisions::{ContactSearch, for_each_piece};
use super::flight::{Flight, Near};
use super::impulse::strike;
use super::meeting::{Finder, Meeting};
use super::mover::{CONTACT_WORK, MAX_WORK};
use super::path::{Path, StepImpact, StepRecord};
use super::rules::Rules;
use super::solid::{BodyState, Solid};
use super::{Bodies, BodyContact, PARALLEL_FROM};
use crate::pieces::pieces;
use crate::scene::Continuous;
use broadphase::query::{Query, QueryTree};
use broadphase::{Aabb, Layer, Pair};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Length of the queue from which stale contacts are removed: 100 KB.
const PURGE_FROM: usize = 1024;

/// Tests of pairs in a step after pushes, as a mean of all bodies; then all bodies wait where they are. A gas with a contact of
/// each body in a step takes some tens. It bounds the time of a step in which thousands of bodies meet in one point.
const MAX_TESTS: usize = 1024;

/// Boxes that changed since the tree was brought up to date, at most. Each region is compared with all of them, which takes as
/// long as a search of the tree.
const MAX_CHANGED: usize = 256;

/// The contacts of a step. Memory is reused from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Encounters {
    /// One for each piece of work.
    finders: Vec<Finder>,
    queue: BinaryHeap<Reverse<Meeting>>,
    /// Length of the queue at which stale contacts are removed next: twice that after the last time, or more.
    purge_at: usize,
    index: SweptIndex,
    /// Whether the index is that of this step. It is built when a path changes first.
    has_index: bool,
    /// Bodies near a changed path.
    nearby: Vec<u32>,
    tests: usize,
    /// The first contacts of all pairs within the step, in the order of the pairs.
    met: Vec<BodyContact>,
    /// Pairs that may touch at the end of the step.
    others: Vec<Pair>,
    search: ContactSearch,
}

/// The bodies of a step, of which some are pushed.
pub(super) struct Moving<'a> {
    pub(super) flight: Flight<'a>,
    pub(super) states: &'a mut [BodyState],
    pub(super) paths: &'a mut [Path],
    /// One for each piece of work.
    pub(super) nears: &'a mut Vec<Near>,
    impacts: &'a mut Vec<StepImpact>,
}

impl Moving<'_> {
    fn solid(&self, object: usize) -> &Solid {
        &self.flight.rules.solids[object]
    }

    fn versions_of(&self, Pair { a, b }: Pair) -> [u32; 2] {
        [a, b].map(|object| self.paths[object as usize].version)
    }

    /// Whether a contact can change the path of a body.
    fn is_pushable(&self, object: usize) -> bool {
        self.solid(object).inverse_mass > 0.0 && !self.paths[object].is_held
    }

    fn swept_sphere(&self, object: usize, from: f64) -> Aabb {
        let swept = self.paths[object].swept_sphere(self.solid(object), from);
        let [min, max] = swept.outward();
        Aabb { min, max }
    }

    /// Moves a body back to a time of a piece of its path, and removes the rest of the path.
    fn cut(&mut self, object: usize, piece: usize, time: f64) {
        let dt = self.flight.dt();
        self.states[object] = self.paths[object].state_at(piece, time, self.solid(object));
        self.paths[object].cut(piece, time, dt);
    }

    fn hold(&mut self, object: usize) {
        self.flight.hold(object, &mut self.states[object], &mut self.paths[object]);
    }
}

/// Bodies that a thread moves, one after the other.
type Batch<'a> = (&'a mut [BodyState], &'a mut [Path]);

impl Bodies {
    /// Moves all bodies by one step, from wall to wall and from fixture to fixture.
    pub(in super::super) fn step(
        &mut self,
        surroundings: &Surroundings<'_>,
        homes: &mut [u32],
        layers: &[Layer],
    ) {
        for (state, home) in self.states.iter().zip(&mut *homes) {
            let source = surroundings.elements.source(*home).filter(|source| !source.floor);
            if source.is_some_and(|source| state.position.z < f64::from(source.corner.z)) {
                // The body fell out of the open bottom.
                *home = FREE;
            }
        }
        self.record.paths.resize_with(self.states.len(), Path::default);
        let Moving { flight, states, paths, nears, .. } = self.moving(surroundings, homes, layers);
        let pieces = pieces(states.len(), PARALLEL_FROM);
        nears.resize_with(nears.len().max(pieces), Near::default);
        let length = states.len().div_ceil(pieces).max(1);
        let plan = |(piece, (batch, near)): (usize, (Batch<'_>, &mut Near))| {
            for (object, (state, path)) in (piece * length..).zip(batch.0.iter_mut().zip(batch.1)) {
                flight.plan(object, state, near, path);
            }
        };
        if pieces == 1 {
            plan((0, ((states, paths), &mut nears[0])));
        } else {
            let batches = states.par_chunks_mut(length).zip(paths.par_chunks_mut(length));
            batches.zip(&mut *nears).enumerate().for_each(plan);
        }
        self.record.impacts.clear();
        self.list_waiting();
    }

    /// The bodies, and everything that they meet in a step.
    pub(super) fn moving<'a>(
        &'a mut self,
        surroundings: &'a Surroundings<'a>,
        homes: &'a [u32],
        layers: &'a [Layer],
    ) -> Moving<'a> {
        let Self { catalogue, solids, states, fixtures, body_forces, nears, record, .. } = self;
        let rules = Rules { continuous: self.continuous, solids, layers };
        let flight = Flight { surroundings, rules, homes, fixtures, catalogue, body_forces };
        Moving { flight, states, paths: &mut record.paths, nears, impacts: &mut record.impacts }
    }

    /// Answers the contacts of a step: those within it, then those at its end among other sorted pairs. `None`
    /// once the step is stopped, which is to be undone then.
    pub(in super::super) fn respond(
        &mut self,
        pairs: &[Pair],
        surroundings: &Surroundings<'_>,
        homes: &[u32],
        layers: &[Layer],
    ) -> Option<Response> {
        let mut encounters = std::mem::take(&mut self.encounters);
        let mut moving = self.moving(surroundings, homes, layers);
        // Nothing has met before the first step: there are no paths.
        let within = if moving.paths.is_empty() { &[] } else { pairs };
        encounters.run(&mut moving, within);
        if !surroundings.is_stopped() {
            encounters.list_others(&moving, pairs);
            self.list_impacts(&mut encounters.met);
            self.list_waiting();
            encounters.search.find(self, &encounters.others, layers, surroundings.stop);
        }
        let half_step = 0.5 * f64::from(surroundings.dt);
        let Encounters { search, met, .. } = &encounters;
        let response = self.resolve(search, met, layers, half_step, surroundings.stop);
        let response = response.filter(|_| !surroundings.is_stopped());
        self.encounters = encounters;
        response
    }

    /// Lists everything that was answered within the step, and in `met` the first contact of each pair, in their order.
    fn list_impacts(&mut self, met: &mut Vec<BodyContact>) {
        let StepRecord { paths, impacts, .. } = &mut self.record;
        impacts.extend(paths.iter().flat_map(Path::bounces));
        let by_time = |one: &StepImpact, other: &StepImpact| one.time.total_cmp(&other.time);
        // The first contact of each pair.
        impacts.sort_unstable_by(|one, other| one.pair.cmp(&other.pair).then(by_time(one, other)));
        met.clear();
        met.extend(impacts.iter().map(|impact| {
            let StepImpact { pair, point, normal, .. } = *impact;
            BodyContact { pair, point, normal, depth: 0.0, points: 1 }
        }));
        met.dedup_by_key(|contact| contact.pair);
        impacts.sort_unstable_by(|one, other| by_time(one, other).then(one.pair.cmp(&other.pair)));
    }

    /// Lists the bodies that wait.
    pub(super) fn list_waiting(&mut self) {
        let StepRecord { paths, waiting, .. } = &mut self.record;
        waiting.clear();
        waiting.extend((0..).zip(&*paths).filter(|(_, path)| path.waits).map(|(object, _)| object));
    }
}

impl Encounters {
    /// Answers the contacts of moving bodies within a step, until it is stopped.
    fn run(&mut self, moving: &mut Moving<'_>, pairs: &[Pair]) {
        moving.impacts.clear();
        (self.has_index, self.tests) = (false, 0);
        self.find_first(moving, pairs);
        while let Some(Reverse(meeting)) = self.queue.pop() {
            if moving.flight.surroundings.is_stopped() {
                return;
            }
            if moving.versions_of(meeting.pair) != meeting.versions {
                continue;
            }
            if self.queue.len() >= self.purge_at {
                self.purge(|pair| moving.versions_of(pair));
            }
            if self.tests >= MAX_TESTS * moving.states.len() {
                return self.stop_all(moving, meeting.time);
            }
            let Pair { a, b } = meeting.pair;
            let is_pushed = self.answer(moving, &meeting);
            if is_pushed[0] {
                self.find_later(moving, a, None, meeting.time);
            }
            if is_pushed[1] {
                self.find_later(moving, b, is_pushed[0].then_some(a), meeting.time);
            }
        }
    }

    /// Removes stale contacts. The order of the others does not change.
    fn purge(&mut self, versions_of: impl Fn(Pair) -> [u32; 2]) {
        self.queue.retain(|Reverse(meeting)| versions_of(meeting.pair) == meeting.versions);
        self.purge_at = PURGE_FROM.max(2 * self.queue.len());
        self.queue.shrink_to(self.purge_at);
    }

    /// Queues the first contacts of the candidates on their planned paths.
    fn find_first(&mut self, moving: &Moving<'_>, pairs: &[Pair]) {
        for finder in &mut self.finders {
            finder.found.clear();
            finder.overlaps.clear();
        }
        for_each_piece(pairs, &mut self.finders, |pairs, finder| {
            for pair in pairs {
                if moving.flight.surroundings.is_stopped() {
                    return;
                }
                if moving.flight.rules.is_met(pair.a as usize, pair.b as usize)
                    && let Some(meeting) = moving.first(*pair, 0.0, finder)
                {
                    finder.found.push(meeting);
                }
            }
        });
        self.queue.clear();
        self.queue.reserve(self.finders.iter().map(|finder| finder.found.len()).sum());
        for meeting in self.finders.iter().flat_map(|finder| &finder.found) {
            // Where all bodies meet in one point, the queue takes seconds.
            if moving.flight.surroundings.is_stopped() {
                return;
            }
            self.queue.push(Reverse(*meeting));
        }
        self.purge_at = PURGE_FROM.max(2 * self.queue.len());
    }

    /// Pushes two bodies that meet, and plans the rest of their paths. Bodies that cannot be pushed any more in this step wait,
    /// and so do those that meet them. Returns whose paths have changed.
    fn answer(&mut self, moving: &mut Moving<'_>, meeting: &Meeting) -> [bool; 2] {
        let &Meeting { time, pair, pieces, contact, .. } = meeting;
        let objects = [pair.a, pair.b].map(|object| object as usize);
        let solids = objects.map(|object| moving.flight.rules.solids[object]);
        let at = |i: usize| moving.paths[objects[i]].state_at(pieces[i], time, &solids[i]);
        let mut states = [at(0), at(1)];
        let centres = states.map(|state| state.position);
        let has_mass = solids.map(|solid| solid.inverse_mass > 0.0);
        let is_pushable = objects.map(|object| moving.is_pushable(object));
        let has_left = |object: usize| moving.paths[object].work < MAX_WORK;
        let can_push = (0..2).all(|i| !has_mass[i] || (is_pushable[i] && has_left(objects[i])));
        let half_step = 0.5 * moving.flight.dt();
        let ahead = [0, 1]
            .map(|i| moving.paths[objects[i]].acceleration * solids[i].linear * (time - half_step));
        let [one, other] = &mut states;
        let push = |contact| strike([&solids[0], &solids[1]], [one, other], contact, ahead);
        let gain = contact.filter(|_| can_push).and_then(push);
        if let (Some([point, normal]), Some(_)) = (contact, gain) {
            moving.impacts.push(StepImpact { pair, time, point, normal, centres });
        }
        for i in (0..2).filter(|i| is_pushable[*i]) {
            let object = objects[i];
            moving.cut(object, pieces[i], time);
            let Some(gain) = gain else {
                moving.hold(object);
                continue;
            };
            let Moving { flight, states: all, paths, nears, .. } = moving;
            let path = &mut paths[object];
            all[object] = states[i];
            path.work += CONTACT_WORK;
            if !has_mass[1 - i] {
                // It rests on what cannot be pushed.
                path.gained += gain;
            }
            flight.resume(object, &mut all[object], &mut nears[0], path);
        }
        is_pushable
    }

    /// Lets all bodies wait where they are at a time before which all contacts are answered.
    fn stop_all(&mut self, moving: &mut Moving<'_>, time: f64) {
        for object in 0..moving.states.len() {
            if moving.is_pushable(object) {
                moving.cut(object, moving.paths[object].piece_at(time), time);
                moving.hold(object);
            }
        }
    }

    /// Queues the first contact of a body from a time on with every other one near its path but `except`.
    fn find_later(&mut self, moving: &Moving<'_>, object: u32, except: Option<u32>, time: f64) {
        let own = object as usize;
        if self.has_index {
            self.index.set(own, moving.swept_sphere(own, time));
        } else {
            let all = 0..moving.states.len();
            self.index.rebuild(all.map(|object| moving.swept_sphere(object, 0.0)));
            self.has_index = true;
        }
        self.index.near(own, &mut self.nearby);
        self.tests += self.nearby.len();
        for &other in &self.nearby {
            let can_be_pushed = moving.is_pushable(own) || moving.is_pushable(other as usize);
            let is_other = other != object && Some(other) != except;
            if !is_other || !can_be_pushed || !moving.flight.rules.is_met(own, other as usize) {
                continue;
            }
            if moving.flight.surroundings.is_stopped() {
                return;
            }
            let pair = Pair::new(object, other);
            if let Some(meeting) = moving.first(pair, time, &mut self.finders[0]) {
                self.queue.push(Reverse(meeting));
            }
        }
    }

    /// Fills a sorted list with the pairs that may touch at the end of the step: those that are not met within it, those that
    /// overlap, and those with static bodies.
    fn list_others(&mut self, moving: &Moving<'_>, pairs: &[Pair]) {
        let others = &mut self.others;
        others.clear();
        others.extend(self.finders.iter().flat_map(|finder| &finder.overlaps));
        let is_other = |pair: &&Pair| !moving.flight.rules.is_met(pair.a as usize, pair.b as usize);
        let surroundings = moving.flight.surroundings;
        others.extend(pairs.iter().take_while(|_| !surroundings.is_stopped()).filter(is_other));
        let rules = moving.flight.rules;
        if self.has_index && rules.continuous != Continuous::All {
            let pushed =
                (0..moving.states.len()).filter(|object| moving.paths[*object].version > 0);
            for object in pushed {
                self.index.near(object, &mut self.nearby);
                let near = self.nearby.iter().copied();
                let is_other = |other: usize| other != object && !rules.is_within(object, other);
                let near = near.filter(|other| is_other(*other as usize));
                others.extend(near.map(|other| Pair::new(object as u32, other)));
            }
        }
        others.sort_unstable();
        others.dedup();
    }
}

/// The boxes of all bodies, and a tree of them in which some are stale.
#[derive(Clone, Debug, Default)]
struct SweptIndex {
    boxes: Vec<Aabb>,
    tree: QueryTree,
    /// Bodies whose boxes have changed since, some more than once.
    changed: Vec<u32>,
}

impl SweptIndex {
    fn rebuild(&mut self, boxes: impl Iterator<Item = Aabb>) {
        self.boxes.clear();
        self.boxes.extend(boxes);
        self.update();
    }

    fn update(&mut self) {
        self.tree.update(&self.boxes);
        self.changed.clear();
    }

    /// Gives a body another box.
    fn set(&mut self, object: usize, bounds: Aabb) {
        self.boxes[object] = bounds;
        self.changed.push(object as u32);
        if self.changed.len() > MAX_CHANGED {
            self.update();
        }
    }

    /// Lists all bodies whose boxes overlap that of `object`, this one included, rising.
    fn near(&self, object: usize, near: &mut Vec<u32>) {
        let region = &self.boxes[object];
        near.clear();
        near.extend_from_slice(&self.changed);
        self.tree.each(region, &mut |hit| {
            near.push(hit.object);
            ControlFlow::Continue(())
        });
        near.retain(|other| self.boxes[*other as usize].overlaps(region));
        near.sort_unstable();
        near.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_gives_the_memory_of_stale_contacts_back() {
        let (mut encounters, versions) = (Encounters::default(), [0, 7, 0]);
        let meeting = |time: u32, pair: Pair| {
            let (time, versions) = (f64::from(time), [0; 2]);
            Reverse(Meeting { time, pair, pieces: [0; 2], contact: None, versions })
        };
        encounters.queue.extend((0..100_000).rev().map(|time| meeting(time, Pair { a: 0, b: 1 })));
        encounters.queue.extend((0..9).rev().map(|time| meeting(time, Pair { a: 0, b: 2 })));
        encounters.purge(|pair| [pair.a, pair.b].map(|object| versions[object as usize]));
        assert!(encounters.queue.capacity() < 4 * PURGE_FROM, "{}", encounters.queue.capacity());
        let left = std::iter::from_fn(|| encounters.queue.pop()).map(|Reverse(found)| found.time);
        assert!(left.eq((0..9).map(f64::from)));
    }
}
