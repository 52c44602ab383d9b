//! The command line: what it prints, what it writes, and with which code it ends.

mod bodies;
mod compare;
mod errors;
mod impacts;
#[cfg(not(feature = "peers"))]
mod lean;
mod list;
mod parameters;
#[cfg(feature = "peers")]
mod peers;
mod record;
mod run;
mod verify;
mod worlds;

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A folder with a scene of 60 crowded spheres, `tiny.scene`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 60\n#!radius 0.1\n#!speed 2\n#!seed 7\n";
    fs::write(folder.path().join("tiny.scene"), text).unwrap();
    folder
}

/// The binary in a folder, with arguments separated by blanks.
fn harness(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::cargo_bin("harness").unwrap();
    command.current_dir(folder).args(arguments.split_whitespace());
    // What is not refused as it should be may run for hours.
    command.timeout(Duration::from_secs(60));
    command
}

fn rows(path: PathBuf) -> Vec<csv::StringRecord> {
    csv::Reader::from_path(path).unwrap().into_records().map(Result::unwrap).collect()
}

/// Column of `frames.csv`.
const PHASE: usize = 8;
/// Columns of `summary.csv`.
const N: usize = 2;
const ALGORITHM: usize = 4;
const THREADS: usize = 5;
const PAIRS: usize = 16;
const ALLOCATIONS: usize = 19;
const CHECKSUM: usize = 22;
const STATUS: usize = 23;
