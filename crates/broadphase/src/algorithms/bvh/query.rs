//! Queries of a tree of boxes.
//!
//! A node may be skipped only where no object below it can be an answer. That is exact, without a margin:
//! [`Ray::enters`] and [`Aabb::distance_squared`] consist of monotonic operations: roundings, minima and maxima. So a
//! ray enters a box no later, and a point is no farther from it, than for any box within it. The exception is a
//! ray that is not finite; it meets no object.

use super::tree::{NONE, Node, Tree, meet};
use crate::{Aabb, Nearest, Query, Ray, RayHit};

impl Tree {
    /// Calls `visit` with the object of every leaf that passes with all nodes above it.
    fn leaves_that(&self, passes: impl Fn(&Node) -> bool, mut visit: impl FnMut(u32)) {
        let mut stack = Vec::new();
        if self.root != NONE {
            stack.push(self.root);
        }
        while let Some(index) = stack.pop() {
            let node = self.node(index);
            if !passes(node) {
                continue;
            }
            if node.is_leaf() {
                visit(node.object());
            } else {
                stack.extend(node.children());
            }
        }
    }

    /// The object with the least measure; the lowest id of equal ones. `lower_bound` is at most the measure of
    /// every object below a node, `None` where none has one.
    fn least(
        &self,
        lower_bound: impl Fn(&Aabb) -> Option<f64>,
        measure: impl Fn(u32) -> Option<f64>,
    ) -> Option<(u32, f64)> {
        let mut best: Option<(u32, f64)> = None;
        let mut stack = Vec::new();
        let candidate = |index: u32| {
            let bound = lower_bound(&self.node(index).bounds);
            bound.map(|bound| (index, bound))
        };
        if self.root != NONE {
            stack.extend(candidate(self.root));
        }
        while let Some((index, bound)) = stack.pop() {
            // Equal bounds are visited: the object may have a lower id.
            if best.is_some_and(|(_, least)| bound > least) {
                continue;
            }
            let node = self.node(index);
            if !node.is_leaf() {
                let [left, right] = node.children().map(candidate);
                // The nearer one is visited first.
                let is_left_nearer = match (left, right) {
                    (Some((_, left)), Some((_, right))) => left < right,
                    _ => true,
                };
                let [near, far] = if is_left_nearer { [left, right] } else { [right, left] };
                stack.extend(far);
                stack.extend(near);
                continue;
            }
            let object = node.object();
            if let Some(own) = measure(object)
                && best.is_none_or(|(other, least)| own < least || own == least && object < other)
            {
                best = Some((object, own));
            }
        }
        best
    }
}

impl Query for Tree {
    fn touching(&self, boxes: &[Aabb], b: &Aabb, objects: &mut Vec<u32>) {
        if b.is_empty() {
            return;
        }
        self.leaves_that(
            |node| meet(&node.bounds, b),
            |object| {
                if meet(&boxes[object as usize], b) {
                    objects.push(object);
                }
            },
        );
    }

    fn along(&self, boxes: &[Aabb], ray: &Ray, hits: &mut Vec<RayHit>) {
        self.leaves_that(
            |node| ray.enters(&node.bounds).is_some(),
            |object| {
                let t = ray.enters(&boxes[object as usize]);
                hits.extend(t.map(|t| RayHit { object, t }));
            },
        );
    }

    fn first_along(&self, boxes: &[Aabb], ray: &Ray) -> Option<RayHit> {
        self.least(|bounds| ray.enters(bounds), |object| ray.enters(&boxes[object as usize]))
            .map(|(object, t)| RayHit { object, t })
    }

    fn nearest(&self, boxes: &[Aabb], point: glam::Vec3) -> Option<Nearest> {
        if !point.is_finite() {
            return None;
        }
        let distance = |b: &Aabb| Some(b.distance_squared(point));
        self.least(distance, |object| distance(&boxes[object as usize]))
            .map(|(object, distance_squared)| Nearest { object, distance_squared })
    }
}
