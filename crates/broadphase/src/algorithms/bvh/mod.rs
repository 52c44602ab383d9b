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
//! spare, 120 to 190 bytes an object (measured).

mod bottom_up;
mod incremental;
mod linear;
mod search;
mod top_down;
mod tree;

use crate::curve::Curve;
use crate::entry::{Algorithm, Kind};
use crate::inspect::{Caption, Inspect, Mark, Overlay, Visited, Way, Work};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::{Aabb, Counters, Frame, Pair};
use bottom_up::BottomUp;
pub(crate) use incremental::IncrementalBvh;
use search::Search;
use top_down::Split;
use tree::{Node, Tree, gather};

/// Median split on the widest axis; the tree against itself.
pub const TOP_DOWN: Algorithm = Algorithm {
    name: "Box tree, top-down",
    summary: "each box is halved at the median; pairs of overlapping boxes are followed down to the leaves, which are compared",
    source: "Ericson 2005, section 6.2.1; Parać 2020, sections 5.3.2 and 5.3.3",
    cost: "n log n + pairs",
    watch_for: "boxes that overlap: both halves must be searched; the tree is rebuilt in every step",
    overlays: &[Caption::TREE_BOXES],
    way: Some(&Way::BOXES),
    memory: |n| n.saturating_mul(97),
    ..Algorithm::new("bvh-top-down", Kind::BoxTree, |_| {
        Managed::boxed(Bvh::new(Method::TopDown(Split::Median)))
    })
};

/// The same, divided by the surface-area heuristic.
pub const TOP_DOWN_SAH: Algorithm = Algorithm {
    name: "Box tree, top-down, SAH split",
    summary: "as bvh-top-down, but divided where the surface-area heuristic expects least work",
    source: "Goldsmith, Salmon 1987; Wald 2007 (binned)",
    ..TOP_DOWN.variant("bvh-top-down+sah", |_| {
        Managed::boxed(Bvh::new(Method::TopDown(Split::SurfaceArea)))
    })
};

/// The nearest boxes along the Morton curve, joined.
pub const BOTTOM_UP: Algorithm = Algorithm {
    name: "Box tree, bottom-up",
    summary: "near boxes are joined first; pairs of overlapping boxes are followed down to the leaves, which are compared",
    source: "Walter, Bala, Kulkarni, Pingali 2008; Meister, Bittner 2018 (locally-ordered)",
    cost: "n log n + pairs",
    watch_for: "large boxes near the root: what was joined last is far apart",
    overlays: &[Caption { from_leaves: true, ..Caption::TREE_BOXES }],
    way: Some(&Way::BOXES),
    memory: |n| n.saturating_mul(158),
    ..Algorithm::new("bvh-bottom-up", Kind::BoxTree, |_| Managed::boxed(Bvh::new(Method::BottomUp)))
};

/// The objects in the order of the Morton curve.
pub const LINEAR: Algorithm = Algorithm {
    name: "Box tree, linear",
    summary: "each box holds a stretch of the sorted Morton curve; pairs of overlapping boxes are followed down to the leaves",
    source: "Lauterbach et al. 2009; Karras 2012; Parać 2020, section 5.3.3",
    cost: "n log n + pairs",
    watch_for: "jumps of the curve: where it leaves a place, one box must hold both",
    overlays: &[
        Caption::TREE_BOXES,
        Caption {
            title: "Morton curve",
            meaning: "It visits one half of space along x, then the other; in each half one half along y, then along \
                          z, and so on. So the objects of a part follow each other, and are in one box of the tree.",
            ..Caption::of(Overlay::Curve)
        },
    ],
    way: Some(&Way::BOXES),
    memory: |n| n.saturating_mul(128),
    ..Algorithm::new("bvh-linear", Kind::BoxTree, |_| Managed::boxed(Bvh::new(Method::Linear)))
};

/// The tree that is kept between frames.
pub const INCREMENTAL: Algorithm = Algorithm {
    name: "Box tree, incremental",
    summary: "objects that escape their fat AABB are reinserted; pairs of overlapping boxes are followed down to the leaves",
    source: "Goldsmith, Salmon 1987; Kensler 2008; Bittner, Hapala, Havran 2015; Catto 2019 (Box2D)",
    cost: "n + moved × log n + pairs",
    watch_for: "escapes: each is a reinsertion, and where all objects move the tree is slower than a new one",
    overlays: &[
        Caption::TREE_BOXES,
        Caption {
            meaning: "Bounding boxes with a margin. While each object's own box is within its fat one, the tree is not \
                  changed.",
            change: "escaped and put back",
            ..Caption::FAT_BOXES
        },
    ],
    way: Some(&Way::BOXES),
    memory: |n| n.saturating_mul(110),
    keeps_state: true,
    parameters: &[incremental::MARGIN, incremental::REBUILD_SHARE],
    ..Algorithm::new("bvh-incremental", Kind::BoxTree, |settings| {
        Managed::boxed(IncrementalBvh::new(settings))
    })
};

/// How a tree is rebuilt in every frame.
#[derive(Clone, Copy, Debug, Default)]
enum Method {
    TopDown(Split),
    BottomUp,
    #[default]
    Linear,
}

/// A tree that is rebuilt every frame. Its pairs are found by testing it against itself.
///
/// Time and memory: see the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Bvh {
    method: Method,
    /// The present objects, for the method to reorder.
    leaves: Vec<Node>,
    /// Scratch of the methods that sort along it.
    curve: Curve,
    bottom_up: BottomUp,
    tree: Tree,
    search: Search,
}

memory!(Bvh: leaves, curve, bottom_up, tree, search);

impl Bvh {
    fn new(method: Method) -> Self {
        Self { method, ..Self::default() }
    }

    /// Visits the boxes, each inner one with its step or its axis.
    fn visit_boxes(&self, visit: &mut dyn FnMut(Mark<'_>)) {
        let leaves = self.leaves.len() as u32;
        self.tree.visit_boxes(visit, |index, before, node| match self.method {
            // Each node is divided before the nodes below it, the left ones first.
            Method::TopDown(_) => node.step = Some(before + 1),
            // Joined boxes follow the leaves, in the order in which they were joined.
            Method::BottomUp => node.step = Some(index + 1 - leaves),
            Method::Linear => {
                // Depth first, the nodes before this one are inner ones, and the leaves before its own. Its left child
                // follows it, with one inner node fewer than leaves, then its right child.
                let [left, right] = self.tree.node(index).children();
                let split = index - before + (right - left).div_ceil(2);
                node.axis = self.curve.axis_between([split - 1, split]);
            }
        });
    }
}

impl Structure for Bvh {
    fn update(&mut self, frame: &Frame<'_>) {
        let Self { leaves, curve, tree, .. } = self;
        gather(frame.boxes, leaves);
        match self.method {
            Method::TopDown(split) => tree.divide(&split, leaves),
            Method::BottomUp => self.bottom_up.build(curve, leaves, tree),
            Method::Linear => linear::build(curve, leaves, tree),
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.search.find_pairs(&self.tree, frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.search.counters(&self.tree)
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes, Aabb::eq);
    }
}

impl Inspect for Bvh {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match (overlay, self.method) {
            (Overlay::TreeBoxes, _) => self.visit_boxes(visit),
            (Overlay::Curve, Method::Linear) => {
                self.leaves.iter().for_each(|leaf| visit(Mark::Point(leaf.bounds.center())));
            }
            _ => {}
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        search::tests(&self.tree, visit);
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
        let divided = |rule: &str| {
            format!(
                "Built from the root down: {joins} boxes divided {rule}. Number 1 is the box \
                 around all."
            )
        };
        report(match self.method {
            Method::TopDown(Split::Median) => divided("at the median"),
            Method::TopDown(Split::SurfaceArea) => divided("by least surface"),
            Method::BottomUp => format!(
                "Built from the leaves up: two near boxes were joined, {joins} times. Number \
                 {joins} is the box around all."
            ),
            Method::Linear => format!(
                "Read off the curve: {objects} objects in its order, and a box for each half of space, \
                 half of a half, and so on, that holds some."
            ),
        });
    }
}
