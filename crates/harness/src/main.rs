//! The binary: the allocator that counts, and the library's command line.

use measure::HeapProbe;
use peak_alloc::PeakAlloc;
use stats_alloc::StatsAlloc;
use std::process::ExitCode;

/// Counts calls and bytes; the inner allocator tracks the peak.
#[global_allocator]
static ALLOCATOR: StatsAlloc<PeakAlloc> = StatsAlloc::new(PeakAlloc);

/// Heap blocks allocated so far, by all threads. A block that grows counts again.
fn allocations() -> u64 {
    let stats = ALLOCATOR.stats();
    (stats.allocations + stats.reallocations) as u64
}

const HEAP: HeapProbe = HeapProbe {
    allocated_bytes: || ALLOCATOR.stats().bytes_allocated as u64,
    live_bytes: || PeakAlloc.current_usage() as u64,
    peak_bytes: || PeakAlloc.peak_usage() as u64,
    reset_peak: || PeakAlloc.reset_peak_usage(),
};

fn main() -> ExitCode {
    harness::run(std::env::args_os().collect(), Some(allocations), Some(HEAP))
}
