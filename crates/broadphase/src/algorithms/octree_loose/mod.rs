//! A loose octree: every object in exactly one node, by its size and its centre.
//!
//! A node's bounds are its cell enlarged by half a side on all sides. They contain each object that is no longer
//! than the cell and has its centre in it. So the size of an object gives its greatest depth, and its centre the
//! cell there. No object is in two nodes, or stays near the root because a plane cuts it. Here a node is divided
//! only while it holds many objects, so an object may be higher than its greatest depth.
//!
//! The tree uses integers: a coordinate is rounded down to one of 2^21 steps along the root, by a function that
//! never decreases. So boxes that overlap also overlap in steps.
//!
//! Nodes are stored in depth-first order, each a region with the objects of its own. It searches the nodes *after* it, for
//! all its objects at once, so that each pair is found from one side.
//!
//! Objects outside of the root, or longer than it, are tested against all others.
//!
//! Ulrich, "Loose Octrees", Game Programming Gems (2000), section 4.11.

mod cell;
mod inspect;
mod tree;

use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::outliers::Bulk;
use crate::regions::Regions;
use crate::{Counters, Frame, Pair};
use tree::Tree;

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "Loose octree",
    summary: "an object is in the cell of its centre, and within twice that cell; two cells are compared where their doubles overlap",
    source: "Ulrich 2000, Loose Octrees, in Game Programming Gems",
    cost: "n × depth + tests",
    watch_for: "the doubled bounds around a picked object: many distant objects are compared, too",
    overlays: &[
        // The leaves of an octree are its cells.
        Caption {
            title: "Octree",
            meaning: "A cell is divided into eight while it holds more than the leaf size; empty parts are left out.",
            roles: &[],
            ..Caption::TREE_BOXES
        },
        Caption {
            meaning: "Each object is in one cell: around its centre, and at least as long as the object. So it reaches out by \
                  half a cell at most. The numbers are objects.",
            is_loose: true,
            ..Caption::CELLS
        },
    ],
    way: Some(&Way {
        title: "Its search",
        meaning: "The objects of its cell are compared with each other, and with those of the green cells: their bounds \
              overlap.",
        holds: ["cell holds it", "cells hold it"],
        searched: ["cell compared with its cell", "cells compared with its cell"],
        rejected: ["cell empty: nothing to compare", "cells empty: nothing to compare"],
        hollow: Some("Hollow: without objects of their own, or too far away."),
    }),
    memory: |n| n * 87,
    vectorised: true,
    parameters: &[LEAF_SIZE],
    ..Algorithm::new("octree-loose", Kind::SpaceTree, |settings| {
        Managed::boxed(LooseOctree::new(settings))
    })
};

/// Fewer objects give more nodes, more objects give more tests. Measured: the fastest of 8, 16 and 32.
const LEAF_SIZE: Parameter =
    Parameter::count("leaf-size", 32, [1, 1024], "A node is divided while it holds more objects");

/// How far from the bulk of the objects the root may reach, in extents of the bulk.
const REACH: f32 = 16.0;

/// Time to compare an object with those of other nodes, in nanoseconds (measured for a thousand in a gas).
const NANOS_PER_OBJECT: usize = 500;

/// A loose octree. Time O(n d + t), for depth d, at most 21, and t tests: about linear wherever the
/// objects are and however large, quadratic where many are crowded. Memory O(n d) at worst, O(n)
/// usually.
#[derive(Clone, Debug, Default)]
pub(crate) struct LooseOctree {
    /// A value of [`LEAF_SIZE`].
    leaf_size: usize,
    present: Vec<u32>,
    tree: Tree,
    /// The objects of each node.
    regions: Regions,
}

memory!(LooseOctree: present, tree, regions);

impl LooseOctree {
    /// A tree without objects.
    fn new(settings: &Settings) -> Self {
        Self { leaf_size: settings.count(&LEAF_SIZE), ..Self::default() }
    }
}

impl Structure for LooseOctree {
    fn update(&mut self, frame: &Frame<'_>) {
        let bulk = Bulk::of(frame.boxes, REACH, &mut self.present);
        self.tree.clear(bulk.as_ref());
        self.regions.clear();
        for object in &self.present {
            if !self.tree.place(*object, &frame.boxes[*object as usize]) {
                self.regions.list(*object, |_| {});
            }
        }
        self.tree.divide(self.leaf_size, &mut self.regions);
        self.regions.sort(self.tree.nodes.len(), frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.regions.find_pairs(frame, pairs);
        self.regions.find_pairs_between(&self.tree, NANOS_PER_OBJECT, frame, pairs);
    }

    fn counters(&self) -> Counters {
        let depth = self.tree.nodes.iter().map(|node| node.cell.depth).max().unwrap_or(0);
        Counters { depth, ..self.regions.counters() }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(&self.regions, frame.boxes);
    }
}
