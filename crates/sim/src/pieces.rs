//! How work is divided among threads.

/// Pieces of work for each thread: some take longer than others.
const PIECES: usize = 4;

/// How many pieces `count` entries are divided into, each with scratch of its own: one below `parallel_from`, where a
/// thread is done before another one wakes. Results must not depend on it.
pub(crate) fn pieces(count: usize, parallel_from: usize) -> usize {
    if count < parallel_from { 1 } else { PIECES * rayon::current_num_threads() }
}
