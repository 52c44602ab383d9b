//! The search for pairs: the tree against itself.

use super::steps::{StepBox, Steps};
use super::tree::Tree;
use crate::parallel::{Rows, Search, SearchTasks, Work, threads_for};
use crate::{Frame, Pair};
use std::ops::Range;

/// Time to search for the pairs of an object, in nanoseconds (measured for a thousand in a gas).
const NANOS_PER_OBJECT: usize = 500;

impl Tree {
    /// Appends every pair of overlapping boxes in the tree.
    pub(super) fn find_pairs(
        &self,
        steps: Steps,
        frame: &Frame<'_>,
        tasks: &mut SearchTasks,
        pairs: &mut Vec<Pair>,
    ) -> Work {
        let objects = self.objects().len();
        let threads = threads_for(objects, NANOS_PER_OBJECT);
        tasks.run(objects, threads, pairs, |task, pairs, part| {
            for number in self.nodes_starting_in(part) {
                if frame.is_stopped() {
                    return;
                }
                self.find_from(number, steps, frame, task, pairs);
            }
        })
    }

    /// The nodes whose own objects start in a part of all objects. Empty nodes may be missing.
    fn nodes_starting_in(&self, part: Range<usize>) -> Range<usize> {
        let first_from =
            |position| self.nodes().partition_point(|node| node.own().start < position);
        first_from(part.start)..first_from(part.end)
    }

    /// Finds the pairs of a node's own objects with each other and with those of later nodes.
    fn find_from(
        &self,
        number: usize,
        steps: Steps,
        frame: &Frame<'_>,
        task: &mut Search,
        pairs: &mut Vec<Pair>,
    ) {
        let own = self.nodes()[number].own();
        if own.is_empty() {
            return;
        }
        let objects = self.objects();
        let mut find = |rows| {
            let pair = |i: usize, j: usize| Some(Pair::new(objects[i], objects[j]));
            task.find(self.boxes(), rows, frame, pairs, pair);
        };
        find(Rows::Within(own.clone(), own.end));
        self.for_each_meeting(number, steps, |rows, columns| {
            find(Rows::Between(rows, columns));
        });
    }

    /// Calls `visit` with a node's own objects, and with those of each later node to test them against.
    pub(super) fn for_each_meeting(
        &self,
        number: usize,
        steps: Steps,
        mut visit: impl FnMut(Range<usize>, Range<usize>),
    ) {
        let own = self.nodes()[number].own();
        if !own.is_empty() {
            let bounds = self.steps_of(own.clone(), steps);
            self.walk(number + 1, &bounds, |columns| visit(own.clone(), columns));
        }
    }

    /// Visits the own objects of all nodes from one on whose loose bounds overlap `bounds`, and skips the
    /// subtrees of the others.
    #[inline]
    fn walk(&self, from: usize, bounds: &StepBox, mut visit: impl FnMut(Range<usize>)) {
        let nodes = self.nodes();
        let mut number = from;
        while let Some(node) = nodes.get(number) {
            if !node.loose.overlaps(bounds) {
                number = node.after as usize;
                continue;
            }
            if !node.own().is_empty() {
                visit(node.own());
            }
            number += 1;
        }
    }
}
