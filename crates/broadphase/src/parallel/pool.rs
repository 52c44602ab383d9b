//! The thread pool that a search is called in.
//!
//! A job in a pool without threads waits for ever, or panics: in a child process of `fork`, which has none of its parent's
//! threads, and where the system refuses a thread of the global pool. So the pool is used only in the process in which its
//! threads were seen to run. Otherwise it counts as one thread, and no job is started. A process is known by its id: the cost is
//! a system call for each distribution of work. Limit: a descendant with an ancestor's id, reused or in another PID
//! namespace, is mistaken for it, and its search hangs.

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::error::Error;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The process whose threads are used: those of the global pool, and those of a pool that the caller is a thread of.
/// 0 before the first use.
static PROCESS: [AtomicU32; 2] = [AtomicU32::new(0), AtomicU32::new(0)];

/// No process has this id.
const NO_PROCESS: u32 = u32::MAX;

/// Whether the threads of the global pool were started, or asked to state their process.
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Time in which a thread of the global pool answers, once per process. A thread starts within a millisecond.
const PATIENCE: Duration = Duration::from_secs(1);

/// Other systems do not fork, and some have no ids of processes.
fn process_id() -> u32 {
    if cfg!(unix) { std::process::id() } else { 1 }
}

/// Whether the pool has threads in this process.
fn has_threads() -> bool {
    // A page of a browser has one thread.
    if cfg!(target_family = "wasm") {
        return false;
    }
    let is_inside = rayon::current_thread_index().is_some();
    let process = &PROCESS[usize::from(is_inside)];
    let known = match process.load(Ordering::Relaxed) {
        0 => first_use(process, is_inside),
        known => known,
    };
    known == process_id()
}

/// Finds out in which process the threads run.
#[cold]
fn first_use(process: &'static AtomicU32, is_inside: bool) -> u32 {
    if is_inside {
        process.store(process_id(), Ordering::Relaxed);
    } else if !IS_ASKED.swap(true, Ordering::Relaxed) {
        start_global(process);
    }
    let begin = Instant::now();
    while process.load(Ordering::Relaxed) == 0 && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_micros(10));
    }
    // A thread that was only busy still corrects this.
    let unanswered = process.compare_exchange(0, NO_PROCESS, Ordering::Relaxed, Ordering::Relaxed);
    unanswered.err().unwrap_or(NO_PROCESS)
}

/// Starts the global pool. rayon itself would panic where the system refuses one of its threads, for example by a limit
/// on the number of processes.
fn start_global(process: &'static AtomicU32) {
    let state = move || process.store(process_id(), Ordering::Relaxed);
    match ThreadPoolBuilder::new().build_global() {
        Ok(()) => state(),
        Err(refused) if refused.source().is_some() => process.store(NO_PROCESS, Ordering::Relaxed),
        // The program has started it, perhaps before it forked. Then no thread answers. If its attempt failed, this panics.
        Err(_) => {
            if catch_unwind(|| rayon::spawn(state)).is_err() {
                process.store(NO_PROCESS, Ordering::Relaxed);
            }
        }
    }
}

/// The number of threads that jobs may run on. The functions below may be called only if there are several.
pub(super) fn current_num_threads() -> usize {
    if has_threads() { rayon::current_num_threads() } else { 1 }
}

pub(super) use rayon::join;

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
