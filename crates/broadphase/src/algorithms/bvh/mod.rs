//! Bounding-volume trees: boxes around boxes around objects.
//!
//! Every object is a leaf, every inner node the smallest box around its two children, so two objects
//! can only overlap where all boxes above them do. How the tree comes about tells the families
//! apart; the tree itself, the two searches for pairs and all questions to it stand here once.
//!
//! | family | how the tree is built | time of an update |
//! |---|---|---|
//! | `bvh-top-down` | all objects, divided in two again and again | O(n log n) |
//! | `bvh-bottom-up` | the nearest boxes, joined again and again | O(n log n) |
//! | `bvh-linear` | from the order of the objects along the Z curve | O(n) but for its logarithms |
//! | `bvh-incremental` | kept between frames, object by object | O(n + m log n), m objects reinserted |
//!
//! The pairs come of testing the tree against itself, node by node, or object by object against the
//! tree (the variants `+object`): both O(k + n log n) for k pairs among objects of similar sizes
//! that do not crowd, and O(n²) at the worst, as where n boxes form a bundle of needles across
//! another. Memory is O(n): two nodes of 32 bytes an object, and what the building takes.

mod query;
mod search;
mod top_down;
mod tree;
mod validate;

use crate::{Algorithm, BroadPhase, Counters, DebugDraw, Frame, Inspect, Overlay, Pair, Query};
use search::{Form, Search};
use top_down::Split;
use tree::{Node, Tree, gather};
use validate::Fit;

/// Median split on the widest axis; the tree against itself.
pub const TOP_DOWN: Algorithm = Algorithm {
    id: "bvh-top-down",
    name: "Box tree, top-down",
    summary: "a tree of boxes, divided at the median on the widest axis; pairs by pairs of nodes",
    source: "Ericson 2005, section 6.2.1; lab text 000, sections 5.3.2 and 5.3.3",
    overlays: &[Overlay::TreeBoxes],
    memory,
    build: |_| Box::new(Bvh::new(Builder::TopDown(Split::Median), Form::NodePairs)),
};

/// The same, divided by the surface-area heuristic.
pub const TOP_DOWN_SAH: Algorithm = Algorithm {
    id: "bvh-top-down+sah",
    name: "Box tree, top-down, by surface",
    summary: "as bvh-top-down, but divided where the surface-area heuristic expects least work",
    source: "Goldsmith, Salmon 1987; Wald 2007 (binned)",
    build: |_| Box::new(Bvh::new(Builder::TopDown(Split::SurfaceArea), Form::NodePairs)),
    ..TOP_DOWN
};

/// The same tree, and object by object against it.
pub const TOP_DOWN_OBJECT: Algorithm = Algorithm {
    id: "bvh-top-down+object",
    name: "Box tree, top-down, object by object",
    summary: "as bvh-top-down, but every object is tested against the tree from the root down",
    build: |_| Box::new(Bvh::new(Builder::TopDown(Split::Median), Form::Objects)),
    ..TOP_DOWN
};

/// Bytes of a tree over n objects, and of the leaves that it is built from.
fn memory(n: u64) -> u64 {
    n.saturating_mul(3 * size_of::<Node>() as u64)
}

/// How a tree that is built anew every frame is built.
#[derive(Debug)]
enum Builder {
    TopDown(Split),
}

/// A tree that is built anew every frame.
#[derive(Debug)]
struct Bvh {
    builder: Builder,
    /// The present objects, for the builder to reorder.
    leaves: Vec<Node>,
    tree: Tree,
    search: Search,
}

impl Bvh {
    fn new(builder: Builder, form: Form) -> Self {
        Self { builder, leaves: Vec::new(), tree: Tree::default(), search: Search::new(form) }
    }
}

impl BroadPhase for Bvh {
    fn update(&mut self, frame: &Frame<'_>) {
        let Self { builder, leaves, tree, .. } = self;
        gather(frame.boxes, leaves);
        match builder {
            Builder::TopDown(split) => top_down::build(*split, leaves, tree),
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.search.find_pairs(&self.tree, frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.search.counters(&self.tree)
    }

    fn heap_bytes(&self) -> usize {
        self.leaves.capacity() * size_of::<Node>()
            + self.tree.heap_bytes()
            + self.search.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes, Fit::Exact);
    }

    fn debug_draw(&self, draw: &mut dyn DebugDraw) {
        self.tree.draw_boxes(draw);
    }

    fn query(&self) -> Option<&dyn Query> {
        Some(&self.tree)
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

impl Inspect for Bvh {
    fn tests_by_object(&self, tests: &mut [u32]) {
        self.search.tests_by_object(&self.tree, tests);
    }
}
