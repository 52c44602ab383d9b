//! The columns, distributed over the threads.

use super::shelves::ColumnRange;
use super::sweeper::Sweeper;
use crate::Pair;
use crate::memory::memory;
use crate::parallel::{Aligned, OrderedTasks, Work, tasks_for, threads_for};
use std::ops::Range;

/// Time to sort and search for an object on one thread, in nanoseconds: in a search for all, and in one for escaped
/// objects among the cached boxes. Each of these few costs more, as it shares its column with fewer others.
pub(super) const SEARCH_NANOS: usize = 40;
pub(super) const ESCAPED_NANOS: usize = 200;

/// Tasks, each of which searches a range of columns.
#[derive(Clone, Debug)]
pub(super) struct ColumnTasks<P = Pair>(pub(super) OrderedTasks<Task, P>);

impl<P> Default for ColumnTasks<P> {
    fn default() -> Self {
        Self(OrderedTasks::default())
    }
}

memory!(ColumnTasks<P>: 0);

/// The range of one task, its scratch, and the work it did.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    pub(super) sweeper: Sweeper,
    pub(super) columns: Range<usize>,
    pub(super) found: Work,
    /// Sorted columns: lent by cached columns while they are built, scratch in a join.
    pub(super) part: ColumnRange,
}

memory!(Task: sweeper, part);

/// Ranges of columns, one for each task, that have about as many boxes.
fn ranges(
    tasks: usize,
    columns: usize,
    len: impl Fn(usize) -> usize,
) -> impl Iterator<Item = Range<usize>> {
    let all: usize = (0..columns).map(&len).sum();
    let (mut column, mut before) = (0, 0);
    (1..=tasks).map(move |number| {
        let first = column;
        // A column belongs to the task in whose share its middle lies.
        while column < columns && (2 * before + len(column)) * tasks < 2 * all * number {
            before += len(column);
            column += 1;
        }
        first..if number == tasks { columns } else { column }
    })
}

impl<P: Copy + Send> ColumnTasks<P> {
    /// Divides columns so that all tasks have about as many boxes; one task where the search for the objects
    /// takes little time. `nanos_each` is the time for one.
    ///
    /// Few columns have few tasks, since each needs room for the longest column. With 16 for one column of 13,295 boxes, two
    /// threads took 1,420 bytes an object, and the first frame twice as long as one thread.
    pub(super) fn distribute(
        &mut self,
        objects: usize,
        nanos_each: usize,
        columns: usize,
        len: impl Fn(usize) -> usize,
    ) {
        let tasks = tasks_for(threads_for(objects, nanos_each)).min(columns.next_power_of_two());
        self.0.resize(tasks);
        for (task, columns) in self.0.iter_mut().zip(ranges(tasks, columns, len)) {
            task.columns = columns;
            task.found = Work::default();
        }
    }

    /// Calls `search` for each column, with its task and the list to append its pairs to. Their order is
    /// that of the columns, on any number of threads.
    pub(super) fn run(
        &mut self,
        pairs: &mut Vec<P>,
        search: impl Fn(&mut Task, usize, &mut Vec<P>) + Sync,
    ) {
        self.0.run(pairs, |_, task, pairs| {
            for column in task.columns.clone() {
                search(task, column, pairs);
            }
        });
    }

    /// The range of columns of each task.
    pub(super) fn ranges(&mut self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter_mut().map(|task| task.columns.clone())
    }

    /// Exchanges the part that each task holds for one of these.
    pub(super) fn exchange(&mut self, parts: &mut [Aligned<ColumnRange>]) {
        for (task, part) in self.0.iter_mut().zip(parts) {
            std::mem::swap(&mut part.0, &mut task.part);
        }
    }

    /// The work of the last search.
    pub(super) fn found(&self) -> Work {
        self.0.sum(|task| task.found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "rayon")]
    fn there_are_no_more_tasks_than_columns() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let of = |columns: usize| {
            let mut tasks = ColumnTasks::<Pair>::default();
            pool.install(|| tasks.distribute(1_000_000, SEARCH_NANOS, columns, |_| 10));
            assert_eq!(tasks.ranges().last().map(|range| range.end), Some(columns));
            tasks.ranges().count()
        };
        let most = crate::parallel::tasks_for(4);
        assert_eq!([0, 1, 3, 1000].map(of), [1, 1, 4, most]);
    }

    #[test]
    fn equal_columns_are_divided_equally() {
        for lens in [&[10_000, 10_001][..], &[20, 60, 20], &[66, 67, 67], &[2499, 2500, 2500, 2501]]
        {
            let of_each = ranges(lens.len(), lens.len(), |column| lens[column]);
            assert!(of_each.map(|range| range.len()).all(|columns| columns == 1), "{lens:?}");
        }
        let halves: Vec<_> = ranges(2, 5, |column| [5, 0, 4, 4, 5][column]).collect();
        assert_eq!(halves, [0..3, 3..5]);
    }
}
