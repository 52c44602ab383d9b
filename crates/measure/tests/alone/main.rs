//! Tests that need a process to themselves: the allocator counts the bytes of every thread, and the instruction set holds
//! for all.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

#[path = "../common/mod.rs"]
mod common;

mod stage_memory;
mod trajectories;

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

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
        test(
            "stages_take_no_more_memory_than_they_are_given",
            stage_memory::stages_take_no_more_memory_than_they_are_given,
        ),
        test("each_scene_has_its_trajectory", trajectories::each_scene_has_its_trajectory),
    ];
    libtest_mimic::run(&arguments, tests).exit_code()
}
