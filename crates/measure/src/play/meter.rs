//! One clocked frame.

use super::sorting::sort_unless;
use crate::process::{Clock, HardwareCounters, HeapProbe, HeapWatch};
use crate::rows::{Collision, PhaseTimes};
use broadphase::{BroadPhase, Frame, Pair};
use sim::World;

/// Returns the number of heap blocks that the process has allocated so far, reallocations included.
///
/// A program that counts declares its own global allocator and passes its count to the library. A
/// program that does not count pays nothing.
pub type AllocationCount = fn() -> u64;

/// The instruments of a measurement.
#[derive(Clone, Copy)]
pub struct Instruments<'a> {
    /// The stopwatch's clock.
    pub clock: &'a dyn Clock,
    /// The number of heap allocations, where the allocator counts.
    pub allocations: Option<AllocationCount>,
    /// Bytes of the heap, where the allocator counts.
    pub heap: Option<HeapProbe>,
    /// The processor's counters, where the system provides them.
    pub hardware: Option<&'a dyn HardwareCounters>,
    /// What draws the frames of a world, if anything does.
    pub drawing: Option<&'a dyn Drawing>,
    /// Whether the speed of the machine is read before each repetition, which takes about 3 ms.
    pub calibrates: bool,
}

impl<'a> Instruments<'a> {
    /// A clock, and an allocation count where there is one.
    pub fn new(clock: &'a dyn Clock, allocations: Option<AllocationCount>) -> Self {
        Self { clock, allocations, heap: None, hardware: None, drawing: None, calibrates: true }
    }
}

/// Draws the frames of a world, each within its frame.
pub trait Drawing: Sync {
    /// Prepares a repetition, outside of all times.
    ///
    /// # Errors
    ///
    /// Why nothing can be drawn, which fails the repetition.
    fn begin(&self, world: &World) -> Result<(), String>;

    /// Draws a world as this input is drawn, and waits until that is done.
    ///
    /// # Errors
    ///
    /// Why nothing can be drawn, which fails the repetition.
    fn draw(&self, world: &World, input: &str) -> Result<(), String>;
}

/// Clocks frames, and reuses the pair list, so that a steady frame does not grow it.
pub struct Meter<'a> {
    instruments: Instruments<'a>,
    heap: Option<HeapWatch>,
    pairs: Vec<Pair>,
}

impl<'a> Meter<'a> {
    /// A meter with an empty pair list.
    pub fn new(clock: &'a dyn Clock, allocations: Option<AllocationCount>) -> Self {
        Self::with(Instruments::new(clock, allocations))
    }

    /// A meter with all instruments there are, for one structure.
    pub fn with(instruments: Instruments<'a>) -> Self {
        Self { instruments, heap: instruments.heap.map(HeapWatch::new), pairs: Vec::new() }
    }

    /// Makes the structure: its allocations are attributed to it from here on.
    pub(crate) fn make<T>(&mut self, build: impl FnOnce() -> T) -> T {
        let before = self.heap.as_ref().map(HeapWatch::before);
        let made = build();
        self.heap.as_mut().zip(before).map(|(heap, before)| heap.after(before));
        made
    }

    /// Runs one frame of `algorithm`: `update`, then `find_pairs`, each under the stopwatch.
    ///
    /// Afterwards [`pairs`](Self::pairs) are in the order in which the algorithm reported them.
    pub fn collide(&mut self, algorithm: &mut dyn BroadPhase, frame: &Frame<'_>) -> Collision {
        // Room for half as many pairs again as in the frame before, made outside the clock: a steady
        // frame that has a few more must not pay for a longer list.
        let wanted = self.pairs.len() + self.pairs.len() / 2 + 64;
        self.pairs.clear();
        if self.pairs.capacity() < wanted {
            self.pairs.reserve(2 * wanted);
        }
        let Instruments { clock, allocations, hardware, .. } = self.instruments;
        // Only the algorithm may run between the readings of the clock.
        let heap_before = self.heap.as_ref().map(HeapWatch::before);
        let allocated_before = allocations.map(|count| count());
        let counted_before = hardware.and_then(HardwareCounters::read);
        let start = clock.now_ns();
        algorithm.update(frame);
        let updated = clock.now_ns();
        algorithm.find_pairs(frame, &mut self.pairs);
        let found = clock.now_ns();
        let counted_after = hardware.and_then(HardwareCounters::read);
        let allocated_after = allocations.map(|count| count());
        let heap = self.heap.as_mut().zip(heap_before);
        let allocated_bytes = heap.map(|(heap, before)| heap.after(before));

        let counted = counted_after.zip(counted_before);
        Collision {
            times: PhaseTimes::new([updated - start, found - updated]),
            allocations: allocated_before
                .zip(allocated_after)
                .map(|(before, after)| after.saturating_sub(before)),
            allocated_bytes,
            peak_heap_bytes: self.heap.as_ref().map(HeapWatch::peak_bytes),
            instructions: counted.and_then(|(now, then)| now.instructions.since(then.instructions)),
            cache_misses: counted
                .and_then(|(now, then)| now.cache_misses?.since(then.cache_misses?)),
        }
    }

    /// Runs `work` under the stopwatch: its result, and its nanoseconds.
    pub fn clocked<T>(&self, work: impl FnOnce() -> T) -> (T, u64) {
        let clock = self.instruments.clock;
        let start = clock.now_ns();
        let result = work();
        (result, clock.now_ns() - start)
    }

    /// Sorts the pairs of the last frame: the order of the response.
    pub fn sort_pairs(&mut self) {
        self.sort_pairs_unless(&|| false);
    }

    /// [`sort_pairs`](Self::sort_pairs), until `is_stopped` returns true: they are in any order then. Returns whether
    /// they are sorted.
    pub fn sort_pairs_unless(&mut self, is_stopped: &dyn Fn() -> bool) -> bool {
        sort_unless(&mut self.pairs, is_stopped)
    }

    /// The pairs of the last frame.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }
}
