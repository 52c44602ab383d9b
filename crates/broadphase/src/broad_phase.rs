//! The trait that every algorithm implements, and its counters.

#[cfg(feature = "families")]
use crate::inspect::{Inspect, Opaque};
use crate::{Frame, Pair};

/// Finds every pair of overlapping boxes, once per frame.
///
/// A frame is one call of [`pairs`](Self::pairs). The number of objects may differ from frame to frame. Its two steps are also
/// methods, to measure them apart: [`update`](Self::update), then [`find_pairs`](Self::find_pairs) with the same boxes. With
/// others, pairs are wrong or the call panics.
///
/// An implementation keeps its scratch memory: a frame allocates only where a list has to grow. The algorithms of this crate
/// return the memory of a burst: lists are shrunk within 120 frames, once none of 48 frames has had a quarter of the objects and
/// pairs of an earlier one. Other needs, such as the cells of one huge object, do not count. An implementation uses neither clock nor file. Its threads are those of the rayon pool that it is called in.
///
/// It is `Sync`, so that threads can share a [`Space`](crate::Space) that owns it, through `&self` only. Put state that is not `Sync` into a `Mutex`; with `&mut self`, `get_mut` does not lock.
pub trait BroadPhase: Send + Sync {
    /// Appends each pair of overlapping boxes whose layers [meet](Frame::admits) to `pairs`
    /// exactly once, in any order. The list belongs to the caller, its memory too.
    ///
    /// Pairs may be missing if the frame is [stopped](Frame::is_stopped).
    fn pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.update(frame);
        self.find_pairs(frame, pairs);
    }

    /// Brings the structure up to date with the frame's boxes.
    fn update(&mut self, frame: &Frame<'_>);

    /// Appends the pairs of the boxes last given to [`update`](Self::update), as [`pairs`](Self::pairs) does.
    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>);

    /// The work of the last frame, and the shape of the structure.
    fn counters(&self) -> Counters;

    /// Bytes on the heap, scratch included.
    fn heap_bytes(&self) -> usize;

    /// Panics unless the structure's invariants hold for the frame last given to
    /// [`update`](Self::update). Never timed. A [stopped](Frame::is_stopped) check may end early.
    fn validate(&self, frame: &Frame<'_>);

    /// A copy of the structure, which finds and counts in all later frames what this one would; `None` if it cannot be
    /// copied. Its lists have no room to spare. So a program goes back to an earlier frame, or asks what another future costs.
    fn try_clone(&self) -> Option<Box<dyn BroadPhase>> {
        None
    }

    /// The marks and tests of the last frame. Never timed.
    #[cfg(feature = "families")]
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
