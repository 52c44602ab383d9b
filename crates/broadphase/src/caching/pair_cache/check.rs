//! Which objects escaped from their fat AABBs.

use super::state::State;
use crate::Aabb;
use crate::simd::level;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x16, i32x16};

/// Boxes checked together: they fill whole vectors, of which they take three.
const GROUP: usize = 8;
const BOUNDS: usize = 6;
const FLOATS: usize = BOUNDS * GROUP;
const LANES: usize = 16;

/// The lowest of the six bits of each box.
const EVERY_BOX: u64 = 0o01_01_01_01_01_01_01_01;

/// The resting bit of eight states.
const EVERY_STATE: u64 = 0x0101_0101_0101_0101;

/// 1 for a lower bound, -1 for an upper one.
const SIGNS: [f32; FLOATS] = {
    let mut signs = [1.0; FLOATS];
    let mut at = 0;
    while at < FLOATS {
        if at % BOUNDS >= BOUNDS / 2 {
            signs[at] = -1.0;
        }
        at += 1;
    }
    signs
};

/// Appends the objects that escape: the box of a slow one is no longer in its fat AABB, that of a resting
/// one is another box. The first object has the number `first`.
///
/// An absent object is in every fat AABB.
pub(super) fn append_escaping(
    first: u32,
    boxes: &[Aabb],
    fat: &[Aabb],
    states: &[State],
    escaping: &mut Vec<u32>,
) {
    dispatch!(level(), simd => append_with(simd, first, boxes, fat, states, escaping));
}

#[inline(always)]
fn append_with<S: Simd>(
    simd: S,
    first: u32,
    boxes: &[Aabb],
    fat: &[Aabb],
    states: &[State],
    escaping: &mut Vec<u32>,
) {
    let (groups, _) = boxes.as_chunks::<GROUP>();
    let (fat_groups, _) = fat.as_chunks::<GROUP>();
    let (state_groups, _) = states.as_chunks::<GROUP>();
    for (number, ((group, fat), states)) in
        groups.iter().zip(fat_groups).zip(state_groups).enumerate()
    {
        let any: u64 = bytemuck::cast(*states);
        let resting = any & EVERY_STATE;
        let mut bits = if resting == EVERY_STATE { 0 } else { out(simd, group, fat) };
        if resting != 0 {
            let changed = changed(simd, group, fat);
            if resting == EVERY_STATE {
                bits = changed;
            } else if changed != 0 {
                // Only those of resting objects count: the six bits of each of their boxes.
                for (at, state) in states.iter().enumerate() {
                    bits |= changed & (0o77 * u64::from(state.was_resting())) << (at * BOUNDS);
                }
            }
        }
        if bits == 0 {
            continue;
        }
        let folded = bits | bits >> 1 | bits >> 2;
        let mut folded = (folded | folded >> 3) & EVERY_BOX;
        while folded != 0 {
            let at = folded.trailing_zeros() as usize / BOUNDS;
            folded &= folded - 1;
            if !states[at].has_escaped() {
                escaping.push(first + (number * GROUP + at) as u32);
            }
        }
    }
    for at in groups.len() * GROUP..boxes.len() {
        if !states[at].has_escaped() && escapes(&boxes[at], &fat[at], states[at]) {
            escaping.push(first + at as u32);
        }
    }
}

/// A bit for each bound of eight boxes that is outside of the fat one.
#[inline(always)]
fn out<S: Simd>(simd: S, boxes: &[Aabb; GROUP], fat: &[Aabb; GROUP]) -> u64 {
    let [boxes, fat]: [&[f32; FLOATS]; 2] = [bytemuck::cast_ref(boxes), bytemuck::cast_ref(fat)];
    let mut bits = 0;
    for part in 0..FLOATS / LANES {
        let of = |all: &[f32; FLOATS]| f32x16::from_slice(simd, &all[part * LANES..][..LANES]);
        // A lower bound must not be less than the fat one, an upper bound not more. With the signs of upper
        // bounds reversed, no difference is negative. Infinity less infinity is NaN, which is not negative.
        let out = ((of(boxes) - of(fat)) * of(&SIGNS)).simd_lt(0.0).to_bitmask();
        bits |= u64::from(out as u16) << (part * LANES);
    }
    bits
}

/// A bit for each bound of eight boxes that is not, to the bit, the fat one.
#[inline(always)]
fn changed<S: Simd>(simd: S, boxes: &[Aabb; GROUP], fat: &[Aabb; GROUP]) -> u64 {
    let [boxes, fat]: [&[i32; FLOATS]; 2] = [bytemuck::cast_ref(boxes), bytemuck::cast_ref(fat)];
    let mut bits = 0;
    for part in 0..FLOATS / LANES {
        let of = |all: &[i32; FLOATS]| i32x16::from_slice(simd, &all[part * LANES..][..LANES]);
        let same = of(boxes).simd_eq(of(fat)).to_bitmask();
        bits |= u64::from(!same as u16) << (part * LANES);
    }
    bits
}

/// Whether an object with this box has escaped.
pub(super) fn escapes(b: &Aabb, fat: &Aabb, state: State) -> bool {
    if state.was_resting() {
        return bytemuck::bytes_of(b) != bytemuck::bytes_of(fat);
    }
    (b.min.cmplt(fat.min) | b.max.cmpgt(fat.max)).any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn each_bound_is_checked_for_each_state() {
        let fat = vec![Aabb::new(Vec3::splat(-1.0), Vec3::splat(1.0)); 3 * GROUP + 5];
        let moved = [0, 11, 3 * GROUP - 1, 3 * GROUP + 4];
        for (state, by, expected) in [
            // Outwards, inwards, and by the sign of a zero.
            (State::SLOW, 0.25, &moved[..]),
            (State::SLOW, -0.25, &[]),
            (State::RESTING, 0.25, &moved[..]),
            (State::RESTING, -0.25, &moved[..]),
            (State::ESCAPED, 0.25, &[]),
        ] {
            for bound in 0..6 {
                let mut boxes = fat.clone();
                for object in moved {
                    let flat: &mut [f32; 6] = bytemuck::cast_mut(&mut boxes[object]);
                    flat[bound] += if bound < 3 { -by } else { by };
                }
                let mut states = vec![State::SLOW; fat.len()];
                moved.iter().for_each(|object| states[*object] = state);
                let mut found = Vec::new();
                append_escaping(100, &boxes, &fat, &states, &mut found);
                let expected: Vec<_> = expected.iter().map(|at| 100 + *at as u32).collect();
                assert_eq!(found, expected, "{state:?}, bound {bound}, by {by}");
                for (at, b) in boxes.iter().enumerate() {
                    let is_found = found.contains(&(100 + at as u32));
                    let escapes = escapes(b, &fat[at], states[at]);
                    assert!(states[at].has_escaped() || escapes == is_found, "object {at}");
                }
            }
        }
    }

    #[test]
    fn absent_object_stays_and_appearing_one_escapes() {
        let [here, away] = [Aabb::around_sphere(Vec3::ZERO, 1.0), Aabb::EMPTY];
        let mut found = Vec::new();
        for count in [1, GROUP] {
            let states = vec![State::SLOW; count];
            append_escaping(0, &vec![away; count], &vec![here; count], &states, &mut found);
            append_escaping(0, &vec![away; count], &vec![away; count], &states, &mut found);
            assert_eq!(found, [], "{count} objects");
            append_escaping(0, &vec![here; count], &vec![away; count], &states, &mut found);
            assert_eq!(found.len(), count);
            found.clear();
        }
    }
}
