//! Pools of threads, one for each number of threads that is measured.

use super::error::RunError;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Pools that sleep until they are used.
#[derive(Debug)]
pub struct Pools {
    pools: Vec<(u32, ThreadPool)>,
}

impl Pools {
    /// A pool for each number of threads.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn new(threads: &[u32]) -> Result<Self, RunError> {
        let pool =
            |&threads: &u32| match ThreadPoolBuilder::new().num_threads(threads as usize).build() {
                Ok(pool) => Ok((threads, pool)),
                Err(source) => Err(RunError::Threads { threads, source }),
            };
        Ok(Self { pools: threads.iter().map(pool).collect::<Result<_, _>>()? })
    }

    /// Runs `work` in the pool of the most threads.
    pub fn install_widest<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self.pools.iter().max_by_key(|(threads, _)| threads) {
            Some((_, pool)) => pool.install(work),
            None => work(),
        }
    }

    /// Runs `work` in the pool of `threads` threads: all of it, so that an algorithm sees their
    /// number. `threads` must be one of those that the pools were made for.
    pub fn install<T: Send>(&self, threads: u32, work: impl FnOnce() -> T + Send) -> T {
        match self.pools.iter().find(|(number, _)| *number == threads) {
            Some((_, pool)) => pool.install(work),
            None => unreachable!("no pool was made for {threads} threads"),
        }
    }
}
