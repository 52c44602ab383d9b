//! A harness for tests that draw.
//!
//! The adapter is known only at run time, when libtest can no longer ignore a test. Here a test is
//! reported as ignored, with the reason, if there is no adapter; it never passes. With
//! `REQUIRE_GPU=1` in the environment, as in CI, it fails instead.
//!
//! For a test target with `harness = false`, whose `main` calls [`run`].

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use viewer::gpu::Gpu;

/// A test's name and body. Each body gets a device of its own, which isolates faults.
pub(crate) type GpuTest = (&'static str, fn(&Gpu));

/// Runs the tests as libtest would, with its command line.
pub(crate) fn run(tests: &[GpuTest]) -> ExitCode {
    let arguments = Arguments::from_args();
    let missing = Gpu::headless().err().map(|error| error.to_string());
    let required = std::env::var_os("REQUIRE_GPU").is_some_and(|value| value == "1");
    let trials = tests.iter().map(|&(name, body)| trial(name, body, missing.clone(), required));
    let trials = trials.collect();
    if let Some(reason) = &missing
        && !arguments.list
    {
        let consequence = if required { "fail, as REQUIRE_GPU=1" } else { "are ignored" };
        eprintln!("GPU tests {consequence}: {reason}");
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(name: &str, body: fn(&Gpu), missing: Option<String>, required: bool) -> Trial {
    let Some(reason) = missing else {
        return Trial::test(name, move || {
            let gpu = Gpu::headless().map_err(|error| Failed::from(error.to_string()))?;
            body(&gpu);
            match gpu.fault() {
                Some(fault) => Err(fault.into()),
                None => Ok(()),
            }
        });
    };
    // `--include-ignored` runs it too; it must not pass then.
    Trial::test(name, move || Err(reason.into()))
        .with_kind("no adapter")
        .with_ignored_flag(!required)
}
