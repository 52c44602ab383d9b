//! The state of an instance, kept from call to call, and its use by a call.

use crate::environment;
use crate::threads::Threads;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, TryLockError};

/// The state of an instance, and the threads that its calls use.
pub(crate) struct Kept<T> {
    threads: Threads,
    /// Locked during a call. Poisoned if that panicked.
    state: Mutex<T>,
}

impl<T: Send> Kept<T> {
    pub(crate) fn new(threads: Option<&Bound<'_, PyAny>>, state: T) -> PyResult<Self> {
        Ok(Self { threads: Threads::new(threads)?, state: Mutex::new(state) })
    }

    /// Calls `search` with the state, while other Python threads run. Its refusal is raised as ValueError. A state whose
    /// call panicked is replaced by a new one.
    ///
    /// Never waits for the state: in a child process of `fork`, there may be no thread that would unlock it.
    pub(crate) fn call<R: Send>(
        &self,
        py: Python<'_>,
        new: impl FnOnce() -> T,
        search: impl FnOnce(&mut T) -> Result<R, String> + Send,
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
        let found = py.detach(|| match pool {
            Some(pool) => pool.install(|| search(state)),
            None => search(state),
        });
        found.map_err(PyValueError::new_err)
    }
}
