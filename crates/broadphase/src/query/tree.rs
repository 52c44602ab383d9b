//! A tree of boxes for queries.
//!
//! Objects are sorted along the Morton curve, and every eight that follow each other share a block; every eight blocks
//! share one of the next level, and so on. So there are no links, a build is a sort and a pass over all boxes, and a block
//! is tested by vector instructions. (Packed trees: Kamel, Faloutsos 1993.)

use super::{Hit, Probe, Query};
use crate::Aabb;
use crate::curve::Curve;
use crate::memory::{Memory, Upkeep, memory};
use crate::parallel::{for_each_chunk, threads_for};
use crate::simd::level;
use fearless_simd::dispatch;
use glam::{DVec3, Vec3};

/// Boxes of a block.
const LANES: usize = 8;

/// Most levels: 8¹¹ objects are more than have an id.
const LEVELS: usize = 11;

/// Most blocks that wait in a search: each that is taken leaves at most eight of the level below.
const WAITING: usize = (LANES - 1) * LEVELS + 1;

/// A refitted tree is rebuilt where its blocks are this much larger than when they were built: the mean of the squared ratio
/// of their sizes, to which the tests of a query are proportional. At that bound a query takes about twice as long.
const WORN: f64 = 2.0;

/// Largest ratio that counts. A few blocks with an object that went far shall not wear out the whole tree.
const MAX_RATIO: f32 = 32.0;

/// Time to refit a tree for each object, in nanoseconds: its order, measured on a loaded machine.
const NANOS_PER_OBJECT: usize = 20;

/// Eight boxes, face by face.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Block {
    min: [[f32; LANES]; 3],
    max: [[f32; LANES]; 3],
}

impl Block {
    const EMPTY: Self =
        Self { min: [[f32::INFINITY; LANES]; 3], max: [[f32::NEG_INFINITY; LANES]; 3] };

    #[inline(always)]
    fn of(boxes: impl Iterator<Item = Aabb>) -> Self {
        let mut block = Self::EMPTY;
        for (lane, b) in boxes.enumerate().take(LANES) {
            // An absent object has the canonical empty box: one axis shows it.
            let b = if b.is_empty() { Aabb::EMPTY } else { b };
            for axis in 0..3 {
                (block.min[axis][lane], block.max[axis][lane]) = (b.min[axis], b.max[axis]);
            }
        }
        block
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> Aabb {
        let at = |faces: &[[f32; LANES]; 3]| Vec3::from_array(faces.map(|axis| axis[lane]));
        Aabb::new(at(&self.min), at(&self.max))
    }

    /// The box around all; [`Aabb::EMPTY`] if they are empty.
    #[inline(always)]
    fn bounds(&self) -> Aabb {
        let low = |axis: &[f32; LANES]| axis.iter().fold(f32::INFINITY, |a, b| a.min(*b));
        let high = |axis: &[f32; LANES]| axis.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
        Aabb::new(
            Vec3::from(self.min.each_ref().map(low)),
            Vec3::from(self.max.each_ref().map(high)),
        )
    }

    /// The probe's bound for each box; infinite for empty ones.
    #[inline(always)]
    fn probe<P: Probe + ?Sized>(&self, probe: &P) -> [f64; LANES] {
        let at = |faces: &[[f32; LANES]; 3], lane: usize| {
            DVec3::new(faces[0][lane].into(), faces[1][lane].into(), faces[2][lane].into())
        };
        let mut bounds = [0.0; LANES];
        // The compiler turns this form into vector instructions, and none that maps an array.
        for (lane, bound) in bounds.iter_mut().enumerate() {
            let (min, max) = (at(&self.min, lane), at(&self.max, lane));
            let own = probe.bound(min, max);
            *bound = if min.x <= max.x { own } else { f64::INFINITY };
        }
        bounds
    }
}

/// A block that waits to be searched.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    bound: f64,
    level: u32,
    index: u32,
}

/// A tree of boxes that answers queries. Keep it: it refits the boxes of the last frame, and is rebuilt where that would make
/// queries slow.
///
/// The boxes cannot change while they are queried:
///
/// ```compile_fail,E0506
/// use broadphase::query::{Query, QueryTree};
/// use broadphase::Aabb;
///
/// let mut boxes = [Aabb::EMPTY; 2];
/// let mut tree = QueryTree::default();
/// let query = tree.over(&boxes);
/// boxes[0] = boxes[1];
/// query.any(&boxes[1]);
/// ```
///
/// Time O(n) to refit, O(n log n) in the worst case to build: with 100,000 boxes, a refit takes a third to a half of a build
/// (measured). A query takes O(log n + hits) among objects of similar sizes. Memory 76 bytes an object (measured), half of
/// it scratch of the build.
#[derive(Clone, Debug, Default)]
pub struct QueryTree {
    /// Blocks of objects, then each level up to the root.
    blocks: Vec<Block>,
    /// The first block of each level.
    starts: [u32; LEVELS],
    /// Levels in use.
    levels: usize,
    /// The object of each place in the blocks of objects. There are a few more places than objects, so that a few can be added.
    objects: Vec<u32>,
    /// Size of each block of objects when it was built.
    sizes: Vec<f32>,
    /// Present objects, to be sorted.
    present: Vec<u32>,
    curve: Curve,
    upkeep: Upkeep,
}

memory!(QueryTree: blocks, objects, sizes, present, curve);

impl QueryTree {
    /// The tree, brought up to date with the boxes, which are borrowed as long as it is queried. The index of a box is the id
    /// of its object. Refits on the threads of the rayon pool that it is called in, if that saves time. Memory of many boxes is
    /// returned within 120 calls with less than a quarter of them.
    pub fn over<'a>(&'a mut self, boxes: &'a [Aabb]) -> &'a Self {
        self.update(boxes);
        self
    }

    /// As [`over`](Self::over), for a program that keeps no borrow: the tree answers for the copies of these boxes that it
    /// has, until the next update.
    pub fn update(&mut self, boxes: &[Aabb]) {
        if self.upkeep.advance(boxes.len()) {
            self.trim();
        }
        self.update_on(threads_for(boxes.len(), NANOS_PER_OBJECT), boxes);
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        Memory::heap_bytes(self)
    }

    pub(crate) fn update_on(&mut self, threads: usize, boxes: &[Aabb]) {
        let places = self.objects.len();
        let fits = (places / 2..=places).contains(&boxes.len());
        if fits {
            self.refit(threads, boxes);
        }
        if !fits || self.is_worn() {
            self.build(threads, boxes);
        }
    }

    fn build(&mut self, threads: usize, boxes: &[Aabb]) {
        let all = 0..boxes.len() as u32;
        let is_present = |object: &u32| !boxes[*object as usize].is_empty();
        self.present.clear();
        self.present.extend(all.clone().filter(is_present));
        let places = (boxes.len() + boxes.len() / 16).next_multiple_of(LANES);
        self.objects.resize(places, 0);
        let (present, rest) = self.objects.split_at_mut(self.present.len());
        let center = |object: &u32| (boxes[*object as usize].center(), *object);
        self.curve.sort(&self.present, present, center);
        // Absent objects may appear before the next build.
        let absent = all.filter(|object| !is_present(object)).chain(boxes.len() as u32..);
        rest.iter_mut().zip(absent).for_each(|(place, object)| *place = object);
        let (mut level, mut total) = (places / LANES, 0);
        self.levels = 0;
        while level > 0 {
            self.starts[self.levels] = total as u32;
            self.levels += 1;
            total += level;
            level = if level == 1 { 0 } else { level.div_ceil(LANES) };
        }
        self.blocks.resize(total, Block::EMPTY);
        self.refit(threads, boxes);
        let leaves = &self.blocks[..places / LANES];
        self.sizes.clear();
        self.sizes.extend(leaves.iter().map(|block| size(&block.bounds())));
    }

    /// Copies the boxes, and computes those around them.
    fn refit(&mut self, threads: usize, boxes: &[Aabb]) {
        let (leaves, mut above) = self.blocks.split_at_mut(self.objects.len() / LANES);
        let objects = self.objects.as_chunks::<LANES>().0;
        for_each_chunk(threads, leaves, |first, leaves| {
            for (block, objects) in leaves.iter_mut().zip(&objects[first..]) {
                let b = |object: &u32| boxes.get(*object as usize).copied().unwrap_or_default();
                *block = Block::of(objects.iter().map(b));
            }
        });
        let mut below = &*leaves;
        while !above.is_empty() {
            let (level, rest) = above.split_at_mut(below.len().div_ceil(LANES));
            for (block, children) in level.iter_mut().zip(below.chunks(LANES)) {
                *block = Block::of(children.iter().map(Block::bounds));
            }
            (below, above) = (level, rest);
        }
    }

    /// Whether objects that were near when the tree was built have moved apart.
    fn is_worn(&self) -> bool {
        let ratio = |(block, built): (&Block, &f32)| {
            let now = size(&block.bounds());
            // Not divided where both are 0 or infinite.
            let ratio = if now > *built { (now / built).min(MAX_RATIO) } else { 1.0 };
            f64::from(ratio * ratio)
        };
        let sum = self.blocks.iter().zip(&self.sizes).map(ratio).sum::<f64>();
        sum > WORN * self.sizes.len() as f64
    }

    /// Searches for what a probe meets, the nearest first.
    #[inline]
    pub(super) fn search_for<P: Probe + ?Sized>(
        &self,
        probe: &P,
        visit: &mut dyn FnMut(Hit) -> f64,
    ) {
        if self.levels > 0 {
            dispatch!(level(), _simd => self.descend(probe, visit));
        }
    }

    #[inline(always)]
    fn descend<P: Probe + ?Sized>(&self, probe: &P, visit: &mut dyn FnMut(Hit) -> f64) {
        let mut limit = f64::MAX;
        let mut stack = [Waiting::default(); WAITING];
        stack[0] = Waiting { bound: f64::MIN, level: self.levels as u32 - 1, index: 0 };
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let Waiting { bound, level, index } = stack[len];
            // Equal ones are searched: an object there may have a lower id.
            if bound > limit {
                continue;
            }
            let block = &self.blocks[(self.starts[level as usize] + index) as usize];
            let bounds = block.probe(probe);
            let (first, places) = (len, index * LANES as u32..);
            for ((lane, bound), index) in bounds.into_iter().enumerate().zip(places) {
                if bound > limit {
                    continue;
                }
                if level > 0 {
                    // The nearest is on top.
                    let mut at = len;
                    while at > first && stack[at - 1].bound < bound {
                        stack[at] = stack[at - 1];
                        at -= 1;
                    }
                    stack[at] = Waiting { bound, level: level - 1, index };
                    len += 1;
                    continue;
                }
                let object = self.objects[index as usize];
                if let Some(measure) = probe.measure(object, &block.get(lane))
                    && measure <= limit
                {
                    limit = visit(Hit { object, measure });
                }
            }
        }
    }
}

impl Query for QueryTree {
    fn search(&self, probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64) {
        probe.search_tree(self, visit);
    }
}

/// The sum of a box's sides along the axes; 0 if it is empty.
fn size(b: &Aabb) -> f32 {
    if b.is_empty() { 0.0 } else { b.size().element_sum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lattice of unit boxes, two units apart.
    fn lattice(side: usize) -> Vec<Aabb> {
        let at = |i: usize| [i % side, i / side % side, i / side / side].map(|at| 2.0 * at as f32);
        (0..side * side * side).map(|i| Aabb::around_sphere(Vec3::from(at(i)), 0.5)).collect()
    }

    /// Updates with each list in turn, and returns which of them rebuilt the tree.
    fn rebuilds<'a>(lists: impl IntoIterator<Item = &'a Vec<Aabb>>) -> Vec<bool> {
        let mut tree = QueryTree::default();
        let mut update = |boxes: &Vec<Aabb>| {
            let before = tree.present.clone();
            // A build lists the present objects.
            tree.present.clear();
            tree.update(boxes);
            let is_rebuilt = !tree.present.is_empty();
            if !is_rebuilt {
                tree.present = before;
            }
            assert_around_all(&tree, boxes);
            is_rebuilt
        };
        lists.into_iter().map(&mut update).collect()
    }

    /// Each object is in one place, with its box, and each block holds the boxes of those below.
    fn assert_around_all(tree: &QueryTree, boxes: &[Aabb]) {
        let mut objects = tree.objects.clone();
        objects.sort_unstable();
        assert!(objects.into_iter().eq(0..tree.objects.len() as u32), "an object has two places");
        for (place, object) in tree.objects.iter().enumerate() {
            let b = boxes.get(*object as usize).filter(|b| !b.is_empty());
            let held = tree.blocks[place / LANES].get(place % LANES);
            assert_eq!(held, *b.unwrap_or(&Aabb::EMPTY), "the box of object {object}");
        }
        for level in 1..tree.levels {
            let [below, own] = [level - 1, level].map(|level| tree.starts[level] as usize);
            for child in below..own {
                let (block, lane) = ((child - below) / LANES, (child - below) % LANES);
                let held = tree.blocks[own + block].get(lane);
                assert_eq!(held, tree.blocks[child].bounds(), "block {child}");
            }
        }
    }

    #[test]
    fn tree_is_rebuilt_where_many_objects_moved_apart() {
        let start = lattice(10);
        let moved = |by: fn(usize) -> Vec3| {
            let shift = |(i, b): (usize, &Aabb)| Aabb::new(b.min + by(i), b.max + by(i));
            start.iter().enumerate().map(shift).collect::<Vec<_>>()
        };
        let together = moved(|_| Vec3::X * 99.0);
        let a_little = moved(|i| Vec3::Y * (i % 2) as f32 * 0.5);
        let apart = moved(|i| Vec3::Z * (i % 7) as f32 * 4.0);
        assert_eq!(rebuilds([&start, &together, &a_little]), [true, false, false]);
        assert_eq!(rebuilds([&start, &apart, &start, &start]), [true, true, true, false]);
    }

    #[test]
    fn memory_of_many_boxes_is_returned_within_120_updates() {
        let (many, few) = (lattice(30), lattice(10));
        let mut tree = QueryTree::default();
        tree.update(&many);
        let of_many = tree.heap_bytes();
        for _ in 0..120 {
            tree.update(&few);
            assert_around_all(&tree, &few);
        }
        let mut fresh = QueryTree::default();
        fresh.update(&few);
        let [held, of_few] = [&tree, &fresh].map(QueryTree::heap_bytes);
        assert!(of_many > 5 * held && held < 3 * of_few, "{of_many} bytes, {held}, then {of_few}");
        tree.update(&many);
        assert_around_all(&tree, &many);
    }

    #[test]
    fn tree_has_places_for_a_few_more_objects() {
        let mut lists = vec![lattice(20); 5];
        lists[1].extend([Aabb::around_sphere(Vec3::ONE, 0.5); 2]);
        lists[2].truncate(5000);
        lists[3].truncate(3000);
        lists[4].extend_from_within(..);
        assert_eq!(rebuilds(&lists), [true, false, false, true, true]);
        for n in 0..70 {
            assert_eq!(rebuilds([&lists[0][..n].to_vec()]), [n > 0], "{n} objects");
        }
    }
}
