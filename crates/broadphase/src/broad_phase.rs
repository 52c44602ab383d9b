//! The trait that every algorithm implements, and its input and output types.

use crate::inspect::Opaque;
use crate::{Aabb, DebugDraw, Inspect, Layer, Pair, Query};
use std::sync::atomic::{AtomicBool, Ordering};

/// The input of one frame.
///
/// A struct, so that a later input reaches every algorithm without a new signature.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The objects' boxes; the index is the object's id. Finite or empty (see
    /// [`check_boxes`](crate::check_boxes)).
    pub boxes: &'a [Aabb],
    /// The objects' layers (collision filters), by id. Objects beyond the end of the slice have
    /// [`Layer::ALL`].
    pub layers: &'a [Layer],
    /// Simulated seconds since the frame before. Some structures are rebalanced by simulated time.
    pub time_step: f32,
    /// The stop flag: set by the caller once it no longer needs the frame's pairs; see
    /// [`is_stopped`](Self::is_stopped).
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Frame<'a> {
    /// A frame without a stop flag and without layers.
    pub fn new(boxes: &'a [Aabb], time_step: f32) -> Self {
        Self { boxes, layers: &[], time_step, stop: None }
    }

    /// The same frame, with the objects' layers.
    pub fn layered(self, layers: &'a [Layer]) -> Self {
        Self { layers, ..self }
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
        if self.layers.is_empty() {
            return;
        }
        let mut kept = first;
        for at in first..pairs.len() {
            let pair = pairs[at];
            pairs[kept] = pair;
            kept += usize::from(self.admits(pair.a, pair.b));
        }
        pairs.truncate(kept);
    }

    /// The same frame with a stop flag.
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
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

/// Finds every pair of overlapping boxes, once per frame.
///
/// A frame is one call of [`update`](Self::update), then one of [`find_pairs`](Self::find_pairs)
/// with the same boxes. The number of objects may differ from frame to frame.
///
/// An implementation keeps its scratch memory: a steady frame allocates nothing. It uses neither clock
/// nor file. Its threads are those of the rayon pool that it is called in.
pub trait BroadPhase: Send {
    /// Brings the structure up to date with the frame's boxes.
    fn update(&mut self, frame: &Frame<'_>);

    /// Appends each pair of overlapping boxes whose layers [meet](Frame::admits) to `pairs`
    /// exactly once, in any order.
    ///
    /// Pairs may be missing if the frame is [stopped](Frame::is_stopped).
    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>);

    /// The work of the last frame, and the shape of the structure.
    fn counters(&self) -> Counters;

    /// Bytes on the heap, scratch included.
    fn heap_bytes(&self) -> usize;

    /// Panics unless the structure's invariants hold for the frame last given to
    /// [`update`](Self::update). Never timed. A [stopped](Frame::is_stopped) check may end early.
    fn validate(&self, frame: &Frame<'_>);

    /// Draws the structure.
    fn debug_draw(&self, _draw: &mut dyn DebugDraw) {}

    /// Queries to the structure, if it answers them faster than a [`Scan`](crate::Scan). Valid from
    /// one [`update`](Self::update) to the next.
    fn query(&self) -> Option<&dyn Query> {
        None
    }

    /// The regions and tests of the last frame. Never timed.
    fn inspect(&self) -> &dyn Inspect {
        &Opaque
    }
}

/// The work of an algorithm in its last frame. Independent of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Pairs of objects tested. A broad phase exists to keep this number low.
    pub tests: u64,
    /// Nodes of the structure, leaves included; 0 if it has none.
    pub nodes: u64,
    /// Levels of the structure below its root; 0 if it has none.
    pub depth: u32,
    /// Objects listed in leaves or cells, an object counted once in each that it touches.
    pub listings: u64,
    /// Objects listed in more than one leaf or cell (straddling objects).
    pub straddlers: u64,
    /// Overlapping pairs found more than once, and reported once.
    pub duplicates: u64,
    /// Pairs that overlap on a swept axis, whatever they do on the others, summed over the axes
    /// that are swept.
    pub axis_overlaps: u64,
    /// Parts of the structure that the last update rebuilt (planes moved, for a tree of planes).
    pub rebuilds: u64,
}
