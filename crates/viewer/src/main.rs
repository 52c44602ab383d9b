//! The viewer's program.

use broadphase::registry::ALGORITHMS;
use sim::printable;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use viewer::cli::Arguments;
use viewer::program;

/// Counts the heap allocations of every frame, for the column `allocations`.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn allocations() -> u64 {
    let stats = ALLOCATOR.stats();
    (stats.allocations + stats.reallocations) as u64
}

fn main() {
    // Messages about missing drivers and a broken display are off: the program reports them in one line.
    let filter = env_logger::Env::default().default_filter_or("error,wgpu_hal=off,arboard=off");
    env_logger::Builder::from_env(filter).init();
    let arguments =
        Arguments::try_parse_offering(ALGORITHMS, std::env::args_os()).unwrap_or_else(|error| {
            // It quotes arguments, whose control characters are escaped.
            let shown = std::env::args_os().map(|a| printable(&a.to_string_lossy()).into_owned());
            Arguments::try_parse_offering(ALGORITHMS, shown).err().unwrap_or(error).exit()
        });
    measure::end(program::run(&arguments, allocations))
}
