//! The thread pool that a search is called in.

use rayon::prelude::*;

pub(super) use rayon::{current_num_threads, join};

/// Calls `run` with the number of each item and the item, each in a job of its own.
pub(super) fn for_each<T: Send>(items: &mut [T], run: impl Fn(usize, &mut T) + Sync) {
    let items = items.par_iter_mut().with_max_len(1).enumerate();
    items.for_each(|(number, item)| run(number, item));
}

/// Calls `run` with the number of each chunk of `len` items and the chunk, each in a job of its own.
pub(super) fn for_each_chunk<T: Send>(
    items: &mut [T],
    len: usize,
    run: impl Fn(usize, &mut [T]) + Sync,
) {
    let chunks = items.par_chunks_mut(len).with_max_len(1).enumerate();
    chunks.for_each(|(number, chunk)| run(number, chunk));
}

/// Calls `run` that many times, each in a job of its own.
pub(super) fn repeat(times: usize, run: impl Fn() + Sync) {
    (0..times).into_par_iter().with_max_len(1).for_each(|_| run());
}
