//! Pools of threads, one for each number of threads that is measured.

use super::error::RunError;
use rayon::{ThreadPool, ThreadPoolBuilder, current_num_threads};

/// Pools that sleep until they are used.
#[derive(Debug)]
pub struct Pools {
    /// `None`: the calling thread, which is the only one of the pool that it is in.
    pools: Vec<(u32, Option<ThreadPool>)>,
}

/// Makes the calling thread the only one of rayon's global pool, to which work belongs that is in no other pool. So that
/// needs no thread, which the system may refuse: rayon would panic. Nothing is changed if the pool exists.
///
/// Any other thread that works in the global pool waits for this one.
pub fn work_on_this_thread() {
    let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
}

/// Calls `work` in a pool with a thread for each processor; here, where the system refuses one of them.
pub fn work_on_all_processors<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

impl Pools {
    /// A pool for each number of threads. One thread that cannot be started is the calling one if that is in a pool of
    /// one: see [`work_on_this_thread`].
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn new(threads: &[u32]) -> Result<Self, RunError> {
        let pool =
            |&threads: &u32| match ThreadPoolBuilder::new().num_threads(threads as usize).build() {
                Ok(pool) => Ok((threads, Some(pool))),
                Err(_) if threads == 1 && current_num_threads() == 1 => Ok((threads, None)),
                Err(source) => Err(RunError::Threads(threads, source.into())),
            };
        Ok(Self { pools: threads.iter().map(pool).collect::<Result<_, _>>()? })
    }

    /// Runs `work` in the pool of `threads` threads: all of it, so that an algorithm sees their
    /// number. `threads` must be one of those that the pools were made for.
    pub fn install<T: Send>(&self, threads: u32, work: impl FnOnce() -> T + Send) -> T {
        match self.pools.iter().find(|(number, _)| *number == threads) {
            Some((_, Some(pool))) => pool.install(work),
            Some((_, None)) => work(),
            None => unreachable!("no pool was made for {threads} threads"),
        }
    }
}
