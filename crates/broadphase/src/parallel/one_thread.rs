//! The calling thread in place of a pool, without the feature `rayon`.

/// The number of threads.
pub(super) fn current_num_threads() -> usize {
    1
}

/// Calls both functions, one after the other.
pub(super) fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
    (a(), b())
}

/// Calls `run` with the number of each chunk of `len` items and the chunk.
pub(super) fn for_each_chunk<T>(items: &mut [T], len: usize, run: impl Fn(usize, &mut [T])) {
    items.chunks_mut(len).enumerate().for_each(|(number, chunk)| run(number, chunk));
}

/// Calls `run` that many times.
pub(super) fn repeat(times: usize, run: impl Fn()) {
    (0..times).for_each(|_| run());
}
