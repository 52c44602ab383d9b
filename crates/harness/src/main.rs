//! The binary: the allocator that counts, and the library's command line.

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Heap blocks allocated so far, by all threads. A block that grows counts again.
fn allocations() -> u64 {
    let stats = ALLOCATOR.stats();
    (stats.allocations + stats.reallocations) as u64
}

fn main() -> ExitCode {
    harness::run(std::env::args_os().collect(), Some(allocations))
}
