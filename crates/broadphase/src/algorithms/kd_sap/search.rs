//! The search: every list is swept by itself, and by the straddlers that the nodes above carry down.

use super::KdSap;
use super::tree::Node;
use crate::box_set::{SortedRun, Visitor, overlaps_between_sorted, overlaps_within_sorted};
use crate::scratch::SharedRoom;
use crate::{Aabb, Frame, Pair};
use rayon::prelude::*;

/// A part of the search: a node, and whether all below it belongs to the part.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Task {
    node: usize,
    is_subtree: bool,
    /// What is carried down, a node's share after its parent's.
    carried: Vec<Visitor>,
    hits: Vec<[u32; 2]>,
    /// Most hits that a node has had.
    most_hits: usize,
    pairs: Vec<Pair>,
    tests: u64,
}

impl Task {
    pub(super) fn heap_bytes(&self) -> usize {
        self.carried.capacity() * size_of::<Visitor>()
            + self.hits.capacity() * size_of::<[u32; 2]>()
            + self.pairs.capacity() * size_of::<Pair>()
    }
}

impl KdSap {
    /// Appends every overlapping pair.
    pub(super) fn search(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let mut tasks = std::mem::take(&mut self.tasks);
        let used = self.share_out(&mut tasks);
        let this = &*self;
        let run = |task: &mut Task| this.run(task, frame);
        if let [task] = &mut tasks[..used] {
            run(task);
        } else {
            tasks[..used].par_iter_mut().with_max_len(1).for_each(run);
        }
        tasks[..used].iter().for_each(|task| self.room.learn(task));
        self.tests = tasks[..used].iter().map(|task| task.tests).sum();
        for task in &tasks[..used] {
            pairs.extend_from_slice(&task.pairs);
        }
        self.tasks = tasks;
    }

    /// Divides the tree into tasks of similar size; says how many.
    fn share_out(&self, tasks: &mut Vec<Task>) -> usize {
        let all = self.nodes[self.root as usize].population as usize;
        let threads = rayon::current_num_threads();
        // Several tasks a thread, so that one that is held up does not hold up the frame.
        let largest = match threads == 1 || self.objects.len() < super::PARALLEL_FROM {
            true => usize::MAX,
            false => all / (threads * 8),
        };
        let mut used = 0;
        self.share_out_from(self.root as usize, largest, tasks, &mut used);
        used
    }

    fn share_out_from(&self, at: usize, largest: usize, tasks: &mut Vec<Task>, used: &mut usize) {
        let node = &self.nodes[at];
        let is_subtree = node.population as usize <= largest || node.children.is_none();
        if *used == tasks.len() {
            tasks.push(Task::default());
        }
        (tasks[*used].node, tasks[*used].is_subtree) = (at, is_subtree);
        *used += 1;
        if let Some(children) = node.children
            && !is_subtree
        {
            for child in children {
                self.share_out_from(child as usize, largest, tasks, used);
            }
        }
    }

    fn run(&self, task: &mut Task, frame: &Frame<'_>) {
        self.room.renew(task);
        let Task { node, is_subtree, carried, hits, pairs, tests, most_hits } = task;
        (*tests, *most_hits) = (0, 0);
        let (mut at, mut from) = (self.root as usize, 0);
        while let Some([low, high]) = self.nodes[at].children
            && at != *node
        {
            let child = if *node < at { low } else { high } as usize;
            from = self.carry(at, child, from, carried);
            at = child;
        }
        self.walk(*node, *is_subtree, from, carried, &mut |node, carried| {
            if frame.is_stopped() {
                return;
            }
            let (list, set, axis) = (node.list(), &self.boxes, node.sweep);
            hits.clear();
            *tests += overlaps_within_sorted(set, list.clone(), list.end, axis, frame, hits);
            *tests += overlaps_between_sorted(set, carried, self.run_of(node), frame, hits);
            *most_hits = hits.len().max(*most_hits);
            for hit in hits.iter() {
                let [a, b] = hit.map(|position| self.objects[position as usize]);
                if frame.admits(a, b) {
                    pairs.push(Pair::new(a, b));
                }
            }
        });
    }

    /// A node's own list, as visitors see it.
    pub(super) fn run_of(&self, node: &Node) -> SortedRun<'_> {
        SortedRun {
            start: node.list().start,
            axis: node.sweep.index(),
            lowers: &self.lowers[node.list()],
            reaches: &self.reaches[node.list()],
        }
    }

    /// Calls `visit` with a node, and with all below it if that is wanted, and with the straddlers of
    /// the nodes above that reach into it: those of `carried` from `from` on.
    pub(super) fn walk(
        &self,
        at: usize,
        is_subtree: bool,
        from: usize,
        carried: &mut Vec<Visitor>,
        visit: &mut impl FnMut(&Node, &[Visitor]),
    ) {
        let node = &self.nodes[at];
        visit(node, &carried[from..]);
        if let Some(children) = node.children
            && is_subtree
        {
            for child in children.map(|child| child as usize) {
                let below = self.carry(at, child, from, carried);
                self.walk(child, true, below, carried, visit);
                carried.truncate(below);
            }
        }
    }

    /// Appends what a child is handed down: of what its parent was handed, and of the parent's own
    /// list, whatever touches the bounds of the child's objects. Returns where that begins.
    fn carry(&self, parent: usize, child: usize, from: usize, carried: &mut Vec<Visitor>) -> usize {
        let begin = carried.len();
        let bounds = self.nodes[child].bounds;
        let touches = |b: &Aabb| b.min.cmple(bounds.max).all() & bounds.min.cmple(b.max).all();
        for i in from..begin {
            if touches(&carried[i].b) {
                carried.push(carried[i]);
            }
        }
        for position in self.nodes[parent].list() {
            let b = self.boxes.get(position);
            if touches(&b) {
                carried.push(Visitor { b, position: position as u32 });
            }
        }
        begin
    }
}

/// The room that all tasks keep: which of them does what changes with the tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    carried: SharedRoom,
    hits: SharedRoom,
    pairs: SharedRoom,
}

impl Room {
    fn learn(&mut self, task: &Task) {
        self.carried.learn(task.carried.capacity());
        self.hits.learn(task.most_hits);
        self.pairs.learn(task.pairs.len());
    }

    fn renew(&self, task: &mut Task) {
        task.carried.clear();
        task.carried.reserve_exact(self.carried.elements());
        self.hits.renew(&mut task.hits, task.most_hits);
        let found = task.pairs.len();
        self.pairs.renew(&mut task.pairs, found);
    }
}
