//! Every box against every other: the reference that all other algorithms are tested against.
//!
//! It is also the baseline of every speed-up, so it is written to be fast: boxes in
//! structure-of-arrays form, sixteen compared in a step without a branch, rows shared out over the
//! threads of the pool. A slow baseline would flatter the others.

use crate::box_set::{BoxSet, overlaps_within};
use crate::scratch::renew;
use crate::{Algorithm, BroadPhase, Counters, Frame, Inspect, Pair};
use rayon::prelude::*;

/// Its row in the registry.
pub const ROW: Algorithm = Algorithm {
    id: "brute-force",
    name: "Brute force",
    summary: "tests all n(n-1)/2 pairs; the reference",
    source: "Kurtanjek 2008, sections 3.1 and 4.1 (the classic method)",
    overlays: &[],
    memory: |n| n * size_of::<crate::Aabb>() as u64,
    build: |_| Box::<BruteForce>::default(),
};

/// Fewer objects than this are done before another thread has woken.
const PARALLEL_FROM: usize = 1024;

/// Tests all pairs. O(n²) time, O(n) memory.
#[derive(Debug, Default)]
pub struct BruteForce {
    boxes: BoxSet,
    tasks: Vec<Task>,
}

/// Hits that one task found. Aligned to two cache lines: neighbours pushed to by different threads
/// would otherwise share one.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Task {
    hits: Vec<[u32; 2]>,
}

impl BroadPhase for BruteForce {
    fn update(&mut self, frame: &Frame<'_>) {
        self.boxes.copy_from(frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let n = self.boxes.len();
        let threads = rayon::current_num_threads();
        // Several tasks a thread, so that one that is held up does not hold up the frame.
        let tasks = if threads == 1 || n < PARALLEL_FROM { 1 } else { threads * 8 };
        if self.tasks.len() < tasks {
            self.tasks.resize_with(tasks, Task::default);
        }
        let boxes = &self.boxes;
        let search = |(index, task): (usize, &mut Task)| {
            renew(&mut task.hits);
            let rows = first_row(index, tasks, n)..first_row(index + 1, tasks, n);
            overlaps_within(boxes, rows, n, frame, &mut task.hits);
        };
        if tasks == 1 {
            search((0, &mut self.tasks[0]));
        } else {
            self.tasks[..tasks].par_iter_mut().enumerate().for_each(search);
        }
        for task in &self.tasks[..tasks] {
            let admitted = task.hits.iter().filter(|&&[a, b]| frame.admits(a, b));
            pairs.extend(admitted.map(|&[a, b]| Pair { a, b }));
        }
    }

    fn counters(&self) -> Counters {
        let n = self.boxes.len() as u64;
        Counters { tests: n * n.saturating_sub(1) / 2, ..Counters::default() }
    }

    fn heap_bytes(&self) -> usize {
        let hits: usize = self.tasks.iter().map(|t| t.hits.capacity()).sum();
        self.boxes.heap_bytes()
            + self.tasks.capacity() * size_of::<Task>()
            + hits * size_of::<[u32; 2]>()
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(
            self.boxes.len(),
            frame.boxes.len(),
            "brute-force holds another number of boxes"
        );
        for (i, b) in frame.boxes.iter().enumerate() {
            let held = self.boxes.get(i);
            if b.is_empty() {
                assert!(held.is_empty(), "brute-force holds a box of absent object {i}");
            } else {
                assert_eq!(held, *b, "brute-force holds another box of object {i}");
            }
        }
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

impl Inspect for BruteForce {
    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        let n = self.boxes.len();
        tests.iter_mut().take(n).for_each(|tests| *tests = n as u32 - 1);
    }
}

/// First row of a task, so that every task has about as many of the n(n-1)/2 pairs: row i has
/// n-1-i of them, so the rows from i on hold a share (1 - i/n)² of all.
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
                assert_eq!(first_row(0, tasks, n), 0);
                assert_eq!(first_row(tasks, tasks, n), n);
                for task in 0..tasks {
                    assert!(first_row(task, tasks, n) <= first_row(task + 1, tasks, n));
                }
            }
        }
    }
}
