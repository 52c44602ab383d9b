//! Work distributed over the threads of the pool. No other module of the crate does that.
//!
//! Every function here gives the same result on any number of threads. Only the thread that runs a task may
//! differ between runs.
//!
//! The caller states the amount of work: a number of items, and the time of one item on one thread.
//! [`threads_for`] gives the number of threads that pay for it. The functions below take this number, and
//! only call the closure where it is 1.
//!
//! Scratch of a task lies in cache lines of its own ([`Aligned`]) and is kept from frame to frame:
//! in [`Tasks`], or in [`OrderedTasks`] where tasks find pairs. Steady frames hardly allocate.
//! So `pool` distributes work by `rayon::join` and parallel iterators, whose jobs lie on the stack. `scope` and
//! `broadcast` wake a thread no sooner, and allocate. There is one thread without the feature `rayon`, where the system
//! refuses threads, and in a child process of `fork`.

mod ordered;
#[cfg_attr(not(feature = "rayon"), path = "one_thread.rs")]
mod pool;
mod search;

use crate::memory::{Memory, memory};
use std::ops::{Deref, DerefMut};

pub(crate) use ordered::OrderedTasks;
pub(crate) use search::{Rows, Search, SearchTasks, Work};

/// Least work of a thread, in nanoseconds. Less is finished before another thread has woken.
///
/// Measured after 1 ms without work: a thread begins after 10 to 20 us on a running processor, and after
/// 100 us on a halted virtual one.
///
/// Did not pay: a job that keeps another thread awake until the call ends, with a fifth of this as the least work (two threads,
/// gas 30,000: 1.54 to 1.61 million cycles a frame, gas 100,000: 5.09 to 5.01).
const NANOS_PER_THREAD: usize = 100_000;

/// Tasks for each thread: several, so that one slow thread does not delay the frame.
pub(crate) const TASKS_PER_THREAD: usize = 8;

/// Returns the number of threads of the pool that pay for some work, at least 1.
///
/// `nanos_each` is the time of an item on one thread, in nanoseconds. A factor of two does not matter.
pub(crate) fn threads_for(items: usize, nanos_each: usize) -> usize {
    match items.saturating_mul(nanos_each) / NANOS_PER_THREAD {
        0 | 1 => 1,
        paid => paid.min(pool::current_num_threads()),
    }
}

/// Returns the number of tasks into which to divide work for some threads.
pub(crate) fn tasks_for(threads: usize) -> usize {
    if threads == 1 { 1 } else { threads * TASKS_PER_THREAD }
}

/// Calls both functions, at the same time where there are several threads.
pub(crate) fn join<A: Send, B: Send>(
    threads: usize,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if threads > 1 { pool::join(a, b) } else { (a(), b()) }
}

/// Calls `run` with the number of each item and the item, each in a separate task.
pub(crate) fn for_each<T: Send>(
    threads: usize,
    items: &mut [T],
    run: impl Fn(usize, &mut T) + Sync,
) {
    let run_all = |first: usize, items: &mut [T]| {
        (first..).zip(items).for_each(|(number, item)| run(number, item));
    };
    if threads > 1 && items.len() > 1 {
        pool::for_each_chunk(items, 1, run_all);
    } else {
        run_all(0, items);
    }
}

/// Calls `run` with chunks of some items, and with the number of the first item of each.
pub(crate) fn for_each_chunk<T: Send>(
    threads: usize,
    items: &mut [T],
    run: impl Fn(usize, &mut [T]) + Sync,
) {
    if threads > 1 {
        let len = items.len().div_ceil(tasks_for(threads)).max(1);
        pool::for_each_chunk(items, len, |number, chunk| run(number * len, chunk));
    } else {
        run(0, items);
    }
}

/// A value in separate cache lines, so that threads that write neighbouring values do not slow each other
/// down. Two lines: processors fetch them in pairs.
///
/// Measured: two threads that count and append in adjacent headers take two to three times as long.
#[derive(Clone, Debug, Default)]
#[repr(align(128))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// The scratch of tasks, kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks<T> {
    /// Scratch beyond `used` keep their memory for a frame that needs them.
    each: Vec<Aligned<T>>,
    used: usize,
}

memory!(Aligned<T: Memory>: 0);

impl<T> Deref for Aligned<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Memory> Memory for Tasks<T> {
    fn heap_bytes(&self) -> usize {
        let elements = self.each.iter().map(Memory::heap_bytes).sum::<usize>();
        self.each.capacity() * size_of::<Aligned<T>>() + elements
    }

    fn trim(&mut self) {
        self.each.truncate(self.used);
        self.each.shrink_to_fit();
        self.each.iter_mut().for_each(Memory::trim);
    }
}

impl<T: Default + Send> Tasks<T> {
    /// Sets the number of tasks. The scratch of others is kept for another frame.
    pub(crate) fn resize(&mut self, tasks: usize) {
        if self.each.len() < tasks {
            self.each.resize_with(tasks, Aligned::default);
        }
        self.used = tasks;
    }

    /// Calls `run` with the number of each task and its scratch, on all threads where there are
    /// several tasks.
    pub(crate) fn run(&mut self, run: impl Fn(usize, &mut T) + Sync) {
        let tasks = &mut self.each[..self.used];
        for_each(tasks.len(), tasks, |number, task| run(number, &mut task.0));
    }

    /// The scratch of each task.
    pub(crate) fn as_slice(&self) -> &[Aligned<T>] {
        &self.each[..self.used]
    }

    /// The scratch of each task, to be divided between threads.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Aligned<T>] {
        &mut self.each[..self.used]
    }
}

/// Returns the fewest items that two threads pay for.
#[cfg(test)]
pub(crate) fn fewest_for_two(nanos_each: usize) -> usize {
    (2 * NANOS_PER_THREAD).div_ceil(nanos_each)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `run` in a separate pool.
    fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
    }

    #[test]
    #[cfg(feature = "rayon")]
    fn number_of_threads_follows_from_the_work() {
        for (items, nanos, expected) in [(0, 9, 1), (1999, 100, 1), (2000, 100, 2), (3000, 100, 3)]
        {
            assert_eq!(on_threads(3, || threads_for(items, nanos)), expected, "{items} items");
        }
        assert_eq!(on_threads(3, || threads_for(usize::MAX, 100)), 3);
        assert_eq!(on_threads(1, || threads_for(usize::MAX, 100)), 1);
        assert_eq!(on_threads(2, || threads_for(fewest_for_two(7), 7)), 2);
        assert_eq!(on_threads(2, || threads_for(fewest_for_two(7) - 1, 7)), 1);
    }

    #[test]
    fn chunks_cover_every_item_once() {
        for threads in [1, 2, 3, 8] {
            for len in [0, 1, 7, 64, 65, 1000] {
                let mut items = vec![0; len];
                on_threads(threads, || {
                    for_each_chunk(threads, &mut items, |first, chunk| {
                        chunk.iter_mut().zip(first..).for_each(|(item, at)| *item += at + 1);
                    });
                });
                assert!(items.into_iter().eq(1..=len), "{len} items, {threads} threads");
            }
        }
    }

    #[test]
    fn tasks_keep_their_scratch_beyond_those_in_use() {
        let mut tasks = Tasks::<Vec<usize>>::default();
        for count in [3, 1, 5] {
            tasks.resize(count);
            on_threads(2, || tasks.run(|number, runs| runs.push(number)));
            assert_eq!(tasks.as_slice().len(), count);
        }
        let runs: Vec<_> = tasks.as_slice().iter().map(|task| task.0.clone()).collect();
        assert_eq!(runs, [vec![0; 3], vec![1; 2], vec![2; 2], vec![3], vec![4]]);
        assert!(tasks.heap_bytes() >= 9 * size_of::<usize>() + 5 * 128);
    }
}
