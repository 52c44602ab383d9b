//! Searches of a run of boxes, row by row, distributed over the threads.

use super::{Tasks, tasks_for, threads_for};
use crate::box_set::{BoxSet, NANOS_PER_TEST, overlaps_within, overlaps_within_sorted};
use crate::memory::{Heap, Memory, memory};
use crate::scratch::SharedRoom;
use crate::{Axis, Frame};
use std::ops::Range;

/// Time of a row of a sorted set, in nanoseconds (measured for a few thousand boxes of a gas).
const NANOS_PER_SORTED_ROW: usize = 130;

/// The overlaps found by the last search, task by task.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowTasks {
    tasks: Tasks<Hits>,
    /// For the hits of a task.
    room: SharedRoom,
}

memory!(RowTasks: tasks, room);

/// Hits that one task found.
#[derive(Clone, Debug, Default)]
struct Hits {
    hits: Vec<[u32; 2]>,
    /// Most hits of a search: of those since [`begin`](RowTasks::begin), and of any.
    now: usize,
    most: usize,
}

impl Memory for Hits {
    fn heap(&self) -> Heap {
        Heap { used: self.now * size_of::<[u32; 2]>(), ..self.hits.heap() }
    }

    fn trim(&mut self) {
        *self = Self::default();
    }
}

impl RowTasks {
    /// Begins a frame, of one search or several.
    pub(crate) fn begin(&mut self) {
        self.tasks.as_mut_slice().iter_mut().for_each(|task| task.0.now = 0);
    }

    /// Searches all pairs of a run of a set; only some of them once the frame is stopped.
    pub(crate) fn search(&mut self, set: &BoxSet, run: Range<usize>, frame: &Frame<'_>) {
        let tests = run.len().saturating_mul(run.len()) / 2;
        let row = |task, tasks| run.start + first_row(task, tasks, run.len());
        self.run(threads_for(tests, NANOS_PER_TEST), |task, tasks, hits| {
            overlaps_within(set, row(task, tasks)..row(task + 1, tasks), run.end, frame, hits);
        });
    }

    /// As [`search`](Self::search), for a whole set that is sorted by its lower bounds on an axis.
    pub(crate) fn search_sorted(&mut self, set: &BoxSet, axis: Axis, frame: &Frame<'_>) {
        let n = set.len();
        self.run(threads_for(n, NANOS_PER_SORTED_ROW), |task, tasks, hits| {
            overlaps_within_sorted(set, even_rows(task, tasks, n), n, axis, frame, hits);
        });
    }

    /// Calls `search` with the number of each task, the number of tasks, and the task's list of hits.
    fn run(&mut self, threads: usize, search: impl Fn(usize, usize, &mut Vec<[u32; 2]>) + Sync) {
        let (tasks, room) = (tasks_for(threads), self.room);
        self.tasks.resize(tasks);
        self.tasks.run(|number, task| {
            room.renew(&mut task.hits, task.most);
            search(number, tasks, &mut task.hits);
            task.now = task.now.max(task.hits.len());
            task.most = task.most.max(task.now);
        });
        self.tasks.as_slice().iter().for_each(|task| self.room.learn(task.0.hits.len()));
    }

    /// The overlaps of the last search, in a list per task: positions in its set, the lower first.
    pub(crate) fn hits(&self) -> impl Iterator<Item = &[[u32; 2]]> {
        self.tasks.as_slice().iter().map(|task| &task.0.hits[..])
    }
}

/// First row of a task, so that all tasks have about as many of the n(n-1)/2 pairs. Row i has n-1-i of
/// them, so the rows from i on hold a share (1 - i/n)² of all.
fn first_row(task: usize, tasks: usize, n: usize) -> usize {
    let share_left = 1.0 - task as f64 / tasks as f64;
    n - (n as f64 * share_left.sqrt()).round() as usize
}

/// Rows of a task where the length of rows is unknown: the same number for all tasks.
fn even_rows(task: usize, tasks: usize, n: usize) -> Range<usize> {
    n * task / tasks..n * (task + 1) / tasks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use crate::parallel::fewest_for_two;
    use glam::Vec3;

    #[test]
    fn tasks_cover_every_row_once() {
        for n in [0, 1, 2, 17, 1000] {
            for tasks in [1, 2, 16] {
                assert_eq!(first_row(0, tasks, n), 0);
                assert_eq!(first_row(tasks, tasks, n), n);
                for task in 0..tasks {
                    assert!(first_row(task, tasks, n) <= first_row(task + 1, tasks, n));
                }
                assert_eq!(even_rows(0, tasks, n).start, 0);
                assert_eq!(even_rows(tasks - 1, tasks, n).end, n);
            }
        }
    }

    #[test]
    fn search_replaces_earlier_hits() {
        let mut set = BoxSet::default();
        let mut tasks = RowTasks::default();
        assert_eq!(tasks.hits().count(), 0, "before the first search");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for n in [fewest_for_two(NANOS_PER_SORTED_ROW), 3, 0] {
            let chain: Vec<_> = (0..n).map(|i| Vec3::splat(i as f32)).collect();
            let boxes: Vec<_> = chain.iter().map(|&at| Aabb::new(at, at + 1.5)).collect();
            set.copy_from(&boxes);
            let frame = Frame::new(&boxes);
            let expected: Vec<_> = (1..n as u32).map(|i| [i - 1, i]).collect();
            pool.install(|| tasks.search(&set, 0..n, &frame));
            assert_eq!(tasks.hits().flatten().copied().collect::<Vec<_>>(), expected, "{n} boxes");
            pool.install(|| tasks.search_sorted(&set, Axis::Z, &frame));
            assert_eq!(
                tasks.hits().flatten().copied().collect::<Vec<_>>(),
                expected,
                "{n} sorted boxes"
            );
        }
    }
}
