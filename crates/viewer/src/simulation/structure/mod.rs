//! What a structure shows of itself, as much of it as can be told apart on a screen.
//!
//! A hundred thousand boxes would hide each other and hold up the window: of what is too many a part
//! is kept that is spread over the whole, and it is told how many there are.

mod intervals;
mod tree_boxes;

pub use intervals::{Interval, Intervals, MOST_INTERVALS};
pub use tree_boxes::TreeBoxes;

use super::watch::Watch;
use broadphase::{BroadPhase, DebugDraw, Endpoint, Region, SplitPlane, TreeBox};
use glam::Vec3;
use std::cmp::Reverse;

/// Most boxes of a tree, and most leaves or cells, that are kept.
pub const MOST_BOXES: usize = 10_000;

/// Most points of a curve that are kept.
pub const MOST_POINTS: usize = 20_000;

/// All that was asked for. Its lists are used again for the next frame.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// Planes that divide space.
    pub planes: Vec<SplitPlane>,
    /// Leaves or cells.
    pub regions: Regions,
    /// The boxes of a tree.
    pub tree: TreeBoxes,
    /// Sorted lists.
    pub lists: Intervals,
    /// The objects in the order along a curve.
    pub curve: Curve,
}

/// Leaves or cells.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// All of them; of more than [`MOST_BOXES`] the fullest.
    pub kept: Vec<Region>,
    /// How many there are.
    pub number: usize,
    /// Objects listed in all of them together, an object counted in each.
    pub listed: u64,
    /// Objects in the fullest.
    pub most: u32,
}

/// The objects in the order along a curve.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Its points; of more than [`MOST_POINTS`] one in so many.
    pub kept: Vec<Vec3>,
    /// How many there are.
    pub number: usize,
}

impl Structure {
    /// Takes over what is asked for of a structure that holds `objects` objects. The intervals of
    /// those that are looked at are kept in any case.
    pub(super) fn fill(
        &mut self,
        structure: &dyn BroadPhase,
        objects: usize,
        watch: &Watch,
        looked_at: &dyn Fn(u32) -> bool,
    ) {
        self.clear(objects);
        if watch.regions {
            self.regions.fill(structure);
        }
        // Counted first, so that what is kept is spread over the whole.
        if watch.tree_boxes.is_some() || watch.curve {
            structure.debug_draw(&mut Count(self));
        }
        if let Some(levels) = watch.tree_boxes {
            self.tree.share_room(levels);
        }
        if watch.planes || watch.tree_boxes.is_some() || watch.endpoints || watch.curve {
            let stride = self.curve.number.div_ceil(MOST_POINTS).max(1);
            let mut keep = Keep { shown: self, watch, looked_at, stride, points: 0 };
            structure.debug_draw(&mut keep);
        }
        if watch.endpoints {
            self.lists.join(objects);
        }
    }

    fn clear(&mut self, objects: usize) {
        self.planes.clear();
        self.regions.clear();
        self.tree.clear();
        self.lists.clear(objects);
        self.curve.kept.clear();
        self.curve.number = 0;
    }
}

/// Counts what is to come.
struct Count<'a>(&'a mut Structure);

impl DebugDraw for Count<'_> {
    fn tree_box(&mut self, tree_box: TreeBox) {
        self.0.tree.count(&tree_box);
    }

    fn curve(&mut self, _: Vec3) {
        self.0.curve.number += 1;
    }
}

/// Keeps what is asked for.
struct Keep<'a> {
    shown: &'a mut Structure,
    watch: &'a Watch,
    looked_at: &'a dyn Fn(u32) -> bool,
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
            self.shown.lists.keep(endpoint, self.looked_at);
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

/// Appends a structure's planes.
pub(super) fn collect_planes(structure: &dyn BroadPhase, planes: &mut Vec<SplitPlane>) {
    struct Collect<'a>(&'a mut Vec<SplitPlane>);
    impl DebugDraw for Collect<'_> {
        fn plane(&mut self, plane: SplitPlane) {
            self.0.push(plane);
        }
    }
    structure.debug_draw(&mut Collect(planes));
}

impl Regions {
    fn fill(&mut self, structure: &dyn BroadPhase) {
        structure.inspect().regions(&mut |region| {
            self.number += 1;
            self.listed += u64::from(region.objects);
            self.most = self.most.max(region.objects);
            self.kept.push(region);
        });
        if self.kept.len() > MOST_BOXES {
            self.kept.select_nth_unstable_by_key(MOST_BOXES, |region| Reverse(region.objects));
            self.kept.truncate(MOST_BOXES);
        }
    }

    fn clear(&mut self) {
        self.kept.clear();
        (self.number, self.listed, self.most) = (0, 0, 0);
    }
}
