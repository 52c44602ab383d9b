//! The invariants of a tree of boxes.

use super::tree::{NONE, Tree, join};
use crate::Aabb;

/// The relation of a leaf's box to its object's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// They are the same.
    Exact,
    /// The leaf's box holds the object's.
    Loose,
}

impl Tree {
    /// Panics unless every present object is in one leaf, and each box is the smallest around its children.
    pub(super) fn validate(&self, boxes: &[Aabb], fit: Fit) {
        let mut listed = vec![false; boxes.len()];
        let mut reached = vec![false; self.nodes.len()];
        let mut stack = Vec::new();
        if self.root != NONE {
            stack.push(self.root);
        }
        while let Some(index) = stack.pop() {
            assert!((index as usize) < self.nodes.len(), "node {index} does not exist");
            // This also ends the loop where the nodes form a cycle.
            assert!(
                !std::mem::replace(&mut reached[index as usize], true),
                "node {index} has two parents"
            );
            let node = self.node(index);
            if !node.is_leaf() {
                let children = node.children();
                stack.extend(children);
                let [left, right] = children.map(|child| self.nodes.get(child as usize));
                if let (Some(left), Some(right)) = (left, right) {
                    assert_eq!(
                        node.bounds,
                        join(&left.bounds, &right.bounds),
                        "the box of node {index} (left) is not the one around its children (right)"
                    );
                }
                continue;
            }
            let object = node.object();
            assert!((object as usize) < boxes.len(), "leaf {index} has no object");
            assert!(
                !std::mem::replace(&mut listed[object as usize], true),
                "object {object} is in two leaves"
            );
            let b = &boxes[object as usize];
            let fits = match fit {
                Fit::Exact => node.bounds == *b,
                Fit::Loose => join(&node.bounds, b) == node.bounds,
            };
            assert!(
                b.is_empty() || fits,
                "the leaf of object {object} has the box {:?} where the object has {b:?}",
                node.bounds
            );
        }
        for (object, b) in boxes.iter().enumerate() {
            assert_eq!(
                listed[object],
                !b.is_empty(),
                "object {object} is in a leaf (left), is present (right)"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::top_down::{self, Split};
    use super::super::tree::{Node, gather};
    use super::*;
    use glam::Vec3;

    fn tree() -> (Tree, Vec<Aabb>) {
        let mut boxes: Vec<_> =
            (0..5).map(|i| Aabb::around_sphere(Vec3::X * i as f32, 0.6)).collect();
        boxes[3] = Aabb::EMPTY;
        let (mut tree, mut leaves) = (Tree::default(), Vec::new());
        gather(&boxes, &mut leaves);
        top_down::build(Split::Median, &mut leaves, &mut tree);
        tree.validate(&boxes, Fit::Exact);
        (tree, boxes)
    }

    fn leaf_of(tree: &Tree, object: u32) -> usize {
        tree.nodes.iter().position(|node| node.is_leaf() && node.object() == object).unwrap()
    }

    #[test]
    #[should_panic(expected = "the leaf of object 1")]
    fn validate_catches_an_outdated_box() {
        let (tree, mut boxes) = tree();
        boxes[1].max.y += 0.1;
        tree.validate(&boxes, Fit::Exact);
    }

    #[test]
    #[should_panic(expected = "the leaf of object 1")]
    fn validate_catches_an_object_outside_of_its_loose_leaf() {
        let (tree, mut boxes) = tree();
        boxes[2].max.y -= 0.1;
        boxes[1].max.y += 0.1;
        tree.validate(&boxes, Fit::Loose);
    }

    #[test]
    #[should_panic(expected = "not the one around its children")]
    fn validate_catches_a_box_that_is_too_large() {
        let (mut tree, boxes) = tree();
        tree.nodes[0].bounds.max.z += 0.1;
        tree.validate(&boxes, Fit::Exact);
    }

    #[test]
    #[should_panic(expected = "object 3 is in a leaf (left)")]
    fn validate_catches_a_missing_object() {
        let (tree, mut boxes) = tree();
        boxes[3] = boxes[0];
        tree.validate(&boxes, Fit::Exact);
    }

    #[test]
    #[should_panic(expected = "object 4 is in a leaf (left)")]
    fn validate_catches_an_absent_object() {
        let (tree, mut boxes) = tree();
        boxes[4].min.y = boxes[4].max.y.next_up();
        tree.validate(&boxes, Fit::Exact);
    }

    #[test]
    #[should_panic(expected = "is in two leaves")]
    fn validate_catches_an_object_in_two_leaves() {
        let (mut tree, mut boxes) = tree();
        // Small enough for the leaves of both.
        boxes[1] = Aabb::new(boxes[2].min, boxes[1].max);
        let leaf = leaf_of(&tree, 2);
        tree.nodes[leaf] = Node::leaf(1, boxes[2]);
        tree.validate(&boxes, Fit::Loose);
    }

    #[test]
    #[should_panic(expected = "has two parents")]
    fn validate_catches_a_cycle() {
        let (mut tree, boxes) = tree();
        let bounds = tree.nodes[0].bounds;
        tree.nodes[1] = Node::inner([0, 0], bounds);
        tree.validate(&boxes, Fit::Exact);
    }
}
