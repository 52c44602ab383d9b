//! Adjusts the tree: where, how, and how much in one frame.

use super::cost::{DEAREST, Plane, best_planes, cheapest, cost, cost_of};
use super::tree::{Node, Tree};
use crate::Aabb;
use crate::entry::{Parameter, Settings};
use crate::memory::memory;
use crate::regions::{DEEPEST, EVERYWHERE, Leaves, touches_high, touches_low};

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

/// Objects that the repairs of a frame may read, for each object of the scene: those of the repaired nodes. One repair is
/// always allowed, so that none is deferred forever.
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
}

/// Adjusts a tree, and keeps the scratch for it.
#[derive(Clone, Debug)]
pub(super) struct Adjuster {
    leaf_size: usize,
    imbalance: f32,
    candidates: Vec<Candidate>,
    /// The objects of the nodes on the current path, each node's after its parent's.
    path: Vec<u32>,
    /// Approximate number of listings in the leaves.
    listings: usize,
    changes: u64,
    /// The largest ratio of a plane's cost to that when it was chosen, before the last frame's repairs; 0 without planes.
    worst: f32,
}

memory!(Adjuster: candidates, path);

impl Adjuster {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            leaf_size: settings.count(&LEAF_SIZE),
            imbalance: settings.value(&IMBALANCE) as f32,
            candidates: Vec::new(),
            path: Vec::new(),
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

    /// States when a plane is repaired, and how near the worst was to it. `None` without planes.
    pub(super) fn remark(&self) -> Option<String> {
        (self.worst > 0.0).then(|| {
            format!(
                "A plane is checked again when it causes {:.2} times the share of tests that it caused when it was chosen. \
                 The worst before this step: {:.2} times.",
                self.imbalance, self.worst
            )
        })
    }

    /// Builds the whole tree, without a budget.
    pub(super) fn build(&mut self, tree: &mut Tree, root: Aabb, leaves: &Leaves, boxes: &[Aabb]) {
        (self.changes, self.worst) = (0, 0.0);
        self.path.clear();
        let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
        self.path.extend(present.map(|(object, _)| object));
        self.listings = self.path.len();
        // Room for later frames: a steady frame hardly allocates.
        self.path.reserve(4 * boxes.len());
        tree.begin(root);
        Pass { adjuster: self, tree, leaves, boxes }.write(None, EVERYWHERE, 0, 0);
    }

    /// Repairs the worst nodes, as many as the frame's budget allows. `leaves` has the lists of the last frame.
    pub(super) fn adjust(&mut self, tree: &mut Tree, root: Aabb, leaves: &Leaves, boxes: &[Aabb]) {
        (self.changes, self.worst) = (0, 0.0);
        self.listings = leaves.counters().listings as usize;
        self.list_candidates(tree);
        self.candidates
            .sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.node.cmp(&b.node)));
        let mut read = 0;
        for Candidate { node, .. } in &self.candidates {
            if read > BUDGET * boxes.len() {
                break;
            }
            let node = &mut tree.nodes[*node as usize];
            node.is_due = true;
            // A leaf is read twice: to list its objects, and to divide them.
            read += node.reached as usize * if node.plane.is_none() { 2 } else { 1 };
        }
        tree.begin(root);
        Pass { adjuster: self, tree, leaves, boxes }.write(Some(0), EVERYWHERE, 0, 0);
    }

    /// Lists the nodes that have become bad. Small subtrees are merged at once, which costs nothing.
    fn list_candidates(&mut self, tree: &mut Tree) {
        self.candidates.clear();
        self.candidates.reserve(tree.nodes.capacity());
        // The end of the leaves that are below merged nodes.
        let mut merged = 0;
        for number in 0..tree.nodes.len() {
            let here = tree.nodes[number];
            if here.leaves.0 < merged {
                continue;
            }
            let (node, all) = (number as u32, u64::from(here.reached));
            let tests = (all * all) as f32;
            let Some(plane) = here.plane else {
                tree.nodes[number].rest = here.rest.saturating_sub(1);
                if here.rest == 0 && all as usize > self.leaf_size && here.depth < DEEPEST {
                    self.candidates.push(Candidate { gain: tests * 0.5, node });
                }
                continue;
            };
            if (all as usize) < self.leaf_size / 2 {
                tree.nodes[number].plane = None;
                self.changes += 1;
                merged = here.leaves.1;
                continue;
            }
            let [low, high] = [node + 1, here.high].map(|child| tree.nodes[child as usize].reached);
            let cost = cost(u64::from(low), u64::from(high), all);
            self.worst = self.worst.max(cost / plane.cost);
            if cost > self.imbalance * plane.cost || cost > 1.0 {
                let gain = tests * (cost - plane.cost).max(0.0);
                self.candidates.push(Candidate { gain, node });
            }
        }
    }

    /// Replaces the path by the objects of a node, each once. They may have been removed or become absent since.
    fn gather(&mut self, objects: impl Iterator<Item = u32>, boxes: &[Aabb]) {
        let is_present = |object: &u32| boxes.get(*object as usize).is_some_and(|b| !b.is_empty());
        self.path.clear();
        self.path.extend(objects.filter(is_present));
        self.path.sort_unstable();
        self.path.dedup();
    }

    /// Shifts the plane of a node, whose objects are those of the path, where that is clearly better. False if other planes
    /// are to replace it and all below.
    fn shift(&mut self, node: &mut Node, plane: Plane, boxes: &[Aabb]) -> bool {
        let now = cost_of(plane.axis, plane.position, boxes, &self.path);
        let choices = best_planes(boxes, &self.path);
        let on_axis = choices[plane.axis.index()].filter(|choice| choice.cost < BETTER * now);
        let shifted = on_axis.map_or(now, |choice| choice.cost);
        let best = cheapest(choices).map_or(now, |choice| choice.cost);
        if shifted > DEAREST || best < MUCH_BETTER * shifted {
            return false;
        }
        node.moved = on_axis.is_some();
        self.changes += u64::from(node.moved);
        // Without a better plane, this is its reference cost from now on.
        node.plane = on_axis.or(Some(Plane { cost: now, ..plane }));
        true
    }

    /// Chooses the plane of a leaf, whose objects are those of the path from `first` on, if one pays.
    fn split(&mut self, leaf: &mut Node, first: usize, boxes: &[Aabb]) {
        let objects = &self.path[first..];
        if objects.len() <= self.leaf_size || leaf.depth == DEEPEST {
            return;
        }
        let has_room = self.listings < LISTINGS * boxes.len();
        let choice = cheapest(best_planes(boxes, objects)).filter(|_| has_room);
        leaf.plane = choice.filter(|choice| choice.cost <= DEAREST);
        leaf.moved = leaf.plane.is_some();
        if leaf.moved {
            self.changes += 1;
            self.listings -= objects.len().min(self.listings);
        } else {
            leaf.rest = REST;
        }
    }
}

/// Writes the nodes of a frame.
struct Pass<'a> {
    adjuster: &'a mut Adjuster,
    tree: &'a mut Tree,
    /// The lists of the last frame.
    leaves: &'a Leaves,
    boxes: &'a [Aabb],
}

impl Pass<'_> {
    /// Writes a node and all below it: a node of the last frame, or a new one, whose objects are those of the path from
    /// `first` on.
    fn write(&mut self, before: Option<usize>, cell: Aabb, depth: u32, first: usize) {
        let old = before.map_or(Node::LEAF, |number| self.tree.before[number]);
        let first_leaf = self.tree.leaves;
        let mut node = Node { cell, depth, moved: false, is_due: false, ..old };
        let mut is_new = before.is_none();
        if old.is_due {
            let (first, end) = (old.leaves.0 as usize, old.leaves.1 as usize);
            self.adjuster.gather(self.leaves.objects_of(first..end), self.boxes);
            is_new = match old.plane {
                Some(plane) => !self.adjuster.shift(&mut node, plane, self.boxes),
                None => true,
            };
            self.adjuster.changes += u64::from(is_new && old.plane.is_some());
        }
        if is_new {
            node.plane = None;
            self.adjuster.split(&mut node, first, self.boxes);
        }
        let number = self.tree.nodes.len();
        if let Some(plane) = &mut node.plane {
            // A plane above may have passed it.
            let axis = plane.axis.index();
            let inside = plane.position.clamp(cell.min[axis], cell.max[axis]);
            node.moved |= inside != plane.position;
            plane.position = inside;
        }
        self.tree.nodes.push(node);
        if let Some(plane) = node.plane {
            let sides = [touches_low, touches_high].into_iter().zip(plane.parts(&cell));
            for (side, (touches, part)) in sides.enumerate() {
                let end = self.adjuster.path.len();
                if side == 1 {
                    self.tree.nodes[number].high = self.tree.nodes.len() as u32;
                }
                if is_new {
                    let path = &mut self.adjuster.path;
                    for i in first..end {
                        let object = path[i];
                        if touches(&self.boxes[object as usize], plane.axis, plane.position) {
                            path.push(object);
                        }
                    }
                    self.adjuster.listings += path.len() - end;
                    self.write(None, part, depth + 1, end);
                    self.adjuster.path.truncate(end);
                } else {
                    let child =
                        before.map(|number| if side == 0 { number + 1 } else { old.high as usize });
                    self.write(child, part, depth + 1, 0);
                }
            }
        } else {
            self.tree.leaves += 1;
        }
        self.tree.nodes[number].leaves = (first_leaf, self.tree.leaves);
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
        // Object 9 existed in the last frame.
        adjuster.gather([0, 1, 2, 1, 9, 3, 0].into_iter(), &boxes);
        assert_eq!(adjuster.path, [0, 1, 3]);
    }
}
