//! The exact tests of kept pairs.

use super::candidates::NONE;
use super::{NeighbourList, Tested};
use crate::scratch::renew_for;
use crate::simd::narrow_level;
use crate::{Aabb, Frame, Pair};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x4};

/// Pairs that are tested before room is made for the next, and between two looks at the stop flag.
const MANY: usize = 4096;

/// Appends those pairs whose boxes overlap.
///
/// Whether a kept pair overlaps is as good as a coin's toss, so nothing branches on it: each pair is
/// written, and the next one over it if it does not count.
#[inline(always)]
pub(super) fn append_overlapping<S: Simd>(
    simd: S,
    candidates: &[Pair],
    frame: &Frame<'_>,
    pairs: &mut Vec<Pair>,
) {
    let boxes = frame.boxes;
    for candidates in candidates.chunks(MANY) {
        if frame.is_stopped() {
            return;
        }
        let first = pairs.len();
        pairs.resize(first + candidates.len(), Pair { a: 0, b: 0 });
        let room = &mut pairs[first..];
        let mut found = 0;
        for pair in candidates {
            let [a, b] = [pair.a, pair.b].map(|object| Bounds::of(simd, &boxes[object as usize]));
            room[found] = *pair;
            found += usize::from(a.overlap(&b));
        }
        pairs.truncate(first + found);
    }
}

/// The bounds of a box: the three lower ones first in a vector, the three upper ones last.
struct Bounds<S: Simd> {
    min: f32x4<S>,
    max: f32x4<S>,
}

impl<S: Simd> Bounds<S> {
    #[inline(always)]
    fn of(simd: S, b: &Aabb) -> Self {
        let flat: &[f32; 6] = bytemuck::cast_ref(b);
        let max: f32x4<S> = f32x4::from_slice(simd, &flat[2..]);
        Self { min: f32x4::from_slice(simd, &flat[..4]), max: max.slide::<1>(max) }
    }

    /// Whether the boxes share a point; an absent one has none.
    #[inline(always)]
    fn overlap(&self, other: &Self) -> bool {
        let all = self.min.simd_le(other.max)
            & other.min.simd_le(self.max)
            & self.min.simd_le(self.max)
            & other.min.simd_le(other.max);
        all.to_bitmask() & 0b111 == 0b111
    }
}

impl NeighbourList {
    /// Tests every candidate but those that are sure to overlap.
    pub(super) fn test_all(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let (sure, candidates) = self.candidates.sure_and_others();
        self.tests = candidates.len() as u64;
        self.tested = Tested::Others;
        let first = pairs.len();
        pairs.extend_from_slice(sure);
        dispatch!(narrow_level(), simd => append_overlapping(simd, candidates, frame, pairs));
        frame.drop_refused(pairs, first);
    }

    /// Tests every candidate, and remembers which overlap.
    pub(super) fn test_all_and_keep(&mut self, boxes: &[Aabb]) {
        self.tests = self.candidates.pairs().len() as u64;
        self.tested = Tested::All;
        self.candidates.forget_sure();
        self.cores.clear();
        let pairs = self.candidates.pairs();
        renew_for(&mut self.live, pairs.len());
        renew_for(&mut self.live_at, pairs.len());
        // Without a branch: whether a pair overlaps is as good as a coin's toss.
        self.live.resize(pairs.len(), 0);
        let mut live = 0;
        for (number, pair) in (0..).zip(pairs) {
            let [a, b] = [pair.a, pair.b].map(|object| &boxes[object as usize]);
            let overlaps = a.overlaps(b);
            self.live_at.push(if overlaps { live } else { NONE });
            self.live[live as usize] = number;
            live += u32::from(overlaps);
        }
        self.live.truncate(live as usize);
        self.is_live_kept = true;
    }

    /// Tests the candidates of the objects that changed.
    pub(super) fn test_changed(&mut self, boxes: &[Aabb]) {
        self.tests = 0;
        self.tested = Tested::Changed;
        if self.changed.is_empty() {
            // Where all rest, nobody needs the lists by object.
            return;
        }
        self.candidates.link(boxes.len());
        let Self { candidates, live_at, live, changed, .. } = self;
        for object in changed.iter() {
            candidates.for_each_of(*object, |number| {
                self.tests += 1;
                let pair = candidates.pairs()[number as usize];
                let is_live = boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]);
                if is_live == (live_at[number as usize] != NONE) {
                    return;
                }
                if is_live {
                    live_at[number as usize] = live.len() as u32;
                    live.push(number);
                } else {
                    bury(number, live_at, live);
                }
            });
        }
    }
}

/// Takes a candidate from those that overlap.
pub(super) fn bury(number: u32, live_at: &mut [u32], live: &mut Vec<u32>) {
    let at = std::mem::replace(&mut live_at[number as usize], NONE);
    if at != NONE {
        live.swap_remove(at as usize);
        if let Some(moved) = live.get(at as usize) {
            live_at[*moved as usize] = at;
        }
    }
}
