//! Tests that need a process without other threads: the allocator counts the calls of each, and a signal removes the
//! files of all.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod allocations;
mod atlas_allocations;
mod path_memory;
mod unfinished;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

fn main() -> ExitCode {
    // One after the other, in this thread.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let tests: [(&str, fn()); 4] = [
        (
            "frames_of_a_cell_allocate_nothing_after_the_first",
            atlas_allocations::frames_of_a_cell_allocate_nothing_after_the_first,
        ),
        (
            "used_states_and_steady_steps_allocate_nothing",
            allocations::used_states_and_steady_steps_allocate_nothing,
        ),
        (
            "bytes_per_path_bound_the_measured_bytes",
            path_memory::bytes_per_path_bound_the_measured_bytes,
        ),
        ("signal_leaves_finished_files_alone", unfinished::signal_leaves_finished_files_alone),
    ];
    let tests = tests.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, tests.into()).exit_code()
}
