//! The stages after the broad phase: bounding volume, narrow phase, contact sets; first contacts within a step.
//!
//! Each is a structure with the state that it keeps between frames and one method per step, so that callers can clock
//! every step on its own. Several threads share the work where there is enough; results do not depend on them.
//! A stage reports what its method answers. An [`Audit`] knows what is true.

mod audit;
mod contacts;
mod first_contacts;
mod pair_memory;
mod pipeline;
mod relative_sweep;
mod stage;
mod tally;
mod volumes;

pub use audit::{Audit, ImpactAudit};
pub use contacts::{ContactCount, ContactStage, PairPoint};
pub use first_contacts::{ContactFault, FirstContacts, RegionErrors};
pub use pipeline::{CheckedAnswers, Pipeline, TestTimes};
pub use relative_sweep::RelativeSweep;
pub use stage::{ImpactStage, NarrowStage, PairMethod, Stage};
pub use tally::{Known, Said, Tally, WrongAnswer};
pub use volumes::VolumeStage;

use crate::scene::NamedShape;
use narrowphase::impact::Motion;
use narrowphase::{Body, rounding_of};
use std::sync::atomic::{AtomicBool, Ordering};

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

    /// The name of a body's shape.
    ///
    /// # Panics
    ///
    /// If there is no such body.
    fn name_of(&self, object: usize) -> &str {
        &self.shapes()[self.shape_of(object)].name
    }

    /// Whether all bodies stay in their x-z planes and rotate about y only.
    fn is_flat(&self) -> bool {
        false
    }

    /// Whether the frame is stopped: stages then end soon, and what they have found is worthless.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Bodies as a step begins.
pub trait MovingBodies: BodyList {
    /// A body as the step begins, and its motion.
    ///
    /// # Panics
    ///
    /// If there is no such body.
    fn moving(&self, object: usize) -> (Body<'_>, Motion);
}

/// Bodies whose stages end soon once a flag is set.
#[derive(Clone, Copy, Debug)]
pub struct StoppedBy<'a, B> {
    /// The bodies.
    pub bodies: &'a B,
    /// The flag, which another thread may set.
    pub stop: &'a AtomicBool,
}

impl<B: BodyList> BodyList for StoppedBy<'_, B> {
    fn count(&self) -> usize {
        self.bodies.count()
    }

    fn shapes(&self) -> &[NamedShape] {
        self.bodies.shapes()
    }

    fn shape_of(&self, object: usize) -> usize {
        self.bodies.shape_of(object)
    }

    fn body(&self, object: usize) -> Body<'_> {
        self.bodies.body(object)
    }

    fn is_flat(&self) -> bool {
        self.bodies.is_flat()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl<B: MovingBodies> MovingBodies for StoppedBy<'_, B> {
    fn moving(&self, object: usize) -> (Body<'_>, Motion) {
        self.bodies.moving(object)
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

    fn is_flat(&self) -> bool {
        self.is_flat()
    }
}

impl MovingBodies for crate::Bodies {
    /// At rest unless the world is continuous: only then it keeps how bodies moved.
    fn moving(&self, object: usize) -> (Body<'_>, Motion) {
        self.start_of(object).unwrap_or_else(|| (self.body(object), Motion::NONE))
    }
}

/// The two bodies of a pair.
fn bodies_of(bodies: &impl BodyList, pair: broadphase::Pair) -> [Body<'_>; 2] {
    [pair.a, pair.b].map(|object| bodies.body(object as usize))
}

/// The two bodies of a pair as the step begins.
fn moving_pair(bodies: &impl MovingBodies, pair: broadphase::Pair) -> [(Body<'_>, Motion); 2] {
    [pair.a, pair.b].map(|object| bodies.moving(object as usize))
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
