//! A short trial on the first frames of a case, which finds algorithms far slower than the fastest
//! before they are measured.

use super::plan::{Contender, Plan};
use super::runner::{CaseBench, CellTrack};
use crate::input::Case;
use crate::play::{Instruments, RunError};
use crate::rows::{FinishedRepetition, FrameRow, Outcome};
use crate::table::{mean, median};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
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
    let case = case.first_frames(frames);
    let trial = plan.trial(&plan.threads[..1]);
    let (clock, is_over) = (instruments.clock, AtomicBool::new(false));
    let mut bench = CaseBench::new(&case, &trial, instruments, &is_over)?;
    let mut shortest_ns: Option<u64> = None;
    // The median and the mean of its frames; else its outcome, unless its time was used up.
    let mut trials: Vec<Result<[f64; 2], Option<Outcome>>> = Vec::new();
    for &algorithm in plan.algorithms {
        let limit_ns = shortest_ns.map(|ns| ((ns as f64 * times) as u64).max(MIN_TIME_NS));
        is_over.store(false, Ordering::Relaxed);
        let mut track = CellTrack::new(Contender::Algorithm(algorithm), threads, Vec::new());
        let start_ns = clock.now_ns();
        let played = std::thread::scope(|scope| {
            let (ended, end) = channel::<()>();
            let is_over = &is_over;
            let is_late = move || limit_ns.is_some_and(|limit| clock.now_ns() - start_ns > limit);
            // Ends the trial when its time is used up or `stop` is set.
            let watch = move || {
                while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    if is_late() || stop.load(Ordering::Relaxed) {
                        return is_over.store(true, Ordering::Relaxed);
                    }
                }
            };
            let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
            watcher.map_err(|source| RunError::Threads(1, source.into()))?;
            let repetition = bench.repetition(&mut track, 0, &mut ());
            drop(ended);
            repetition
        });
        if stop.load(Ordering::Relaxed) {
            return Err(RunError::Stopped);
        }
        trials.push(match played {
            Err(RunError::Stopped) => Err(None),
            played => match played? {
                FinishedRepetition { outcome: Some(outcome), .. } => Err(Some(outcome)),
                FinishedRepetition { samples, .. } => {
                    let time_ns = clock.now_ns() - start_ns;
                    shortest_ns = Some(shortest_ns.map_or(time_ns, |least| least.min(time_ns)));
                    let mut ns: Vec<u64> = samples.iter().map(FrameRow::detection_ns).collect();
                    let median = median(&mut ns).unwrap_or(u64::MAX) as f64;
                    Ok([median, mean(ns).unwrap_or_default()])
                }
            },
        });
    }
    let medians = trials.iter().zip(plan.algorithms);
    let medians = medians.filter_map(|(trial, entry)| Some((trial.as_ref().ok()?[0], entry.id)));
    let fastest = medians.min_by(|a, b| a.0.total_cmp(&b.0));
    let (least, fastest) = fastest.unwrap_or((f64::INFINITY, "none"));
    let slow = |how: String| Err(Outcome::Skipped(format!("{how} {fastest}")));
    let result = |trial: Result<[f64; 2], Option<Outcome>>| match trial {
        Ok([median, _]) if median > times * least.max(1.0) => slow(format!(
            "too slow: the median of its first {frames} frames is {:.0} times that of",
            median / least.max(1.0)
        )),
        Ok([_, mean]) => Ok(mean),
        Err(Some(outcome)) => Err(outcome),
        Err(None) => slow(format!(
            "its first {frames} frames were stopped: they took more than {times} times as long as \
             those of"
        )),
    };
    Ok(trials.into_iter().map(result).collect())
}
