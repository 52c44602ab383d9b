//! A search shared out over the threads of the pool.

use crate::Pair;
use crate::scratch::{SharedRoom, renew_for};
use rayon::prelude::*;
use std::ops::Range;

/// Less work than this, counted in objects, is done before another thread has woken.
const PARALLEL_FROM: usize = 1024;

/// Tasks a thread: several, so that one that is held up does not hold up the frame.
const TASKS_PER_THREAD: usize = 8;

/// Room for hits that every task has.
const FEWEST_HITS: usize = 1024;

/// How much a search has done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    pub(crate) tests: u64,
    pub(crate) duplicates: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.tests += other.tests;
        self.duplicates += other.duplicates;
    }
}

/// What one task finds, and its scratch. Aligned to two cache lines: neighbours written to by
/// different threads would otherwise share one.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Task {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) work: Work,
    /// Positions of overlapping boxes.
    pub(crate) hits: Vec<[u32; 2]>,
    /// Most overlaps that were found at once.
    most_hits: usize,
}

impl Task {
    fn renew(&mut self, room: SharedRoom) {
        self.work = Work::default();
        let found = self.pairs.len();
        room.renew(&mut self.pairs, found);
        // The most at once is an extreme: it still grows a little when all else is steady.
        renew_for(&mut self.hits, self.most_hits.max(FEWEST_HITS));
    }

    /// Remembers how many hits there are now, so that later frames have room for as many.
    pub(crate) fn keep_hits(&mut self) {
        self.most_hits = self.most_hits.max(self.hits.len());
    }
}

/// The tasks of a search. Their memory is kept.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    tasks: Vec<Task>,
    /// For the pairs of a task.
    room: SharedRoom,
}

impl Tasks {
    /// Calls `search` with parts of `0..steps` that together are all of it, in parallel where the
    /// whole is worth `work` objects or more, and appends the pairs of all parts.
    pub(crate) fn run(
        &mut self,
        steps: usize,
        work: usize,
        pairs: &mut Vec<Pair>,
        search: impl Fn(&mut Task, Range<usize>) + Sync,
    ) -> Work {
        let threads = rayon::current_num_threads();
        let is_serial = threads == 1 || work < PARALLEL_FROM;
        let tasks = if is_serial { 1 } else { threads * TASKS_PER_THREAD };
        if self.tasks.len() < tasks {
            self.tasks.resize_with(tasks, Task::default);
        }
        let (tasks, room) = (&mut self.tasks[..tasks], self.room);
        let first_step = |task: usize, tasks: usize| steps * task / tasks;
        let search_part = |number: usize, tasks: usize, task: &mut Task| {
            task.renew(room);
            search(task, first_step(number, tasks)..first_step(number + 1, tasks));
        };
        let count = tasks.len();
        if is_serial {
            search_part(0, 1, &mut tasks[0]);
        } else {
            let tasks = tasks.par_iter_mut().enumerate();
            tasks.for_each(|(number, task)| search_part(number, count, task));
        }
        let mut work = Work::default();
        for task in tasks {
            work += task.work;
            self.room.learn(task.pairs.len());
            pairs.extend_from_slice(&task.pairs);
        }
        work
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let lists = |task: &Task| {
            task.pairs.capacity() * size_of::<Pair>() + task.hits.capacity() * size_of::<[u32; 2]>()
        };
        self.tasks.capacity() * size_of::<Task>() + self.tasks.iter().map(lists).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_taken_once_on_every_number_of_threads() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for steps in [0, 1, 7, 1023, 1024, 5000] {
                let (mut tasks, mut pairs) = (Tasks::default(), Vec::new());
                let work = pool.install(|| {
                    tasks.run(steps, steps, &mut pairs, |task, part| {
                        task.work.tests += part.len() as u64;
                        task.pairs.extend(part.map(|step| Pair::new(step as u32, u32::MAX)));
                    })
                });
                assert_eq!(work.tests, steps as u64, "{steps} steps on {threads} threads");
                let taken = pairs.iter().map(|pair| pair.a);
                assert!(taken.eq(0..steps as u32), "{steps} steps on {threads} threads");
            }
        }
    }
}
