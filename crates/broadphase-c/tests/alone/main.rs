//! Tests that need a process to themselves, or a C compiler.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod fork;
mod programs;

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    #[cfg(unix)]
    {
        // First, in this thread: what the process has used before it forks counts.
        let fork = libtest_mimic::Trial::test("every_child_finds_the_pairs_of_its_parent", || {
            fork::every_child_finds_the_pairs_of_its_parent();
            Ok(())
        });
        let alone = Arguments { test_threads: Some(1), ..arguments.clone() };
        libtest_mimic::run(&alone, vec![fork]).exit_if_failed();
    }
    libtest_mimic::run(&arguments, programs::trials()).exit_code()
}
