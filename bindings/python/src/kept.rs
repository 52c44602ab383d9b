//! The state of an instance, kept from call to call, and its use by a call.

use crate::threads::Threads;
use crate::{environment, interrupt};
use broadphase::{Limits, PairLimit};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, TryLockError};

/// The state of an instance, and the threads that its calls use.
pub(crate) struct Kept<T> {
    threads: Threads,
    /// Locked during a call. Poisoned if that panicked.
    state: Mutex<T>,
}

/// The size of a call: whether it may take long, and more memory than there is.
#[derive(Clone, Copy)]
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

impl Size {
    /// The bound on the results.
    fn limit(self) -> PyResult<PairLimit> {
        let Self { results, bytes_each, structure, held, .. } = self;
        let limit = PairLimit::fitting(results, bytes_each, structure, held);
        limit.ok_or_else(|| PyMemoryError::new_err("the boxes are too many for the free memory"))
    }
}

/// Why a search has no result.
pub(crate) enum Refusal {
    Argument(String),
    Memory,
}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self::Argument(text)
    }
}

impl From<std::collections::TryReserveError> for Refusal {
    fn from(_: std::collections::TryReserveError) -> Self {
        Self::Memory
    }
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Argument(text) => PyValueError::new_err(text),
            Refusal::Memory => PyMemoryError::new_err("the result does not fit into memory"),
        }
    }
}

/// A list with room for as many items as are meant to be appended.
pub(crate) fn room<T>(items: usize) -> Result<Vec<T>, Refusal> {
    let mut list = Vec::new();
    list.try_reserve_exact(items)?;
    Ok(list)
}

/// A list of as many items as there are.
pub(crate) fn collect<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Refusal> {
    let mut list = room(items.len())?;
    list.extend(items);
    Ok(list)
}

impl<T: Send> Kept<T> {
    pub(crate) fn new(threads: Option<&Bound<'_, PyAny>>, state: T) -> PyResult<Self> {
        Ok(Self { threads: Threads::new(threads)?, state: Mutex::new(state) })
    }

    /// Calls `search` with the state, within limits, while other Python threads run and signals are handled. Its refusal is
    /// raised; so is MemoryError where it finds more than fits into memory, and the exception of a signal's handler. A state
    /// whose call panicked is replaced by a new one.
    ///
    /// Never waits for the state: in a child process of `fork`, there may be no thread that would unlock it.
    pub(crate) fn call<R: Send>(
        &self,
        py: Python<'_>,
        new: impl FnOnce() -> T,
        size: impl FnOnce(&T) -> Size,
        search: impl FnOnce(&mut T, Limits<'_>) -> Result<R, Refusal> + Send,
    ) -> PyResult<R> {
        environment::check()?;
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => {
                let mut state = poisoned.into_inner();
                *state = new();
                self.state.clear_poison();
                state
            }
            Err(TryLockError::WouldBlock) => {
                let text = "another thread is in a call on this instance: use one for each thread";
                return Err(PyRuntimeError::new_err(text));
            }
        };
        let (pool, state) = (self.threads.pool()?, &mut *state);
        let size = size(state);
        let (stop, limit) = (AtomicBool::new(false), size.limit()?);
        let limits = Limits::NONE.stopped_by(&stop).most_pairs(&limit);
        let search = || search(state, limits);
        let found = interrupt::watched(py, size.tests, &stop, || match pool {
            Some(pool) => pool.install(search),
            None => search(),
        })?;
        if limit.is_exceeded() {
            let text = format!("more than {} results: they do not fit into memory", limit.most());
            return Err(PyMemoryError::new_err(text));
        }
        Ok(found?)
    }
}
