//! A look at every object: what changed, and what left its inflated box.

use super::cores;
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

/// What boxes leave: their inflated boxes, or their cores, where there are any.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    pub(super) fat: &'a [Aabb],
    pub(super) cores: &'a [Aabb],
}

/// Appends the numbers of the objects that changed and of those that left their inflated boxes, and
/// remembers the boxes. Soon after more than `most` have left, it ends, with lists that are not whole.
pub(super) fn look(
    boxes: &[Aabb],
    kept: Kept<'_>,
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
            if kept.is_left_by(*object, b) {
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
    kept: Kept<'_>,
    left: &mut Vec<u32>,
    most: usize,
) {
    let (groups, rest) = boxes.as_chunks::<GROUP>();
    let (fat_groups, core_groups) = (kept.fat.as_chunks().0, kept.cores.as_chunks().0);
    // A lower bound must not be less than the inflated one, an upper bound not more: with the signs
    // of upper bounds turned round, no difference is negative. Infinity less infinity is NaN, which
    // is not negative: an absent object stays where it was expected.
    let signs: [f32; FLOATS] = std::array::from_fn(|at| if at % 6 < 3 { 1.0 } else { -1.0 });
    let less = |group: &[Aabb; GROUP], other: &[Aabb; GROUP]| {
        let (group, other): (&[f32; FLOATS], &[f32; FLOATS]) =
            (bytemuck::cast_ref(group), bytemuck::cast_ref(other));
        let mut less = 0;
        for part in 0..FLOATS / LANES {
            let of = |all: &[f32; FLOATS]| f32x16::from_slice(simd, &all[part * LANES..][..LANES]);
            less |= ((of(group) - of(other)) * of(&signs)).simd_lt(0.0).to_bitmask();
        }
        less
    };
    for (number, (group, fat)) in groups.iter().zip(fat_groups).enumerate() {
        if (number * GROUP).is_multiple_of(STRETCH) && left.len() > most {
            return;
        }
        let mut outside = less(group, fat);
        if let Some(core) = core_groups.get(number) {
            // The core must be in the box as that is in the inflated one.
            outside |= less(core, group);
        }
        if outside != 0 {
            kept.append_left(group, number * GROUP, left);
        }
    }
    kept.append_left(rest, groups.len() * GROUP, left);
}

impl Kept<'_> {
    /// Appends the numbers of those that left, of objects of which the first has a given number.
    #[inline(never)]
    fn append_left(self, boxes: &[Aabb], first: usize, left: &mut Vec<u32>) {
        for (object, b) in (first as u32..).zip(boxes) {
            if self.is_left_by(object, b) {
                left.push(object);
            }
        }
    }

    /// Whether a box is not in the inflated one of its object, or does not hold its core. An absent object
    /// is in every box.
    #[inline(always)]
    pub(super) fn is_left_by(self, object: u32, b: &Aabb) -> bool {
        let fat = &self.fat[object as usize];
        let is_in = (fat.min.cmple(b.min) & b.max.cmple(fat.max)).all() || b.is_empty();
        !is_in || self.cores.get(object as usize).is_some_and(|core| !cores::holds(b, core))
    }
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
            let kept = Kept { fat: &fat, cores: &[] };
            look(&boxes, kept, &mut vec![Aabb::EMPTY; fat.len()], &mut changed, &mut left, all);
            dispatch!(level(), simd => look_who_left(simd, &boxes, kept, &mut at_once, all));
            assert_eq!(left, [0, 11, 23, 28], "bound {bound}");
            assert_eq!(left, at_once, "bound {bound}");
            assert_eq!(changed.len(), boxes.len() - 1, "the absent one was absent before");
        }
    }

    #[test]
    fn both_looks_see_who_holds_its_core_no_more() {
        let fat = vec![Aabb::around_sphere(Vec3::ZERO, 2.0); 3 * GROUP + 5];
        let mut cores = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); fat.len()];
        // Of one that was absent, and an inverted one, within every box about the origin.
        (cores[9], cores[10]) = (Aabb::EMPTY, Aabb::new(Vec3::splat(0.2), Vec3::splat(-0.2)));
        for bound in 0..6 {
            let mut boxes = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); fat.len()];
            // One of them is absent now, and one as before, in whatever form.
            boxes[4] = Aabb::EMPTY;
            boxes[9] = Aabb::new(Vec3::splat(9.0), Vec3::splat(8.0));
            for object in [0, 11, 3 * GROUP - 1, 3 * GROUP + 4] {
                let flat: &mut [f32; 6] = bytemuck::cast_mut(&mut boxes[object]);
                flat[bound] -= if bound < 3 { -0.25 } else { 0.25 };
            }
            let (all, mut changed, mut left, mut at_once) = (boxes.len(), vec![], vec![], vec![]);
            let kept = Kept { fat: &fat, cores: &cores };
            look(&boxes, kept, &mut vec![fat[0]; fat.len()], &mut changed, &mut left, all);
            dispatch!(level(), simd => look_who_left(simd, &boxes, kept, &mut at_once, all));
            assert_eq!(left, [0, 4, 11, 23, 28], "bound {bound}");
            assert_eq!(left, at_once, "bound {bound}");
        }
    }

    #[test]
    fn boxes_may_begin_at_any_multiple_of_four_bytes() {
        // As in a file that is mapped, behind a header.
        let words = vec![0.5f32; 6 * 20 + 2];
        for skipped in [1, 2] {
            let boxes: &[Aabb] = bytemuck::cast_slice(&words[skipped..][..6 * 20]);
            let (all, mut changed, mut left) = (boxes.len(), Vec::new(), Vec::new());
            let kept = Kept { fat: boxes, cores: boxes };
            look(boxes, kept, &mut vec![Aabb::EMPTY; 20], &mut changed, &mut left, all);
            dispatch!(level(), simd => look_who_left(simd, boxes, kept, &mut left, all));
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
            let kept = Kept { fat: &fat, cores: &[] };
            look(&boxes, kept, &mut fat.clone(), &mut changed, &mut left, most);
            dispatch!(level(), simd => look_who_left(simd, &boxes, kept, &mut at_once, most));
            assert_eq!([changed.len(), left.len(), at_once.len()], [expected; 3]);
        }
    }
}
