//! The threads of a search: the process' pool, or a pool with a chosen number of threads.
//!
//! Pools are kept until the process ends, one for each number of threads. A child process of `fork` has none of its
//! parent's threads, so it makes pools of its own.

use crate::argument::{Argument, scalar};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// Most threads of a pool.
const MAX_THREADS: usize = 1024;

/// The pools, each with the process that it runs in, and its number of threads.
static POOLS: Mutex<Vec<(u32, usize, &ThreadPool)>> = Mutex::new(Vec::new());

/// The number of threads that a user chose; `None` for the process' pool, whose number `RAYON_NUM_THREADS` sets.
#[derive(Clone, Copy)]
pub(crate) struct Threads(Option<usize>);

impl Threads {
    /// Refuses 0, and numbers that no machine has.
    pub(crate) fn new(threads: Option<Argument<'_, '_>>) -> PyResult<Self> {
        let expected = format!("None or a whole number from 1 to {MAX_THREADS}");
        let admits = |count: &usize| (1..=MAX_THREADS).contains(count);
        let read = |argument| scalar(argument, "threads", &expected, admits);
        threads.map(read).transpose().map(Self)
    }

    /// The pool with that many threads; `None` for the process' pool.
    pub(crate) fn pool(self) -> PyResult<Option<&'static ThreadPool>> {
        let Some(threads) = self.0 else { return Ok(None) };
        let process = std::process::id();
        // Held only while the interpreter is: no other thread can fork meanwhile, and leave it locked in the child.
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        let known = pools.iter().find(|known| (known.0, known.1) == (process, threads));
        if let Some((.., pool)) = known {
            return Ok(Some(*pool));
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let refused = |error| format!("threads: cannot start a pool of {threads}: {error}");
        let pool = pool.map_err(|error| PyRuntimeError::new_err(refused(error)))?;
        let pool = Box::leak(Box::new(pool));
        pools.push((process, threads, pool));
        Ok(Some(pool))
    }
}
