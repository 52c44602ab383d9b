//! A short trial finds algorithms that are too slow to be measured.

use crate::common::{INVENTS, NEVER, PANICS, SetClock, changed, crowded, plan, planted, row};
use broadphase::registry::Algorithm;
use measure::{Checks, Clock, Instruments, Outcome, Plan, RunError, probe_case};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Moves with the frames of the planted algorithms alone.
static CLOCK: SetClock = SetClock::new();

/// Nanoseconds of a mean frame, or why it was not played.
type Trial = Result<f64, Outcome>;

fn take(ms: u64) {
    CLOCK.now_ns.fetch_add(ms * 1_000_000, SeqCst);
}

/// Takes long to build, and is as fast as the others from then on.
static SLOW_START: Algorithm = planted("slow-start", |settings| {
    changed(settings, |number, _, _| take(if number == 0 { 80 } else { 2 }))
});

static STEADY: Algorithm = planted("steady", |settings| changed(settings, |_, _, _| take(1)));

/// Takes 20 times as long as `steady` in each frame.
static SLOW: Algorithm = planted("slow", |settings| changed(settings, |_, _, _| take(20)));

/// Ends no frame unless it is stopped.
static ENDLESS: Algorithm = planted("endless", |settings| {
    changed(settings, |_, frame, _| {
        take(3_600_000);
        while !frame.is_stopped() {
            std::thread::yield_now();
        }
    })
});

fn probed(
    algorithms: &[&Algorithm],
    clock: &dyn Clock,
    stop: &AtomicBool,
) -> Result<Vec<Trial>, RunError> {
    let plan = Plan { checks: Checks::UnknownLists, ..plan(algorithms, 5) };
    probe_case(&crowded(0, 30), &plan, 4, 5.0, Instruments::new(clock, None), stop)
}

fn reason(trial: &Trial) -> String {
    match trial {
        Err(Outcome::Skipped(reason)) => reason.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn algorithm_far_slower_than_the_fastest_is_skipped() {
    // The only test that uses this clock.
    let trials = probed(&[&STEADY, &SLOW, &ENDLESS, &SLOW_START], &CLOCK, &NEVER).unwrap();
    assert_eq!(trials[0], Ok(1e6));
    let slow = "too slow: the median of its first 4 frames is 20 times that of steady";
    assert_eq!(reason(&trials[1]), slow);
    assert!(reason(&trials[2]).starts_with("its first 4 frames were stopped"), "{trials:?}");
    assert_eq!(trials[3], Ok(21.5e6), "its first frame does not count for the comparison");
}

#[test]
fn faults_of_a_trial_are_its_outcome() {
    // They fail in frame 3, the last of the trial.
    let clock = SetClock::new();
    let trials = probed(&[&INVENTS, row("bsp"), &PANICS], &clock, &NEVER).unwrap();
    assert!(matches!(&trials[0], Err(Outcome::Error(_))), "{trials:?}");
    assert!(trials[1].is_ok(), "{trials:?}");
    assert!(matches!(&trials[2], Err(Outcome::Error(_))), "{trials:?}");
}

#[test]
fn stopped_trials_stop_the_measurement() {
    let stopped = probed(&[row("bsp")], &SetClock::new(), &AtomicBool::new(true));
    assert!(matches!(stopped, Err(RunError::Stopped)), "{stopped:?}");
}
