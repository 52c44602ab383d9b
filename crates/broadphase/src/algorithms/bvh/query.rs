//! Queries of a tree of boxes.

use super::tree::{NONE, Tree};
use crate::Aabb;
use crate::query::{Hit, Probe, Query};

/// Nodes that wait in a search: more than balanced trees have levels. So a query allocates nothing.
const WAITING: usize = 64;

impl Query for Tree {
    fn search(&self, boxes: &[Aabb], probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64) {
        if self.root != NONE {
            let mut limit = f64::MAX;
            self.search_below((self.root, f64::MIN), boxes, probe, &mut limit, visit);
        }
    }
}

impl Tree {
    /// Searches a node, whose bound is known, and all below it. `limit` is the largest measure that is still asked for.
    fn search_below(
        &self,
        node: (u32, f64),
        boxes: &[Aabb],
        probe: &dyn Probe,
        limit: &mut f64,
        visit: &mut dyn FnMut(Hit) -> f64,
    ) {
        let bound = |index: u32| {
            let bounds = &self.node(index).bounds;
            (index, probe.bound(bounds.min.as_dvec3(), bounds.max.as_dvec3()))
        };
        let mut stack = [node; WAITING];
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let (index, least) = stack[len];
            // Equal bounds are visited: the object may have a lower id.
            if least > *limit {
                continue;
            }
            let node = self.node(index);
            if !node.is_leaf() {
                let [left, right] = node.children().map(bound);
                // The nearer one is on top.
                let far_first = if left.1 < right.1 { [right, left] } else { [left, right] };
                for child in far_first {
                    if child.1 > *limit {
                        continue;
                    }
                    if len < WAITING {
                        stack[len] = child;
                        len += 1;
                    } else {
                        // A tree with a long branch.
                        self.search_below(child, boxes, probe, limit, visit);
                    }
                }
                continue;
            }
            let object = node.object();
            if let Some(b) = boxes.get(object as usize)
                && let Some(measure) = probe.measure(object, b)
                && measure <= *limit
            {
                *limit = visit(Hit { object, measure });
            }
        }
    }
}
