//! A short trial on the first frames of a case, which finds algorithms far slower than the fastest
//! before they are measured.

use super::plan::{Checks, Plan};
use super::repetition::{Doubts, KnownFrames, Repetition, measure_repetition};
use crate::input::Case;
use crate::play::{End, Instruments, Pools, RunError};
use crate::rows::{Outcome, Sample};
use crate::table::median;
use broadphase::registry::Settings;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Nanoseconds that every trial may take even if the fastest is faster: short trials are mostly noise.
const MIN_TIME_NS: u64 = 200_000_000;

/// How often a trial is checked for its end. It costs some microseconds each time.
const PAUSE: Duration = Duration::from_millis(20);

/// The result of a trial of an algorithm.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// Nanoseconds of a mean frame, update and pairs together.
    Goes {
        /// Mean of all frames.
        mean_ns: f64,
    },
    /// It is too slow to be measured, or failed.
    Ends(Outcome),
}

/// Plays the first `frames` frames of a case once with each algorithm of the plan, in its order, on the
/// first of its numbers of threads. An algorithm that takes more than `times` times as long as the
/// fastest is stopped, also within a frame.
///
/// Algorithms are compared by their median frame: neither frame 0, in which structures are built, nor an
/// interruption counts. Only faults that a pair list shows by itself are found.
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
) -> Result<Vec<Trial>, RunError> {
    let Some(&threads) = plan.threads.first() else { return Ok(Vec::new()) };
    let frames = frames.min(case.total_frames());
    let mut case = case.clone();
    (case.warmup, case.frames) = (0, frames);
    let settings = Settings::new(case.n).world(case.space()).memory_limit(plan.memory_limit);
    let pools = Pools::new(&[threads])?;
    let mut known = KnownFrames::default();
    let trial =
        Plan { events: false, budget: None, checks: Checks::UnknownLists, stages: None, ..*plan };
    let clock = instruments.clock;
    let mut shortest_ns: Option<u64> = None;
    let mut ends = Vec::new();
    for &algorithm in plan.algorithms {
        let limit_ns = shortest_ns.map(|ns| ((ns as f64 * times) as u64).max(MIN_TIME_NS));
        let is_over = AtomicBool::new(false);
        let repetition = Repetition {
            case: &case,
            algorithm,
            plan: &trial,
            settings: &settings,
            instruments,
            repeat: 0,
            budget_ns: None,
            stop: &is_over,
        };
        let start_ns = clock.now_ns();
        let (end, samples) = std::thread::scope(|scope| {
            let (ended, end) = channel::<()>();
            let is_over = &is_over;
            let is_late = move || limit_ns.is_some_and(|limit| clock.now_ns() - start_ns > limit);
            let watch = move || watch(&end, is_late, stop, is_over);
            let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
            watcher.map_err(|source| RunError::Threads { threads: 1, source: source.into() })?;
            let played = pools.install(threads, || play(&repetition, &mut known));
            drop(ended);
            played
        })?;
        if stop.load(Ordering::Relaxed) {
            return Err(RunError::Stopped);
        }
        let time_ns = clock.now_ns() - start_ns;
        ends.push(match end {
            End::Stopped => Err(None),
            end => match end.outcome(0)? {
                Some(outcome) => Err(Some(outcome)),
                None => {
                    shortest_ns = Some(shortest_ns.map_or(time_ns, |least| least.min(time_ns)));
                    Ok(samples)
                }
            },
        });
    }
    Ok(trials_of(&ends, plan, frames, times))
}

/// Plays a trial: its end, and its frames.
fn play(
    repetition: &Repetition<'_>,
    known: &mut KnownFrames,
) -> Result<(End, Vec<Sample>), RunError> {
    let mut samples = Vec::new();
    let doubts = &mut Doubts::default();
    let end = measure_repetition(repetition, &mut samples, known, &mut [], doubts, &mut ())?;
    Ok((end, samples))
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

/// The frames of a trial, or why there are none: `None` where its time was used up.
type Played = Result<Vec<Sample>, Option<Outcome>>;

fn trials_of(played: &[Played], plan: &Plan<'_>, frames: u32, times: f64) -> Vec<Trial> {
    let mean = |samples: &[Sample]| {
        let sum: f64 = samples.iter().map(|s| s.detection_ns() as f64).sum();
        sum / samples.len().max(1) as f64
    };
    let usual = |samples: &[Sample]| {
        let mut times: Vec<u64> = samples.iter().map(Sample::detection_ns).collect();
        median(&mut times).unwrap_or(u64::MAX) as f64
    };
    let fastest = played
        .iter()
        .zip(plan.algorithms)
        .filter_map(|(played, row)| Some((usual(played.as_ref().ok()?), row.id)))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let (least, fastest) = fastest.unwrap_or((f64::INFINITY, "none"));
    let slow = |how: String| Trial::Ends(Outcome::Skipped(format!("{how} {fastest}")));
    let trial = |played: &Played| match played {
        Err(Some(outcome)) => Trial::Ends(outcome.clone()),
        Err(None) => slow(format!(
            "its first {frames} frames were stopped: they took more than {times} times as long as \
             those of"
        )),
        Ok(samples) => match usual(samples) / least.max(1.0) {
            ratio if ratio > times => slow(format!(
                "too slow: the median of its first {frames} frames is {ratio:.0} times that of"
            )),
            _ => Trial::Goes { mean_ns: mean(samples) },
        },
    };
    played.iter().map(trial).collect()
}
