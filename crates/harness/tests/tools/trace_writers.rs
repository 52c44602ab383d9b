//! The trace writers in `examples/trace-writers`: what they write is read, and right.

use crate::{succeed, trial};
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Magic, objects, frames, dt, flags, and 60 frames of 3 boxes of 24 bytes.
const BYTES: usize = 24 + 60 * 3 * 24;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("c_writes_a_trace_that_the_harness_reads", "cc", || {
            let folder = tempfile::tempdir()?;
            let program = folder.path().join("trace_writer");
            let source = example("trace_writer.c");
            let flags = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-o"];
            succeed(Command::new("cc").args(flags).arg(&program).arg(source).arg("-lm"))?;
            read_back(Command::new(program), folder.path())
        }),
        trial("python_writes_a_trace_that_the_harness_reads", "python3", || {
            let folder = tempfile::tempdir()?;
            let mut program = Command::new("python3");
            program.arg(example("trace_writer.py"));
            read_back(program, folder.path())
        }),
    ]
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trace-writers").join(name)
}

/// Lets a writer write, and the harness verify what it wrote.
fn read_back(mut writer: Command, folder: &Path) -> Result<(), Failed> {
    let trace = folder.join("falling.bpt");
    succeed(writer.arg(&trace))?;
    let bytes = std::fs::read(&trace)?;
    if bytes.len() != BYTES {
        return Err(format!("{} bytes, not {BYTES}", bytes.len()).into());
    }
    let harness = assert_cmd::cargo::cargo_bin!("harness");
    let said = succeed(Command::new(harness).current_dir(folder).args(["verify", "falling.bpt"]))?;
    // Resting and falling touch from frame 39 on (3 - 4.9 t² <= 1), resting and passing in 20 frames,
    // falling and passing while that is there and the fall is over: in frame 39 alone. Each pair
    // counts once for every algorithm but brute force.
    let algorithms = broadphase::registry::ALGORITHMS.len() as u64 - 1;
    let pairs = algorithms * (21 + 20 + 1);
    let expected = format!("60 frames, {algorithms} algorithms against brute-force, {pairs} pairs");
    if said.contains(&expected) { Ok(()) } else { Err(format!("no `{expected}` in {said}").into()) }
}
