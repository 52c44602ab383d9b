//! Adjusts the tree: where, how, and how much in one frame.

use super::cost::{DEAREST, best_planes, cheapest, cost, cost_of};
use super::tree::{ROOT, Tree};
use crate::Aabb;
use crate::entry::{Parameter, Settings};
use crate::memory::memory;
use crate::regions::{Cells, DEEPEST, Leaves, touches_high, touches_low};
use crate::scratch::renew;

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

/// A plane is shifted where that multiplies its cost by less than this.
const BETTER: f32 = 0.95;

/// A subtree is rebuilt where a plane on another axis costs less than this share of a shifted one.
const MUCH_BETTER: f32 = 0.8;

/// Updates for which a leaf is not tried again after no plane could divide it.
const REST: u8 = 16;

/// Objects that the adjustment of a frame may read, for each object of the scene. One operation is always
/// allowed, so that none is deferred forever.
const BUDGET: usize = 1;

/// Most leaves for each object on average. Else objects that are long along every axis would exhaust
/// memory.
const LISTINGS: usize = 8;

/// A node that has become bad.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Estimated tests that a good plane would save.
    gain: f32,
    node: u32,
    depth: u32,
}

/// Adjusts a tree, and keeps the scratch for it.
#[derive(Clone, Debug)]
pub(super) struct Adjuster {
    leaf_size: usize,
    imbalance: f32,
    candidates: Vec<Candidate>,
    /// Nodes yet to be visited, with their depths.
    stack: Vec<(u32, u32)>,
    /// The objects of the nodes on the current path, each node's after its parent's.
    path: Vec<u32>,
    /// The last operation that read each object: one in several leaves counts once.
    met: Vec<u32>,
    operation: u32,
    /// Objects read in this frame.
    spent: usize,
    /// Approximate number of listings in the leaves.
    listings: usize,
    changes: u64,
    /// The largest ratio of a plane's cost to that when it was chosen, before the last frame's repairs; 0 without planes.
    worst: f32,
}

memory!(Adjuster: candidates, stack, path, met);

impl Adjuster {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            leaf_size: settings.count(&LEAF_SIZE),
            imbalance: settings.value(&IMBALANCE) as f32,
            candidates: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            met: Vec::new(),
            operation: 0,
            spent: 0,
            listings: 0,
            changes: 0,
            worst: 0.0,
        }
    }

    /// Most objects of a leaf that is not split.
    pub(super) fn leaf_size(&self) -> usize {
        self.leaf_size
    }

    /// Planes that the last frame shifted, and nodes that it split or merged.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// The cost of the plane that became worst, in relation to that when it was chosen, before the last frame's repairs.
    /// `None` without planes. Above [`imbalance`](Self::imbalance) it is repaired.
    pub(super) fn worst(&self) -> Option<f32> {
        (self.worst > 0.0).then_some(self.worst)
    }

    /// A plane is tested again once its cost is this many times that of its choice.
    pub(super) fn imbalance(&self) -> f32 {
        self.imbalance
    }

    /// Builds the whole tree, without a budget.
    pub(super) fn build(&mut self, tree: &mut Tree, root: Aabb, boxes: &[Aabb]) {
        self.begin();
        tree.reset(root);
        renew(&mut self.path);
        let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
        self.path.extend(present.map(|(object, _)| object));
        self.listings = self.path.len();
        self.build_from(tree, ROOT, 0, boxes, 0);
        tree.straighten();
        tree.reserve();
        self.candidates.reserve(tree.nodes.capacity());
        self.stack.reserve(2 * DEEPEST as usize);
        self.path.reserve(4 * boxes.len());
    }

    fn begin(&mut self) {
        (self.spent, self.changes, self.worst) = (0, 0, 0.0);
    }

    /// Repairs the worst nodes, until the frame's budget is spent. `leaves` has the lists of the last frame.
    pub(super) fn adjust(&mut self, tree: &mut Tree, leaves: &Leaves, boxes: &[Aabb]) {
        self.begin();
        self.listings = leaves.objects_of(0..tree.leaves()).len();
        self.list_candidates(tree);
        let Self { candidates, .. } = self;
        candidates.sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.node.cmp(&b.node)));
        let budget = BUDGET * boxes.len();
        for i in 0..self.candidates.len() {
            if self.spent > budget {
                break;
            }
            let Candidate { node, depth, .. } = self.candidates[i];
            self.repair(tree, node as usize, depth, leaves, boxes);
        }
        tree.straighten();
    }

    /// Lists the nodes that have become bad. Small subtrees are merged at once, which costs nothing.
    fn list_candidates(&mut self, tree: &mut Tree) {
        self.candidates.clear();
        self.stack.push((ROOT as u32, 0));
        while let Some((node, depth)) = self.stack.pop() {
            let here = tree.nodes[node as usize];
            let all = u64::from(here.reached);
            let tests = (all * all) as f32;
            let Some(child) = here.child else {
                if here.rest > 0 {
                    tree.nodes[node as usize].rest -= 1;
                } else if all as usize > self.leaf_size && depth < DEEPEST {
                    self.candidates.push(Candidate { gain: tests * 0.5, node, depth });
                }
                continue;
            };
            if (all as usize) < self.leaf_size / 2 {
                tree.merge(node as usize);
                self.changes += 1;
                continue;
            }
            let [low, high] = [child, child + 1].map(|child| tree.nodes[child as usize].reached);
            let cost = cost(u64::from(low), u64::from(high), all);
            self.worst = self.worst.max(cost / here.cost_when_chosen);
            if cost > self.imbalance * here.cost_when_chosen || cost > 1.0 {
                let gain = tests * (cost - here.cost_when_chosen).max(0.0);
                self.candidates.push(Candidate { gain, node, depth });
            }
            self.stack.push((child, depth + 1));
            self.stack.push((child + 1, depth + 1));
        }
    }

    /// Shifts the plane of a node, splits a leaf, or merges a node without a useful plane.
    fn repair(
        &mut self,
        tree: &mut Tree,
        node: usize,
        depth: u32,
        leaves: &Leaves,
        boxes: &[Aabb],
    ) {
        let (first, end) = tree.nodes[node].leaves;
        if first == end {
            // A node above was merged or rebuilt, and this one with it.
            return;
        }
        self.gather(leaves.objects_of(first as usize..end as usize), boxes);
        self.spent += self.path.len();
        let is_leaf = tree.nodes[node].child.is_none();
        if is_leaf {
            self.build_from(tree, node, depth, boxes, 0);
            return;
        }
        let (axis, position) = (tree.nodes[node].axis, tree.nodes[node].position);
        let now = cost_of(axis, position, boxes, &self.path);
        let choices = best_planes(boxes, &self.path);
        let on_axis = choices[axis.index()].filter(|choice| choice.cost < BETTER * now);
        let shifted = on_axis.map_or(now, |choice| choice.cost);
        let best = cheapest(choices).map_or(now, |choice| choice.cost);
        if shifted > DEAREST || best < MUCH_BETTER * shifted {
            tree.merge(node);
            self.changes += 1;
            self.build_from(tree, node, depth, boxes, 0);
        } else if let Some(choice) = on_axis {
            tree.place(node, axis, choice.position, choice.cost);
            self.changes += 1;
        } else {
            // No better plane: this is its reference cost from now on.
            tree.nodes[node].cost_when_chosen = now;
        }
    }

    /// Replaces the path by the objects of a node, each once.
    fn gather(&mut self, objects: impl IntoIterator<Item = u32>, boxes: &[Aabb]) {
        self.operation = self.operation.wrapping_add(1);
        if self.met.len() < boxes.len() || self.operation == 0 {
            self.met.clear();
            self.met.resize(boxes.len(), 0);
            self.operation = 1;
        }
        self.path.clear();
        for object in objects {
            // Objects may have been removed or become absent since.
            if boxes.get(object as usize).is_none_or(Aabb::is_empty) {
                continue;
            }
            if self.met[object as usize] != self.operation {
                self.met[object as usize] = self.operation;
                self.path.push(object);
            }
        }
    }

    /// Splits a leaf, whose objects are those of the path from `first` on, until its parts are small or no
    /// plane pays.
    fn build_from(
        &mut self,
        tree: &mut Tree,
        leaf: usize,
        depth: u32,
        boxes: &[Aabb],
        first: usize,
    ) {
        let end = self.path.len();
        if end - first <= self.leaf_size || depth == DEEPEST {
            return;
        }
        self.spent += end - first;
        let has_room = self.listings < LISTINGS * boxes.len();
        let choice = cheapest(best_planes(boxes, &self.path[first..end])).filter(|_| has_room);
        let Some(choice) = choice.filter(|choice| choice.cost <= DEAREST) else {
            tree.nodes[leaf].rest = REST;
            return;
        };
        let child = tree.split(leaf, choice.axis, choice.position, choice.cost);
        self.changes += 1;
        self.listings -= (end - first).min(self.listings);
        for (side, touches) in [touches_low, touches_high].into_iter().enumerate() {
            for i in first..end {
                let object = self.path[i];
                if touches(&boxes[object as usize], choice.axis, choice.position) {
                    self.path.push(object);
                }
            }
            self.listings += self.path.len() - end;
            self.build_from(tree, child + side, depth + 1, boxes, end);
            self.path.truncate(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn operation_reads_each_present_object_once() {
        let mut boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 4];
        boxes[2] = Aabb::EMPTY;
        let mut adjuster = Adjuster::new(&Settings::new(4));
        for _ in 0..2 {
            // Object 9 existed in the last frame.
            adjuster.gather([0, 1, 2, 1, 9, 3, 0], &boxes);
            assert_eq!(adjuster.path, [0, 1, 3]);
        }
    }
}
