//! The stages after the broad phase: bounding volume, narrow phase, contact sets; first contacts within a step.
//!
//! Each is a structure with the state that it keeps between frames and one method per step, so that callers can clock
//! every step on its own. Several threads share the work where there is enough; results do not depend on them.
//! A stage reports what its method answers. An [`Audit`] knows what is true. Both end soon once the caller of a frame wants
//! that.

mod audit;
mod contacts;
mod pipeline;
mod relative_sweep;
mod stage;
mod tally;
mod volumes;

pub use audit::Audit;
pub use contacts::{
    ContactCount, ContactFault, ContactStage, FirstContact, PairPoint, approximate_contacts,
    exact_contacts, region_errors,
};
pub use pipeline::{CheckedAnswers, Pipeline, TestTimes};
pub use relative_sweep::RelativeSweep;
pub use stage::{ImpactStage, NarrowStage, Stage};
pub use tally::{Errors, Known, Tally, WrongAnswer};
pub use volumes::VolumeStage;

use crate::scene::NamedShape;
use broadphase::Pair;
use narrowphase::impact::Motion;
use narrowphase::{Body, rounding_of};

/// Candidates from which several threads test them.
const PARALLEL_FROM: usize = 512;

/// The bodies of a frame, index = object.
pub trait BodyList: Sync {
    /// Number of bodies.
    fn count(&self) -> usize;

    /// The shapes.
    fn shapes(&self) -> &[NamedShape];

    /// Index of a body's shape among them.
    ///
    /// # Panics
    ///
    /// If there is no such body.
    fn shape_of(&self, object: usize) -> usize;

    /// Shape, scale and pose of a body.
    ///
    /// # Panics
    ///
    /// If there is no such body.
    fn body(&self, object: usize) -> Body<'_>;

    /// A body as the step begins, and its motion.
    ///
    /// # Panics
    ///
    /// If there is no such body.
    fn moving(&self, object: usize) -> (Body<'_>, Motion);

    /// Whether all bodies stay in their x-z planes and rotate about y only.
    fn is_flat(&self) -> bool {
        false
    }
}

impl BodyList for crate::Bodies {
    fn count(&self) -> usize {
        self.states().len()
    }

    fn shapes(&self) -> &[NamedShape] {
        self.shapes()
    }

    fn shape_of(&self, object: usize) -> usize {
        self.shape_of(object)
    }

    fn body(&self, object: usize) -> Body<'_> {
        self.body(object)
    }

    /// At rest unless the world is continuous: only then it keeps how bodies moved.
    fn moving(&self, object: usize) -> (Body<'_>, Motion) {
        self.start_of(object).unwrap_or_else(|| (self.body(object), Motion::NONE))
    }

    fn is_flat(&self) -> bool {
        self.is_flat()
    }
}

/// Sorted pairs of the bodies of a frame: its candidates, or some of them.
pub struct FramePairs<'a, B> {
    /// The bodies.
    pub bodies: &'a B,
    /// The pairs, sorted.
    pub pairs: &'a [Pair],
    /// It is asked before every few pairs. Once it is false, work ends soon, and what was found is worthless.
    pub goes_on: &'a (dyn Fn() -> bool + Sync),
}

impl<'a, B: BodyList> FramePairs<'a, B> {
    /// Pairs of which no work is ended.
    pub fn new(bodies: &'a B, pairs: &'a [Pair]) -> Self {
        Self { bodies, pairs, goes_on: &|| true }
    }

    fn pair(&self, pair: Pair) -> [Body<'a>; 2] {
        [pair.a, pair.b].map(|object| self.bodies.body(object as usize))
    }

    /// A pair as the step begins.
    fn moving(&self, pair: Pair) -> [(Body<'a>, Motion); 2] {
        [pair.a, pair.b].map(|object| self.bodies.moving(object as usize))
    }
}

/// The rounding of the places of two bodies after a time, from that of places and ways.
fn rounding_at(pair: [&(Body<'_>, Motion); 2], time: f64) -> f64 {
    let of = |(body, motion): &(Body<'_>, Motion)| {
        rounding_of(body.pose.position) + rounding_of(motion.velocity * time)
    };
    pair.into_iter().map(of).sum()
}

#[cfg(test)]
mod tests;
