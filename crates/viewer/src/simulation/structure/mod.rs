//! The parts of a structure that can be drawn, limited to a number that a screen can show.
//!
//! A hundred thousand boxes would hide each other and delay the window. Above a limit, an evenly
//! spread part is kept, with the number of all.

mod blocks;
mod cache;
mod intervals;
mod matrix;
mod regions;
mod sweeps;
mod tree_boxes;

pub use blocks::{Block, Blocks};
pub use cache::{CachedPairs, FatBoxes, MOST_PAIRS};
pub use intervals::{Interval, Intervals, MOST_INTERVALS};
pub use matrix::{MOST_ROWS, Matrix};
pub use regions::{RegionLevel, Regions};
pub use sweeps::Sweeps;
pub use tree_boxes::{MOST_BOXES, TreeBoxes};

use super::watch::Watch;
use broadphase::BroadPhase;
use broadphase::algorithms::bvh;
use broadphase::inspect::{DebugDraw, Endpoint, HashSlot, SplitPlane, TreeBox};
use broadphase::registry::Algorithm;
use glam::Vec3;

/// Most points of a curve that are kept.
pub const MOST_POINTS: usize = 20_000;

/// The requested parts. Its lists are reused for the next frame.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// Splitting planes.
    pub planes: Vec<SplitPlane>,
    /// Leaves or cells.
    pub regions: Regions,
    /// The slots of a hash table of cells.
    pub table: HashTable,
    /// The boxes of a tree.
    pub tree: TreeBoxes,
    /// Sorted lists.
    pub lists: Intervals,
    /// The objects in the order along a curve.
    pub curve: Curve,
    /// Fat AABBs.
    pub fat: FatBoxes,
    /// Cached pairs.
    pub cached: CachedPairs,
    /// The blocks of sweeps.
    pub blocks: Blocks,
    /// Counters of pairs.
    pub matrix: Matrix,
    /// Lists that are swept on their own axes, with leaves or planes.
    pub sweeps: Sweeps,
}

/// A hash table of cells.
#[derive(Clone, Debug, Default)]
pub struct HashTable {
    /// The occupied slots, by region.
    pub occupied: Vec<HashSlot>,
    /// The number of all slots; 0 without a table.
    pub slots: usize,
}

/// Whether the boxes of an algorithm's tree are shown by their heights above the leaves, from which it is built.
pub fn is_built_from_leaves(algorithm: &Algorithm) -> bool {
    algorithm.family == bvh::BOTTOM_UP.family
}

/// The objects in their order along a space-filling curve.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Its points. Above [`MOST_POINTS`], every n-th one.
    pub kept: Vec<Vec3>,
    /// The number of all points.
    pub number: usize,
}

impl Structure {
    /// Copies the requested parts of a structure of `objects` objects. Intervals and fat AABBs of inspected
    /// objects, cached pairs and sweeps of the picked one, are always kept.
    pub(super) fn fill(
        &mut self,
        structure: &dyn BroadPhase,
        algorithm: &Algorithm,
        objects: usize,
        watch: &Watch,
        picked: Option<u32>,
        is_inspected: &dyn Fn(u32) -> bool,
    ) {
        self.clear(objects);
        self.tree.from_leaves = is_built_from_leaves(algorithm);
        if watch.regions {
            self.regions.fill(structure);
            let Self { table, .. } = self;
            table.slots = structure.inspect().hash_slots(&mut |slot| table.occupied.push(slot));
        }
        if watch.fat_boxes {
            self.fat.fill(structure, objects, is_inspected);
        }
        if watch.cached_pairs {
            self.cached.fill(structure, picked);
        }
        if watch.blocks {
            self.blocks.fill(structure, picked);
        }
        if watch.regions || watch.planes {
            self.sweeps.fill(structure, watch.regions, watch.planes);
        }
        if watch.matrix {
            self.matrix.fill(structure, objects);
        }
        // Counting first lets the kept part be spread over the whole.
        if watch.tree_boxes.is_some() || watch.curve {
            structure.debug_draw(&mut Count(self));
        }
        if let Some(levels) = watch.tree_boxes {
            self.tree.choose_strides(levels);
        }
        if watch.planes || watch.tree_boxes.is_some() || watch.endpoints || watch.curve {
            let stride = self.curve.number.div_ceil(MOST_POINTS).max(1);
            let mut keep = Keep { shown: self, watch, is_inspected, stride, points: 0 };
            structure.debug_draw(&mut keep);
        }
        if watch.endpoints {
            self.lists.join(objects);
        }
    }

    fn clear(&mut self, objects: usize) {
        self.planes.clear();
        self.regions.clear();
        self.table.occupied.clear();
        self.table.slots = 0;
        self.tree.clear();
        self.lists.clear(objects);
        self.curve.kept.clear();
        self.curve.number = 0;
        self.fat.clear();
        self.cached.clear();
        self.blocks.clear();
        self.matrix.clear();
        self.sweeps.clear();
    }
}

/// Counts boxes and points.
struct Count<'a>(&'a mut Structure);

impl DebugDraw for Count<'_> {
    fn tree_box(&mut self, tree_box: TreeBox) {
        self.0.tree.count(&tree_box);
    }

    fn curve(&mut self, _: Vec3) {
        self.0.curve.number += 1;
    }
}

/// Keeps the requested parts.
struct Keep<'a> {
    shown: &'a mut Structure,
    watch: &'a Watch,
    is_inspected: &'a dyn Fn(u32) -> bool,
    stride: usize,
    points: usize,
}

impl DebugDraw for Keep<'_> {
    fn plane(&mut self, plane: SplitPlane) {
        if self.watch.planes {
            self.shown.planes.push(plane);
        }
    }

    fn tree_box(&mut self, tree_box: TreeBox) {
        if self.watch.tree_boxes.is_some() {
            self.shown.tree.keep(tree_box);
        }
    }

    fn endpoint(&mut self, endpoint: Endpoint) {
        if self.watch.endpoints {
            self.shown.lists.keep(endpoint, self.is_inspected);
        }
    }

    fn curve(&mut self, point: Vec3) {
        if self.watch.curve {
            if self.points.is_multiple_of(self.stride) {
                self.shown.curve.kept.push(point);
            }
            self.points += 1;
        }
    }
}

/// Appends the splitting planes of a structure.
pub(super) fn collect_planes(structure: &dyn BroadPhase, planes: &mut Vec<SplitPlane>) {
    struct Collect<'a>(&'a mut Vec<SplitPlane>);
    impl DebugDraw for Collect<'_> {
        fn plane(&mut self, plane: SplitPlane) {
            self.0.push(plane);
        }
    }
    structure.debug_draw(&mut Collect(planes));
}
