//! Following a measurement.

use crate::output::OutputError;
use crate::rows::FinishedRepetition;
use broadphase::Pair;

/// Follows a measurement. It is never called while the stopwatch runs.
pub trait Observer: Send {
    /// A repetition begins.
    fn repetition_begins(&mut self, _algorithm: &str, _threads: u32) {}

    /// `placed` of all objects have a place, before the first frame. The number may fall: a crowded
    /// scene is placed several times.
    fn objects_placed(&mut self, _placed: usize, _objects: usize) {}

    /// The repetition that began last has found these pairs in this frame, counted from 0. They are sorted where every list is
    /// checked.
    fn pairs_found(&mut self, _frame: u32, _pairs: &[Pair]) {}

    /// The repetition that began last has measured this frame, counted from 0.
    fn frame_done(&mut self, _frame: u32) {}

    /// A repetition has ended.
    ///
    /// # Errors
    ///
    /// Where it cannot be kept; the measurement ends then.
    fn repetition_done(&mut self, _repetition: &FinishedRepetition) -> Result<(), OutputError> {
        Ok(())
    }
}

/// Ignores everything.
impl Observer for () {}
