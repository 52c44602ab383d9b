//! Tests that need a process to themselves: the allocator counts the calls of every thread, and the instruction set holds
//! for all.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

#[path = "../common/mod.rs"]
mod common;

mod allocations;
mod burst;
mod simd;

use libtest_mimic::{Arguments, Trial};
use rayon::ThreadPool;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::process::ExitCode;
use std::sync::LazyLock;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Heap blocks allocated so far, and those that grew.
fn allocations_so_far() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}

/// Pools of one thread and of two. They live as long as the program: a thread that ends allocates, which may be late on
/// a loaded machine.
static POOLS: LazyLock<[ThreadPool; 2]> = LazyLock::new(|| {
    [1, 2].map(|threads| {
        let pool = common::pool(threads);
        // A thread that starts and first looks for work allocates, too.
        pool.broadcast(|_| rayon::yield_now());
        pool
    })
});

fn main() -> ExitCode {
    // One after the other, in this thread.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let test = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let mut tests = vec![
        test("steady_frames_hardly_allocate", allocations::steady_frames),
        test("steady_steps_of_a_space_hardly_allocate", allocations::steady_steps_of_a_space),
        test("steady_call_of_worlds_allocates_nothing", allocations::steady_call_of_worlds),
        test("steady_joins_hardly_allocate", allocations::steady_joins),
        test("steady_frame_with_queries_allocates_nothing", allocations::steady_queries),
    ];
    tests.extend(burst::trials());
    // Last: the global pool that it starts allocates.
    tests.push(test("every_instruction_set_equals_the_definition", simd::every_instruction_set));
    libtest_mimic::run(&arguments, tests).exit_code()
}
