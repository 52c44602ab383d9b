//! The search: each list is swept, and compared with the straddlers of the nodes above.

use super::KdSap;
use super::tree::Node;
use crate::box_set::{SortedRun, Visitor};
use crate::memory::{Heap, Memory, room};
use crate::parallel::{Rows, Search, TASKS_PER_THREAD, threads_for};
use crate::scratch::renew;
use crate::{Aabb, Frame, Pair};

/// Time to search for the pairs of an object, in nanoseconds (measured for a few thousand).
pub(super) const NANOS_PER_OBJECT: usize = 150;

/// A part of the search: a node, and whether its subtree belongs to the part.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchPart {
    node: usize,
    is_subtree: bool,
}

/// The scratch of a part, and its work.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    /// Straddlers that are carried down, those of a node after those of its parent.
    carried: Vec<Visitor>,
    search: Search,
}
room!(Task: carried, search);

impl Memory for Task {
    fn heap(&self) -> Heap {
        // All tasks have the same room to carry straddlers: it counts as used.
        let carried = self.carried.heap();
        self.search.heap() + Heap { used: carried.held, ..carried }
    }

    fn trim(&mut self) {
        *self = Self::default();
    }
}

impl KdSap {
    /// Appends every overlapping pair.
    pub(super) fn search(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let (mut tasks, mut parts) =
            (std::mem::take(&mut self.tasks), std::mem::take(&mut self.parts));
        self.divide_search(&mut parts);
        tasks.resize(parts.len());
        let this = &*self;
        tasks.run(pairs, |number, task, pairs| this.run(parts[number], task, frame, pairs));
        self.tests = tasks.fold(0, |all, task| all + task.search.work.tests);
        tasks.iter_mut().for_each(|task| self.room.learn(task.carried.capacity()));
        (self.tasks, self.parts) = (tasks, parts);
    }

    /// Divides the tree into parts of similar size.
    fn divide_search(&self, parts: &mut Vec<SearchPart>) {
        renew(parts);
        if self.built.nodes.is_empty() {
            return;
        }
        let all = self.built.nodes[self.root as usize].population as usize;
        let largest = match threads_for(all, NANOS_PER_OBJECT) {
            1 => usize::MAX,
            threads => all / (threads * TASKS_PER_THREAD),
        };
        self.divide_from(self.root as usize, largest, parts);
    }

    /// As [`divide_search`](Self::divide_search), for a subtree.
    fn divide_from(&self, at: usize, largest: usize, parts: &mut Vec<SearchPart>) {
        let node = &self.built.nodes[at];
        let is_subtree = node.population as usize <= largest || node.children.is_none();
        parts.push(SearchPart { node: at, is_subtree });
        if let Some(children) = node.children
            && !is_subtree
        {
            for child in children {
                self.divide_from(child as usize, largest, parts);
            }
        }
    }

    /// Searches a part.
    fn run(&self, part: SearchPart, task: &mut Task, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        task.carried.clear();
        task.carried.reserve_exact(self.room.elements());
        let SearchPart { node, is_subtree } = part;
        let Task { carried, search } = task;
        search.renew();
        let (mut at, mut from) = (self.root as usize, 0);
        while let Some([low, high]) = self.built.nodes[at].children
            && at != node
        {
            let child = if node < at { low } else { high } as usize;
            from = self.carry(at, child, from, carried);
            at = child;
        }
        self.walk(node, is_subtree, from, carried, &mut |node, carried| {
            let list = node.list();
            let own = Rows::WithinSorted(list.clone(), list.end, node.sweep);
            for rows in [own, Rows::Visitors(carried, self.run_of(node))] {
                let pair = |i: usize, j: usize| Some(Pair::new(self.object(i), self.object(j)));
                search.find(&self.boxes, rows, frame, pairs, pair);
            }
        });
    }

    /// A node's own list, as a sorted run.
    pub(super) fn run_of(&self, node: &Node) -> SortedRun<'_> {
        SortedRun {
            start: node.list().start,
            axis: node.sweep.index(),
            lowers: &self.lowers[node.list()],
            reaches: &self.reaches[node.list()],
        }
    }

    /// Calls `visit` with a node, or with all nodes of its subtree, and with the straddlers of the nodes above
    /// that reach into it: those of `carried` from `from` on.
    pub(super) fn walk(
        &self,
        at: usize,
        is_subtree: bool,
        from: usize,
        carried: &mut Vec<Visitor>,
        visit: &mut impl FnMut(&Node, &[Visitor]),
    ) {
        let node = &self.built.nodes[at];
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

    /// Appends the straddlers that are carried to a child: those carried to its parent, and the parent's own,
    /// that touch the bounds of the child's objects. Returns where they begin.
    fn carry(&self, parent: usize, child: usize, from: usize, carried: &mut Vec<Visitor>) -> usize {
        let begin = carried.len();
        let bounds = self.built.nodes[child].bounds;
        let touches = |b: &Aabb| b.min.cmple(bounds.max).all() & bounds.min.cmple(b.max).all();
        for i in from..begin {
            if touches(&carried[i].b) {
                carried.push(carried[i]);
            }
        }
        for position in self.built.nodes[parent].list() {
            let b = self.built.items[position].b;
            if touches(&b) {
                carried.push(Visitor { b, position: position as u32 });
            }
        }
        begin
    }
}
