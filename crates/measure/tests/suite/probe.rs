//! A short trial finds algorithms that are too slow to be measured.

use crate::common::{INVENTS, NEVER, PANICS, crowded, plan, planted, row};
use broadphase::registry::{Algorithm, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use measure::{Checks, Instruments, MonotonicClock, Outcome, Plan, RunError, Trial, probe_case};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Brute force, which sleeps in each frame.
struct Sleeps {
    inner: Box<dyn BroadPhase>,
    pause: fn(u32) -> Duration,
    frame: u32,
}

impl BroadPhase for Sleeps {
    fn update(&mut self, frame: &Frame<'_>) {
        self.inner.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let pause = (self.pause)(self.frame);
        let start = std::time::Instant::now();
        while start.elapsed() < pause && !frame.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.frame += 1;
        self.inner.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.inner.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.inner.validate(frame);
    }
}

fn sleeping(settings: &Settings, pause: fn(u32) -> Duration) -> Box<dyn BroadPhase> {
    let inner = row("brute-force").build(settings);
    Box::new(Sleeps { inner, pause, frame: 0 })
}

/// Takes long to build, and is as fast as the others from then on.
static SLOW_START: Algorithm = planted("slow-start", |settings| {
    sleeping(settings, |frame| Duration::from_millis(if frame == 0 { 80 } else { 2 }))
});

/// Takes a millisecond a frame, so that the ratio to others is not noise.
static STEADY: Algorithm =
    planted("steady", |settings| sleeping(settings, |_| Duration::from_millis(1)));

/// Takes 20 times as long as `steady` in each frame.
static SLOW: Algorithm =
    planted("slow", |settings| sleeping(settings, |_| Duration::from_millis(20)));

/// Ends no frame unless it is stopped.
static ENDLESS: Algorithm =
    planted("endless", |settings| sleeping(settings, |_| Duration::from_secs(3600)));

fn probed(algorithms: &[&Algorithm], stop: &AtomicBool) -> Result<Vec<Trial>, RunError> {
    let clock = MonotonicClock::new();
    let plan = Plan { checks: Checks::UnknownLists, ..plan(algorithms, 5) };
    probe_case(&crowded(0, 30), &plan, 4, 5.0, Instruments::new(&clock, None), stop)
}

fn reason(trial: &Trial) -> String {
    match trial {
        Trial::Ends(Outcome::Skipped(reason)) => reason.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn algorithm_far_slower_than_the_fastest_is_skipped() {
    let trials = probed(&[&STEADY, &SLOW, &ENDLESS, &SLOW_START], &NEVER).unwrap();
    assert!(matches!(trials[0], Trial::Goes { mean_ns } if mean_ns >= 1e6), "{trials:?}");
    let slow = reason(&trials[1]);
    assert!(slow.starts_with("too slow: the median of its first 4 frames is "), "{slow}");
    // Which of both is the fastest depends on how exactly the system sleeps.
    let fastest = ["steady", "slow-start"];
    assert!(fastest.iter().any(|id| slow.ends_with(&format!(" times that of {id}"))), "{slow}");
    assert!(reason(&trials[2]).starts_with("its first 4 frames were stopped"), "{trials:?}");
    assert!(matches!(trials[3], Trial::Goes { .. }), "its first frame does not count: {trials:?}");
}

#[test]
fn faults_of_a_trial_are_its_outcome() {
    // They fail in frame 3, the last of the trial.
    let trials = probed(&[&INVENTS, row("bsp"), &PANICS], &NEVER).unwrap();
    assert!(matches!(&trials[0], Trial::Ends(Outcome::Disagrees(_))), "{trials:?}");
    assert!(matches!(&trials[1], Trial::Goes { .. }), "{trials:?}");
    assert!(matches!(&trials[2], Trial::Ends(Outcome::Panicked(_))), "{trials:?}");
}

#[test]
fn stopped_trials_stop_the_measurement() {
    let stopped = probed(&[row("bsp"), &ENDLESS], &AtomicBool::new(true));
    assert!(matches!(stopped, Err(RunError::Stopped)), "{stopped:?}");
}
