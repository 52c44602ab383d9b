//! Observing, stopping and resuming a measurement.

use crate::play::Observer;
use crate::rows::FinishedRepetition;
use std::sync::atomic::AtomicBool;

/// The observer of a measurement, its stop flag, and what was measured before.
pub struct Watch<'a> {
    /// Follows the measurement.
    pub observer: &'a mut dyn Observer,
    /// Ends the measurement when it is set, within a frame: as soon as the algorithm checks it.
    pub stop: &'a AtomicBool,
    /// Repetitions that were measured before, by a process that was killed: they are not measured
    /// again. One that is not of the plan, not whole, or there twice is ignored.
    pub finished: Vec<FinishedRepetition>,
}
