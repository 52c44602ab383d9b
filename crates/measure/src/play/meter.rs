//! One clocked frame, and its pairs in their order.

use crate::process::{Clock, HardwareCounters, HeapProbe, HeapWatch};
use crate::rows::FrameRow;
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
    /// A meter with an empty pair list, for one structure.
    pub fn new(instruments: Instruments<'a>) -> Self {
        Self { instruments, heap: instruments.heap.map(HeapWatch::new), pairs: Vec::new() }
    }

    /// Makes the structure: its allocations are attributed to it from here on.
    pub(crate) fn make<T>(&mut self, build: impl FnOnce() -> T) -> T {
        let before = self.heap.as_ref().map(HeapWatch::before);
        let made = build();
        self.heap.as_mut().zip(before).map(|(heap, before)| heap.after(before));
        made
    }

    /// Runs one frame of `algorithm`: `update`, then `find_pairs`, each under the stopwatch. Returns the readings of all
    /// instruments.
    ///
    /// Afterwards [`pairs`](Self::pairs) are in the order in which the algorithm reported them.
    pub fn collide(&mut self, algorithm: &mut dyn BroadPhase, frame: &Frame<'_>) -> FrameRow {
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
        FrameRow {
            update_ns: updated - start,
            pairs_ns: found - updated,
            allocations: allocated_after.zip(allocated_before).map(|(n, m)| n.saturating_sub(m)),
            allocated_bytes,
            peak_heap_bytes: self.heap.as_ref().map(HeapWatch::peak_bytes),
            instructions: counted.and_then(|(now, then)| now.instructions.since(then.instructions)),
            cache_misses: counted
                .and_then(|(now, then)| now.cache_misses?.since(then.cache_misses?)),
            ..FrameRow::default()
        }
    }

    /// Sorts the pairs of the last frame, until `is_stopped` returns true: they are in any order then. Returns whether they
    /// are sorted: the order of the response.
    pub fn sort_pairs_unless(&mut self, is_stopped: &dyn Fn() -> bool) -> bool {
        sort_unless(&mut self.pairs, is_stopped)
    }

    /// The pairs of the last frame.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }
}

/// Most pairs that are sorted or moved between two calls of `is_stopped`: 0.1 s of sorting.
const PART: usize = 1 << 20;

/// Sorts pairs until `is_stopped` returns true: they are in any order then. Returns whether they are sorted.
///
/// Long lists are first divided in place.
fn sort_unless(pairs: &mut [Pair], is_stopped: &dyn Fn() -> bool) -> bool {
    pairs.is_sorted() || sort_parts(pairs, is_stopped)
}

/// A number in the order of the pairs.
fn key(pair: &Pair) -> u64 {
    (u64::from(pair.a) << 32) | u64::from(pair.b)
}

fn sort_parts(pairs: &mut [Pair], is_stopped: &dyn Fn() -> bool) -> bool {
    if is_stopped() {
        return false;
    }
    if pairs.len() <= PART {
        pairs.sort_unstable();
        return true;
    }
    let ends = |[low, high]: [u64; 2], pair: &Pair| [low.min(key(pair)), high.max(key(pair))];
    let [low, high] = pairs.iter().fold([u64::MAX, 0], ends);
    if low == high {
        return true;
    }
    let middle = low + (high - low) / 2;
    let mut smaller = 0;
    for place in 0..pairs.len() {
        if place % PART == 0 && is_stopped() {
            return false;
        }
        // Without a branch, which would be mispredicted for every second pair.
        pairs.swap(smaller, place);
        smaller += usize::from(key(&pairs[smaller]) <= middle);
    }
    let (smaller, larger) = pairs.split_at_mut(smaller);
    sort_parts(smaller, is_stopped) && sort_parts(larger, is_stopped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::benchmark::mix;
    use std::cell::Cell;

    /// Pairs in an order without meaning, several of which have the same ids.
    fn shuffled(number: u64) -> Vec<Pair> {
        let pair =
            |place: u64| Pair { a: (mix(place) % 700) as u32, b: (mix(!place) % 900) as u32 };
        (0..number).map(pair).collect()
    }

    #[test]
    fn sorting_ends_at_every_check_and_loses_no_pair() {
        let mut pairs = shuffled(5 * PART as u64 / 2);
        // More than a part of one object.
        pairs.extend(vec![Pair { a: u32::MAX, b: 2 }; PART + 1]);
        let mut expected = pairs.clone();
        expected.sort_unstable();
        for last in (0..).step_by(9) {
            let (checks, mut sorted) = (Cell::new(0), pairs.clone());
            let is_done = sort_unless(&mut sorted, &|| checks.replace(checks.get() + 1) >= last);
            assert_eq!(is_done, sorted == expected);
            sorted.sort_unstable();
            assert!(sorted == expected, "stopped at check {last}");
            if is_done {
                assert!(last >= 5, "{last} checks are too few");
                return;
            }
        }
    }
}
