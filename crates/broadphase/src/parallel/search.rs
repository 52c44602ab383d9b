//! Searches whose pairs come from overlaps of boxes in a [`BoxSet`](crate::box_set::BoxSet).

use super::{OrderedTasks, tasks_for};
use crate::Pair;
use crate::memory::{Heap, Memory, memory};
use crate::scratch::renew_for;
use std::ops::Range;

/// Room for hits that every task has.
const MIN_HITS: usize = 1024;

/// The work of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Tests of two boxes.
    pub(crate) tests: u64,
    /// Overlaps that were found more than once.
    pub(crate) duplicates: u64,
}

impl std::ops::AddAssign for Work {
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
    /// Positions of overlapping boxes.
    pub(crate) hits: Vec<[u32; 2]>,
    /// Most hits found at once: in this frame, and in any before.
    hits_now: usize,
    most_hits: usize,
}

impl Memory for Search {
    fn heap(&self) -> Heap {
        // The room that every task has counts as used.
        let hits = 2 * self.hits_now.max(MIN_HITS);
        let heap = self.hits.heap();
        Heap { used: heap.held.min(hits * size_of::<[u32; 2]>()), ..heap }
    }

    fn trim(&mut self) {
        *self = Self::default();
    }
}

impl Search {
    fn renew(&mut self) {
        self.work = Work::default();
        self.most_hits = self.most_hits.max(std::mem::take(&mut self.hits_now));
        // A maximum still grows a little while all else is steady.
        renew_for(&mut self.hits, self.most_hits.max(MIN_HITS));
    }

    /// Notes the present number of hits, so that later frames have room for as many.
    pub(crate) fn keep_hits(&mut self) {
        self.hits_now = self.hits_now.max(self.hits.len());
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
            task.renew();
            search(task, pairs, steps * number / tasks..steps * (number + 1) / tasks);
        });
        self.0.fold(Work::default(), |mut all, task| {
            all += task.work;
            all
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
