//! Records a pile: bodies that fall into a pit, simulated by rapier3d, as traces of their boxes.
//!
//! ```text
//! cargo run --release -p peers --features all --example record_pile -- \
//!     --out falling.bpt --settled settled.bpt
//! ```
//!
//! The first trace begins with the fall; the second one, of as many frames, begins when the pile
//! lies. `harness speed` records its own.
#![allow(missing_docs, reason = "nobody uses an example's items")]

use clap::{Parser, value_parser};
use peers::{Pile, PileOptions};
use sim::TraceError;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Records bodies that fall on each other.
#[derive(Parser)]
struct Options {
    /// How many bodies
    #[arg(long, default_value = "10000", value_parser = value_parser!(u32).range(1..=1_000_000))]
    bodies: u32,

    /// Frames of a trace
    #[arg(long, default_value = "140", value_parser = value_parser!(u32).range(1..=100_000))]
    frames: u32,

    /// The trace of the fall (.bpt)
    #[arg(long, value_name = "F.bpt")]
    out: PathBuf,

    /// The trace of the pile that lies (.bpt)
    #[arg(long, value_name = "F.bpt")]
    settled: Option<PathBuf>,

    /// The frame with which that begins
    #[arg(long, default_value = "260", value_parser = value_parser!(u32).range(1..=1_000_000))]
    settled_from: u32,

    /// Balls instead of boxes
    #[arg(long)]
    balls: bool,

    /// Seed of their places and turns
    #[arg(long, default_value = "1739")]
    seed: u64,
}

fn main() -> ExitCode {
    match record_both(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn record_both(options: &Options) -> Result<(), TraceError> {
    let &Options { bodies, balls, seed, frames, settled_from, .. } = options;
    let mut pile = Pile::new(&PileOptions { bodies, balls, seed });
    let record = |pile: &mut Pile, path: &Path| {
        pile.record(path, frames, || true)?;
        println!("{}: {frames} frames of {bodies} boxes", path.display());
        Ok(())
    };
    record(&mut pile, &options.out)?;
    if let Some(path) = &options.settled {
        (frames..settled_from).for_each(|_| pile.step());
        record(&mut pile, path)?;
    }
    Ok(())
}
