//! A tree that is kept between frames and updated by object: the dynamic tree of current engines.
//!
//! A leaf's box is a *fat AABB*, a little larger than its object's. The tree does not change while every object
//! stays in its fat AABB. An object that escapes is reinserted: from the root down to the place where its box
//! enlarges the boxes above least (Goldsmith, Salmon 1987). On the way back up the tree is rotated wherever that
//! makes a box smaller (Kensler 2008). Where more than `rebuild-share` of all objects must be reinserted, the tree is
//! rebuilt, which is cheaper. It is rebuilt as well where most of its nodes are free, since most objects have vanished: so it
//! gives their memory back.

mod edit;
mod inspect;

use super::search::Search;
use super::top_down::Split;
use super::tree::{NONE, Node, Tree, gather, holds};
use crate::entry::{Parameter, Settings};
use crate::managed::Structure;
use crate::memory::memory;
use crate::{Aabb, Counters, Frame, Pair};
use edit::Rotated;
use glam::Vec3;

/// Not the same on all axes: the fat AABB of a needle or a plate would overlap every neighbour. So an object
/// without extent on an axis is reinserted whenever it moves along it.
pub(super) const MARGIN: Parameter = Parameter::number(
    "margin",
    0.1,
    [0.0, 4.0],
    "Margin of a fat AABB on each axis, in sides of the object there",
);

pub(super) const REBUILD_SHARE: Parameter = Parameter::number(
    "rebuild-share",
    0.25,
    [0.0, 1.0],
    "Share of the objects above which reinserting them gives way to a rebuild",
);

/// The incremental tree. Time O(n) to check the objects, O(log n) for each reinsertion, O(n log n) for a
/// rebuild. Memory O(n).
#[derive(Clone, Debug, Default)]
pub(crate) struct IncrementalBvh {
    /// A value of [`MARGIN`].
    margin: f32,
    /// A value of [`REBUILD_SHARE`].
    rebuild_share: f64,
    tree: Tree,
    /// The parent of each node of the tree, [`NONE`] of the root.
    parents: Vec<u32>,
    /// Indices of [free](Node::FREE) nodes.
    free: Vec<u32>,
    /// The leaf of each object, [`NONE`] of absent ones.
    leaf_of: Vec<u32>,
    /// Objects to remove, insert or reinsert.
    misfits: Vec<u32>,
    /// The leaves of a rebuild.
    leaves: Vec<Node>,
    /// Leaves that the last update inserted.
    inserted: u64,
    /// Present objects that appeared in the last update, or escaped from their fat AABB.
    arriving: u64,
    /// Whether the last update rebuilt the tree.
    is_rebuilt: bool,
    /// The rotations of the last update.
    rotations: Vec<Rotated>,
    search: Search,
}

memory!(IncrementalBvh: tree, parents, free, leaf_of, misfits, leaves, rotations, search);

impl IncrementalBvh {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            margin: settings.value(&MARGIN) as f32,
            rebuild_share: settings.value(&REBUILD_SHARE),
            ..Self::default()
        }
    }

    /// Lists the objects that appeared, escaped from their fat AABB, or became absent. Returns the number of
    /// present objects.
    fn list_misfits(&mut self, boxes: &[Aabb]) -> usize {
        self.misfits.clear();
        self.arriving = 0;
        let mut present = 0;
        for (object, b) in boxes.iter().enumerate() {
            let (leaf, is_present) = (self.leaf_of[object], !b.is_empty());
            present += usize::from(is_present);
            let stays =
                leaf != NONE && is_present && fits(&self.tree.node(leaf).bounds, b, self.margin);
            if !stays && (leaf != NONE || is_present) {
                self.arriving += u64::from(is_present);
                self.misfits.push(object as u32);
            }
        }
        present
    }

    fn remove_object(&mut self, object: usize) {
        let leaf = std::mem::replace(&mut self.leaf_of[object], NONE);
        if leaf != NONE {
            self.remove(leaf);
        }
    }

    /// Removes the listed objects, and reinserts the present ones. False if the tree must be rebuilt.
    fn reinsert_misfits(&mut self, boxes: &[Aabb]) -> bool {
        for i in 0..self.misfits.len() {
            let object = self.misfits[i];
            let b = &boxes[object as usize];
            self.remove_object(object as usize);
            if !b.is_empty() {
                if !self.insert(Node::leaf(object, fat(b, self.margin))) {
                    return false;
                }
                self.inserted += 1;
            }
        }
        2 * self.free.len() <= self.tree.nodes.len()
    }

    /// Rebuilds the tree from the root down, with new fat AABBs for all.
    fn rebuild(&mut self, boxes: &[Aabb]) {
        gather(boxes, &mut self.leaves);
        for leaf in &mut self.leaves {
            leaf.bounds = fat(&leaf.bounds, self.margin);
        }
        self.tree.divide(&Split::SurfaceArea, &mut self.leaves);
        self.inserted = self.leaves.len() as u64;
        // The list counts as unused until the next rebuild.
        self.leaves.clear();
        self.rotations.clear();
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

/// The fat AABB of an object.
fn fat(b: &Aabb, margin: f32) -> Aabb {
    let margin = b.size() * margin;
    // Clamped, so that it stays finite.
    Aabb::new((b.min - margin).max(Vec3::MIN), (b.max + margin).min(Vec3::MAX))
}

/// Whether a fat AABB still suits an object: it contains it, and is not larger than that of an object of twice
/// the size.
fn fits(fat: &Aabb, b: &Aabb, margin: f32) -> bool {
    let largest = b.size() * (2.0 * (1.0 + 2.0 * margin));
    holds(fat, b) && fat.size().cmple(largest).all()
}

impl Structure for IncrementalBvh {
    fn update(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        for gone in boxes.len()..self.leaf_of.len() {
            self.remove_object(gone);
        }
        self.leaf_of.resize(boxes.len(), NONE);
        self.inserted = 0;
        self.rotations.clear();
        let most = self.rebuild_share * self.list_misfits(boxes) as f64;
        self.is_rebuilt = self.arriving as f64 > most || !self.reinsert_misfits(boxes);
        if self.is_rebuilt {
            self.rebuild(boxes);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.search.find_pairs(&self.tree, frame, pairs);
    }

    fn counters(&self) -> Counters {
        Counters { rebuilds: self.inserted, ..self.search.counters(&self.tree) }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes, holds);
        let nodes = &self.tree.nodes;
        assert_eq!(self.parents.len(), nodes.len(), "a node has no entry for its parent");
        assert_eq!(self.leaf_of.len(), frame.boxes.len(), "an object has no entry for its leaf");
        let mut reached = 0;
        self.tree.visit(|index, node, depth| {
            reached += 1;
            if depth == 0 {
                assert_eq!(self.parents[index as usize], NONE, "the root has a parent");
            }
            if node.is_leaf() {
                let object = node.object();
                assert_eq!(self.leaf_of[object as usize], index, "leaf of object {object}");
            } else {
                for child in node.children() {
                    assert_eq!(self.parents[child as usize], index, "parent of node {child}");
                }
            }
        });
        // All other nodes are in the list of free ones.
        assert_eq!(nodes.len(), reached + self.free.len(), "nodes are lost");
        for index in &self.free {
            assert_eq!(nodes[*index as usize], Node::FREE, "node {index} is free and in use");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Inspect;
    use crate::managed::{Fault, assert_faults_are_caught};

    fn line(n: usize) -> Vec<Aabb> {
        (0..n).map(|i| Aabb::around_sphere(Vec3::X * i as f32, 0.6)).collect()
    }

    fn updated(frames: &[&[Aabb]]) -> IncrementalBvh {
        let mut tree = IncrementalBvh::new(&Settings::new(0));
        for boxes in frames {
            tree.update(&Frame::new(boxes));
            tree.validate(&Frame::new(boxes));
        }
        tree
    }

    #[test]
    fn only_escaped_objects_are_reinserted() {
        let start = line(20);
        let mut boxes = start.clone();
        for b in &mut boxes {
            // Less than a tenth of the side.
            (b.min.y, b.max.y) = (b.min.y + 0.11, b.max.y + 0.11);
        }
        assert_eq!(updated(&[&start]).inserted, 20);
        assert_eq!(updated(&[&start, &boxes]).inserted, 0);
        boxes[4].max.z += 0.13;
        boxes[9] = Aabb::EMPTY;
        assert_eq!(updated(&[&start, &boxes]).inserted, 1);
        // Shrunk to less than half: its fat AABB would give too many candidates.
        boxes[7] = Aabb::around_sphere(Vec3::X * 7.0, 0.2);
        assert_eq!(updated(&[&start, &boxes]).inserted, 2);
        boxes.truncate(12);
        assert_eq!(updated(&[&start, &boxes]).inserted, 2);
        // With fewer, most nodes of the tree are free.
        boxes.truncate(10);
        assert_eq!(updated(&[&start, &boxes]).inserted, 9);
    }

    #[test]
    fn tree_is_rebuilt_when_most_objects_escape() {
        let start = line(20);
        let mut boxes = start.clone();
        for b in &mut boxes[..5] {
            *b = Aabb::around_sphere(b.center() + Vec3::Y * 9.0, 0.6);
        }
        assert_eq!(updated(&[&start, &boxes]).inserted, 5);
        boxes[5] = Aabb::around_sphere(Vec3::Z * 9.0, 0.6);
        let rebuilt = updated(&[&start, &boxes]);
        assert_eq!(rebuilt.inserted, 20);
        // A rebuild is no reinsertion.
        let mut reinsertions = None;
        rebuilt.work(&mut |work| {
            reinsertions = reinsertions.or((work.name == "reinsertions").then_some(work.count));
        });
        assert_eq!(reinsertions, Some(0));
    }

    #[test]
    fn leaf_is_inserted_where_boxes_grow_least() {
        let mut boxes = line(9);
        boxes.push(Aabb::EMPTY);
        let start = boxes.clone();
        boxes[9] = Aabb::around_sphere(Vec3::X * 6.1, 0.5);
        let tree = updated(&[&start, &boxes]);
        let parent = tree.parents[tree.leaf_of[9] as usize];
        assert!(tree.tree.node(parent).children().contains(&tree.leaf_of[6]));
    }

    #[test]
    fn nested_boxes_inserted_in_order_give_no_chain() {
        let mut boxes = vec![Aabb::EMPTY; 3000];
        let mut tree = updated(&[&boxes]);
        for count in (0..3000).step_by(100) {
            for (i, b) in boxes.iter_mut().enumerate().take(count) {
                *b = Aabb::around_sphere(Vec3::ZERO, 1.0 + i as f32);
            }
            let frame = Frame::new(&boxes);
            tree.update(&frame);
            tree.validate(&frame);
            let depth = tree.counters().depth;
            assert!(depth < 200, "{count} boxes are {depth} deep");
        }
    }

    #[test]
    fn validate_catches_each_fault() {
        let (start, mut boxes) = (line(9), line(9));
        boxes[8] = Aabb::EMPTY;
        let built = || updated(&[&start, &boxes]);
        let faults: [Fault<IncrementalBvh>; 3] = [
            ("parent of node", |tree| tree.parents[3] = 3),
            ("leaf of object 2", |tree| tree.leaf_of[2] = tree.leaf_of[3]),
            ("nodes are lost", |tree| _ = tree.free.pop()),
        ];
        assert_faults_are_caught(built, |tree| tree.validate(&Frame::new(&boxes)), &faults);
    }
}
