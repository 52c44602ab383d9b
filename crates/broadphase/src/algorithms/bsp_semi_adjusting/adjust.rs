//! Adjusts the tree: where, how, and how much in one frame.

use super::BspSemiAdjusting;
use super::cost::{Choice, DEAREST, best_planes, cheapest, cost, cost_of};
use crate::Aabb;
use crate::entry::Parameter;
use crate::regions::{LISTINGS_PER_OBJECT, Plane, children, depth_of};
use std::ops::Range;

pub(super) const LEAF_SIZE: Parameter = Parameter::count(
    "leaf-size",
    64,
    [2, 4096],
    "A leaf of more objects is split, where a plane can divide them",
);

pub(super) const IMBALANCE: Parameter = Parameter::number(
    "imbalance",
    1.2,
    [1.0, 100.0],
    "A plane is tested again once its cost is this many times that of its choice",
);

/// Most planes between the root and a leaf: enough to divide four million objects into leaves of the default size.
const DEEPEST: u32 = 16;

/// A plane is shifted where that multiplies its cost by less than this.
const BETTER: f32 = 0.95;

/// A subtree is rebuilt where a plane on another axis costs less than this share of a shifted one.
const MUCH_BETTER: f32 = 0.8;

/// Updates for which a leaf is not tried again after no plane could divide it.
const REST: u8 = 16;

/// Objects that the repairs of a frame may read, for each object of the scene: those of the repaired nodes. One repair is
/// always allowed, so that none is deferred forever.
const BUDGET: usize = 1;

/// A node that has become bad.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Estimated tests that a good plane would save.
    gain: f32,
    node: usize,
}

/// The state of a node's plane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// The cost when the plane was chosen.
    cost: f32,
    /// Updates before an indivisible leaf is tried again.
    rest: u8,
    /// Whether this update repairs the node.
    is_due: bool,
}

impl BspSemiAdjusting {
    /// Builds the whole tree, without a budget.
    pub(super) fn build(&mut self, boxes: &[Aabb]) {
        (self.changes, self.worst) = (0, 0.0);
        gather(&mut self.path, 0..boxes.len() as u32, boxes);
        self.listings = self.path.len();
        self.states.clear();
        self.divide(0, 0..self.path.len(), boxes);
    }

    /// Repairs the worst nodes, as many as the frame's budget allows, by the lists of the last frame.
    pub(super) fn adjust(&mut self, boxes: &[Aabb]) {
        (self.changes, self.worst) = (0, 0.0);
        self.listings = self.tree.counters().listings as usize;
        self.candidates.clear();
        self.check(0);
        self.candidates
            .sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.node.cmp(&b.node)));
        let mut read = 0;
        for Candidate { node, .. } in &self.candidates {
            if read > BUDGET * boxes.len() {
                break;
            }
            self.states[*node].is_due = true;
            // A leaf is read twice: to list its objects, and to divide them.
            let times = if self.tree.plane(*node).is_none() { 2 } else { 1 };
            read += self.tree.reached(*node) as usize * times;
        }
        self.repair(0, boxes);
    }

    /// Lists the nodes from one down that have become bad. Small subtrees are merged at once, which costs nothing.
    fn check(&mut self, node: usize) {
        let all = u64::from(self.tree.reached(node));
        let tests = (all * all) as f32;
        let state = &mut self.states[node];
        if self.tree.plane(node).is_none() {
            if state.rest > 0 {
                state.rest -= 1;
            } else if all as usize > self.leaf_size && depth_of(node) < DEEPEST {
                self.candidates.push(Candidate { gain: tests * 0.5, node });
            }
            return;
        }
        if (all as usize) < self.leaf_size / 2 {
            *state = State::default();
            self.tree.set(node, None);
            self.changes += 1;
            return;
        }
        let [low, high] = children(node).map(|child| u64::from(self.tree.reached(child)));
        let cost = cost(low, high, all);
        self.worst = self.worst.max(cost / state.cost);
        if cost > self.imbalance * state.cost || cost > 1.0 {
            let gain = tests * (cost - state.cost).max(0.0);
            self.candidates.push(Candidate { gain, node });
        }
        children(node).into_iter().for_each(|child| self.check(child));
    }

    /// Repairs the nodes that are due, from one down.
    fn repair(&mut self, node: usize, boxes: &[Aabb]) {
        let plane = self.tree.plane(node);
        if std::mem::take(&mut self.states[node].is_due) {
            gather(&mut self.path, self.tree.objects_below(node), boxes);
            if plane.is_none_or(|plane| !self.shift(node, plane, boxes)) {
                self.changes += u64::from(plane.is_some());
                return self.divide(node, 0..self.path.len(), boxes);
            }
        }
        if plane.is_some() {
            children(node).into_iter().for_each(|child| self.repair(child, boxes));
        }
    }

    /// Shifts the plane of a node, whose objects are those of the path, where that is clearly better. False if other planes
    /// are to replace it and all below.
    fn shift(&mut self, node: usize, plane: Plane, boxes: &[Aabb]) -> bool {
        let now = Choice { plane, cost: cost_of(plane, boxes, &self.path) };
        let choices = best_planes(boxes, &self.path);
        let on_axis = choices[plane.axis.index()].filter(|choice| choice.cost < BETTER * now.cost);
        // Without a better plane, this is its reference cost from now on.
        let shifted = on_axis.unwrap_or(now);
        let best = cheapest(choices).map_or(now.cost, |choice| choice.cost);
        if shifted.cost > DEAREST || best < MUCH_BETTER * shifted.cost {
            return false;
        }
        self.changes += u64::from(on_axis.is_some());
        self.states[node].cost = shifted.cost;
        self.tree.set(node, Some(shifted.plane));
        true
    }

    /// Divides a node, whose objects are those at some places of the path, until its leaves are small or no plane pays.
    fn divide(&mut self, node: usize, objects: Range<usize>, boxes: &[Aabb]) {
        let is_large = objects.len() > self.leaf_size && depth_of(node) < DEEPEST;
        let has_room = self.listings < LISTINGS_PER_OBJECT * boxes.len();
        let here = &self.path[objects.clone()];
        let choice = if is_large && has_room { cheapest(best_planes(boxes, here)) } else { None };
        let choice = choice.filter(|choice| choice.cost <= DEAREST);
        self.tree.set(node, choice.map(|choice| choice.plane));
        self.states.resize(self.states.len().max(node + 1), State::default());
        let rest = if is_large { REST } else { 0 };
        let cost = choice.map_or(0.0, |choice| choice.cost);
        self.states[node] = State { cost, rest, is_due: false };
        let Some(Choice { plane, .. }) = choice else { return };
        self.changes += 1;
        let end = self.path.len();
        let sides = plane.divide(&mut self.path, objects.clone(), boxes);
        self.listings = (self.listings + self.path.len() - end).saturating_sub(objects.len());
        for (child, side) in children(node).into_iter().zip(sides) {
            self.divide(child, side, boxes);
        }
        self.path.truncate(end);
    }
}

/// Replaces a list by some objects, each once. They may have been removed or become absent since.
fn gather(list: &mut Vec<u32>, objects: impl Iterator<Item = u32>, boxes: &[Aabb]) {
    let is_present = |object: &u32| boxes.get(*object as usize).is_some_and(|b| !b.is_empty());
    list.clear();
    list.extend(objects.filter(is_present));
    list.sort_unstable();
    list.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn operation_reads_each_present_object_once() {
        let mut boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 4];
        boxes[2] = Aabb::EMPTY;
        let mut list = Vec::new();
        // Object 9 existed in the last frame.
        gather(&mut list, [0, 1, 2, 1, 9, 3, 0].into_iter(), &boxes);
        assert_eq!(list, [0, 1, 3]);
    }
}
