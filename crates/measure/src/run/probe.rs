//! A short trial on the first frames of a case, which finds algorithms far slower than the fastest
//! before they are measured.

use super::plan::{Checks, Contender, Plan};
use super::runner::{CaseBench, CellTrack};
use crate::input::Case;
use crate::play::{Instruments, RunError};
use crate::rows::{FinishedRepetition, Outcome, Sample};
use crate::table::median;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Nanoseconds that every trial may take even if the fastest is faster: short trials are mostly noise.
const MIN_TIME_NS: u64 = 200_000_000;

/// How often a trial is checked for its end. It costs some microseconds each time.
const PAUSE: Duration = Duration::from_millis(20);

/// Plays the first `frames` frames of a case once with each algorithm of the plan, in its order, on the
/// first of its numbers of threads. An algorithm that takes more than `times` times as long as the
/// fastest is stopped, also within a frame.
///
/// Algorithms are compared by their median frame: neither frame 0, in which structures are built, nor an
/// interruption counts. Only faults that a pair list shows by itself are found.
///
/// Returns for each the nanoseconds of its mean frame, update and pairs together; or, if it is too slow to be measured or
/// failed, that outcome.
///
/// # Errors
///
/// Where the input fails, the threads cannot be started, or `stop` is set.
pub fn probe_case(
    case: &Case,
    plan: &Plan<'_>,
    frames: u32,
    times: f64,
    instruments: Instruments<'_>,
    stop: &AtomicBool,
) -> Result<Vec<Result<f64, Outcome>>, RunError> {
    let Some(&threads) = plan.threads.first() else { return Ok(Vec::new()) };
    let frames = frames.min(case.total_frames());
    let mut case = case.clone();
    (case.warmup, case.frames) = (0, frames);
    let trial = Plan {
        threads: &[threads],
        events: false,
        budget: None,
        checks: Checks::UnknownLists,
        stages: None,
        ..*plan
    };
    let (clock, is_over) = (instruments.clock, AtomicBool::new(false));
    let mut bench = CaseBench::new(&case, &trial, instruments, &is_over)?;
    let mut shortest_ns: Option<u64> = None;
    let mut played = Vec::new();
    for &algorithm in plan.algorithms {
        let limit_ns = shortest_ns.map(|ns| ((ns as f64 * times) as u64).max(MIN_TIME_NS));
        is_over.store(false, Ordering::Relaxed);
        let mut track = CellTrack::new(Contender::Algorithm(algorithm), threads, Vec::new());
        let start_ns = clock.now_ns();
        let ended = std::thread::scope(|scope| {
            let (ended, end) = channel::<()>();
            let is_over = &is_over;
            let is_late = move || limit_ns.is_some_and(|limit| clock.now_ns() - start_ns > limit);
            let watch = move || watch(&end, is_late, stop, is_over);
            let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
            watcher.map_err(|source| RunError::Threads { threads: 1, source: source.into() })?;
            let repetition = bench.repetition(&mut track, 0, &mut ());
            drop(ended);
            repetition
        });
        if stop.load(Ordering::Relaxed) {
            return Err(RunError::Stopped);
        }
        played.push(match ended {
            Err(RunError::Stopped) => None,
            ended => Some(ended?),
        });
        if let Some(FinishedRepetition { outcome: None, .. }) =
            played.last().and_then(Option::as_ref)
        {
            let time_ns = clock.now_ns() - start_ns;
            shortest_ns = Some(shortest_ns.map_or(time_ns, |least| least.min(time_ns)));
        }
    }
    Ok(trials_of(&played, frames, times))
}

/// Ends a trial when its time is used up or `stop` is set.
fn watch(end: &Receiver<()>, is_late: impl Fn() -> bool, stop: &AtomicBool, is_over: &AtomicBool) {
    while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
        if is_late() || stop.load(Ordering::Relaxed) {
            is_over.store(true, Ordering::Relaxed);
            return;
        }
    }
}

/// `None` for an algorithm whose time was used up.
fn trials_of(
    played: &[Option<FinishedRepetition>],
    frames: u32,
    times: f64,
) -> Vec<Result<f64, Outcome>> {
    let mean = |samples: &[Sample]| {
        let sum: f64 = samples.iter().map(|s| s.detection_ns() as f64).sum();
        sum / samples.len().max(1) as f64
    };
    let usual = |trial: &FinishedRepetition| {
        let mut times: Vec<u64> = trial.samples.iter().map(Sample::detection_ns).collect();
        median(&mut times).unwrap_or(u64::MAX) as f64
    };
    let whole = played.iter().flatten().filter(|trial| trial.outcome.is_none());
    let fastest = whole
        .map(|trial| (usual(trial), trial.algorithm.as_str()))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let (least, fastest) = fastest.unwrap_or((f64::INFINITY, "none"));
    let slow = |how: String| Err(Outcome::Skipped(format!("{how} {fastest}")));
    let trial = |played: &Option<FinishedRepetition>| match played {
        Some(FinishedRepetition { outcome: Some(outcome), .. }) => Err(outcome.clone()),
        None => slow(format!(
            "its first {frames} frames were stopped: they took more than {times} times as long as \
             those of"
        )),
        Some(trial) => match usual(trial) / least.max(1.0) {
            ratio if ratio > times => slow(format!(
                "too slow: the median of its first {frames} frames is {ratio:.0} times that of"
            )),
            _ => Ok(mean(&trial.samples)),
        },
    };
    played.iter().map(trial).collect()
}
