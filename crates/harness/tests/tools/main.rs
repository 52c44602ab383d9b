//! Tests that need programs of the system, where libtest cannot decide at run time what is ignored: one whose program is
//! missing is reported as ignored, with the reason.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod programs;
mod sweeps;
mod trace_writers;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let tests = [programs::trials(), sweeps::trials(), trace_writers::trials()];
    let tests = tests.into_iter().flatten().collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// A test that needs `tools`, separated by commas.
fn trial(
    name: &str,
    tools: &str,
    test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let there = |tool: &&str| Command::new(tool).arg("--version").output().is_ok();
    let missing = tools.split(", ").find(|tool| !there(tool)).map(str::to_owned);
    match missing {
        None => Trial::test(name, test),
        // `--include-ignored` runs it all the same; it must not pass then.
        Some(tool) => {
            let reason = format!("no {tool}");
            Trial::test(name, move || Err(format!("{tool} cannot be started").into()))
                .with_kind(reason)
                .with_ignored_flag(true)
        }
    }
}

/// Runs a program that must succeed. Gives its standard output.
fn succeed(command: &mut Command) -> Result<String, Failed> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{command:?}: {output:?}").into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
