//! The columns of two sets of boxes, and the search for the pairs between them.

use super::checks::Checks;
use super::choose::Choice;
use super::layout::Columns;
use super::lists::{BoxLists, MAX_LISTINGS, len};
use super::sweeper::Sweeper;
use super::tasks::{SEARCH_NANOS, ranges, tasks_in};
use crate::memory::{Memory, Upkeep, memory};
use crate::parallel::{OrderedTasks, Work};
use crate::sweep::sweep_between;
use crate::{Aabb, Counters, JoinPair, Limits};
use std::ops::Range;

/// Columns in which two sets are listed, each by itself. A column is sorted only if it has boxes of both.
///
/// Only the place of the columns is kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct JoinedColumns {
    columns: Option<Columns>,
    choice: Choice,
    lists: [BoxLists; 2],
    tasks: OrderedTasks<Task, JoinPair>,
    checks: Checks,
    counters: Counters,
    upkeep: Upkeep,
}

memory!(JoinedColumns: lists, tasks, choice);

/// A range of columns, scratch for each set, and the work done.
#[derive(Clone, Debug, Default)]
struct Task {
    sweepers: [Sweeper; 2],
    columns: Range<usize>,
    found: Work,
}

memory!(Task: sweepers);

/// The two sets of a frame. A box outside the bounds of the other set is in no pair.
#[derive(Clone, Copy)]
struct Sets<'a> {
    boxes: [&'a [Aabb]; 2],
    bounds: [Aabb; 2],
}

impl Sets<'_> {
    /// Whether a box of a set may be in a pair. Never an empty one.
    #[inline(always)]
    fn is_wanted(&self, set: usize, b: &Aabb) -> bool {
        b.overlaps(&self.bounds[1 - set])
    }
}

impl JoinedColumns {
    /// Appends the pairs of boxes of the first set with boxes of the second.
    pub(crate) fn find_pairs(
        &mut self,
        boxes: [&[Aabb]; 2],
        limits: Limits<'_>,
        pairs: &mut Vec<JoinPair>,
    ) {
        let sets = Sets { boxes, bounds: boxes.map(Aabb::bounds) };
        let before = self.columns;
        let columns = self.list(sets);
        self.columns = Some(columns);
        let found = self.search(&columns, boxes[0].len() + boxes[1].len(), limits, pairs);
        let [a, b] = self.lists.each_ref().map(BoxLists::counts);
        self.counters = Counters {
            tests: found.tests,
            nodes: columns.len() as u64,
            listings: a.0 + b.0,
            straddlers: a.1 + b.1,
            duplicates: found.duplicates,
            rebuilds: u64::from(before != self.columns),
            ..Counters::default()
        };
        let need = self.counters.listings as usize + pairs.len();
        if self.upkeep.advance(need) {
            self.trim();
        }
    }

    /// Lists the boxes in columns that suit both sets, which it returns.
    fn list(&mut self, sets: Sets<'_>) -> Columns {
        let count = sets.boxes[0].len() + sets.boxes[1].len();
        let columns = match self.columns {
            Some(used) if !self.checks.is_due(count, Some(self.counters.tests)) => used,
            used => self.choose(sets, used),
        };
        if self.fill(&columns, sets) {
            return columns;
        }
        let others = self.choose(sets, None);
        if others != columns && self.fill(&others, sets) {
            return others;
        }
        let single = Columns::single(others.axis);
        self.fill(&single, sets);
        single
    }

    fn choose(&mut self, sets: Sets<'_>, used: Option<Columns>) -> Columns {
        let is_wanted = |set, b: &Aabb| sets.is_wanted(set, b);
        let chosen = self.choice.choose_between(sets.boxes, is_wanted, used);
        self.checks.checked(sets.boxes[0].len() + sets.boxes[1].len(), used == Some(chosen));
        chosen
    }

    /// Lists the boxes in some columns; false if they take far too many entries.
    fn fill(&mut self, columns: &Columns, sets: Sets<'_>) -> bool {
        // A few large boxes in one set may take as many as all in the other.
        let most = MAX_LISTINGS * (sets.boxes[0].len() + sets.boxes[1].len());
        let mut lists = (0..).zip(&mut self.lists);
        lists.all(|(set, lists)| {
            lists.fill(columns, sets.boxes[set], most, |b| sets.is_wanted(set, b))
        })
    }

    /// Sorts and sweeps each column.
    fn search(
        &mut self,
        columns: &Columns,
        count: usize,
        limits: Limits<'_>,
        pairs: &mut Vec<JoinPair>,
    ) -> Work {
        let [a, b] = self.lists.each_ref().map(BoxLists::bins);
        let lens = |column| [len(a, column), len(b, column)];
        let tasks = tasks_in(columns.len(), count, SEARCH_NANOS);
        let work = |column| match lens(column) {
            [0, _] | [_, 0] => 0,
            [a, b] => a + b,
        };
        self.tasks.resize(tasks);
        for (task, columns) in self.tasks.iter_mut().zip(ranges(tasks, columns.len(), work)) {
            task.columns = columns;
            task.found = Work::default();
        }
        self.tasks.run(pairs, |_, task, pairs| {
            let [of_a, of_b] = &mut task.sweepers;
            for column in task.columns.clone().filter(|column| work(*column) > 0) {
                if limits.is_stopped() {
                    return;
                }
                let sorted = [of_a.sort(column, a), of_b.sort(column, b)];
                task.found += sweep_between(sorted, limits, pairs);
            }
        });
        self.tasks.fold(Work::default(), |mut all, task| {
            all += task.found;
            all
        })
    }

    /// Counts of the last search.
    pub(crate) fn counters(&self) -> Counters {
        self.counters
    }

    /// Bytes held for later searches.
    pub(crate) fn heap_bytes(&self) -> usize {
        Memory::heap_bytes(self)
    }
}
