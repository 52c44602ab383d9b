//! Tests that need a process to themselves, or a C compiler.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod fork;
mod programs;

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
    let mut tests = Vec::new();
    if cfg!(unix) {
        // First: what the process has used before it forks counts.
        tests.push(test(
            "every_child_finds_the_pairs_of_its_parent",
            fork::every_child_finds_the_pairs_of_its_parent,
        ));
    }
    tests.extend(programs::trials());
    libtest_mimic::run(&arguments, tests).exit_code()
}
