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
use super::tree::{NONE, Node, Tree, gather, join};
use super::validate::Fit;
use crate::{Aabb, BroadPhase, Counters, DebugDraw, Frame, Inspect, Pair, Query};
use edit::TooDeep;
use glam::Vec3;

/// How far a fat box reaches beyond its object's, in multiples of the object's side on that axis.
///
/// Not the same on all axes: a needle or a plate would become a brick that proposes every neighbour.
/// So what has no extent on an axis is put in again whenever it moves along it.
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
    /// Objects to be taken out or put in.
    misfits: Vec<u32>,
    /// The leaves of a tree that is built anew.
    leaves: Vec<Node>,
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
            misfits: Vec::new(),
            leaves: Vec::new(),
            placed: 0,
            search: Search::new(form),
        }
    }

    /// Lists the objects whose leaves do no longer do: those that have come, and those that have left
    /// their fat box or are gone. Returns how many are present, and how many of those are listed.
    fn list_misfits(&mut self, boxes: &[Aabb]) -> (usize, usize) {
        // Few in one frame, all in the next: without room for all, that would allocate.
        self.misfits.clear();
        self.misfits.reserve(boxes.len());
        let (mut present, mut arriving) = (0, 0);
        for (object, b) in boxes.iter().enumerate() {
            let (leaf, is_present) = (self.leaf_of[object], !b.is_empty());
            present += usize::from(is_present);
            let stays = leaf != NONE && is_present && fits(&self.tree.node(leaf).bounds, b);
            if !stays && (leaf != NONE || is_present) {
                arriving += usize::from(is_present);
                self.misfits.push(object as u32);
            }
        }
        (present, arriving)
    }

    fn take_out(&mut self, object: usize) {
        let leaf = std::mem::replace(&mut self.leaf_of[object], NONE);
        if leaf != NONE {
            self.remove(leaf);
        }
    }

    /// Takes out what was listed, and puts in again what of it is present, until a branch becomes
    /// too deep.
    fn place_misfits(&mut self, boxes: &[Aabb]) -> Result<(), TooDeep> {
        for i in 0..self.misfits.len() {
            let object = self.misfits[i];
            let b = &boxes[object as usize];
            self.take_out(object as usize);
            if !b.is_empty() {
                self.insert(Node::leaf(object, fat(b)))?;
                self.placed += 1;
            }
        }
        Ok(())
    }

    /// Builds the tree from the root down, with new fat boxes for all.
    fn rebuild(&mut self, boxes: &[Aabb]) {
        let leaves = &mut self.leaves;
        gather(boxes, leaves);
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
                for child in node.children() {
                    self.parents[child as usize] = index;
                }
            }
        }
    }
}

/// The fat box of an object.
fn fat(b: &Aabb) -> Aabb {
    let margin = b.size() * MARGIN;
    // As far as there are numbers.
    Aabb::new((b.min - margin).max(Vec3::MIN), (b.max + margin).min(Vec3::MAX))
}

/// Whether a fat box still does for an object: holds it, and is not that of one twice as large.
fn fits(fat: &Aabb, b: &Aabb) -> bool {
    let largest = b.size() * (2.0 * (1.0 + 2.0 * MARGIN));
    join(fat, b) == *fat && fat.size().cmple(largest).all()
}

impl BroadPhase for Incremental {
    fn update(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        for gone in boxes.len()..self.leaf_of.len() {
            self.take_out(gone);
        }
        self.leaf_of.resize(boxes.len(), NONE);
        self.placed = 0;
        let (present, arriving) = self.list_misfits(boxes);
        if REBUILD_SHARE * arriving > present || self.place_misfits(boxes).is_err() {
            self.rebuild(boxes);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.search.find_pairs(&self.tree, frame, pairs);
    }

    fn counters(&self) -> Counters {
        Counters { rebuilds: self.placed, ..self.search.counters(&self.tree) }
    }

    fn heap_bytes(&self) -> usize {
        let indices = self.parents.capacity()
            + self.free.capacity()
            + self.leaf_of.capacity()
            + self.misfits.capacity();
        indices * size_of::<u32>()
            + self.leaves.capacity() * size_of::<Node>()
            + self.tree.heap_bytes()
            + self.search.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes, Fit::Loose);
        let nodes = &self.tree.nodes;
        assert_eq!(self.parents.len(), nodes.len(), "a node has no entry for its parent");
        assert_eq!(self.leaf_of.len(), frame.boxes.len(), "an object has no entry for its leaf");
        let mut leaves = 0;
        for (index, node) in (0..).zip(nodes) {
            if !node.is_leaf() {
                for child in node.children() {
                    assert_eq!(self.parents[child as usize], index, "parent of node {child}");
                }
            } else if node.object() != NONE {
                let leaf = self.leaf_of[node.object() as usize];
                assert_eq!(leaf, index, "leaf of object {}", node.object());
                leaves += 1;
            }
        }
        if self.tree.root != NONE {
            assert_eq!(self.parents[self.tree.root as usize], NONE, "the root has a parent");
        }
        // What is neither leaf, nor above one, waits to be used again.
        assert_eq!(nodes.len(), (2 * leaves as usize).saturating_sub(1) + self.free.len(), "lost");
        for index in &self.free {
            assert_eq!(nodes[*index as usize], Node::FREE, "node {index} is free and in use");
        }
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

impl Inspect for Incremental {
    fn tests_by_object(&self, tests: &mut [u32]) {
        self.search.tests_by_object(&self.tree, tests);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: usize) -> Vec<Aabb> {
        (0..n).map(|i| Aabb::around_sphere(Vec3::X * i as f32, 0.6)).collect()
    }

    fn updated(frames: &[&[Aabb]]) -> Incremental {
        let mut tree = Incremental::new(Form::NodePairs);
        for boxes in frames {
            tree.update(&Frame::new(boxes, 0.1));
            tree.validate(&Frame::new(boxes, 0.1));
        }
        tree
    }

    #[test]
    fn only_what_leaves_its_fat_box_is_put_in_again() {
        let start = row(20);
        let mut boxes = start.clone();
        for b in &mut boxes {
            // Less than a tenth of the side.
            (b.min.y, b.max.y) = (b.min.y + 0.11, b.max.y + 0.11);
        }
        assert_eq!(updated(&[&start]).placed, 20);
        assert_eq!(updated(&[&start, &boxes]).placed, 0);
        boxes[4].max.z += 0.13;
        boxes[9] = Aabb::EMPTY;
        assert_eq!(updated(&[&start, &boxes]).placed, 1);
        // Shrunk to less than half: its fat box would propose far too much.
        boxes[7] = Aabb::around_sphere(Vec3::X * 7.0, 0.2);
        assert_eq!(updated(&[&start, &boxes]).placed, 2);
        boxes.truncate(10);
        assert_eq!(updated(&[&start, &boxes]).placed, 2);
    }

    #[test]
    fn where_most_move_all_is_built_anew() {
        let start = row(20);
        let mut boxes = start.clone();
        for b in &mut boxes[..5] {
            *b = Aabb::around_sphere(b.center() + Vec3::Y * 9.0, 0.6);
        }
        assert_eq!(updated(&[&start, &boxes]).placed, 5);
        boxes[5] = Aabb::around_sphere(Vec3::Z * 9.0, 0.6);
        assert_eq!(updated(&[&start, &boxes]).placed, 20);
    }

    #[test]
    fn a_leaf_goes_where_boxes_grow_least() {
        let mut boxes = row(9);
        boxes.push(Aabb::EMPTY);
        let start = boxes.clone();
        boxes[9] = Aabb::around_sphere(Vec3::X * 6.1, 0.5);
        let tree = updated(&[&start, &boxes]);
        let parent = tree.parents[tree.leaf_of[9] as usize];
        assert!(tree.tree.node(parent).children().contains(&tree.leaf_of[6]));
    }

    #[test]
    fn boxes_around_boxes_come_one_after_the_other_and_make_no_chain() {
        let mut boxes = vec![Aabb::EMPTY; 3000];
        let mut tree = updated(&[&boxes]);
        for count in (0..3000).step_by(100) {
            for (i, b) in boxes.iter_mut().enumerate().take(count) {
                *b = Aabb::around_sphere(Vec3::ZERO, 1.0 + i as f32);
            }
            let frame = Frame::new(&boxes, 0.1);
            tree.update(&frame);
            tree.validate(&frame);
            let depth = tree.counters().depth;
            assert!(depth < 200, "{count} boxes are {depth} deep");
        }
    }

    #[test]
    #[should_panic(expected = "parent of node")]
    fn validate_catches_a_wrong_parent() {
        let boxes = row(5);
        let mut tree = updated(&[&boxes]);
        tree.parents[3] = 3;
        tree.validate(&Frame::new(&boxes, 0.1));
    }

    #[test]
    #[should_panic(expected = "leaf of object 2")]
    fn validate_catches_a_wrong_leaf() {
        let boxes = row(5);
        let mut tree = updated(&[&boxes]);
        tree.leaf_of[2] = tree.leaf_of[3];
        tree.validate(&Frame::new(&boxes, 0.1));
    }

    #[test]
    #[should_panic(expected = "lost")]
    fn validate_catches_a_lost_node() {
        let (start, mut boxes) = (row(5), row(5));
        boxes[3] = Aabb::EMPTY;
        let mut tree = updated(&[&start, &boxes]);
        tree.free.pop();
        tree.validate(&Frame::new(&boxes, 0.1));
    }
}
