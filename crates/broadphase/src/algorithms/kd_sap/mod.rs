//! A k-d tree whose lists are swept.
//!
//! A plane divides the objects of a node. Straddling objects stay in the node; only objects that lie wholly on
//! one side go down. So every object is in one list, and no pair is found twice. All lists are in one array, in
//! the order low subtree, node, high subtree. The search sweeps each list, and carries the straddlers of the
//! nodes above down to all lists that they can reach.
//!
//! From the paper: planes at the mean on the axis of the largest variance; straddlers in the inner nodes; the
//! tree is kept between frames and repaired (small leaves merged, a bad plane shifted, removed where that did
//! not help); sweeps on the best axis of each node. Our own: the median where the mean divides badly; only
//! objects that left their node move, all others keep their sorted order; carried straddlers are not sorted,
//! but find the start of their sweep in a running maximum; comparisons by sixteen; lists sorted and subtrees
//! searched on several threads.

mod arrange;
mod build;
mod inspect;
mod search;
mod tree;
mod update;
mod validate;

use crate::box_set::BoxSet;
use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Straddling, Way};
use crate::managed::{Managed, Structure};
use crate::memory::{Heap, Memory, room};
use crate::parallel::OrderedTasks;
use crate::scratch::SharedRoom;
use crate::{Counters, Frame, Pair};
use search::{SearchPart, Task};
use tree::Node;
use update::Scratch;

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm::new("kd-sap", Kind::SpaceTree, |settings| {
    Managed::boxed(KdSap::new(settings))
})
.name("k-d tree of sweeps")
.summary("objects are listed at a plane that cuts them, or in their leaf; each list is sorted, and swept with those above in the tree")
.source("Serpa, Rodrigues 2017")
.cost("n + pairs, once built")
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
.memory(|n| n * 390)
// A crowd is in the list of one task in this frame, and in that of another later: both keep theirs (measured: 115).
.pair_memory(128)
.vectorised(true)
.keeps_state(true)
.parameters(&[LEAF_SIZE]);

const LEAF_SIZE: Parameter = Parameter::count(
    "leaf-size",
    256,
    [16, 8192],
    "A leaf of more objects is divided; in small scenes, of more than an eighth of all",
);

/// Least bound on the objects of a leaf in small scenes.
const SMALLEST: usize = 16;

/// The object of an empty position.
const NONE: u32 = u32::MAX;

/// A k-d tree of sweeps. For objects that are small in relation to their space and k pairs, time
/// O(n log n + k) on the first frame, and O(n + k) while the motion is coherent. Where no plane divides the
/// objects, it is a single sweep, and so quadratic at worst. Memory O(n).
#[derive(Clone, Debug)]
pub(crate) struct KdSap {
    /// A value of [`LEAF_SIZE`].
    leaf_size: usize,
    /// In the order low subtree, node, high subtree.
    nodes: Vec<Node>,
    root: u32,
    /// Objects of all lists by position; [`NONE`] in the gaps between lists.
    objects: Vec<u32>,
    /// Their boxes.
    boxes: BoxSet,
    /// For every position the lower bound on the list's axis, the key of the order.
    lowers: Vec<f32>,
    /// For every position the highest upper bound on the list's axis up to there.
    reaches: Vec<f32>,
    /// Objects that are in no list.
    absent: Vec<u32>,
    /// Objects of the frame before.
    known: usize,
    /// Most objects of a leaf.
    capacity: usize,
    scratch: Scratch,
    /// The parts of the last search, one for each task.
    parts: Vec<SearchPart>,
    tasks: OrderedTasks<Task>,
    /// For the straddlers that a task carries: the work of each changes with the tree.
    room: SharedRoom,
    tests: u64,
    rebuilds: u64,
}
room!(KdSap: nodes, objects, boxes, lowers, reaches, absent, scratch, parts, tasks);

impl Memory for KdSap {
    fn heap(&self) -> Heap {
        let Self { nodes, objects, boxes, lowers, reaches, absent, scratch, parts, .. } = self;
        let lists = [nodes.heap(), objects.heap(), boxes.heap(), lowers.heap(), reaches.heap()];
        lists.into_iter().sum::<Heap>()
            + absent.heap()
            + scratch.heap()
            + parts.heap()
            + self.tasks.heap()
    }

    /// The tree is dropped: its build makes room for later frames.
    fn trim(&mut self) {
        *self = Self { leaf_size: self.leaf_size, ..Self::default() };
    }
}

impl KdSap {
    /// A tree without objects.
    fn new(settings: &Settings) -> Self {
        Self {
            leaf_size: settings.count(&LEAF_SIZE),
            nodes: Vec::new(),
            root: 0,
            objects: Vec::new(),
            boxes: BoxSet::default(),
            lowers: Vec::new(),
            reaches: Vec::new(),
            absent: Vec::new(),
            known: 0,
            capacity: 0,
            scratch: Scratch::default(),
            parts: Vec::new(),
            tasks: OrderedTasks::default(),
            room: SharedRoom::default(),
            tests: 0,
            rebuilds: 0,
        }
    }
}

impl Default for KdSap {
    fn default() -> Self {
        Self::new(&Settings::new(0))
    }
}

impl Structure for KdSap {
    fn update(&mut self, frame: &Frame<'_>) {
        self.capacity = (frame.boxes.len() / 8).clamp(SMALLEST, self.leaf_size);
        self.adjust();
        self.push_down(frame.boxes);
        self.group();
        self.divide();
        self.arrange();
        self.refit();
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if !self.nodes.is_empty() {
            self.search(frame, pairs);
        }
    }

    fn counters(&self) -> Counters {
        let inner = self.nodes.iter().filter(|node| node.children.is_some());
        Counters {
            tests: self.tests,
            nodes: self.nodes.len() as u64,
            depth: self.nodes.iter().map(|node| node.depth).max().unwrap_or(0),
            listings: self.nodes.iter().map(|node| u64::from(node.len)).sum(),
            // They are in one list, but in more than one cell.
            straddlers: inner.map(|node| u64::from(node.len)).sum(),
            rebuilds: self.rebuilds,
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
        let n = fewest_for_two(update::NANOS_PER_OBJECT);
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
            (tree.objects, tree.lowers, tree.reaches, tree.tests, pairs)
        };
        let expected = on_threads(1);
        assert!(expected.4.len() > n, "hardly a pair");
        assert!(on_threads(3) == expected);
    }

    #[test]
    fn boxes_that_touch_on_a_plane_are_a_pair() {
        let mut boxes = line(100);
        let mut tree = updated(&boxes);
        let plane = tree.nodes[tree.root as usize].position;
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
    fn plane_outside_of_its_objects_is_shifted_then_removed() {
        let mut boxes = line(2000);
        let mut tree = updated(&boxes);
        let nodes = tree.nodes.len();
        for b in &mut boxes {
            b.min.x += 5000.0;
            b.max.x += 5000.0;
        }
        for _ in 0..6 {
            let frame = Frame::new(&boxes);
            tree.update(&frame);
            tree.validate(&frame);
        }
        assert!(tree.nodes.len() * 2 > nodes, "{} nodes of {nodes}", tree.nodes.len());
        tree.update(&Frame::new(&boxes));
        assert_eq!(tree.counters().rebuilds, 0, "a suitable tree does not change");
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
        tree.objects.swap(2, 3);
        tree.reaches[2] = tree.reaches[3];
        for position in [2, 3] {
            let b = boxes[tree.objects[position] as usize];
            tree.boxes.set(position, &b);
            tree.lowers[position] = b.min.x;
        }
        tree.validate(&Frame::new(&boxes));
    }

    #[test]
    #[should_panic(expected = "reaches further")]
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
    #[should_panic(expected = "neither listed nor absent")]
    fn validate_catches_a_lost_object() {
        let mut boxes = line(10);
        let tree = updated(&boxes);
        boxes.push(Aabb::EMPTY);
        tree.validate(&Frame::new(&boxes));
    }
}
