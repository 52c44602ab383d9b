//! What is sure without a test: boxes hold their cores, and pairs whose cores overlap do too.

use super::NeighbourList;
use crate::Aabb;
use crate::scratch::resize_roomy;

/// Objects have cores where there are more candidates than so many for each: a look at the cores costs as
/// much as the tests of one. Measured.
const CORES_FROM: usize = 3;

/// The core of a box: what it holds wherever in its inflated box it is, if it keeps its size, but for
/// rounding: whether a box [`holds`] its core is looked at in each frame. It may be inverted, and is of no use
/// then.
#[inline(always)]
pub(super) fn core(b: &Aabb, fat: &Aabb) -> Aabb {
    if b.is_empty() {
        return Aabb::EMPTY;
    }
    Aabb::new(b.min + (fat.max - b.max), b.max - (b.min - fat.min))
}

/// Whether a box holds a core. An absent one holds none but inverted ones.
#[inline(always)]
pub(super) fn holds(b: &Aabb, core: &Aabb) -> bool {
    (b.min.cmple(core.min) & core.max.cmple(b.max)).all()
}

/// Whether boxes that hold these cores are sure to overlap. Not by an inverted core: an absent object may
/// have any inverted box, and hold that.
#[inline(always)]
pub(super) fn are_sure(a: &Aabb, b: &Aabb) -> bool {
    (a.min.cmple(a.max) & b.min.cmple(b.max) & a.min.cmple(b.max) & b.min.cmple(a.max)).all()
}

/// What two cores have in common.
#[inline(always)]
pub(super) fn common(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb::new(a.min.max(b.min), a.max.min(b.max))
}

impl NeighbourList {
    /// Gives all objects cores, once the list has held for a while and where that pays, and finds the pairs
    /// that are sure by them: that costs as much as the tests of two frames.
    pub(super) fn make_cores(&mut self, boxes: &[Aabb]) {
        let are_few = self.candidates.pairs().len() <= CORES_FROM * boxes.len();
        let candidates = &self.candidates;
        let is_of_use =
            self.is_much_changed() && !candidates.is_linked() && candidates.are_numbered();
        if !self.cores.is_empty() || !self.has_held() || are_few || !is_of_use {
            return;
        }
        resize_roomy(&mut self.cores, boxes.len(), Aabb::EMPTY);
        for ((core, b), fat) in self.cores.iter_mut().zip(boxes).zip(&self.fat) {
            *core = self::core(b, fat);
        }
        // A look passes over who is again as it was when it was looked at last: that box, too, must hold the
        // core.
        self.last.copy_from_slice(boxes);
        // The pairs get other numbers.
        self.is_live_kept = false;
        let cores = &self.cores;
        self.candidates.settle(|pair| are_sure(&cores[pair.a as usize], &cores[pair.b as usize]));
    }

    /// Takes over the new cores of some objects.
    pub(super) fn unsettle(&mut self, left: &[u32]) {
        let Self { cores, leavers, candidates, .. } = self;
        if cores.is_empty() {
            return;
        }
        candidates.unsettle(left, |pair| {
            let has_left = |object| leavers.before(left, object).is_some();
            (has_left(pair.a) | has_left(pair.b))
                && !are_sure(&cores[pair.a as usize], &cores[pair.b as usize])
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BroadPhase, Frame, Pair};
    use glam::Vec3;

    #[test]
    fn who_is_again_as_it_was_before_there_were_cores_is_asked_whether_it_holds_its_own() {
        // All tremble in a heap, so that nobody looks at what changed but now and then. One is small whenever
        // somebody looks, and otherwise large: so it is when cores are made.
        let mut list = NeighbourList::default();
        let mut with_sure_pairs = 0;
        for number in 1..60_usize {
            let mut boxes: Vec<_> = (0..64)
                .map(|i| (Vec3::new((i % 8) as f32, (i / 8) as f32, 0.0) * 0.4, number * 7 + i))
                .map(|(at, turn)| Aabb::around_sphere(at + 0.002 * (turn % 5) as f32, 0.5))
                .collect();
            if number == 2 || number.is_multiple_of(16) {
                boxes[0] = Aabb::around_sphere(Vec3::ZERO, 0.05);
            }
            let (frame, mut pairs) = (Frame::new(&boxes, 0.1), Vec::new());
            list.update(&frame);
            list.validate(&frame);
            list.find_pairs(&frame, &mut pairs);
            with_sure_pairs += usize::from(!list.candidates.sure_and_others().0.is_empty());
            let overlaps = |pair: &Pair| boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]);
            let all = (0..64).flat_map(|b| (0..b).map(move |a| Pair::new(a, b)));
            pairs.sort_unstable();
            let mut expected: Vec<_> = all.filter(overlaps).collect();
            expected.sort_unstable();
            assert_eq!(pairs, expected, "frame {number}");
        }
        assert!(with_sure_pairs > 40, "{with_sure_pairs}");
    }

    /// A frame of a heap in which all tremble, but one that is elsewhere by some way.
    fn trembling(number: usize, way: f32) -> Vec<Aabb> {
        let at = |i: usize| Vec3::new((i % 8) as f32, (i / 8) as f32, 0.0) * 0.4;
        let trembles = |i: usize| Vec3::splat(0.002 * ((number * 7 + i) % 5) as f32);
        let mut boxes: Vec<_> =
            (0..64).map(|i| Aabb::around_sphere(at(i) + trembles(i), 0.5)).collect();
        boxes[27] = Aabb::around_sphere(at(27) + way, 0.5);
        boxes
    }

    fn run(list: &mut NeighbourList, boxes: &[Aabb]) {
        let frame = Frame::new(boxes, 0.1);
        list.update(&frame);
        list.find_pairs(&frame, &mut Vec::new());
        list.validate(&frame);
    }

    #[test]
    fn who_swings_to_and_fro_holds_one_core_after_a_while() {
        let (mut list, mut left) = (NeighbourList::default(), 0);
        for number in 0..80 {
            let way = if number >= 20 && number / 4 % 2 == 1 { 0.25 } else { 0.0 };
            run(&mut list, &trembling(number, way));
            assert!(number < 20 || !list.cores.is_empty(), "frame {number}");
            left += usize::from(number >= 20 && !list.left.is_empty());
        }
        assert!((1..=2).contains(&left), "it leaves again and again: {left} times");
    }

    #[test]
    fn nobody_is_asked_for_a_core_where_all_are_tested_by_object() {
        let mut list = NeighbourList::default();
        for number in 0..40 {
            run(&mut list, &trembling(number, 0.0));
        }
        let mut boxes = trembling(39, 0.0);
        assert!(!list.cores.is_empty());
        // It shows in one frame of some that all rest.
        for _ in 0..40 {
            run(&mut list, &boxes);
        }
        // A box that shrinks is in the inflated one as before.
        boxes[0] = Aabb::around_sphere(boxes[0].center(), 0.1);
        run(&mut list, &boxes);
        assert!(list.cores.is_empty());
        assert_eq!(list.left, []);
    }

    #[test]
    fn an_absent_object_holds_no_core_that_makes_a_pair_sure() {
        let large = Aabb::around_sphere(Vec3::ZERO, 20.0);
        let b = Aabb::new(Vec3::splat(8.25), Vec3::splat(8.75));
        let absent = Aabb::new(Vec3::splat(9.0), Vec3::splat(8.0));
        for (skin, is_useful) in [(1.0, false), (0.1, true)] {
            let of = core(&b, &Aabb::new(b.min - skin, b.max + skin));
            assert!(holds(&b, &of));
            assert_eq!(are_sure(&of, &large), is_useful);
            assert!(!(holds(&absent, &of) && are_sure(&of, &large)));
        }
    }
}
