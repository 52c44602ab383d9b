//! The input of one frame.

use crate::pair::retain_from;
use crate::{Aabb, Layer, Pair};
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// The stop flag: set by the caller once it no longer needs the frame's pairs; see
    /// [`is_stopped`](Self::is_stopped).
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Frame<'a> {
    /// A frame 1/60 s after the one before, without layers and without a stop flag.
    pub fn new(boxes: &'a [Aabb]) -> Self {
        Self { boxes, layers: &[], time_step: TIME_STEP, stop: None }
    }

    /// The same frame, some simulated seconds after the frame before.
    ///
    /// It never changes the pairs. Only [`KdTree`](crate::algorithms::kd_tree::KdTree) reads it: it rebalances
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

    /// The same frame with a stop flag.
    #[must_use]
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
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

    /// Whether the frame's pairs are no longer wanted.
    ///
    /// In a long search an implementation checks the flag every few milliseconds, and returns early.
    /// Pairs may then be missing, and the caller must not use them. The structure stays valid.
    pub fn is_stopped(&self) -> bool {
        // The flag guards no other data, so that a relaxed load is enough.
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
