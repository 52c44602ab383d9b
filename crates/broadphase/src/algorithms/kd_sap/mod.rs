//! A k-d tree whose lists are swept.
//!
//! A plane divides the objects of a node. Straddling objects stay in the node; only objects that lie wholly on
//! one side go down. So every object is in one list, and no pair is found twice. The search sweeps each list, and
//! carries its straddlers down to all lists that they can reach.
//!
//! From the paper: planes at the mean on the axis of the largest variance; straddlers in the inner nodes; sweeps on the best
//! axis of each node. Our own: the median where the mean divides badly; the tree is rebuilt every frame, where the paper
//! repairs that of the last one; carried straddlers are not sorted, but find the start of their sweep in a running maximum;
//! comparisons by sixteen; nodes searched on several threads.

mod inspect;
mod plane;
mod tree;

use crate::box_set::BoxSet;
use crate::entry::{Algorithm, Kind, Parameter, Settings};
use crate::inspect::{Caption, Way};
use crate::managed::{Managed, Structure};
use crate::memory::memory;
use crate::parallel::{Rows, SearchTasks, Work, threads_for};
use crate::{Counters, Frame, Pair};
use tree::Tree;

/// Its entry in the registry.
pub const ENTRY: Algorithm = Algorithm {
    name: "k-d tree of sweeps",
    summary: "objects are listed at a plane that cuts them, or in their leaf; each list is sorted, and swept with those above in the tree",
    source: "Serpa, Rodrigues 2017",
    cost: "n × depth + pairs",
    watch_for: "planes that cut many objects: those are compared in all lists below",
    overlays: &[
        Caption::PLANES,
        Caption {
            meaning: "An object that a plane cuts is listed at that plane, any other in its leaf. In the scene: the number of \
                  objects, and the axis of the sweep.",
            keeps_straddlers: true,
            ..Caption::LEAVES
        },
    ],
    way: Some(&Way {
        meaning: "At each plane it goes to the side that it is on. If the plane cuts it, it stays there.",
        // An object at a plane is compared in lists below, too.
        hollow: Some("Hollow: not on its way."),
        ..Way::PLANES
    }),
    memory: |n| n * 67,
    vectorised: true,
    parameters: &[LEAF_SIZE],
    ..Algorithm::new("kd-sap", Kind::SpaceTree, |settings| Managed::boxed(KdSap::new(settings)))
};

const LEAF_SIZE: Parameter = Parameter::count(
    "leaf-size",
    256,
    [16, 8192],
    "A leaf of more objects is divided; in small scenes, of more than an eighth of all",
);

/// Least bound on the objects of a leaf in small scenes.
const SMALLEST: usize = 16;

/// Time to search for the pairs of an object, in nanoseconds (measured for a few thousand).
const NANOS_PER_OBJECT: usize = 150;

/// A k-d tree of sweeps. For objects that are small in relation to their space and k pairs, time O(n log n + k). Where no
/// plane divides the objects, it is a single sweep, and so quadratic at worst. Memory O(n).
#[derive(Clone, Debug, Default)]
pub(crate) struct KdSap {
    /// A value of [`LEAF_SIZE`].
    leaf_size: usize,
    tree: Tree,
    /// The boxes of all lists, by position.
    boxes: BoxSet,
    tasks: SearchTasks,
    work: Work,
}

memory!(KdSap: tree, boxes, tasks);

impl KdSap {
    /// A tree without objects.
    fn new(settings: &Settings) -> Self {
        Self { leaf_size: settings.count(&LEAF_SIZE), ..Self::default() }
    }
}

impl Structure for KdSap {
    fn update(&mut self, frame: &Frame<'_>) {
        let capacity = (frame.boxes.len() / 8).clamp(SMALLEST, self.leaf_size);
        self.tree.build(frame.boxes, capacity);
        self.boxes.fill(self.tree.items.iter().map(|item| &item.b));
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let mut tasks = std::mem::take(&mut self.tasks);
        let (this, nodes, items) = (&*self, &self.tree.nodes, &self.tree.items);
        let threads = threads_for(self.tree.items.len(), NANOS_PER_OBJECT);
        self.work = tasks.run(nodes.len(), threads, pairs, |task, pairs, part| {
            for number in part {
                for row in nodes[number].list() {
                    if frame.is_stopped() {
                        return;
                    }
                    this.tree.visit_runs(number, row, |_, run| {
                        if !run.is_empty() {
                            let rows = Rows::Between(row..row + 1, run);
                            task.find(&this.boxes, rows, frame, pairs, |i, j| {
                                Some(Pair::new(items[i].object, items[j].object))
                            });
                        }
                    });
                }
            }
        });
        self.tasks = tasks;
    }

    fn counters(&self) -> Counters {
        let nodes = &self.tree.nodes;
        let inner = || nodes.iter().filter(|node| node.plane.is_some());
        Counters {
            tests: self.work.tests,
            nodes: nodes.len() as u64,
            depth: nodes.iter().map(|node| node.depth).max().unwrap_or(0),
            listings: self.tree.items.len() as u64,
            // They are in one list, but in more than one cell.
            straddlers: inner().map(|node| node.list().len() as u64).sum(),
            rebuilds: inner().count() as u64,
            ..Counters::default()
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.tree.validate(frame.boxes);
        for (position, item) in self.tree.items.iter().enumerate() {
            assert_eq!(self.boxes.get(position), item.b, "an outdated box is tested");
        }
    }
}
