//! Answers of a narrow phase, and its memory between frames.

use glam::DVec3;
use smallvec::SmallVec;

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

/// Memory of a method for a pair, from frame to frame: for each pair of parts its last axis.
///
/// It speeds the next test up, and never changes its answer. A cache that was used for another
/// pair, or another order of the pair, is valid: axes are tested again.
#[derive(Clone, Debug, Default)]
pub struct PairCache {
    /// By the part of the first body, then by that of the second: unit vectors in the first body's frame; zero where none is
    /// known. That of two convex bodies takes no memory of its own.
    axes: SmallVec<[DVec3; 1]>,
}

impl PairCache {
    /// The axes of `pairs` pairs of parts.
    pub(crate) fn axes(&mut self, pairs: usize) -> &mut [DVec3] {
        if self.axes.len() != pairs {
            self.axes.clear();
            self.axes.resize(pairs, DVec3::ZERO);
        }
        &mut self.axes
    }
}
