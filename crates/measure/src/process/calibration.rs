//! A fixed piece of work, clocked repeatedly: its times show how steady the machine was.

use super::clock::Clock;
use broadphase::benchmark::mix;
use std::hint::black_box;

/// Steps of one loop: about a millisecond.
const STEPS: u32 = 300_000;

/// Loops of one reading, of which the fastest counts: a single interruption is no drift.
const LOOPS: u32 = 3;

/// From this drift on a run is called noisy.
const NOTABLE_DRIFT: f64 = 0.10;

/// Nanoseconds of the calibration loop: integer arithmetic in registers, each step waiting for the
/// one before, so that only the processor's speed and its other load make a difference.
pub fn calibrate(clock: &dyn Clock) -> u64 {
    let once = |_| {
        let start = clock.now_ns();
        black_box((0..STEPS).fold(black_box(1), |word, _| mix(word)));
        clock.now_ns() - start
    };
    (0..LOOPS).map(once).min().unwrap_or(0)
}

/// The share by which the slowest reading exceeds the fastest, where it makes the figures doubtful:
/// 0.25 where it took a quarter longer.
pub fn notable_drift(readings: &[u64]) -> Option<f64> {
    let fastest = readings.iter().min().filter(|&&ns| ns > 0)?;
    let slowest = readings.iter().max()?;
    let drift = *slowest as f64 / *fastest as f64 - 1.0;
    (drift > NOTABLE_DRIFT).then_some(drift)
}
