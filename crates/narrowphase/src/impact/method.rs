//! The part that all methods share: checks of the input, and the count of steps.

use super::moving_pair::MovingPair;
use super::{Impact, Motion, TimeOfImpact};
use crate::body::Body;

/// A method of the registry. Its `search` is given its scratch, bodies with finite numbers and a limit above 0, and the
/// count of steps.
pub(super) struct Method<S, F> {
    scratch: S,
    search: F,
    steps: u64,
}

impl<S, F> Method<S, F>
where
    S: Default + Send + 'static,
    F: FnMut(&mut S, &MovingPair, &mut u64) -> Impact + Send + 'static,
{
    /// A method without work so far.
    pub(super) fn boxed(search: F) -> Box<dyn TimeOfImpact + Send> {
        Box::new(Self { scratch: S::default(), search, steps: 0 })
    }
}

impl<S, F: FnMut(&mut S, &MovingPair, &mut u64) -> Impact> TimeOfImpact for Method<S, F> {
    fn find(&mut self, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> Impact {
        let moving = MovingPair::new(a, b, limit);
        moving.map_or(Impact::Failed, |moving| {
            (self.search)(&mut self.scratch, &moving, &mut self.steps)
        })
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}
