//! The cache itself: fat AABBs, candidate pairs, and the objects that escaped.

use super::costs::COSTS;
use super::escape::{State, append_escaping};
use super::forecast::REST;
use super::policy::{self, Class, Inflation};
use crate::columns::{CachedColumns, Grid, Origin};
use crate::parallel::{OrderedTasks, Tasks, for_each_chunk, tasks_for, threads_for};
use crate::scratch::{renew, renew_for, resize_roomy};
use crate::simd::narrow_level;
use crate::{Aabb, Counters, Frame, Layer, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x4};
use glam::{Vec3, Vec3A};

/// Boxes between two checks of whether too many have escaped.
const STRETCH: usize = 1024;

/// Time of the check of an object, of the test of a candidate pair, and of making a fat AABB, on one thread.
const CHECK_NANOS: usize = 2;
const TEST_NANOS: usize = 3;
const ENLARGE_NANOS: usize = 8;

/// An object that escapes within this many frames after an insertion was inserted in that one, as a rule.
const SOON: u32 = 4;

/// Candidate pairs of escaped objects are dropped at once while no more than this many pairs are checked for
/// each object that escapes; else they stay until the next insertion.
const PAIRS_PER_ESCAPE: usize = 32;

/// A cache is of no use where more than this share of the objects has escaped.
const MOST_ESCAPED: f32 = 0.6;

/// Pairs that are tested before room is made for the next, and between two checks of the stop flag.
const PAIRS_AT_ONCE: usize = 4096;

/// An object that is searched for in each frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escaped {
    pub(super) object: u32,
    /// The frame in which it escaped, or was found to be fast, and its lower corner then.
    since: u32,
    from: Vec3,
}

/// What is known of all objects from one build to the next.
///
/// An object is slow, resting or escaped ([`State`]). Candidate pairs are those of fat AABBs that overlap,
/// unless both objects were resting. Pairs of two that were are in `resting`, until one of them escapes. All
/// other pairs have an escaped object.
#[derive(Debug, Default)]
pub(super) struct PairCache {
    /// The fat AABB of each object; empty where it is not cached.
    pub(super) fat: Vec<Aabb>,
    pub(super) states: Vec<State>,
    /// The layers by which candidate pairs were chosen.
    layers: Vec<Layer>,
    pub(super) candidates: Vec<Pair>,
    pub(super) resting: Vec<Pair>,
    pub(super) columns: CachedColumns,
    /// Objects that are searched for in each frame, and those that escape in this one.
    pub(super) escaped: Vec<Escaped>,
    escaping: Vec<u32>,
    /// The same, by task.
    checks: Tasks<Vec<u32>>,
    /// How many of the escaped ones are likely to be too fast to be inserted.
    fast: usize,
    /// The frame of the last insertion.
    inserted_in: u32,
    pub(super) inserted: Vec<u32>,
    /// How many of the inserted objects, the first ones, were not inserted in the last frame.
    pub(super) settled: usize,
    /// The lower corner that each object had in a frame, or would have had with its present motion.
    anchors: Vec<Vec3>,
    anchored_in: u32,
    frame: u32,
    /// How boxes were enlarged by the last build.
    policy: usize,
    inflation: Option<Inflation>,
    is_built: bool,
    /// Candidate pairs and pairs of resting objects that the last build found.
    found: usize,
    /// How many objects were resting after the last build or tightening; those that escaped since are
    /// included.
    at_rest: usize,
    /// By how much a tightening costs more since earlier ones changed nothing.
    futility: f32,
    /// Tests of candidate pairs.
    tests: OrderedTasks<()>,
    /// Tests of the insertion in this frame.
    insert_tests: u64,
    /// Scratch of an insertion.
    new_pairs: Vec<Pair>,
}

impl PairCache {
    /// The policy by which it was built.
    pub(super) fn policy(&self) -> usize {
        self.policy
    }

    /// Objects that have escaped.
    pub(super) fn escaped(&self) -> usize {
        self.escaped.len()
    }

    /// Escaped objects that are worth an attempt to insert them.
    pub(super) fn idle(&self) -> usize {
        self.escaped.len() - self.fast
    }

    /// Objects that were inserted since the last build.
    pub(super) fn inserted(&self) -> usize {
        self.inserted.len()
    }

    /// The objects that were inserted in this frame, with their fat AABBs.
    pub(super) fn newly_inserted(&self) -> impl Iterator<Item = (u32, &Aabb)> {
        let inserted = &self.inserted[self.settled..];
        inserted.iter().map(|object| (*object, &self.fat[*object as usize]))
    }

    /// Candidate pairs and pairs of resting objects.
    pub(super) fn pairs(&self) -> usize {
        self.candidates.len() + self.resting.len()
    }

    /// Where the entry of an object in the columns is, if it has one that is not stale.
    pub(super) fn entry(&self, object: u32) -> Option<Origin> {
        self.states[object as usize].entry()
    }

    /// Cost of a frame, escaped objects aside.
    pub(super) fn running(&self) -> f32 {
        COSTS.check * self.states.len() as f32
            + COSTS.test * self.candidates.len() as f32
            + COSTS.copy * self.resting.len() as f32
    }

    /// Where this share of the objects rests: what their margins cost in each frame, and what it costs once to
    /// take them away.
    pub(super) fn margins(&self, share: f32) -> [f32; 2] {
        let is_for_resting = policy::ALL[self.policy].is_for_resting;
        let (n, candidates) = (self.states.len() as f32, self.candidates.len() as f32);
        let known = self.at_rest as f32 / n.max(1.0);
        let spared = (share * share - known * known) / (1.0 - known * known).max(0.01);
        let of_test = COSTS.test - COSTS.copy;
        // Over a shorter time an object that stops and goes seems to rest.
        let is_too_soon = is_for_resting || self.age() < REST;
        let cost = if is_too_soon { 0.0 } else { spared.max(0.0) * candidates * of_test };
        [cost, (COSTS.tighten * n + COSTS.retain * candidates) * self.futility]
    }

    /// Drops what is cached.
    pub(super) fn clear(&mut self) {
        self.is_built = false;
        self.columns.clear();
        self.escaped.clear();
        self.inserted.clear();
        (self.fast, self.settled) = (0, 0);
    }

    /// A frame passes that is not answered from the cache. Every so many frames the place of each object is
    /// kept, if that is asked for.
    pub(super) fn pass(&mut self, boxes: &[Aabb], every: Option<u32>) {
        let is_due = every.is_some_and(|frames| self.age() >= frames);
        if is_due || self.anchors.len() != boxes.len() {
            self.anchor(boxes);
        }
    }

    /// Frames since the anchors of all objects were taken.
    fn age(&self) -> u32 {
        self.frame.wrapping_sub(self.anchored_in)
    }

    fn anchor(&mut self, boxes: &[Aabb]) {
        self.anchors.clear();
        if self.anchors.capacity() < boxes.len() {
            self.anchors.reserve_exact(boxes.len() + boxes.len() / 8);
        }
        self.anchors.extend(boxes.iter().map(|b| b.min));
        self.anchored_in = self.frame;
    }

    /// Finds the objects that escape. False where there is no cache, or it can no longer be used: other
    /// layers, or too many escaped.
    pub(super) fn check(&mut self, frame: &Frame<'_>) -> bool {
        self.frame = self.frame.wrapping_add(1);
        (self.settled, self.insert_tests) = (self.inserted.len(), 0);
        let (known, boxes) = (self.states.len(), frame.boxes);
        if !self.is_built || boxes.len() < known || self.layers != frame.layers {
            self.clear();
            return false;
        }
        let most = (boxes.len() as f32 * MOST_ESCAPED) as usize;
        self.find_escaping(&boxes[..known], most);
        if self.escaping.len() + self.escaped.len() > most {
            self.clear();
            return false;
        }
        self.escape(boxes);
        if boxes.len() > known {
            self.appear(boxes);
        }
        true
    }

    /// Finds the objects that escape. Soon after more than `most` have, it ends.
    fn find_escaping(&mut self, boxes: &[Aabb], most: usize) {
        let Self { checks, escaping, fat, states, .. } = self;
        let threads = threads_for(boxes.len(), CHECK_NANOS);
        let tasks = tasks_for(threads);
        let part = boxes.len().div_ceil(tasks).next_multiple_of(STRETCH);
        checks.resize(tasks);
        checks.run(|number, escaping: &mut Vec<u32>| {
            escaping.clear();
            escaping.reserve(part.min(most) + STRETCH);
            let end = boxes.len().min((number + 1) * part);
            for first in (number * part..end).step_by(STRETCH) {
                if escaping.len() > most {
                    return;
                }
                let part = first..end.min(first + STRETCH);
                let (boxes, fat, states) =
                    (&boxes[part.clone()], &fat[part.clone()], &states[part]);
                append_escaping(first as u32, boxes, fat, states, escaping);
            }
        });
        escaping.clear();
        checks.as_slice().iter().for_each(|found| escaping.extend_from_slice(&found.0));
    }

    /// Takes the objects over that escape in this frame.
    fn escape(&mut self, boxes: &[Aabb]) {
        let is_soon = self.frame.wrapping_sub(self.inserted_in) <= SOON;
        let mut is_any_resting = false;
        for object in &self.escaping {
            let state = &mut self.states[*object as usize];
            // Inserted, and soon escaped again: the next insertion would be of no more use.
            self.fast += usize::from(is_soon && state.entry() == Some(Origin::Inserted));
            is_any_resting |= state.was_resting();
            state.escape();
            let (object, from) = (*object, boxes[*object as usize].min);
            self.escaped.push(Escaped { object, since: self.frame, from });
        }
        if self.escaping.len() * PAIRS_PER_ESCAPE > self.candidates.len() {
            self.strip();
        }
        if is_any_resting {
            let states = &self.states;
            let has_escaped = |object: u32| states[object as usize].has_escaped();
            retain(&mut self.resting, |pair| !(has_escaped(pair.a) | has_escaped(pair.b)));
        }
    }

    /// Drops the fat AABBs of escaped objects and their candidate pairs. From now on only the search finds
    /// their pairs.
    fn strip(&mut self) {
        let Self { states, fat, escaped, candidates, .. } = self;
        for escaped in escaped {
            states[escaped.object as usize].strip();
            fat[escaped.object as usize] = Aabb::EMPTY;
        }
        let is_bare = |object: u32| states[object as usize].is_bare();
        retain(candidates, |pair| !(is_bare(pair.a) | is_bare(pair.b)));
    }

    /// New objects are searched for: they come from nowhere.
    fn appear(&mut self, boxes: &[Aabb]) {
        let before = self.states.len();
        self.states.resize(boxes.len(), State::ESCAPED);
        self.fat.resize(boxes.len(), Aabb::EMPTY);
        self.anchors.extend(boxes[before..].iter().map(|b| b.min));
        let new = (before as u32..).zip(&boxes[before..]);
        let since = self.frame;
        self.escaped.extend(new.map(|(object, b)| Escaped { object, since, from: b.min }));
    }

    /// Makes slow objects resting that are where their anchors are: their box becomes their fat AABB. Then takes
    /// new anchors.
    pub(super) fn tighten(&mut self, boxes: &[Aabb]) {
        let Self { states, fat, anchors, candidates, resting, .. } = self;
        let mut is_any = false;
        self.at_rest = 0;
        for (((state, fat), b), anchor) in states.iter_mut().zip(fat).zip(boxes).zip(&*anchors) {
            if *state == State::SLOW && b.min == *anchor && !b.is_empty() {
                state.tighten();
                *fat = *b;
                is_any = true;
            }
            self.at_rest += usize::from(state.was_resting() && !state.has_escaped());
        }
        self.futility = if is_any { 1.0 } else { 2.0 * self.futility };
        let mut kept = 0;
        for at in 0..candidates.len() {
            let pair = candidates[at];
            let [a, b] = [pair.a as usize, pair.b as usize];
            let [of_a, of_b] = [states[a], states[b]];
            let overlap = self.fat[a].overlaps(&self.fat[b]);
            let are_resting = of_a.was_resting() & of_b.was_resting();
            candidates[kept] = pair;
            kept += usize::from(overlap & !are_resting);
            if overlap & are_resting & !of_a.has_escaped() & !of_b.has_escaped() {
                resting.push(pair);
            }
        }
        candidates.truncate(kept);
        self.anchor(boxes);
    }

    /// Caches those escaped objects that are no longer too fast, and finds their candidate pairs.
    ///
    /// The fat AABBs of the others become empty, and no candidate pair has an escaped object then: so whether
    /// a pair is a candidate still follows from the fat AABBs alone.
    ///
    /// False, with a cache that must not be used, where they touch far too many columns.
    #[must_use]
    pub(super) fn insert(&mut self, frame: &Frame<'_>) -> bool {
        let Some(inflation) = self.inflation else { return false };
        let boxes = frame.boxes;
        let states = &self.states;
        let has_escaped = |object: u32| states[object as usize].has_escaped();
        retain(&mut self.candidates, |pair| !(has_escaped(pair.a) | has_escaped(pair.b)));
        self.inserted.retain(|object| !has_escaped(*object));
        let mut kept = 0;
        (self.fast, self.settled) = (0, self.inserted.len());
        self.inserted_in = self.frame;
        for at in 0..self.escaped.len() {
            let escaped = self.escaped[at];
            let (object, b) = (escaped.object, &boxes[escaped.object as usize]);
            let motion = self.motion(&escaped, b);
            let (class, fat) = match escaped.since == self.frame {
                // It may be at the beginning of a motion: that is known in the next frame.
                true => (Class::Fast, Aabb::EMPTY),
                false => inflation.inflate(b, Some(motion)),
            };
            self.fat[object as usize] = fat;
            if class == Class::Fast {
                self.states[object as usize].strip();
                self.fast += usize::from(escaped.since != self.frame);
                self.escaped[kept] = Escaped { since: self.frame, from: b.min, ..escaped };
                kept += 1;
                continue;
            }
            self.inserted.push(object);
            self.states[object as usize].insert(class == Class::Resting);
            self.anchors[object as usize] = b.min - Vec3::from(motion) * self.age() as f32;
        }
        self.escaped.truncate(kept);
        self.find_new_candidates(frame)
    }

    /// Adds the inserted objects to the columns, and the candidate pairs of the new ones.
    fn find_new_candidates(&mut self, frame: &Frame<'_>) -> bool {
        let Self { inserted, settled, fat, states, columns, new_pairs, .. } = self;
        renew(new_pairs);
        let cached = Frame { boxes: fat, ..*frame };
        let boxes_of = |object: &u32| (*object, &fat[*object as usize]);
        columns.insert(inserted.iter().map(boxes_of), frame);
        if !columns.list_escaped(inserted[*settled..].iter().map(boxes_of), fat.len()) {
            return false;
        }
        let entry = |object: u32| states[object as usize].entry();
        let is_loose = |object: u32| states[object as usize].is_loose();
        let is_candidate = |pair: Pair| {
            !(is_loose(pair.a) || is_loose(pair.b))
                || fat[pair.a as usize].overlaps(&fat[pair.b as usize])
        };
        columns.find_pairs_of_escaped(&cached, entry, is_candidate, new_pairs);
        self.insert_tests = columns.counters().tests;
        for object in &inserted[*settled..] {
            states[*object as usize].settle();
        }
        for pair in &self.new_pairs {
            let [a, b] = [pair.a, pair.b].map(|object| self.states[object as usize].was_resting());
            if a & b { self.resting.push(*pair) } else { self.candidates.push(*pair) }
        }
        !frame.is_stopped()
    }

    /// Lists the escaped objects; false where they touch far too many columns.
    #[must_use]
    pub(super) fn list_escaped(&mut self, frame: &Frame<'_>) -> bool {
        let boxes = frame.boxes;
        let escaped = self.escaped.iter().map(|e| (e.object, &boxes[e.object as usize]));
        self.columns.list_escaped(escaped, boxes.len())
    }

    /// Builds the cache for boxes of which one with the mean side `side` is usual; false, without a cache, if
    /// the frame is stopped.
    #[must_use]
    pub(super) fn build(
        &mut self,
        policy: usize,
        side: f32,
        frame: &Frame<'_>,
        grid: &mut Grid,
    ) -> bool {
        let boxes = frame.boxes;
        let inflation = Inflation::new(policy::ALL[policy], side);
        self.enlarge(inflation, boxes);
        (self.policy, self.inflation) = (policy, Some(inflation));
        self.layers.clear();
        self.layers.extend_from_slice(frame.layers);
        renew_for(&mut self.candidates, self.found);
        let fat = Frame { boxes: &self.fat, ..*frame };
        grid.find_pairs_and_cache(&fat, &mut self.columns, &mut self.candidates);
        self.found = self.candidates.len();
        self.split();
        self.futility = 1.0;
        self.at_rest = self.states.iter().filter(|state| state.was_resting()).count();
        self.anchor(boxes);
        self.make_room(boxes.len());
        self.is_built = !frame.is_stopped() && self.list_escaped(frame);
        if !self.is_built {
            self.clear();
        }
        self.is_built
    }

    /// Makes room for what may be needed until the next build, so that no later frame allocates, except one in
    /// which many objects come to rest at once.
    fn make_room(&mut self, objects: usize) {
        let most = (objects as f32 * MOST_ESCAPED) as usize + STRETCH;
        self.escaping.reserve_exact(most.saturating_sub(self.escaping.len()));
        self.escaped.reserve_exact(most.saturating_sub(self.escaped.len()));
        self.inserted.reserve_exact(objects.saturating_sub(self.inserted.len()));
        let pairs = self.candidates.len() + self.resting.len();
        renew_for(&mut self.new_pairs, pairs / 4);
        let spare = |list: &Vec<Pair>| pairs / 8 + list.len() / 2;
        self.candidates.reserve(spare(&self.candidates));
        self.resting.reserve(spare(&self.resting));
        // Their number may be worth several threads in one frame, and not in another.
        let tasks = tasks_for(threads_for(usize::MAX, 1));
        if threads_for(2 * pairs, TEST_NANOS) > 1 {
            self.tests.make_room(tasks, pairs / tasks);
        }
        self.columns.make_room(objects / 16, tasks);
    }

    /// Makes the fat AABBs.
    fn enlarge(&mut self, inflation: Inflation, boxes: &[Aabb]) {
        let threads = threads_for(boxes.len(), ENLARGE_NANOS);
        resize_roomy(&mut self.states, boxes.len(), State::SLOW);
        if self.fat.capacity() < boxes.len() {
            self.fat.reserve_exact(boxes.len() + boxes.len() / 8 - self.fat.len());
        }
        self.fat.resize(boxes.len(), Aabb::EMPTY);
        let is_known = self.anchors.len() == boxes.len() && self.age() > 0;
        let per_frame = 1.0 / self.age().max(1) as f32;
        // How an escaped object moves since then counts, not how it did before.
        for escaped in self.escaped.iter().filter(|_| is_known) {
            let b = &boxes[escaped.object as usize];
            let way = Vec3::from(self.motion(escaped, b)) * self.age() as f32;
            self.anchors[escaped.object as usize] = b.min - way;
        }
        self.escaped.clear();
        self.inserted.clear();
        self.settled = 0;
        let Self { fat, states, anchors, escaped, frame, .. } = self;
        for_each_chunk(threads, fat, |first, fat| {
            for (at, fat) in (first..).zip(fat) {
                let way = |anchor: &Vec3| Vec3A::from(boxes[at].min) - Vec3A::from(*anchor);
                let motion =
                    anchors.get(at).filter(|_| is_known).map(|anchor| way(anchor) * per_frame);
                (_, *fat) = inflation.inflate(&boxes[at], motion);
            }
        });
        for_each_chunk(threads, states, |first, states| {
            for (at, state) in (first..).zip(states) {
                *state = State::of(&boxes[at], &fat[at]);
            }
        });
        for (object, (state, b)) in (0..).zip(states.iter().zip(boxes)) {
            if state.has_escaped() {
                escaped.push(Escaped { object, since: *frame, from: b.min });
            }
        }
        self.fast = self.escaped.len();
    }

    /// The motion of an escaped object, units a frame: since it escaped, or, if it does in this frame, since
    /// the last build.
    fn motion(&self, escaped: &Escaped, b: &Aabb) -> Vec3A {
        let (from, frames) = match self.frame.wrapping_sub(escaped.since) {
            0 => (self.anchors[escaped.object as usize], self.age()),
            frames => (escaped.from, frames),
        };
        (Vec3A::from(b.min) - Vec3A::from(from)) / frames.max(1) as f32
    }

    /// Takes the pairs of two resting objects out of the candidates.
    fn split(&mut self) {
        let Self { candidates, resting, states, .. } = self;
        resting.clear();
        if !states.contains(&State::RESTING) {
            return;
        }
        let was_resting = |object: u32| states[object as usize].was_resting();
        let mut kept = 0;
        let all = candidates.len();
        renew_for(resting, all);
        resting.resize(all, Pair { a: 0, b: 0 });
        let mut rests = 0;
        for at in 0..all {
            // Without a branch: each pair is written to both lists, and the next one over it in one of them.
            let pair = candidates[at];
            let is_resting = was_resting(pair.a) & was_resting(pair.b);
            resting[rests] = pair;
            candidates[kept] = pair;
            rests += usize::from(is_resting);
            kept += usize::from(!is_resting);
        }
        candidates.truncate(kept);
        resting.truncate(rests);
    }

    /// Appends all pairs of the frame.
    pub(super) fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if frame.is_stopped() {
            return;
        }
        pairs.extend_from_slice(&self.resting);
        let Self { candidates, tests, fat, states, columns, .. } = self;
        let tasks = tasks_for(threads_for(candidates.len(), TEST_NANOS));
        let part = candidates.len().div_ceil(tasks).max(1);
        tests.resize(tasks);
        tests.run(pairs, |number, (), pairs| {
            let end = candidates.len().min((number + 1) * part);
            let candidates = &candidates[end.min(number * part)..end];
            dispatch!(narrow_level(), simd => append_overlapping(simd, candidates, frame, pairs));
        });
        let boxes = frame.boxes;
        let entry = |object: u32| states[object as usize].entry();
        let is_pair = |pair: Pair| {
            let [a, b] = [pair.a as usize, pair.b as usize];
            let [of_a, of_b] = [states[a], states[b]];
            let is_exact = of_a.is_exact() && of_b.is_exact();
            let is_no_candidate =
                of_a.is_bare() || of_b.is_bare() || (of_a.was_resting() && of_b.was_resting());
            (is_exact || boxes[a].overlaps(&boxes[b]))
                && (is_no_candidate || !fat[a].overlaps(&fat[b]))
        };
        columns.find_pairs_of_escaped(frame, entry, is_pair, pairs);
    }

    /// Counters of a frame; those of the grid in a frame in which it was built.
    pub(super) fn counters(&self, built: Option<Counters>) -> Counters {
        let of_columns = self.columns.counters();
        let built_tests = built.map_or(0, |built| built.tests);
        Counters {
            tests: built_tests
                + self.insert_tests
                + self.candidates.len() as u64
                + of_columns.tests,
            rebuilds: u64::from(built.is_some()),
            duplicates: of_columns.duplicates + built.map_or(0, |built| built.duplicates),
            ..of_columns
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.fat.capacity() * size_of::<Aabb>()
            + self.states.capacity()
            + self.anchors.capacity() * size_of::<Vec3>()
            + self.layers.capacity() * size_of::<Layer>()
            + self.escaped.capacity() * size_of::<Escaped>()
            + (self.escaping.capacity() + self.inserted.capacity()) * size_of::<u32>()
            + (self.candidates.capacity() + self.resting.capacity() + self.new_pairs.capacity())
                * size_of::<Pair>()
            + self.checks.heap_bytes(|found| found.capacity() * size_of::<u32>())
            + self.tests.heap_bytes(|()| 0)
            + self.columns.heap_bytes()
    }
}

/// Keeps some pairs of a list, without a branch on which.
fn retain(pairs: &mut Vec<Pair>, is_kept: impl Fn(Pair) -> bool) {
    let mut kept = 0;
    for at in 0..pairs.len() {
        let pair = pairs[at];
        pairs[kept] = pair;
        kept += usize::from(is_kept(pair));
    }
    pairs.truncate(kept);
}

/// Appends those candidate pairs whose boxes overlap.
///
/// Whether one does is nearly random, so nothing branches on it: each pair is written, and the next one over
/// it if it does not count.
#[inline(always)]
fn append_overlapping<S: Simd>(
    simd: S,
    candidates: &[Pair],
    frame: &Frame<'_>,
    pairs: &mut Vec<Pair>,
) {
    let boxes = frame.boxes;
    for candidates in candidates.chunks(PAIRS_AT_ONCE) {
        if frame.is_stopped() {
            return;
        }
        let first = pairs.len();
        pairs.resize(first + candidates.len(), Pair { a: 0, b: 0 });
        let room = &mut pairs[first..];
        let mut found = 0;
        for pair in candidates {
            let [a, b] = [pair.a, pair.b].map(|object| &boxes[object as usize]);
            room[found] = *pair;
            found += usize::from(overlap(simd, a, b));
        }
        pairs.truncate(first + found);
    }
}

/// Whether two boxes share a point; an absent one has none.
///
/// They do where the greater of their lower bounds is at most the lesser of their upper bounds on each axis.
#[inline(always)]
fn overlap<S: Simd>(simd: S, a: &Aabb, b: &Aabb) -> bool {
    let [a, b]: [&[f32; 6]; 2] = [bytemuck::cast_ref(a), bytemuck::cast_ref(b)];
    let of = |bounds: &[f32; 6], first: usize| f32x4::from_slice(simd, &bounds[first..first + 4]);
    let low: f32x4<S> = of(a, 0).max(of(b, 0));
    let high: f32x4<S> = of(a, 2).min(of(b, 2));
    low.simd_le(high.slide::<1>(high)).to_bitmask() & 0b111 == 0b111
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_count_when_rest_is_sure_and_tightening_helps() {
        let at = |i: usize| Vec3::from([i % 10, i / 10 % 10, i / 100].map(|place| place as f32));
        let boxes = |shift: f32| -> Vec<Aabb> {
            (0..500).map(|i| Aabb::around_sphere(at(i) + shift, 0.45)).collect()
        };
        let (mut cache, mut grid) = (PairCache::default(), Grid::default());
        for number in 0..=REST {
            let boxes = boxes(number as f32 * 0.001);
            let frame = Frame::new(&boxes, 0.1);
            assert_eq!(cache.check(&frame), number > 0);
            if number == 0 {
                assert!(cache.build(3, 0.9, &frame, &mut grid));
            }
            assert_eq!(cache.margins(1.0)[0] > 0.0, number >= REST, "frame {number}");
        }
        let [cost, price] = cache.margins(1.0);
        // All have moved: none is tightened.
        let boxes = boxes(REST as f32 * 0.001);
        cache.tighten(&boxes);
        assert_eq!(cache.margins(1.0)[1], 2.0 * price);
        for _ in 0..REST {
            assert!(cache.check(&Frame::new(&boxes, 0.1)));
        }
        assert_eq!(cache.margins(1.0)[0], cost);
        cache.tighten(&boxes);
        assert!(cache.margins(1.0)[1] < price, "no candidate pair is left");
        assert!(cache.resting.is_empty() && cache.candidates.is_empty());
    }
}
