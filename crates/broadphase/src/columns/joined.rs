//! The columns of two sets of boxes, and the search for the pairs between them.

use super::choose::Choice;
use super::cross::{Between, cross};
use super::layout::Columns;
use super::lists::{BoxLists, MAX_LISTINGS};
use super::tasks::{ColumnTasks, SEARCH_NANOS};
use crate::memory::{Memory, Upkeep, memory};
use crate::parallel::Work;
use crate::{Aabb, Counters, JoinPair, Limits};

/// Columns in which two sets are listed, each by itself. A column is sorted only if it has boxes of both.
///
/// Only the place of the columns is kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct JoinedColumns {
    choice: Choice,
    lists: [BoxLists; 2],
    tasks: ColumnTasks<JoinPair>,
    counters: Counters,
    upkeep: Upkeep,
}

memory!(JoinedColumns: lists, tasks, choice);

impl JoinedColumns {
    /// Appends the pairs of boxes of the first set with boxes of the second.
    pub(crate) fn find_pairs(
        &mut self,
        boxes: [&[Aabb]; 2],
        limits: Limits<'_>,
        pairs: &mut Vec<JoinPair>,
    ) {
        let bounds = boxes.map(Aabb::bounds);
        // A box outside the bounds of the other set is in no pair. An empty one overlaps nothing.
        let is_wanted = |set: usize, b: &Aabb| b.overlaps(&bounds[1 - set]);
        let count = boxes[0].len() + boxes[1].len();
        let Self { choice, lists, counters, .. } = self;
        // A few large boxes in one set may take as many as all in the other.
        let most = MAX_LISTINGS * count;
        let fill = |columns: &Columns| {
            (0..)
                .zip(&mut *lists)
                .all(|(set, lists)| lists.fill(columns, boxes[set], most, |b| is_wanted(set, b)))
        };
        let tests = Some(counters.tests);
        let columns = choice.list(boxes, is_wanted, tests, fill);
        let found = self.search(columns.len(), count, limits, pairs);
        let [a, b] = self.lists.each_ref().map(BoxLists::counts);
        self.counters = Counters {
            tests: found.tests,
            nodes: columns.len() as u64,
            listings: a.0 + b.0,
            straddlers: a.1 + b.1,
            duplicates: found.duplicates,
            rebuilds: u64::from(self.choice.is_rechosen),
            ..Counters::default()
        };
        let need = self.counters.listings as usize + pairs.len();
        if self.upkeep.advance(need) {
            self.trim();
        }
    }

    /// Compares the boxes of both sets in each column.
    fn search(
        &mut self,
        columns: usize,
        count: usize,
        limits: Limits<'_>,
        pairs: &mut Vec<JoinPair>,
    ) -> Work {
        let Self { lists, tasks, .. } = self;
        let lens = |column| [0, 1].map(|set| lists[set].len(column));
        let work = |column| match lens(column) {
            [0, _] | [_, 0] => 0,
            [a, b] => a + b,
        };
        tasks.distribute(count, SEARCH_NANOS, columns, work);
        let settle = |pairs: &mut Vec<JoinPair>, first| {
            limits.count(pairs.len() - first);
        };
        tasks.run(pairs, |task, column, pairs| {
            if work(column) == 0 || limits.is_stopped() {
                return;
            }
            // The set with more boxes is on the shelves: the search visits each box of the other.
            let larger = usize::from(lens(column)[0] < lens(column)[1]);
            let [rows, others] = [1 - larger, larger].map(|set| &lists[set]);
            task.part.clear(column..column + 1, others.len(column));
            task.part.push(Some(task.sweeper.sort(column, others.bins())));
            let sorted = task.sweeper.sort(column, rows.bins());
            let pair = |row, other| {
                let [a, b] = if larger == 1 { [row, other] } else { [other, row] };
                Some(JoinPair { a, b })
            };
            let between = Between { pair: &pair, settle: &settle, limits };
            for shelf in task.part.shelves(column) {
                task.found += cross(sorted, shelf, &between, pairs);
            }
        });
        tasks.found()
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
