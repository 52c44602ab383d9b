//! The input of one frame.

use crate::pair::retain_from;
use crate::{Aabb, Layer, Limits, Pair, PairLimit};
use std::sync::atomic::AtomicBool;

/// Simulated seconds since the frame before, where the caller does not state them.
const TIME_STEP: f32 = 1.0 / 60.0;

/// The input of one frame: the boxes, and what else an algorithm may use.
///
/// ```
/// use broadphase::{Aabb, Frame, Layer};
///
/// let boxes = [Aabb::EMPTY; 3];
/// let layers = [Layer::STATIC, Layer::ALL, Layer::ALL];
/// let frame = Frame::new(&boxes).layered(&layers).time_step(1.0 / 120.0);
/// assert!(frame.admits(0, 1));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// The objects' boxes; the index is the object's id. Finite or empty (see
    /// [`check_boxes`](crate::check_boxes)).
    pub boxes: &'a [Aabb],
    /// The objects' layers (collision filters), by id. Objects beyond the end of the slice have
    /// [`Layer::ALL`].
    pub layers: &'a [Layer],
    /// Simulated seconds since the frame before, at least 0; see [`time_step`](Self::time_step).
    pub time_step: f32,
    /// When the search ends early.
    pub limits: Limits<'a>,
}

impl<'a> Frame<'a> {
    /// A frame 1/60 s after the one before, without layers and without limits.
    pub fn new(boxes: &'a [Aabb]) -> Self {
        Self { boxes, layers: &[], time_step: TIME_STEP, limits: Limits::NONE }
    }

    /// The same frame, some simulated seconds after the frame before.
    ///
    /// It never changes the pairs. Only [`kd_tree`](crate::algorithms::kd_tree) reads it: it rebalances
    /// every 0.2 s of simulated time, so every twelfth frame without this call. With 0, time stands still, and it
    /// never does.
    #[must_use]
    pub fn time_step(self, seconds: f32) -> Self {
        Self { time_step: seconds, ..self }
    }

    /// The same frame, with the objects' layers.
    #[must_use]
    pub fn layered(self, layers: &'a [Layer]) -> Self {
        Self { layers, ..self }
    }

    /// The same frame within limits.
    #[must_use]
    pub fn within(self, limits: Limits<'a>) -> Self {
        Self { limits, ..self }
    }

    /// The same frame with a stop flag: set by the caller once it no longer needs the frame's pairs.
    #[must_use]
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        self.within(self.limits.stopped_by(stop))
    }

    /// The same frame with a bound on the number of its pairs, against more pairs than memory. A limit counts one frame.
    ///
    /// A search whose pairs [exceed](PairLimit::is_exceeded) the bound ends soon, as if it were
    /// [stopped](Self::is_stopped). Its lists, those of candidate pairs included, have then a small multiple of the
    /// bound, and some thousands of pairs, or one for each object, in each thread. All algorithms of this crate do so.
    #[must_use]
    pub fn most_pairs(self, limit: &'a PairLimit) -> Self {
        self.within(self.limits.most_pairs(limit))
    }

    /// The layer of an object.
    #[inline]
    pub fn layer(&self, object: u32) -> Layer {
        self.layers.get(object as usize).copied().unwrap_or(Layer::ALL)
    }

    /// Whether the layers of two objects admit a pair. Every pair is checked before it is reported;
    /// without layers this costs nothing.
    #[inline]
    pub fn admits(&self, i: u32, j: u32) -> bool {
        self.layers.is_empty() || self.layer(i).meets(self.layer(j))
    }

    /// Removes the pairs from position `first` on whose layers do not [admit](Self::admits) them.
    pub(crate) fn drop_refused(&self, pairs: &mut Vec<Pair>, first: usize) {
        if !self.layers.is_empty() {
            retain_from(pairs, first, |pair| self.admits(pair.a, pair.b));
        }
    }

    /// Whether the frame's pairs are no longer wanted, or are too many: see [`Limits::is_stopped`].
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.limits.is_stopped()
    }

    /// Counts pairs that were appended: see [`Limits::count`]. Pairs that are removed again must not be counted.
    #[inline]
    pub fn count(&self, pairs: usize) -> bool {
        self.limits.count(pairs)
    }
}
