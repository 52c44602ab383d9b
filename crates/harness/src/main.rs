//! The binary: the allocator that counts, and the library's command line.

use measure::HeapProbe;
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

/// Tracks the peak. The calls that reach the system are counted by `stats_alloc` behind it. Both leave a block that grows to
/// the system, which extends large ones in place: a copy would make first frames up to 1.8 times as long.
#[global_allocator]
static ALLOCATOR: PeakMemAlloc<&StatsAlloc<System>> = PeakMemAlloc::new(&INSTRUMENTED_SYSTEM);

/// Heap blocks allocated so far, by all threads. A block that grows counts again.
fn allocations() -> u64 {
    let stats = INSTRUMENTED_SYSTEM.stats();
    (stats.allocations + stats.reallocations) as u64
}

fn live_bytes() -> u64 {
    let stats = INSTRUMENTED_SYSTEM.stats();
    stats.bytes_allocated.saturating_sub(stats.bytes_deallocated) as u64
}

const HEAP: HeapProbe = HeapProbe {
    allocated_bytes: || INSTRUMENTED_SYSTEM.stats().bytes_allocated as u64,
    live_bytes,
    peak_growth: || ALLOCATOR.get_peak_memory() as u64,
    reset_peak: || ALLOCATOR.reset_peak_memory(),
};

fn main() {
    measure::end(harness::run(std::env::args_os().collect(), Some(allocations), Some(HEAP)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEBIBYTE: usize = 1 << 20;

    /// Equality, with room for allocations of the test's own threads.
    fn about(bytes: usize, mebibytes: usize) -> bool {
        bytes.abs_diff(mebibytes * MEBIBYTE) < MEBIBYTE
    }

    /// One test in this binary: the counters see the allocations of every thread.
    #[test]
    fn growing_list_reaches_the_system_as_one_reallocation() {
        let mut list: Vec<u8> = Vec::with_capacity(64 * MEBIBYTE);
        let (before, live) = (INSTRUMENTED_SYSTEM.stats(), (HEAP.live_bytes)());
        (HEAP.reset_peak)();
        list.reserve_exact(192 * MEBIBYTE);
        let change = INSTRUMENTED_SYSTEM.stats() - before;
        assert!(change.reallocations >= 1, "{change:?}");
        // A copy would allocate all 192, and free 64.
        assert!(
            about(change.bytes_allocated, 128) && about(change.bytes_deallocated, 0),
            "{change:?}"
        );
        assert!(about((HEAP.peak_growth)() as usize, 128));
        drop(list);
        list = Vec::with_capacity(16 * MEBIBYTE);
        assert!(about((HEAP.peak_growth)() as usize, 128), "a peak is no present size");
        let held = live as usize - (HEAP.live_bytes)() as usize;
        assert!(about(held, 48), "{held} bytes freed: 64 before, {} now", list.capacity());
    }
}
