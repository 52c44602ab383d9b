//! A tree that is kept between frames, object by object: the dynamic tree of today's engines.
//!
//! A leaf's box is *fat*, a little larger than its object's, and the tree is left alone as long as
//! every object stays in its fat box. What left it is taken out and put in again: from the root
//! down to where its box makes the boxes above grow least (Goldsmith, Salmon 1987), and on the way
//! back up the tree is turned wherever that makes a box smaller (Kensler 2008). Where a quarter of
//! all objects has to move, a new tree is built at once, and cheaper.

mod edit;

use super::search::{Form, Search};
use super::top_down::{self, Split};
use super::tree::{NONE, Node, Tree, join};
use super::validate::Fit;
use crate::scratch::renew;
use crate::{Aabb, BroadPhase, Counters, DebugDraw, Frame, Inspect, Pair, Query};
use edit::TooDeep;
use glam::Vec3;

/// How far a fat box reaches beyond its object's on each side, in multiples of the longest side.
const MARGIN: f32 = 0.1;

/// A new tree is built where more than one in this many objects has to be put in.
const REBUILD_SHARE: usize = 4;

/// The kept tree. Time O(n) to look whether the objects are in their boxes, O(log n) for each of
/// those that are not, O(n log n) where it is built anew. Memory O(n).
#[derive(Debug)]
pub(super) struct Incremental {
    tree: Tree,
    /// The parent of each node of the tree, [`NONE`] of the root.
    parents: Vec<u32>,
    /// The places of [free](Node::FREE) nodes.
    free: Vec<u32>,
    /// The leaf of each object, [`NONE`] of absent ones.
    leaf_of: Vec<u32>,
    /// Leaves to be put in, in an order that is as good as random.
    arrivals: Vec<Node>,
    /// How many leaves the last update put in.
    placed: u64,
    search: Search,
}

impl Incremental {
    pub(super) fn new(form: Form) -> Self {
        Self {
            tree: Tree::default(),
            parents: Vec::new(),
            free: Vec::new(),
            leaf_of: Vec::new(),
            arrivals: Vec::new(),
            placed: 0,
            search: Search::new(form),
        }
    }

    /// Takes out the leaf of every object that is gone or has left its fat box, and lists a new leaf
    /// for it if it is present. Returns how many objects are present.
    fn take_out_what_left(&mut self, boxes: &[Aabb]) -> usize {
        for gone in boxes.len()..self.leaf_of.len() {
            self.take_out(gone);
        }
        self.leaf_of.resize(boxes.len(), NONE);
        renew(&mut self.arrivals);
        let mut present = 0;
        for (object, b) in boxes.iter().enumerate() {
            let is_present = !b.is_empty();
            present += usize::from(is_present);
            let leaf = self.leaf_of[object];
            if leaf != NONE && is_present && fits(&self.tree.node(leaf).bounds, b) {
                continue;
            }
            self.take_out(object);
            if is_present {
                self.arrivals.push(Node::leaf(object as u32, fat(b)));
            }
        }
        present
    }

    fn take_out(&mut self, object: usize) {
        let leaf = std::mem::replace(&mut self.leaf_of[object], NONE);
        if leaf != NONE {
            self.remove(leaf);
        }
    }

    /// Puts in what was listed, until a branch becomes too deep.
    fn put_in(&mut self) -> Result<(), TooDeep> {
        for arrival in 0..self.arrivals.len() {
            self.insert(self.arrivals[arrival])?;
        }
        Ok(())
    }

    /// Builds the tree from the root down, with new fat boxes for all.
    fn rebuild(&mut self, boxes: &[Aabb]) {
        let leaves = &mut self.arrivals;
        super::tree::gather(boxes, leaves);
        for leaf in &mut *leaves {
            leaf.bounds = fat(&leaf.bounds);
        }
        top_down::build(Split::SurfaceArea, leaves, &mut self.tree);
        self.placed = leaves.len() as u64;
        self.free.clear();
        self.parents.clear();
        self.parents.resize(self.tree.nodes.len(), NONE);
        self.leaf_of.fill(NONE);
        for (index, node) in (0..).zip(&self.tree.nodes) {
            if node.is_leaf() {
                self.leaf_of[node.object() as usize] = index;
            } else {
                node.children().map(|child| self.parents[child as usize] = index);
            }
        }
    }
}

/// The fat box of an object.
fn fat(b: &Aabb) -> Aabb {
    let margin = b.size().max_element() * MARGIN;
    // As far as there are numbers.
    Aabb::new((b.min - margin).max(Vec3::MIN), (b.max + margin).min(Vec3::MAX))
}

/// Whether a fat box still does for an object: holds it, and is not the box of a far larger one.
fn fits(fat: &Aabb, b: &Aabb) -> bool {
    let is_held = join(fat, b) == *fat;
    is_held && fat.size().max_element() <= 2.0 * (1.0 + 2.0 * MARGIN) * b.size().max_element()
}
