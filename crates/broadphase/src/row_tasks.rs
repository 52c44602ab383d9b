//! Searches of a run of boxes, their rows shared out over the threads of the pool.

use crate::box_set::{BoxSet, overlaps_within, overlaps_within_sorted};
use crate::scratch::SharedRoom;
use crate::{Axis, Frame};
use rayon::prelude::*;
use std::ops::Range;

/// Fewer boxes than this are done before another thread has woken.
pub(crate) const PARALLEL_FROM: usize = 1024;

/// Tasks per thread: several, so that one that is held up does not hold up the frame.
const TASKS_PER_THREAD: usize = 8;

/// The overlaps found by the last search, task by task.
#[derive(Debug, Default)]
pub(crate) struct RowTasks {
    tasks: Vec<Task>,
    /// How many of the tasks the last search needed.
    used: usize,
    /// For the hits of a task.
    room: SharedRoom,
}

/// Hits that one task found. Aligned to two cache lines: neighbours pushed to by different threads
/// would otherwise share one.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Task {
    hits: Vec<[u32; 2]>,
    /// The most that any search has found.
    most: usize,
}

impl RowTasks {
    /// Searches all pairs of a run of a set; some of them only, once the frame is stopped.
    pub(crate) fn search(&mut self, set: &BoxSet, run: Range<usize>, frame: &Frame<'_>) {
        let row = |task, tasks| run.start + first_row(task, tasks, run.len());
        self.share_out(run.len(), |task, tasks, hits| {
            overlaps_within(set, row(task, tasks)..row(task + 1, tasks), run.end, frame, hits);
        });
    }

    /// As [`search`](Self::search), for a whole set in the order of its lower bounds on an axis.
    pub(crate) fn search_sorted(&mut self, set: &BoxSet, axis: Axis, frame: &Frame<'_>) {
        let n = set.len();
        self.share_out(n, |task, tasks, hits| {
            overlaps_within_sorted(set, even_rows(task, tasks, n), n, axis, frame, hits);
        });
    }

    fn share_out(&mut self, n: usize, search: impl Fn(usize, usize, &mut Vec<[u32; 2]>) + Sync) {
        let threads = rayon::current_num_threads();
        let tasks = if threads == 1 || n < PARALLEL_FROM { 1 } else { threads * TASKS_PER_THREAD };
        if self.tasks.len() < tasks {
            self.tasks.resize_with(tasks, Task::default);
        }
        self.used = tasks;
        let room = self.room;
        let run = |(index, task): (usize, &mut Task)| {
            task.most = task.most.max(task.hits.len());
            room.renew(&mut task.hits, task.most);
            search(index, tasks, &mut task.hits);
        };
        if tasks == 1 {
            run((0, &mut self.tasks[0]));
        } else {
            self.tasks[..tasks].par_iter_mut().enumerate().for_each(run);
        }
        self.tasks[..tasks].iter().for_each(|task| self.room.learn(task.hits.len()));
    }

    /// The overlaps of the last search, in a list per task: positions in its set, the lower first.
    pub(crate) fn hits(&self) -> impl Iterator<Item = &[[u32; 2]]> {
        self.tasks[..self.used].iter().map(|task| &task.hits[..])
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let hits: usize = self.tasks.iter().map(|task| task.hits.capacity()).sum();
        self.tasks.capacity() * size_of::<Task>() + hits * size_of::<[u32; 2]>()
    }
}

/// First row of a task, so that every task has about as many of the n(n-1)/2 pairs: row i has
/// n-1-i of them, so the rows from i on hold a share (1 - i/n)² of all.
fn first_row(task: usize, tasks: usize, n: usize) -> usize {
    let share_left = 1.0 - task as f64 / tasks as f64;
    n - (n as f64 * share_left.sqrt()).round() as usize
}

/// Rows of a task where a row's length is not known beforehand: as many as any other has.
fn even_rows(task: usize, tasks: usize, n: usize) -> Range<usize> {
    n * task / tasks..n * (task + 1) / tasks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
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
    fn a_search_forgets_the_one_before() {
        let mut set = BoxSet::default();
        let mut tasks = RowTasks::default();
        assert_eq!(tasks.hits().count(), 0, "before the first search");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for n in [PARALLEL_FROM + 1, 3, 0] {
            let chain: Vec<_> = (0..n).map(|i| Vec3::splat(i as f32)).collect();
            let boxes: Vec<_> = chain.iter().map(|&at| Aabb::new(at, at + 1.5)).collect();
            set.copy_from(&boxes);
            let frame = Frame::new(&boxes, 0.0);
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
