//! The nodes, in depth-first order.

use super::steps::{DEEPEST, OctreeCell, Place, StepBox, Steps};
use crate::Aabb;
use crate::box_set::BoxSet;
use crate::entry::Parameter;
use crate::memory::memory;
use crate::scratch::renew;
use std::ops::Range;

/// Fewer objects give more nodes, more objects give more tests. Measured: the fastest of 8, 16 and 32.
pub(super) const LEAF_SIZE: Parameter =
    Parameter::count("leaf-size", 32, [1, 1024], "A node is divided while it holds more objects");

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) cell: OctreeCell,
    pub(super) loose: StepBox,
    /// First position of its own objects.
    start: u32,
    /// End of its own objects; those of the nodes below it follow.
    end: u32,
    /// The next node outside of its subtree.
    pub(super) after: u32,
}

impl Node {
    /// Positions of its own objects.
    #[inline]
    pub(super) fn own(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An object before its node is known.
#[derive(Clone, Copy, Debug)]
struct Item {
    object: u32,
    place: Place,
}

/// An octree, rebuilt every frame. Only nodes with objects in or below them exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// Parents before children.
    nodes: Vec<Node>,
    /// After a build in the order of their nodes.
    items: Vec<Item>,
    other: Vec<Item>,
    /// The objects, node by node, and their boxes.
    objects: Vec<u32>,
    boxes: BoxSet,
}

memory!(Tree: nodes, items, other, objects, boxes);

impl Tree {
    /// Forgets all objects.
    pub(super) fn clear(&mut self) {
        renew(&mut self.items);
    }

    /// Adds an object.
    pub(super) fn push(&mut self, object: u32, place: Place) {
        self.items.push(Item { object, place });
    }

    /// Divides the root until the nodes hold at most `leaf_size` objects, or none that fits a deeper node.
    pub(super) fn build(&mut self, boxes: &[Aabb], leaf_size: usize) {
        renew(&mut self.nodes);
        renew(&mut self.other);
        self.other.extend_from_slice(&self.items);
        if !self.items.is_empty() {
            self.divide(0..self.items.len(), OctreeCell::ROOT, leaf_size);
        }
        renew(&mut self.objects);
        self.objects.extend(self.items.iter().map(|item| item.object));
        self.boxes.resize(self.objects.len());
        for (position, object) in self.objects.iter().enumerate() {
            self.boxes.set(position, &boxes[*object as usize]);
        }
    }

    /// Adds a node for a run of items, and those below it.
    fn divide(&mut self, run: Range<usize>, cell: OctreeCell, leaf_size: usize) {
        let number = self.nodes.len();
        let (start, end) = (run.start as u32, run.end as u32);
        self.nodes.push(Node { cell, loose: cell.loose(), start, end, after: 0 });
        if run.len() > leaf_size && cell.depth < DEEPEST {
            // A counting sort: first the objects that stay, then those of each octant.
            let part_of = |item: &Item| match item.place.depth > cell.depth {
                true => 1 + item.place.octant(cell.depth),
                false => 0,
            };
            let mut ends = [0; 9];
            for item in &self.items[run.clone()] {
                ends[part_of(item)] += 1;
            }
            let mut next = [run.start; 9];
            for part in 0..9 {
                if part > 0 {
                    next[part] = ends[part - 1];
                }
                ends[part] += next[part];
            }
            for item in &self.items[run.clone()] {
                let next = &mut next[part_of(item)];
                self.other[*next] = *item;
                *next += 1;
            }
            self.items[run.clone()].copy_from_slice(&self.other[run]);
            self.nodes[number].end = ends[0] as u32;
            for octant in 0..8 {
                let run = ends[octant]..ends[octant + 1];
                if !run.is_empty() {
                    self.divide(run, cell.child(octant), leaf_size);
                }
            }
        }
        self.nodes[number].after = self.nodes.len() as u32;
    }

    /// The nodes, parents before children.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The objects in the order of their nodes.
    pub(super) fn objects(&self) -> &[u32] {
        &self.objects
    }

    /// Their boxes.
    pub(super) fn boxes(&self) -> &BoxSet {
        &self.boxes
    }

    /// Panics unless every object that fits is in one node, the deepest existing one for its size and
    /// centre, within the loose bounds.
    pub(super) fn validate(&self, steps: Steps, boxes: &[Aabb]) {
        let places: Vec<Option<Place>> =
            boxes.iter().map(|b| if b.is_empty() { None } else { steps.place(b) }).collect();
        let mut listed = vec![false; boxes.len()];
        for object in &self.objects {
            let listed = &mut listed[*object as usize];
            assert!(!std::mem::replace(listed, true), "object {object} is in the tree twice");
        }
        for (object, (listed, place)) in listed.iter().zip(&places).enumerate() {
            assert_eq!(
                *listed,
                place.is_some(),
                "object {object} is listed (left), fits the tree (right)"
            );
        }
        let mut position = 0;
        for (number, node) in self.nodes.iter().enumerate() {
            assert_eq!(node.own().start, position, "objects before node {number} are in no node");
            position = node.own().end;
            let below = number + 1..node.after as usize;
            assert_eq!(node.loose, node.cell.loose(), "node {number} has other loose bounds");
            assert!(node.after as usize <= self.nodes.len(), "node {number} ends beyond the last");
            for child in &self.nodes[below.clone()] {
                let is_below = child.cell.depth > node.cell.depth
                    && node.cell.loose().contains(&child.cell.loose());
                assert!(is_below, "node {:?} is not below node {:?}", child.cell, node.cell);
            }
            for object in &self.objects[node.own()] {
                let b = &boxes[*object as usize];
                let place = places[*object as usize].expect("it is listed");
                let at = place.center.map(|center| (center >> (DEEPEST - node.cell.depth)) as i32);
                assert_eq!(node.cell.at, at, "object {object} has its centre in another cell");
                assert!(
                    place.depth == node.cell.depth
                        || (place.depth > node.cell.depth && below.is_empty()),
                    "object {object} is at a wrong depth for its size"
                );
                assert!(
                    node.cell.loose().contains(&steps.steps(b)),
                    "object {object} exceeds the loose bounds of node {number}"
                );
            }
        }
        assert_eq!(position, self.objects.len(), "objects behind the last node are in no node");
        for (position, object) in self.objects.iter().enumerate() {
            let b = boxes[*object as usize];
            assert_eq!(self.boxes.get(position), b, "an outdated box of object {object} is tested");
        }
    }

    /// The steps that the objects at some positions touch.
    pub(super) fn steps_of(&self, run: Range<usize>, steps: Steps) -> StepBox {
        let all = run.map(|position| self.boxes.get(position));
        steps.steps(&all.fold(Aabb::EMPTY, |all, b| all.union(&b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outliers::Bulk;
    use glam::Vec3;

    const LEAF_SIZE_OF_TEST: usize = 32;

    fn built() -> (Tree, Steps, Vec<Aabb>) {
        let at = |i: usize| Vec3::new((i % 17) as f32, (i % 19) as f32, (i % 23) as f32);
        let mut boxes: Vec<_> = (0..2000).map(|i| Aabb::around_sphere(at(i), 0.1)).collect();
        boxes[7] = Aabb::around_sphere(Vec3::splat(6.0), 2.5);
        boxes[8] = Aabb::EMPTY;
        let mut present = Vec::new();
        let steps = Steps::new(&Bulk::of(&boxes, 1.0, &mut present).unwrap());
        let mut tree = Tree::default();
        for object in present {
            tree.push(object, steps.place(&boxes[object as usize]).unwrap());
        }
        tree.build(&boxes, LEAF_SIZE_OF_TEST);
        (tree, steps, boxes)
    }

    #[test]
    fn large_objects_are_high_and_small_ones_deep() {
        let (tree, steps, boxes) = built();
        tree.validate(steps, &boxes);
        let depth_of = |object: u32| {
            let position = tree.objects.iter().position(|other| *other == object).unwrap();
            tree.nodes.iter().find(|node| node.own().contains(&position)).unwrap().cell.depth
        };
        assert!(depth_of(7) < depth_of(9), "{} {}", depth_of(7), depth_of(9));
        assert!(tree.nodes.iter().all(|node| node.own().len() <= LEAF_SIZE_OF_TEST));
    }

    #[test]
    #[should_panic(expected = "centre in another cell")]
    fn validate_catches_an_object_in_the_wrong_node() {
        let (mut tree, steps, boxes) = built();
        let last = tree.objects.len() - 1;
        let first = tree.nodes.iter().find(|node| node.cell.depth > 0 && !node.own().is_empty());
        tree.objects.swap(first.unwrap().own().start, last);
        tree.validate(steps, &boxes);
    }

    #[test]
    #[should_panic(expected = "is not below")]
    fn validate_catches_a_node_that_ends_too_late() {
        let (mut tree, steps, boxes) = built();
        let leaf = tree.nodes.iter().position(|node| node.cell.depth > 0).unwrap();
        tree.nodes[leaf].after += 1;
        tree.validate(steps, &boxes);
    }

    #[test]
    #[should_panic(expected = "outdated box of object 9")]
    fn validate_catches_an_outdated_box() {
        let (tree, steps, mut boxes) = built();
        boxes[9].max.x += 1e-3;
        tree.validate(steps, &boxes);
    }
}
