//! A look at every object: what changed, and what left its inflated box.

use crate::Aabb;
use crate::changed::append_changed;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};

/// Boxes looked at together: as many as fill whole vectors, which are three.
const GROUP: usize = 8;
const FLOATS: usize = 6 * GROUP;
const LANES: usize = 16;

/// Boxes between two looks at whether enough have left.
const STRETCH: usize = 32 * GROUP;

/// Room for objects that left, beside those that are enough: a stretch, and what is left of a group.
pub(super) const ROOM: usize = STRETCH + GROUP;

/// Appends the numbers of the objects that changed and of those that left their inflated boxes, and
/// remembers the boxes. Soon after more than `most` have left, it ends, with lists that are not whole.
pub(super) fn look(
    boxes: &[Aabb],
    fat: &[Aabb],
    last: &mut [Aabb],
    changed: &mut Vec<u32>,
    left: &mut Vec<u32>,
    most: usize,
) {
    let stretches = boxes.chunks(STRETCH).zip(last.chunks_mut(STRETCH));
    for (first, (stretch, last)) in (0..).step_by(STRETCH).zip(stretches) {
        if left.len() > most {
            return;
        }
        let before = changed.len();
        append_changed(first as u32, stretch, last, changed);
        for object in &changed[before..] {
            let b = &boxes[*object as usize];
            if !holds(&fat[*object as usize], b) {
                left.push(*object);
            }
            last[*object as usize - first] = *b;
        }
    }
}

/// Appends the numbers of the objects that left their inflated boxes. Nothing else is looked at: of
/// use where nearly all have changed. It ends as [`look`] does.
#[inline(always)]
pub(super) fn look_who_left<S: Simd>(
    simd: S,
    boxes: &[Aabb],
    fat: &[Aabb],
    left: &mut Vec<u32>,
    most: usize,
) {
    let (groups, rest) = boxes.as_chunks::<GROUP>();
    let (fat_groups, fat_rest) = fat.as_chunks::<GROUP>();
    // A lower bound must not be less than the inflated one, an upper bound not more: with the signs
    // of upper bounds turned round, no difference is negative. Infinity less infinity is NaN, which
    // is not negative: an absent object stays where it was expected.
    let signs: [f32; FLOATS] = std::array::from_fn(|at| if at % 6 < 3 { 1.0 } else { -1.0 });
    for (number, (group, fat)) in groups.iter().zip(fat_groups).enumerate() {
        if (number * GROUP).is_multiple_of(STRETCH) && left.len() > most {
            return;
        }
        let (group, fat): (&[f32; FLOATS], &[f32; FLOATS]) =
            (bytemuck::cast_ref(group), bytemuck::cast_ref(fat));
        let mut outside = 0;
        for part in 0..FLOATS / LANES {
            let of = |all: &[f32; FLOATS]| f32x16::from_slice(simd, &all[part * LANES..][..LANES]);
            outside |= ((of(group) - of(fat)) * of(&signs)).simd_lt(0.0).to_bitmask();
        }
        if outside != 0 {
            append_left(&groups[number], &fat_groups[number], number * GROUP, left);
        }
    }
    append_left(rest, fat_rest, groups.len() * GROUP, left);
}

/// Appends the numbers of those that left, of objects of which the first has a given number.
#[inline(never)]
fn append_left(boxes: &[Aabb], fat: &[Aabb], first: usize, left: &mut Vec<u32>) {
    for (object, (b, fat)) in (first as u32..).zip(boxes.iter().zip(fat)) {
        if !holds(fat, b) {
            left.push(object);
        }
    }
}

/// Whether a box is in an inflated one. An absent object is in every box.
#[inline(always)]
fn holds(fat: &Aabb, b: &Aabb) -> bool {
    (fat.min.cmple(b.min) & b.max.cmple(fat.max)).all() || b.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::level;
    use fearless_simd::dispatch;
    use glam::Vec3;

    #[test]
    fn both_looks_see_the_same_objects_leave() {
        let fat = vec![Aabb::new(Vec3::splat(-1.0), Vec3::splat(1.0)); 3 * GROUP + 5];
        for bound in 0..6 {
            let mut boxes = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); fat.len()];
            boxes[3] = Aabb::EMPTY;
            boxes[5] = Aabb::new(Vec3::splat(9.0), Vec3::splat(8.0));
            for object in [0, 11, 3 * GROUP - 1, 3 * GROUP + 4] {
                let flat: &mut [f32; 6] = bytemuck::cast_mut(&mut boxes[object]);
                flat[bound] += if bound < 3 { -0.25 } else { 0.25 };
            }
            let all = boxes.len();
            let (mut changed, mut left, mut at_once) = (Vec::new(), Vec::new(), Vec::new());
            look(&boxes, &fat, &mut vec![Aabb::EMPTY; fat.len()], &mut changed, &mut left, all);
            dispatch!(level(), simd => look_who_left(simd, &boxes, &fat, &mut at_once, all));
            assert_eq!(left, [0, 11, 23, 28], "bound {bound}");
            assert_eq!(left, at_once, "bound {bound}");
            assert_eq!(changed.len(), boxes.len() - 1, "the absent one was absent before");
        }
    }

    #[test]
    fn boxes_may_begin_at_any_multiple_of_four_bytes() {
        // As in a file that is mapped, behind a header.
        let words = vec![0.5f32; 6 * 20 + 2];
        for skipped in [1, 2] {
            let boxes: &[Aabb] = bytemuck::cast_slice(&words[skipped..][..6 * 20]);
            let (all, mut changed, mut left) = (boxes.len(), Vec::new(), Vec::new());
            look(boxes, boxes, &mut vec![Aabb::EMPTY; 20], &mut changed, &mut left, all);
            dispatch!(level(), simd => look_who_left(simd, boxes, boxes, &mut left, all));
            assert_eq!((changed.len(), left.len()), (20, 0));
        }
    }

    #[test]
    fn a_look_ends_where_enough_have_left() {
        let fat = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); 4 * STRETCH];
        let boxes = vec![Aabb::around_sphere(Vec3::ONE, 1.0); fat.len()];
        for (most, expected) in
            [(STRETCH - 1, STRETCH), (STRETCH, 2 * STRETCH), (fat.len(), fat.len())]
        {
            let (mut changed, mut left, mut at_once) = (Vec::new(), Vec::new(), Vec::new());
            look(&boxes, &fat, &mut fat.clone(), &mut changed, &mut left, most);
            dispatch!(level(), simd => look_who_left(simd, &boxes, &fat, &mut at_once, most));
            assert_eq!([changed.len(), left.len(), at_once.len()], [expected; 3]);
        }
    }
}
