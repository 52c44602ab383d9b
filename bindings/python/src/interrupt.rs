//! Signals during a call: the search runs on a thread of its own, while the calling thread runs their handlers.
//!
//! Python runs handlers on its main thread only. Calls of other threads, and short ones, need no second thread.

use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

/// Tests of two boxes from which a call may take long: for as many, the slowest algorithm takes some hundredths of a second.
/// A thread costs 20 to 40 us.
const MANY: usize = 1 << 22;

/// Time between two checks for signals.
const PAUSE: Duration = Duration::from_millis(20);

/// Calls `run`, with at most `tests` tests of two boxes, while other Python threads run. If the handler of a signal raises an exception, sets `stop`, waits for the
/// end, and raises it.
pub(crate) fn watched<R: Send>(
    py: Python<'_>,
    tests: usize,
    stop: &AtomicBool,
    run: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    if tests < MANY || !is_main_thread(py)? {
        return Ok(py.detach(run));
    }
    let mut run = Some(run);
    let mut search = || run.take().expect("a search runs once")();
    // If no thread can begin, the calling one searches, and handles signals afterwards.
    py.detach(|| Ok(watch(stop, &mut search)?.unwrap_or_else(search)))
}

/// Calls `search` on a thread of its own, and handles signals meanwhile. `None` if no thread can begin.
fn watch<R: Send>(
    stop: &AtomicBool,
    search: &mut (impl FnMut() -> R + Send),
) -> PyResult<Option<R>> {
    scope(|scope| {
        let (running, end) = channel::<()>();
        let search = move || {
            // Dropped at the end, by a panic too.
            let _running = running;
            search()
        };
        let Ok(thread) = Builder::new().spawn_scoped(scope, search) else { return Ok(None) };
        let mut outcome = Ok(());
        while outcome.is_ok() && end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            outcome = Python::attach(|py| py.check_signals());
        }
        stop.store(outcome.is_err(), Ordering::Relaxed);
        let found = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        outcome.map(|()| Some(found))
    })
}

/// Whether signals are handled on this thread.
fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    main.eq(threading.call_method0("get_ident")?)
}
