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

use crate::commands::{harness, prints, refused};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with a scene of 60 crowded spheres, `tiny.scene`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 60\n#!radius 0.1\n#!speed 2\n#!seed 7\n";
    fs::write(folder.path().join("tiny.scene"), text).unwrap();
    folder
}

fn rows(path: PathBuf) -> Vec<csv::StringRecord> {
    csv::Reader::from_path(path).unwrap().into_records().map(Result::unwrap).collect()
}

/// Column of `frames.csv`.
const PHASE: usize = 8;
/// Columns of `summary.csv`.
const N: usize = 2;
const ALGORITHM: usize = 4;
const PAIRS: usize = 16;
const ALLOCATIONS: usize = 19;
const CHECKSUM: usize = 22;
const STATUS: usize = 23;
