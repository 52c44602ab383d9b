//! Searches whose pairs come from overlaps of boxes in a [`BoxSet`](crate::box_set::BoxSet).

use super::{OrderedTasks, tasks_for, threads_for};
use crate::box_set::{BoxSet, NANOS_PER_TEST, overlaps_between, overlaps_within, parts};
use crate::memory::memory;
use crate::{Frame, Pair};
use std::ops::{AddAssign, Range};

/// The work of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Tests of two boxes.
    pub(crate) tests: u64,
    /// Overlaps that were found more than once.
    pub(crate) duplicates: u64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.tests += other.tests;
        self.duplicates += other.duplicates;
    }
}

/// The scratch of one task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    /// The work of the task.
    pub(crate) work: Work,
    /// Positions of overlapping boxes, until their pairs are appended.
    hits: Vec<[u32; 2]>,
}
memory!(Search: hits);

/// The rows of a search, and what they are compared with.
#[derive(Clone, Debug)]
pub(crate) enum Rows {
    /// Boxes of the set, each with those after it up to the position.
    Within(Range<usize>, usize),
    /// Boxes of the set, each with all of the second range.
    Between(Range<usize>, Range<usize>),
}

impl Search {
    /// Searches rows, until the frame is stopped. `pair` makes a pair of the positions of two overlapping boxes; `None` where
    /// another search reports it, which is counted. Appends the pairs whose layers meet.
    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        set: &BoxSet,
        rows: Rows,
        frame: &Frame<'_>,
        pairs: &mut Vec<Pair>,
        pair: impl Fn(usize, usize) -> Option<Pair>,
    ) {
        let (all, columns) = match &rows {
            Rows::Within(rows, end) => (rows.clone(), end - rows.start),
            Rows::Between(rows, columns) => (rows.clone(), columns.len()),
        };
        for part in parts(all, columns, frame) {
            let hits = &mut self.hits;
            self.work.tests += match &rows {
                Rows::Within(_, end) => {
                    let tests = (part.len() * (2 * end - part.start - part.end - 1) / 2) as u64;
                    overlaps_within(set, part, *end, hits);
                    tests
                }
                Rows::Between(_, columns) => {
                    let tests = (part.len() * columns.len()) as u64;
                    overlaps_between(set, part, columns.clone(), hits);
                    tests
                }
            };
            let first = pairs.len();
            for &[i, j] in &self.hits {
                match pair(i as usize, j as usize) {
                    Some(pair) if frame.admits(pair.a, pair.b) => pairs.push(pair),
                    Some(_) => {}
                    None => self.work.duplicates += 1,
                }
            }
            self.hits.clear();
            frame.count(pairs.len() - first);
        }
    }
}

/// The tasks of a search. Their scratch is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchTasks(OrderedTasks<Search>);

memory!(SearchTasks: 0);

impl SearchTasks {
    /// Calls `search` with parts that cover `0..steps`, each with the list to append its pairs to. The pairs
    /// are in the order of the steps.
    pub(crate) fn run(
        &mut self,
        steps: usize,
        threads: usize,
        pairs: &mut Vec<Pair>,
        search: impl Fn(&mut Search, &mut Vec<Pair>, Range<usize>) + Sync,
    ) -> Work {
        let tasks = tasks_for(threads);
        self.0.resize(tasks);
        self.0.run(pairs, |number, task, pairs| {
            task.work = Work::default();
            search(task, pairs, steps * number / tasks..steps * (number + 1) / tasks);
        });
        self.0.sum(|task| task.work)
    }

    /// Calls `search` with parts of a run, each row of which is compared with all later ones. All parts have about as many
    /// tests.
    pub(crate) fn run_triangle(
        &mut self,
        run: Range<usize>,
        pairs: &mut Vec<Pair>,
        search: impl Fn(&mut Search, &mut Vec<Pair>, Range<usize>) + Sync,
    ) -> Work {
        let tests = run.len().saturating_mul(run.len()) / 2;
        let threads = threads_for(tests, NANOS_PER_TEST);
        let tasks = tasks_for(threads);
        let row = |task| run.start + first_row(task, tasks, run.len());
        self.run(tasks, threads, pairs, |task, pairs, numbers| {
            for number in numbers {
                search(task, pairs, row(number)..row(number + 1));
            }
        })
    }
}

/// First row of a task, so that all tasks have about as many of the n(n-1)/2 pairs. Row i has n-1-i of
/// them, so the rows from i on hold a share (1 - i/n)² of all.
fn first_row(task: usize, tasks: usize, n: usize) -> usize {
    let share_left = 1.0 - task as f64 / tasks as f64;
    n - (n as f64 * share_left.sqrt()).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_cover_every_row_once() {
        for n in [0, 1, 2, 17, 1000] {
            for tasks in [1, 2, 16] {
                assert_eq!([0, tasks].map(|task| first_row(task, tasks, n)), [0, n]);
                assert!((0..=tasks).is_sorted_by_key(|task| first_row(task, tasks, n)));
            }
        }
    }

    #[test]
    fn each_step_runs_once_on_any_number_of_threads() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for steps in [0, 1, 7, 1023, 1024, 5000] {
                let (mut tasks, mut pairs) = (SearchTasks::default(), Vec::new());
                let work = pool.install(|| {
                    tasks.run(steps, threads, &mut pairs, |task, pairs, part| {
                        task.work.tests += part.len() as u64;
                        pairs.extend(part.map(|step| Pair::new(step as u32, u32::MAX)));
                    })
                });
                assert_eq!(work.tests, steps as u64, "{steps} steps on {threads} threads");
                let taken = pairs.iter().map(|pair| pair.a);
                assert!(taken.eq(0..steps as u32), "{steps} steps on {threads} threads");
            }
        }
    }
}
