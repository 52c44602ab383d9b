//! The state of an instance, kept from call to call, and its use by a call.

use crate::argument::Argument;
use crate::threads::Threads;
use crate::{environment, interrupt};
use broadphase::{Limits, PairLimit};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, TryLockError};

/// The state of an instance, and the threads that its calls use.
pub(crate) struct Kept<T> {
    threads: Threads,
    /// Makes a state: the first, and those that replace a poisoned one.
    new: Box<dyn Fn() -> T + Send + Sync>,
    /// Locked during a call. Poisoned if that panicked.
    state: Mutex<T>,
}

/// The size of a call: whether it may take long, and more memory than there is.
pub(crate) struct Size {
    /// Most tests of two boxes.
    pub(crate) tests: usize,
    /// Most results that it can have.
    pub(crate) results: usize,
    /// Most bytes that a result takes in all lists while these grow.
    pub(crate) bytes_each: usize,
    /// Bytes of the state without results; and those that it holds.
    pub(crate) structure: usize,
    pub(crate) held: usize,
}

/// A list with room for as many items as are meant to be appended.
pub(crate) fn room<T>(items: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    let reserved = list.try_reserve_exact(items);
    reserved.map_err(|_| PyMemoryError::new_err("the result does not fit into memory"))?;
    Ok(list)
}

/// A list of as many items as there are.
pub(crate) fn collect<T>(items: impl ExactSizeIterator<Item = T>) -> PyResult<Vec<T>> {
    let mut list = room(items.len())?;
    list.extend(items);
    Ok(list)
}

impl<T: Send> Kept<T> {
    pub(crate) fn new(
        threads: Option<Argument<'_, '_>>,
        new: impl Fn() -> T + Send + Sync + 'static,
    ) -> PyResult<Self> {
        let state = Mutex::new(new());
        Ok(Self { threads: Threads::new(threads)?, new: Box::new(new), state })
    }

    /// Calls `search` with the state, within limits, while other Python threads run and signals are handled. Its error is
    /// raised; so is MemoryError where it finds more than fits into memory, and the exception of a signal's handler. A state
    /// whose call panicked is replaced by a new one.
    ///
    /// Never waits for the state: in a child process of `fork`, there may be no thread that would unlock it.
    pub(crate) fn call<R: Send>(
        &self,
        py: Python<'_>,
        size: impl FnOnce(&T) -> Size,
        search: impl FnOnce(&mut T, Limits<'_>) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        environment::check()?;
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => {
                let mut state = poisoned.into_inner();
                *state = (self.new)();
                self.state.clear_poison();
                state
            }
            Err(TryLockError::WouldBlock) => {
                let text = "another thread is in a call on this instance: use one for each thread";
                return Err(PyRuntimeError::new_err(text));
            }
        };
        let (pool, state) = (self.threads.pool()?, &mut *state);
        let Size { tests, results, bytes_each, structure, held } = size(state);
        let Some(limit) = PairLimit::fitting(results, bytes_each, structure, held) else {
            let text = "the boxes are too many for the free memory";
            return Err(PyMemoryError::new_err(text));
        };
        let stop = AtomicBool::new(false);
        let limits = Limits::NONE.stopped_by(&stop).most_pairs(&limit);
        let search = || search(state, limits);
        let found = interrupt::watched(py, tests, &stop, || match pool {
            Some(pool) => pool.install(search),
            None => search(),
        })?;
        if limit.is_exceeded() {
            let text = format!("more than {} results: they do not fit into memory", limit.most());
            return Err(PyMemoryError::new_err(text));
        }
        found
    }
}
