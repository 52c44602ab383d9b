//! A k-d tree whose lists are swept.
//!
//! A plane divides the objects of a node. Straddling objects stay in the node; only objects that lie wholly on
//! one side go down. So every object is in one list, and no pair is found twice. All lists are in one array, in
//! the order low subtree, node, high subtree. The search sweeps each list, and carries the straddlers of the
//! nodes above down to all lists that they can reach.
//!
//! From the paper: planes at the mean on the axis of the largest variance; straddlers in the inner nodes; sweeps on the best
//! axis of each node. Our own: the median where the mean divides badly; the tree is rebuilt every frame, where the paper
//! repairs that of the last one; carried straddlers are not sorted, but find the start of their sweep in a running maximum;
//! comparisons by sixteen; subtrees searched on several threads.

mod build;
mod inspect;
mod search;
mod tree;
mod validate;

use crate::box_set::BoxSet;
use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Straddling, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::parallel::OrderedTasks;
use crate::scratch::{SharedRoom, renew};
use crate::{Counters, Frame, Pair};
use build::Builder;
use search::{SearchPart, Task};

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm::new("kd-sap", Kind::SpaceTree, |settings| {
    Managed::boxed(KdSap::new(settings))
})
.name("k-d tree of sweeps")
.summary("objects are listed at a plane that cuts them, or in their leaf; each list is sorted, and swept with those above in the tree")
.source("Serpa, Rodrigues 2017")
.cost("n × depth + pairs")
.watch_for("planes that cut many objects: those are compared in all lists below")
.overlays(&[
    Caption::PLANES,
    Caption {
        meaning: "An object that a plane cuts is listed at that plane, any other in its leaf. In the scene: the number of \
                  objects, and the axis of the sweep.",
        straddling: Straddling::AtPlane,
        ..Caption::LEAVES
    },
])
.way(&Way {
    meaning: "At each plane it goes to the side that it is on. If the plane cuts it, it stays there.",
    above: None,
    // An object at a plane is compared in lists below, too.
    hollow: Some("Hollow: not on its way."),
    ..Way::PLANES
})
.memory(|n| n * 255)
// A crowd is in the list of one task in this frame, and in that of another later: both keep theirs.
.pair_memory(128)
.vectorised(true)
.parameters(&[LEAF_SIZE]);

const LEAF_SIZE: Parameter = Parameter::count(
    "leaf-size",
    256,
    [16, 8192],
    "A leaf of more objects is divided; in small scenes, of more than an eighth of all",
);

/// Least bound on the objects of a leaf in small scenes.
const SMALLEST: usize = 16;

/// A k-d tree of sweeps. For objects that are small in relation to their space and k pairs, time O(n log n + k). Where no
/// plane divides the objects, it is a single sweep, and so quadratic at worst. Memory O(n).
#[derive(Clone, Debug)]
pub(crate) struct KdSap {
    /// A value of [`LEAF_SIZE`].
    leaf_size: usize,
    built: Builder,
    root: u32,
    /// The boxes of all lists, by position.
    boxes: BoxSet,
    /// For every position the lower bound on the list's axis, the key of the order.
    lowers: Vec<f32>,
    /// For every position the highest upper bound on the list's axis up to there.
    reaches: Vec<f32>,
    /// The parts of the last search, one for each task.
    parts: Vec<SearchPart>,
    tasks: OrderedTasks<Task>,
    /// For the straddlers that a task carries: the work of each changes with the tree.
    room: SharedRoom,
    tests: u64,
}

memory!(KdSap: built, boxes, lowers, reaches, parts, tasks, room);

impl KdSap {
    /// A tree without objects.
    fn new(settings: &Settings) -> Self {
        Self {
            leaf_size: settings.count(&LEAF_SIZE),
            built: Builder::default(),
            root: 0,
            boxes: BoxSet::default(),
            lowers: Vec::new(),
            reaches: Vec::new(),
            parts: Vec::new(),
            tasks: OrderedTasks::default(),
            room: SharedRoom::default(),
            tests: 0,
        }
    }

    /// The object at a position of the lists.
    #[inline]
    fn object(&self, position: usize) -> u32 {
        self.built.items[position].object
    }
}

impl Default for KdSap {
    fn default() -> Self {
        Self::new(&Settings::new(0))
    }
}

impl Structure for KdSap {
    fn update(&mut self, frame: &Frame<'_>) {
        let capacity = (frame.boxes.len() / 8).clamp(SMALLEST, self.leaf_size);
        self.root = self.built.build(frame.boxes, capacity);
        let items = &self.built.items;
        self.boxes.resize(items.len());
        items.iter().enumerate().for_each(|(position, item)| self.boxes.set(position, &item.b));
        renew(&mut self.lowers);
        renew(&mut self.reaches);
        for node in &self.built.nodes {
            let (axis, mut reach) = (node.sweep.index(), f32::NEG_INFINITY);
            for item in &items[node.list()] {
                reach = reach.max(item.b.max[axis]);
                self.lowers.push(item.b.min[axis]);
                self.reaches.push(reach);
            }
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.search(frame, pairs);
    }

    fn counters(&self) -> Counters {
        let nodes = &self.built.nodes;
        let inner = || nodes.iter().filter(|node| node.children.is_some());
        Counters {
            tests: self.tests,
            nodes: nodes.len() as u64,
            depth: nodes.iter().map(|node| node.depth).max().unwrap_or(0),
            listings: self.built.items.len() as u64,
            // They are in one list, but in more than one cell.
            straddlers: inner().map(|node| u64::from(node.len)).sum(),
            rebuilds: inner().count() as u64,
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.check(frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use crate::memory::held;
    use crate::parallel::fewest_for_two;
    use glam::Vec3;

    fn line(n: usize) -> Vec<Aabb> {
        (0..n).map(|i| Aabb::around_sphere(Vec3::X * i as f32, 0.3)).collect()
    }

    fn updated(boxes: &[Aabb]) -> KdSap {
        let mut tree = KdSap::default();
        tree.update(&Frame::new(boxes));
        tree.validate(&Frame::new(boxes));
        tree
    }

    #[test]
    fn lists_are_the_same_on_any_number_of_threads() {
        let n = fewest_for_two(search::NANOS_PER_OBJECT);
        let around = |i: usize, frame: usize| {
            let at = [i % 23, i / 23 % 23, i / 529].map(|at| at as f32);
            Aabb::around_sphere(Vec3::from(at) * 1.1 + (i * frame % 7) as f32 * 0.1, 0.6)
        };
        let on_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut tree, mut pairs) = (KdSap::default(), Vec::new());
            for frame in 0..3 {
                let boxes: Vec<_> = (0..n).map(|i| around(i, frame)).collect();
                let frame = Frame::new(&boxes);
                pairs.clear();
                pool.install(|| {
                    tree.update(&frame);
                    tree.find_pairs(&frame, &mut pairs);
                });
                tree.validate(&frame);
            }
            pairs.sort_unstable();
            (tree.built.items.iter().map(|item| item.object).collect::<Vec<_>>(), tree.tests, pairs)
        };
        let expected = on_threads(1);
        assert!(expected.2.len() > n, "hardly a pair");
        assert!(on_threads(3) == expected);
    }

    #[test]
    fn boxes_that_touch_on_a_plane_are_a_pair() {
        let mut boxes = line(100);
        let mut tree = updated(&boxes);
        let plane = tree.built.nodes[tree.root as usize].position;
        let below = (0..100).rev().find(|i| boxes[*i].max.x < plane).unwrap();
        let above = (0..100).find(|i| boxes[*i].min.x >= plane).unwrap();
        boxes[below].max.x = plane;
        boxes[above].min.x = plane;
        let frame = Frame::new(&boxes);
        tree.update(&frame);
        tree.validate(&frame);
        let mut pairs = Vec::new();
        tree.find_pairs(&frame, &mut pairs);
        assert!(pairs.contains(&Pair::new(below as u32, above as u32)), "{pairs:?}");
    }

    #[test]
    fn one_crowd_does_not_enlarge_all_tasks() {
        let mut boxes = line(6000);
        let crowd = boxes[17];
        boxes.resize(7500, crowd);
        let frame = Frame::new(&boxes);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let (mut tree, mut pairs) = (KdSap::default(), Vec::new());
        pool.install(|| {
            for _ in 0..3 {
                pairs.clear();
                tree.update(&frame);
                tree.find_pairs(&frame, &mut pairs);
            }
        });
        let found = pairs.len() * size_of::<Pair>();
        assert!(found > 8_000_000, "{found} bytes of pairs");
        assert!(held(&tree) < 16 * found, "{} bytes for {found}", held(&tree));
    }

    #[test]
    #[should_panic(expected = "not sorted")]
    fn validate_catches_a_list_out_of_order() {
        let boxes = line(10);
        let mut tree = updated(&boxes);
        tree.built.items.swap(2, 3);
        for position in [2, 3] {
            tree.boxes.set(position, &boxes[tree.object(position) as usize]);
        }
        tree.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "begins or reaches further")]
    fn validate_catches_a_reach_that_is_too_short() {
        let boxes = line(10);
        let mut tree = updated(&boxes);
        tree.reaches[4] -= 1.0;
        tree.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "belongs to another node")]
    fn validate_catches_an_object_that_left_its_node() {
        let mut boxes = line(100);
        let tree = updated(&boxes);
        boxes[0] = boxes[99];
        tree.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "not listed once")]
    fn validate_catches_a_lost_object() {
        let mut boxes = line(10);
        let tree = updated(&boxes);
        boxes.push(boxes[0]);
        tree.validate(&Frame::new(&boxes));
    }
}
