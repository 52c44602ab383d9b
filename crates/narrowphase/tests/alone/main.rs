//! Tests that need a process without other threads: the allocator counts the calls of each.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod allocations;
mod volume_allocations;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

fn main() -> ExitCode {
    // One after the other, in this thread.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let test = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let tests = vec![
        test("steady_frame_allocates_nothing", allocations::steady_frame_allocates_nothing),
        test(
            "steady_search_for_impacts_allocates_nothing",
            allocations::steady_search_for_impacts_allocates_nothing,
        ),
        test(
            "placing_and_testing_volumes_allocates_nothing",
            volume_allocations::placing_and_testing_volumes_allocates_nothing,
        ),
    ];
    libtest_mimic::run(&arguments, tests).exit_code()
}
