//! Which boxes are others than they were.

use crate::Aabb;
use crate::simd::level;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, i32x16};

/// Boxes compared at once: as many as fill whole vectors, which are three.
const GROUP: usize = 8;
const BOUNDS: usize = 6;
const LANES: usize = 16;

/// Appends the numbers of the boxes that differ from what they were, of which the first has a given number.
///
/// Bits are compared, not numbers: whether 0 became -0 does not matter, but that costs nothing.
pub(crate) fn append_changed(first: u32, boxes: &[Aabb], last: &[Aabb], changed: &mut Vec<u32>) {
    dispatch!(level(), simd => append_with(simd, first, boxes, last, changed));
}

/// There is no branch on what a box did: where a tenth changed, here and there, one in two such guesses of
/// the processor would be wrong. Only eight that all rest are skipped.
#[inline(always)]
fn append_with<S: Simd>(
    simd: S,
    first: u32,
    boxes: &[Aabb],
    last: &[Aabb],
    changed: &mut Vec<u32>,
) {
    let before = changed.len();
    changed.resize(before + boxes.len(), 0);
    let (mut found, room) = (0, &mut changed[before..]);
    let (groups, rest) = boxes.as_chunks::<GROUP>();
    let (last_groups, last_rest) = last.as_chunks::<GROUP>();
    for ((group, last), first) in groups.iter().zip(last_groups).zip((first..).step_by(GROUP)) {
        let differ = differ(simd, group, last);
        // The six bits of each box, folded into the lowest of them.
        let differ = differ | differ >> 1 | differ >> 2;
        let differ = differ | differ >> 3;
        if differ & EVERY_BOX != 0 {
            // Each box is written, and written over by the next unless it changed.
            let Some(room) = room[found..].first_chunk_mut::<GROUP>() else { break };
            let mut here = 0;
            for (at, object) in (first..).take(GROUP).enumerate() {
                room[here % GROUP] = object;
                here += (differ >> (at * BOUNDS) & 1) as usize;
            }
            found += here;
        }
    }
    let behind = first + (groups.len() * GROUP) as u32;
    for (object, (b, last)) in (behind..).zip(rest.iter().zip(last_rest)) {
        if bytemuck::bytes_of(b) != bytemuck::bytes_of(last) {
            room[found] = object;
            found += 1;
        }
    }
    changed.truncate(before + found);
}

/// The lowest of the bits of each box.
const EVERY_BOX: u64 = 0o01_01_01_01_01_01_01_01;

/// A bit for each bound of eight boxes that is another one.
#[inline(always)]
fn differ<S: Simd>(simd: S, boxes: &[Aabb; GROUP], last: &[Aabb; GROUP]) -> u64 {
    let [boxes, last]: [&[i32; GROUP * BOUNDS]; 2] =
        [bytemuck::cast_ref(boxes), bytemuck::cast_ref(last)];
    let mut bits = 0;
    for part in 0..GROUP * BOUNDS / LANES {
        let of = |all: &[i32]| i32x16::from_slice(simd, &all[part * LANES..][..LANES]);
        let same = of(boxes).simd_eq(of(last)).to_bitmask();
        bits |= u64::from(!same as u16) << (part * LANES);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn every_box_that_differs_in_one_bound_is_found_once() {
        let last: Vec<_> =
            (0..77).map(|i| Aabb::around_sphere(Vec3::splat(i as f32), 0.5)).collect();
        for len in [0, 1, 7, 8, 9, 64, 77] {
            for step in [1, 2, 3, 7, 8, 9, 50] {
                for bound in 0..BOUNDS {
                    let mut boxes = last.clone();
                    for b in boxes.iter_mut().step_by(step) {
                        let bounds: &mut [f32; BOUNDS] = bytemuck::cast_mut(b);
                        bounds[bound] = f32::from_bits(bounds[bound].to_bits() ^ 1 << 31);
                    }
                    let mut changed = vec![9];
                    append_changed(100, &boxes[..len], &last[..len], &mut changed);
                    let expected = (0..len as u32).step_by(step).map(|object| object + 100);
                    assert!(changed[1..].iter().copied().eq(expected), "{len} {step} {bound}");
                    assert_eq!(changed[0], 9);
                }
            }
        }
    }
}
