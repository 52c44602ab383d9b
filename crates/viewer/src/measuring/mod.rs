//! All algorithms over the whole input, measured as `harness run` measures, on a thread of its own.
//!
//! The tables go into a folder of a run, from which the page of `harness report` is made. Without that page the folder is
//! removed again.

mod job;
mod ranking;
mod run_folder;

pub use job::Job;
pub use ranking::{RankedAlgorithm, Ranking};

use crate::platform::Platform;
use measure::{Clock, RunError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A measurement, from its request until its ranking is dropped.
pub struct Measuring {
    shared: Arc<Shared>,
    clock: &'static dyn Clock,
    /// Until it begins.
    job: Option<Job>,
    requested_ns: u64,
}

/// How far a measurement is.
#[derive(Clone, Debug)]
pub enum MeasuringState {
    /// It waits, measures or compares.
    Running(Progress),
    /// All algorithms were measured, or failed or were skipped.
    Done(Arc<Ranking>),
    /// It could not be completed, for this reason.
    Failed(String),
    /// The user stopped it.
    Stopped,
}

impl MeasuringState {
    /// Whether there is a ranking, or will be.
    pub fn has_ranking(&self) -> bool {
        matches!(self, Self::Running(_) | Self::Done(_))
    }
}

/// How far a running measurement is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The id of the algorithm that is measured; `None` between two of them, before the first and after the last.
    pub algorithm: Option<String>,
    /// Algorithms that were begun.
    pub begun: usize,
    /// Algorithms in all.
    pub of: usize,
    /// Frames of this algorithm that were measured, and all of them.
    pub frames: [u32; 2],
    /// Time since the request.
    pub elapsed: Duration,
    /// Whether the user has stopped it, and the search under way ends.
    pub is_stopping: bool,
}

/// State that both threads share.
struct Shared {
    stop: AtomicBool,
    state: Mutex<MeasuringState>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, MeasuringState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(&self, change: impl FnOnce(&mut Progress)) {
        if let MeasuringState::Running(progress) = &mut *self.state() {
            change(progress);
        }
    }
}

impl Measuring {
    /// A measurement that [`begin`](Self::begin) is to begin.
    pub fn requested(job: Job, clock: &'static dyn Clock) -> Self {
        let progress = Progress {
            of: job.algorithms.len(),
            frames: [0, job.case.total_frames()],
            ..Progress::default()
        };
        let state = Mutex::new(MeasuringState::Running(progress));
        let shared = Arc::new(Shared { stop: AtomicBool::new(false), state });
        Self { shared, clock, job: Some(job), requested_ns: clock.now_ns() }
    }

    /// Whether it waits to be begun.
    pub fn waits(&self) -> bool {
        self.job.is_some()
    }

    /// Begins it on a thread, once.
    pub fn begin(&mut self, platform: Platform) {
        let Some(job) = self.job.take() else { return };
        let (shared, clock) = (self.shared.clone(), self.clock);
        let work = move || {
            // Algorithms are guarded one by one: a panic here is a defect, which must not look like progress.
            let measured = catch_unwind(AssertUnwindSafe(|| job.run(clock, &shared)));
            *shared.state() = match measured {
                Ok(Ok(ranking)) => MeasuringState::Done(Arc::new(ranking)),
                Ok(Err(RunError::Stopped)) => MeasuringState::Stopped,
                Ok(Err(error)) => MeasuringState::Failed(error.to_string()),
                Err(_) => MeasuringState::Failed("measuring ended unexpectedly".to_owned()),
            };
        };
        if let Err(error) = platform.threads.spawn("measuring", Box::new(work)) {
            let reason = format!("no thread to measure on: {error}");
            *self.shared.state() = MeasuringState::Failed(reason);
        }
    }

    /// Stops it. A search ends within milliseconds, an update at its end.
    pub fn stop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        match self.job.take() {
            Some(_) => *self.shared.state() = MeasuringState::Stopped,
            None => self.shared.advance(|progress| progress.is_stopping = true),
        }
    }

    /// How far it is.
    pub fn state(&self) -> MeasuringState {
        let mut state = self.shared.state().clone();
        if let MeasuringState::Running(progress) = &mut state {
            let elapsed_ns = self.clock.now_ns().saturating_sub(self.requested_ns);
            progress.elapsed = Duration::from_nanos(elapsed_ns);
        }
        state
    }

    /// Whether it is neither complete nor ended.
    pub fn is_running(&self) -> bool {
        matches!(*self.shared.state(), MeasuringState::Running(_))
    }
}

/// Its thread removes what it has written.
impl Drop for Measuring {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }
}
