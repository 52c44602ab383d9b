//! Candidate pairs, and pairs of resting objects.

use super::state::State;
use crate::memory::memory;
use crate::pair::retain_from;
use crate::parallel::{OrderedTasks, tasks_for, threads_for};
use crate::simd::narrow_level;
use crate::{Aabb, Frame, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x4};

/// Time of the test of a candidate pair, in nanoseconds on one thread.
const TEST_NANOS: usize = 3;

/// Pairs that are tested before room is made for the next, and between two checks of the stop flag.
const PAIRS_AT_ONCE: usize = 4096;

/// Cached pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct CachedPairs {
    pub(super) candidates: Vec<Pair>,
    /// Pairs of two resting objects.
    pub(super) resting: Vec<Pair>,
    tests: OrderedTasks<()>,
}

memory!(CachedPairs: candidates, resting, tests);

impl CachedPairs {
    /// Drops all pairs.
    pub(super) fn clear(&mut self) {
        self.candidates.clear();
        self.resting.clear();
        self.tests.resize(0);
    }

    /// Candidate pairs and pairs of resting objects.
    pub(super) fn len(&self) -> usize {
        self.candidates.len() + self.resting.len()
    }

    /// After a build, takes the pairs of two resting objects out of the candidates.
    pub(super) fn split(&mut self, states: &[State]) {
        let Self { candidates, resting, .. } = self;
        resting.clear();
        if !states.contains(&State::RESTING) {
            return;
        }
        let was_resting = |object: u32| states[object as usize].was_resting();
        let are_resting = |pair: &Pair| was_resting(pair.a) & was_resting(pair.b);
        resting.extend_from_slice(candidates);
        retain_from(resting, 0, are_resting);
        retain_from(candidates, 0, |pair| !are_resting(pair));
    }

    /// Adds the new pairs of an insertion.
    pub(super) fn append(&mut self, pairs: &[Pair], states: &[State]) {
        for pair in pairs {
            let [a, b] = [pair.a, pair.b].map(|object| states[object as usize].was_resting());
            if a & b { self.resting.push(*pair) } else { self.candidates.push(*pair) }
        }
    }

    /// Appends the pairs of resting objects, and the candidate pairs that overlap.
    pub(super) fn find_overlapping(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if frame.count(self.resting.len()) {
            return;
        }
        pairs.extend_from_slice(&self.resting);
        let Self { candidates, tests, .. } = self;
        let tasks = tasks_for(threads_for(candidates.len(), TEST_NANOS));
        let part = candidates.len().div_ceil(tasks).max(1);
        tests.resize(tasks);
        tests.run(pairs, |number, (), pairs| {
            let end = candidates.len().min((number + 1) * part);
            let candidates = &candidates[end.min(number * part)..end];
            // AVX2 at most: with AVX-512 each comparison of four numbers goes through a mask register
            // (a settled pile: 0.124 to 0.093 ms). Did not pay: boxes packed for these tests (0.100 to
            // 0.103 ms); four pairs to one check of the room.
            dispatch!(narrow_level(), simd => append_overlapping(simd, candidates, frame, pairs));
        });
    }
}

/// Drops the pairs of some objects.
pub(super) fn drop_pairs(pairs: &mut Vec<Pair>, is_dropped: impl Fn(u32) -> bool) {
    retain_from(pairs, 0, |pair| !(is_dropped(pair.a) | is_dropped(pair.b)));
}

/// Appends those candidate pairs whose boxes overlap.
///
/// Whether one does is nearly random, so no branch depends on it: each pair is written, and the next one
/// overwrites it if it does not overlap.
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
        frame.count(found);
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
