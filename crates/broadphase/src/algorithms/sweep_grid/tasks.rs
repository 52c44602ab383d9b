//! The columns of a grid, shared out over the threads.

use super::column::Sweeper;
use crate::Pair;
use crate::ordered_tasks::OrderedTasks;
use crate::sweep::Found;
use std::ops::Range;

/// Fewer objects than this are done before another thread has woken.
pub(in crate::algorithms) const PARALLEL_FROM: usize = 4096;

/// Columns are shared out in so many tasks for each thread: some have more to do than others.
const TASKS_PER_THREAD: usize = 8;

/// Whether the search for so many objects is shared out over several threads.
pub(in crate::algorithms) fn is_shared_out(objects: usize) -> bool {
    rayon::current_num_threads() > 1 && objects >= PARALLEL_FROM
}

/// Tasks, each of which searches some columns that follow each other.
#[derive(Debug, Default)]
pub(in crate::algorithms) struct ColumnTasks(OrderedTasks<Task>);

#[derive(Debug, Default)]
struct Task {
    sweeper: Sweeper,
    columns: Range<usize>,
    found: Found,
}

impl ColumnTasks {
    /// Shares columns out so that all tasks have about as many boxes; on one thread where few objects are
    /// searched for.
    pub(in crate::algorithms) fn share_out(
        &mut self,
        objects: usize,
        columns: usize,
        len: impl Fn(usize) -> usize,
    ) {
        let threads = rayon::current_num_threads();
        let tasks = if is_shared_out(objects) { threads * TASKS_PER_THREAD } else { 1 };
        self.0.resize(tasks);
        let lens = (0..columns).map(&len);
        let (all, longest) = lens.fold((0, 0), |(sum, most), len| (sum + len, most.max(len)));
        let (mut column, mut before) = (0, 0);
        for (number, task) in self.0.iter_mut().enumerate() {
            let first = column;
            while column < columns && before * tasks < all * (number + 1) {
                before += len(column);
                column += 1;
            }
            task.columns = first..if number + 1 == tasks { columns } else { column };
            task.sweeper.reserve(longest);
            task.found = Found::default();
        }
    }

    /// Calls `search` for each column, with the list to append its pairs to. Their order is that of the
    /// columns, whoever is faster.
    pub(in crate::algorithms) fn run(
        &mut self,
        pairs: &mut Vec<Pair>,
        search: impl Fn(&mut Sweeper, usize, &mut Vec<Pair>) -> Found + Sync,
    ) {
        self.0.run(pairs, |_, task, pairs| {
            for column in task.columns.clone() {
                task.found += search(&mut task.sweeper, column, pairs);
            }
        });
    }

    /// Makes one task of all columns, and lets it search them as it likes.
    pub(in crate::algorithms) fn run_as_one(
        &mut self,
        columns: usize,
        search: impl FnOnce(&mut Sweeper, &mut Found),
    ) {
        self.0.resize(1);
        if let Some(Task { sweeper, columns: own, found }) = self.0.iter_mut().next() {
            *own = 0..columns;
            *found = Found::default();
            search(sweeper, found);
        }
    }

    /// What the last search did.
    pub(in crate::algorithms) fn found(&self) -> Found {
        self.0.fold(Found::default(), |mut all, task| {
            all += task.found;
            all
        })
    }

    /// Forgets what the last search did.
    pub(in crate::algorithms) fn forget_found(&mut self) {
        self.0.iter_mut().for_each(|task| task.found = Found::default());
    }

    pub(in crate::algorithms) fn heap_bytes(&self) -> usize {
        self.0.heap_bytes(|task| task.sweeper.heap_bytes())
    }
}
