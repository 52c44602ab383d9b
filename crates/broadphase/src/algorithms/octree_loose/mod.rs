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
//! Nodes and objects are stored in depth-first order. Each node searches the nodes *after* its own, for all its objects
//! at once, so that each pair is found from one side.
//!
//! Objects outside of the root, or longer than it, are tested against all others.
//!
//! Ulrich, "Loose Octrees", Game Programming Gems (2000), section 4.11.

mod inspect;
mod search;
mod steps;
mod tree;

use crate::entry::{Algorithm, Kind, Settings};
use crate::inspect::{Caption, Straddling, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::outliers::{Bulk, Oversized};
use crate::parallel::{SearchTasks, Work};
use crate::{Aabb, Counters, Frame, Pair};
use steps::Steps;
use tree::{LEAF_SIZE, Tree};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm::new("octree-loose", Kind::SpaceTree, |settings| {
    Managed::boxed(LooseOctree::new(settings))
})
.name("Loose octree")
.summary("an object is in the cell of its centre, and within twice that cell; two cells are compared where their doubles overlap")
.source("Ulrich 2000, Loose Octrees, in Game Programming Gems")
.cost("n × depth + tests")
.watch_for("the doubled bounds around a picked object: many distant objects are compared, too")
.overlays(&[
    // The leaves of an octree are its cells.
    Caption {
        title: "Octree",
        meaning: "A cell is divided into eight while it holds more than the leaf size; empty parts are left out.",
        roles: &[],
        bounds: false,
        ..Caption::TREE_BOXES
    },
    Caption {
        meaning: "Each object is in one cell: around its centre, and at least as long as the object. So it reaches out by \
                  half a cell at most. The numbers are objects.",
        straddling: Straddling::Loose,
        ..Caption::CELLS
    },
])
.way(&Way {
    title: "Its search",
    meaning: "The objects of its cell are compared with each other, and with those of the green cells: their bounds \
              overlap.",
    holds: ["cell holds it", "cells hold it"],
    searched: ["cell compared with its cell", "cells compared with its cell"],
    rejected: ["cell empty: nothing to compare", "cells empty: nothing to compare"],
    hollow: Some("Hollow: without objects of their own, or too far away."),
    explains: None,
    ..Way::BOXES
})
.memory(|n| n * 185)
.vectorised(true)
.parameters(&[LEAF_SIZE]);

/// How far from the bulk of the objects the root may reach, in extents of the bulk.
const REACH: f32 = 16.0;

/// A loose octree. Time O(n d + t), for depth d, at most 21, and t tests: about linear wherever the
/// objects are and however large, quadratic where many are crowded. Memory O(n d) at worst, O(n)
/// usually.
#[derive(Clone, Debug)]
pub(crate) struct LooseOctree {
    /// A value of [`LEAF_SIZE`].
    leaf_size: usize,
    /// From coordinates to steps; none without objects.
    steps: Option<Steps>,
    tree: Tree,
    present: Vec<u32>,
    oversized: Oversized,
    tasks: SearchTasks,
    work: Work,
}

memory!(LooseOctree: present, tree, oversized, tasks);

impl LooseOctree {
    /// A tree without objects.
    fn new(settings: &Settings) -> Self {
        Self {
            leaf_size: settings.count(&LEAF_SIZE),
            steps: None,
            tree: Tree::default(),
            present: Vec::new(),
            oversized: Oversized::default(),
            tasks: SearchTasks::default(),
            work: Work::default(),
        }
    }
}

impl Default for LooseOctree {
    fn default() -> Self {
        Self::new(&Settings::new(0))
    }
}

impl Structure for LooseOctree {
    fn update(&mut self, frame: &Frame<'_>) {
        let bulk = Bulk::of(frame.boxes, REACH, &mut self.present);
        self.steps = bulk.map(|bulk| Steps::new(&bulk));
        self.tree.clear();
        self.oversized.clear();
        if let Some(steps) = self.steps {
            for object in &self.present {
                match steps.place(&frame.boxes[*object as usize]) {
                    Some(place) => self.tree.push(*object, place),
                    None => self.oversized.push(*object),
                }
            }
        }
        self.tree.build(frame.boxes, self.leaf_size);
        self.oversized.fill(&self.present, frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.work = Work::default();
        if let Some(steps) = self.steps {
            self.work += self.tree.find_pairs(steps, frame, &mut self.tasks, pairs);
        }
        self.work += self.oversized.find_pairs(frame, &mut self.tasks, pairs);
    }

    fn counters(&self) -> Counters {
        Counters {
            tests: self.work.tests,
            nodes: self.tree.nodes().len() as u64,
            depth: self.tree.nodes().iter().map(|node| node.cell.depth).max().unwrap_or(0),
            listings: self.tree.objects().len() as u64,
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        let placed = |b: &Aabb| self.steps.expect("there are objects, but no root").place(b);
        let present = (0..).zip(frame.boxes).filter(|(_, b)| !b.is_empty());
        let oversized: Vec<u32> =
            present.filter(|(_, b)| placed(b).is_none()).map(|(object, _)| object).collect();
        self.oversized.validate(&oversized, frame.boxes);
        if let Some(steps) = self.steps {
            self.tree.validate(steps, frame.boxes);
        }
    }
}
