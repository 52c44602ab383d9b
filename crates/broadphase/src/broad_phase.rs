//! The trait that every algorithm implements, and what passes through it.

use crate::inspect::Opaque;
use crate::{Aabb, DebugDraw, Inspect, Layer, Pair, Query};
use std::sync::atomic::{AtomicBool, Ordering};

/// All that an algorithm may know of one frame.
///
/// A struct, so that later inputs reach every algorithm without a new signature.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The objects' boxes; the index is the object's id. Finite or empty (see
    /// [`check_boxes`](crate::check_boxes)).
    pub boxes: &'a [Aabb],
    /// The objects' layers, by id. Objects beyond the end, and so all where it is empty, have
    /// [`Layer::ALL`].
    pub layers: &'a [Layer],
    /// Simulated seconds since the frame before. Some structures are adjusted by simulated time.
    pub time_step: f32,
    /// Set by somebody who no longer wants the frame's pairs; see [`is_stopped`](Self::is_stopped).
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Frame<'a> {
    /// A frame that nobody stops, in which all objects may meet.
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

    /// Whether the layers of two objects let them make a pair. To be asked of every pair before it
    /// is reported; free where there are no layers.
    #[inline]
    pub fn admits(&self, i: u32, j: u32) -> bool {
        self.layers.is_empty() || self.layer(i).meets(self.layer(j))
    }

    /// Takes those pairs out of a list, from a place on, whose objects' layers do not
    /// [meet](Self::admits).
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

    /// The same frame, to be left early once `stop` is set.
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Whether the frame's pairs are no longer wanted.
    ///
    /// A search that may take long asks every few milliseconds, and returns early: with pairs
    /// missing, which whoever set the flag must not use, but with a structure as sound as ever.
    pub fn is_stopped(&self) -> bool {
        // The flag guards no other data: it is seen soon, and that is all it has to be.
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Finds every pair of overlapping boxes, once per frame.
///
/// A frame is one call of [`update`](Self::update), then one of [`find_pairs`](Self::find_pairs)
/// with the same boxes. The number of objects may differ from frame to frame.
///
/// An implementation keeps its scratch memory: a steady frame allocates nothing. It knows neither
/// clock nor file; on several threads it uses the rayon pool that it is called in.
pub trait BroadPhase: Send {
    /// Brings the structure up to date with the frame's boxes.
    fn update(&mut self, frame: &Frame<'_>);

    /// Appends each pair of overlapping boxes whose layers [meet](Frame::admits) to `pairs`
    /// exactly once, in any order.
    ///
    /// A frame that is [stopped](Frame::is_stopped) may be left with pairs missing.
    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>);

    /// The work done in the last frame, and the structure's shape.
    fn counters(&self) -> Counters;

    /// Bytes on the heap, scratch included.
    fn heap_bytes(&self) -> usize;

    /// Panics unless the structure's invariants hold for the frame last given to
    /// [`update`](Self::update). Never timed.
    fn validate(&self, frame: &Frame<'_>);

    /// Draws what is worth seeing of the structure.
    fn debug_draw(&self, _draw: &mut dyn DebugDraw) {}

    /// Other questions to the structure, where it can answer them faster than by a
    /// [`Scan`](crate::Scan). Valid from [`update`](Self::update) to the next.
    fn query(&self) -> Option<&dyn Query> {
        None
    }

    /// Lets look into the structure as the last frame has left it. Never timed.
    fn inspect(&self) -> &dyn Inspect {
        &Opaque
    }
}

/// What an algorithm did in its last frame. Independent of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Pairs of objects examined: the tests whose number a broad phase is there to keep low.
    pub tests: u64,
    /// Nodes of the structure, leaves included; 0 if it has none.
    pub nodes: u64,
    /// Levels of the structure below its root; 0 if it has none.
    pub depth: u32,
    /// Objects listed in leaves or cells, an object counted once in each that it touches.
    pub listings: u64,
    /// Objects that stand in more than one leaf or cell.
    pub straddlers: u64,
    /// Overlapping pairs met again after their first time, and not reported again.
    pub duplicates: u64,
    /// Pairs that overlap on a single axis, summed over the axes that are swept.
    pub axis_overlaps: u64,
    /// Parts of the structure that the last update built anew (planes moved, for a tree of planes).
    pub rebuilds: u64,
}
