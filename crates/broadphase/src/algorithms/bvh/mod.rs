//! Bounding-volume trees: boxes around boxes around objects.
//!
//! Every object is a leaf, every inner node the smallest box around its two children. So two objects can only
//! overlap where all boxes above them do. The families differ in how they build the tree. They share the tree
//! itself and the search for pairs.
//!
//! | family | how the tree is built | time of an update |
//! |---|---|---|
//! | `bvh-top-down` | all objects, divided in two repeatedly | O(n log n) |
//! | `bvh-bottom-up` | the nearest boxes, joined repeatedly | O(n log n) |
//! | `bvh-linear` | from the order of the objects along the Morton curve | O(n) to sort, O(n log n) for the nodes |
//! | `bvh-incremental` | kept between frames, object by object | O(n + m log n), m objects reinserted |
//!
//! Pairs are found by testing the tree against itself, node by node. For k pairs among objects of similar sizes this
//! takes about O(n log n + k). The worst case is O(n²): in a bundle of needles across another, nearly all boxes of the
//! tree can overlap with few pairs. Memory is O(n): two nodes of 32 bytes an object, leaves and scratch. With room to
//! spare, 310 to 390 bytes an object (measured).

mod bottom_up;
mod incremental;
mod linear;
mod search;
mod top_down;
mod tree;
mod validate;

use crate::curve::Curve;
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Inspect, LevelKind, Mark, Overlay, Visited, Way, Work};
use crate::managed::{Managed, Structure};
use crate::memory::{Heap, Memory, Room, memory};
use crate::{Aabb, Counters, Frame, Pair};
use bottom_up::BottomUp;
pub(crate) use incremental::IncrementalBvh;
use search::Search;
use top_down::Split;
use tree::{Node, Tree, gather};
use validate::Fit;

/// Median split on the widest axis; the tree against itself.
pub const TOP_DOWN: Algorithm =
    Algorithm::new("bvh-top-down", Kind::BoxTree, |_| Managed::boxed(Bvh::top_down()))
        .name("Box tree, top-down")
        .summary("each box is halved at the median; pairs of overlapping boxes are followed down to the leaves, which are compared")
        .source("Ericson 2005, section 6.2.1; Parać 2020, sections 5.3.2 and 5.3.3")
        .cost("n log n + pairs")
        .watch_for("boxes that overlap: both halves must be searched; the tree is rebuilt in every step")
        .overlays(&[Caption::TREE_BOXES])
        .way(&Way::BOXES)
        .memory(memory);

/// The same, divided by the surface-area heuristic.
pub const TOP_DOWN_SAH: Algorithm = TOP_DOWN
    .variant("bvh-top-down+sah", |_| Managed::boxed(Bvh::new(Builder::TopDown(Split::SurfaceArea))))
    .name("Box tree, top-down, SAH split")
    .summary("as bvh-top-down, but divided where the surface-area heuristic expects least work")
    .source("Goldsmith, Salmon 1987; Wald 2007 (binned)");

/// The nearest boxes along the Morton curve, joined.
pub const BOTTOM_UP: Algorithm =
    Algorithm::new("bvh-bottom-up", Kind::BoxTree, |_| Managed::boxed(Bvh::bottom_up()))
        .name("Box tree, bottom-up")
        .summary("near boxes are joined first; pairs of overlapping boxes are followed down to the leaves, which are compared")
        .source("Walter, Bala, Kulkarni, Pingali 2008; Meister, Bittner 2018 (locally-ordered)")
        .cost("n log n + pairs")
        .watch_for("large boxes near the root: what was joined last is far apart")
        .overlays(&[Caption { levels: LevelKind::Height, ..Caption::TREE_BOXES }])
        .way(&Way::BOXES)
        .memory(|n| n.saturating_mul(310));

/// The objects in the order of the Morton curve.
pub const LINEAR: Algorithm =
    Algorithm::new("bvh-linear", Kind::BoxTree, |_| Managed::boxed(Bvh::linear()))
        .name("Box tree, linear")
        .summary("each box holds a stretch of the sorted Morton curve; pairs of overlapping boxes are followed down to the leaves")
        .source("Karras 2012; Parać 2020, section 5.3.3")
        .cost("n log n + pairs")
        .watch_for("jumps of the curve: where it leaves a place, one box must hold both")
        .overlays(&[
            Caption::TREE_BOXES,
            Caption {
                title: "Morton curve",
                meaning: "It visits one half of space along x, then the other; in each half one half along y, then along \
                          z, and so on. So the objects of a part follow each other, and are in one box of the tree.",
                ..Caption::of(Overlay::Curve)
            },
        ])
        .way(&Way::BOXES)
        .memory(|n| n.saturating_mul(280));

/// The tree that is kept between frames.
pub const INCREMENTAL: Algorithm = Algorithm::new("bvh-incremental", Kind::BoxTree, |settings| {
    Managed::boxed(IncrementalBvh::new(settings))
})
.name("Box tree, incremental")
.summary("objects that escape their fat AABB are reinserted; pairs of overlapping boxes are followed down to the leaves")
.source("Goldsmith, Salmon 1987; Kensler 2008; Bittner, Hapala, Havran 2015; Catto 2019 (Box2D)")
.cost("n + moved × log n + pairs")
.watch_for("escapes: each is a reinsertion, and where all objects move the tree is slower than a new one")
.overlays(&[
    Caption::TREE_BOXES,
    Caption {
        meaning: "Bounding boxes with a margin. While each object's own box is within its fat one, the tree is not \
                  changed.",
        change: "escaped and put back",
        ..Caption::FAT_BOXES
    },
])
.way(&Way::BOXES)
.memory(|n| n.saturating_mul(260))
.keeps_state(true)
.parameters(&[incremental::MARGIN, incremental::REBUILD_SHARE]);

/// Bytes of a top-down tree over n objects and of its leaves.
fn memory(n: u64) -> u64 {
    n.saturating_mul(250)
}

/// A builder that rebuilds its tree every frame.
#[derive(Clone, Debug)]
enum Builder {
    TopDown(Split),
    BottomUp(BottomUp),
    Linear(Curve),
}

impl Room for Builder {
    fn reserve_as(&mut self, original: &Self) {
        match (self, original) {
            (Builder::BottomUp(copy), Builder::BottomUp(original)) => copy.reserve_as(original),
            (Builder::Linear(copy), Builder::Linear(original)) => copy.reserve_as(original),
            _ => {}
        }
    }
}

impl Memory for Builder {
    fn heap(&self) -> Heap {
        match self {
            Builder::TopDown(_) => Heap::default(),
            Builder::BottomUp(bottom_up) => bottom_up.heap(),
            Builder::Linear(curve) => curve.heap(),
        }
    }

    fn trim(&mut self) {
        match self {
            Builder::TopDown(_) => {}
            Builder::BottomUp(bottom_up) => bottom_up.trim(),
            Builder::Linear(curve) => curve.trim(),
        }
    }
}

impl Builder {
    fn build(&mut self, leaves: &mut [Node], tree: &mut Tree) {
        match self {
            Builder::TopDown(split) => top_down::build(*split, leaves, tree),
            Builder::BottomUp(bottom_up) => bottom_up.build(leaves, tree),
            Builder::Linear(curve) => linear::build(curve, leaves, tree),
        }
    }
}

/// A tree that is rebuilt every frame. Its pairs are found by testing it against itself.
///
/// Time and memory: see the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Bvh {
    builder: Builder,
    /// The present objects, for the builder to reorder.
    leaves: Vec<Node>,
    tree: Tree,
    search: Search,
}

memory!(Bvh: builder, leaves, tree, search);

impl Bvh {
    /// A tree divided at the median on the widest axis.
    fn top_down() -> Self {
        Self::new(Builder::TopDown(Split::Median))
    }

    /// A tree of which the nearest boxes are joined.
    fn bottom_up() -> Self {
        Self::new(Builder::BottomUp(BottomUp::default()))
    }

    /// A tree in the order of the objects along the Morton curve.
    fn linear() -> Self {
        Self::new(Builder::Linear(Curve::default()))
    }

    fn new(builder: Builder) -> Self {
        let (tree, search) = (Tree::default(), Search::default());
        Self { builder, leaves: Vec::new(), tree, search }
    }
}

impl Bvh {
    /// Visits the boxes, each inner one with its step or its axis.
    fn visit_boxes(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        let leaves = self.leaves.len() as u32;
        match self.builder {
            // Each node is divided before the nodes below it, the left ones first.
            Builder::TopDown(_) => {
                self.tree.visit_boxes(visit, |_, before, node| node.step = Some(before + 1));
            }
            // Joined boxes follow the leaves, in the order in which they were joined.
            Builder::BottomUp(_) => {
                self.tree.visit_boxes(visit, |index, _, node| node.step = Some(index + 1 - leaves));
            }
            Builder::Linear(ref curve) => {
                self.tree.visit_boxes(visit, |index, _, node| {
                    // Leaves follow the inner nodes.
                    let ends = self.tree.outer_leaves(index).map(|leaf| leaf + 1 - leaves);
                    node.axis = curve.axis_between(ends);
                });
            }
        }
    }
}

impl Structure for Bvh {
    fn update(&mut self, frame: &Frame<'_>) {
        gather(frame.boxes, &mut self.leaves);
        self.builder.build(&mut self.leaves, &mut self.tree);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.search.find_pairs(&self.tree, frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.search.counters(&self.tree)
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes, Fit::Exact);
    }
}

impl Inspect for Bvh {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::TreeBoxes => self.visit_boxes(visit),
            Overlay::Curve if matches!(self.builder, Builder::Linear(_)) => {
                self.tree.visit_leaf_order(visit);
            }
            _ => {}
        }
    }

    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.search.replay(&self.tree, visit);
    }

    fn way(&self, object: u32, _: &Aabb, visit: &mut dyn FnMut(Visited)) {
        self.search.way(&self.tree, object, visit);
    }

    fn work(&self, report: &mut dyn FnMut(Work)) {
        self.search.work(report);
    }

    fn remarks(&self, report: &mut dyn FnMut(String)) {
        let (objects, joins) = (self.leaves.len(), self.leaves.len().saturating_sub(1));
        if joins == 0 {
            return;
        }
        report(match self.builder {
            Builder::TopDown(Split::Median) => format!(
                "Built from the root down: {joins} boxes divided at the median. Number 1 is \
                 the box around all."
            ),
            Builder::TopDown(Split::SurfaceArea) => format!(
                "Built from the root down: {joins} boxes divided by least surface. Number 1 is \
                 the box around all."
            ),
            Builder::BottomUp(_) => format!(
                "Built from the leaves up: two near boxes were joined, {joins} times. Number \
                 {joins} is the box around all."
            ),
            Builder::Linear(_) => format!(
                "Read off the curve: {objects} objects in its order, and a box for each half of space, \
                 half of a half, and so on, that holds some."
            ),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use crate::parallel::fewest_for_two;
    use glam::Vec3;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn trees_are_the_same_on_any_number_of_threads() {
        // Enough for every step of every builder.
        let n = fewest_for_two(linear::NANOS_PER_BOX) + 1;
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(9);
        let mut at = || Vec3::from([(); 3].map(|()| rng.random_range(0.0..20.0)));
        let boxes: Vec<_> = (0..n).map(|_| Aabb::around_sphere(at(), 0.5)).collect();
        let frame = Frame::new(&boxes);
        let builders: [fn() -> Builder; 4] = [
            || Builder::TopDown(Split::Median),
            || Builder::TopDown(Split::SurfaceArea),
            || Builder::BottomUp(BottomUp::default()),
            || Builder::Linear(Curve::default()),
        ];
        for builder in builders {
            let on_threads = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (mut bvh, mut pairs) = (Bvh::new(builder()), Vec::new());
                pool.install(|| {
                    bvh.update(&frame);
                    bvh.find_pairs(&frame, &mut pairs);
                });
                (bvh.tree.nodes, pairs)
            };
            let (nodes, pairs) = on_threads(1);
            assert!(pairs.len() > n, "hardly a pair");
            let (other_nodes, other_pairs) = on_threads(3);
            assert!(other_nodes == nodes, "{:?}: another tree", builder());
            assert!(other_pairs == pairs, "{:?}: other pairs", builder());
        }
    }
}
