//! Tests that draw.
//!
//! The adapter is known only at run time, when libtest can no longer ignore a test. Here a test is
//! reported as ignored, with the reason, if there is no adapter; it never passes. With
//! `REQUIRE_GPU=1` in the environment, as in CI, it fails instead.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

#[path = "../common/mod.rs"]
mod common;
mod picture;
mod render;

use std::sync::{Mutex, PoisonError};

use libtest_mimic::{Arguments, Failed, Trial};
use measure::Exit;
use viewer::gpu::Gpu;

/// A test's name and body.
type GpuTest = (&'static str, fn(&Gpu));

fn main() {
    let arguments = Arguments::from_args();
    let missing = match Gpu::headless() {
        Ok(gpu) => {
            *DEVICE.lock().unwrap_or_else(PoisonError::into_inner) = Some(gpu);
            None
        }
        Err(error) => Some(error.to_string()),
    };
    let required = std::env::var_os("REQUIRE_GPU").is_some_and(|value| value == "1");
    let tests = render::TESTS.iter().chain(picture::TESTS);
    let trials = tests.map(|&(name, body)| trial(name, body, missing.clone(), required));
    let trials = trials.collect();
    if let Some(reason) = &missing
        && !arguments.list
    {
        let consequence = if required { "fail, as REQUIRE_GPU=1" } else { "are ignored" };
        eprintln!("GPU tests {consequence}: {reason}");
    }
    let failed = libtest_mimic::run(&arguments, trials).has_failed();
    // Its threads, which have drawn, may still free what they drew with.
    measure::end(if failed { Exit::Running } else { Exit::Ok })
}

fn trial(name: &str, body: fn(&Gpu), missing: Option<String>, required: bool) -> Trial {
    let Some(reason) = missing else {
        return Trial::test(name, move || on_device(body));
    };
    // `--include-ignored` runs it too; it must not pass then.
    Trial::test(name, move || Err(reason.into()))
        .with_kind("no adapter")
        .with_ignored_flag(!required)
}

/// The device of the tests, which use it one after the other: some drivers take seconds to make one, and longer where
/// several are made at once.
static DEVICE: Mutex<Option<Gpu>> = Mutex::new(None);

/// Runs a test on the device, on a new one if the last test panicked or caused a fault.
fn on_device(body: fn(&Gpu)) -> Result<(), Failed> {
    let mut device = DEVICE.lock().unwrap_or_else(PoisonError::into_inner);
    let gpu = match device.take() {
        Some(gpu) => gpu,
        None => Gpu::headless().map_err(|error| Failed::from(error.to_string()))?,
    };
    body(&gpu);
    match gpu.fault() {
        Some(fault) => Err(fault.into()),
        None => {
            *device = Some(gpu);
            Ok(())
        }
    }
}
