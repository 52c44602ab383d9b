//! Queries of a tree of boxes.

use super::tree::{NONE, Tree};
use crate::Aabb;
use crate::query::{Hit, Probe, Query};

impl Query for Tree {
    fn search(&self, boxes: &[Aabb], probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64) {
        let bound = |index: u32| {
            let bounds = &self.node(index).bounds;
            (index, probe.bound(bounds.min.as_dvec3(), bounds.max.as_dvec3()))
        };
        let (mut limit, mut stack) = (f64::MAX, Vec::new());
        if self.root != NONE {
            stack.push(bound(self.root));
        }
        while let Some((index, least)) = stack.pop() {
            // Equal bounds are visited: the object may have a lower id.
            if least > limit {
                continue;
            }
            let node = self.node(index);
            if !node.is_leaf() {
                let [left, right] = node.children().map(bound);
                // The nearer one is on top.
                let [far, near] = if left.1 < right.1 { [right, left] } else { [left, right] };
                stack.extend([far, near].into_iter().filter(|(_, least)| *least <= limit));
                continue;
            }
            let object = node.object();
            if let Some(b) = boxes.get(object as usize)
                && let Some(measure) = probe.measure(object, b)
                && measure <= limit
            {
                limit = visit(Hit { object, measure });
            }
        }
    }
}
