//! What a narrow phase answers, and what it keeps between frames.

use glam::DVec3;

use crate::body::Body;

/// Whether two bodies touch, and what proves it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Answer {
    /// No common point.
    Separated {
        /// A unit vector of the world, from the first body to the second, along which the
        /// projections of the bodies are disjoint. `None` for compounds, where one axis need not
        /// exist, and for methods without one.
        axis: Option<DVec3>,
    },
    /// At least one common point.
    Touching {
        /// A point of the world inside both bodies, if the method finds one.
        point: Option<DVec3>,
    },
    /// The method did not terminate. Never an answer: the pair is an error of the method. Known of GJK, for bodies that
    /// are thinner than a millionth of their length.
    #[default]
    Failed,
}

/// A test of two bodies.
pub trait NarrowPhase {
    /// Do `a` and `b` touch?
    fn test(&mut self, a: &Body, b: &Body, cache: &mut PairCache) -> Answer;

    /// Axes projected on, simplices, or pairs of features since the method was created: what it repeats. 0 for a method
    /// that counts nothing.
    fn steps(&self) -> u64 {
        0
    }
}

/// What a method keeps of a pair from frame to frame: for each pair of parts its last axis.
///
/// It speeds the next test up, and never changes its answer. A cache that was used for another
/// pair, or another order of the pair, is valid: axes are tested again.
#[derive(Clone, Debug, Default)]
pub struct PairCache {
    /// The axis of two convex bodies: a unit vector in the first body's frame; zero if none is
    /// known.
    single: DVec3,
    /// The axes of all pairs of parts of two other bodies, by the part of the first body, then by
    /// that of the second.
    several: Vec<DVec3>,
}

impl PairCache {
    /// Forgets what was kept.
    pub fn clear(&mut self) {
        self.single = DVec3::ZERO;
        self.several.clear();
    }

    /// The axes of `pairs` pairs of parts.
    pub(crate) fn axes(&mut self, pairs: usize) -> &mut [DVec3] {
        if pairs == 1 {
            return std::slice::from_mut(&mut self.single);
        }
        if self.several.len() != pairs {
            self.several.clear();
            self.several.resize(pairs, DVec3::ZERO);
        }
        &mut self.several
    }
}
