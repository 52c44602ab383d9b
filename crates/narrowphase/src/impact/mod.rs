//! Two bodies in motion: do they touch within a time, and when first?

pub mod bilateral;
mod contact;
mod motion;
mod moving_pair;
mod moving_sat;
mod reference;
mod registry;
mod sampling;
mod swept_boxes;
#[cfg(test)]
mod tests;

use crate::body::Body;
use glam::DVec3;

pub use contact::{ApproximateContact, ImpactContacts, approximate_contact};
pub use motion::Motion;
pub use reference::{ImpactReference, KnownImpact};
pub use registry::{
    Exactness, ImpactKind, ImpactMethod, ImpactMethodError, ImpactProperties, MAX_SUBSTEPS,
    TIMES_OF_IMPACT, find, find_in,
};

/// When two moving bodies touch. Times are in seconds from the given poses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Impact {
    /// Not within the limit.
    Never,
    /// They touch at the start.
    Overlapping,
    /// They touch later.
    At {
        /// The first contact, above 0 and at most the limit.
        first: f64,
        /// When they part if nothing stops them: at least `first`, infinite if never. It may be beyond the limit. A method
        /// that does not know it gives `first`.
        last: f64,
        /// A unit vector of the world, from the first body to the second, along which they touch.
        axis: DVec3,
    },
    /// The method did not terminate, or a number is not finite. Never an answer: the pair is an error of the method.
    #[default]
    Failed,
}

impl Impact {
    /// When they touch first, 0 if they do at the start; `None` if they do not, or it is not known.
    fn start(&self) -> Option<f64> {
        match *self {
            Self::Never | Self::Failed => None,
            Self::Overlapping => Some(0.0),
            Self::At { first, .. } => Some(first),
        }
    }
}

/// A search for the first contact of two bodies at constant velocities.
pub trait TimeOfImpact {
    /// When do `a` and `b` first touch, at most `limit` seconds from their poses? A limit that is not above 0, and a
    /// number that is not finite, give [`Impact::Failed`].
    fn find(&mut self, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> Impact;

    /// Axes, static tests or times at which poses are compared since the method was created: what it repeats. 0 for a
    /// method that counts nothing.
    fn steps(&self) -> u64 {
        0
    }
}
