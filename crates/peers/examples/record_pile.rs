//! Records a pile: bodies that fall into a pit, simulated by rapier3d, as traces of their boxes.
//!
//! ```text
//! cargo run --release -p peers --features all --example record_pile -- \
//!     --out falling.bpt --settled settled.bpt
//! ```
//!
//! The first trace records the fall. The second, of the same length, begins when the pile has settled.
//! `harness speed` records its own traces.
#![allow(missing_docs, reason = "an example has no users")]

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, value_parser};
use peers::{Pile, PileOptions};
use sim::{DEFAULT_SEED, TraceError};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Records bodies that fall on each other.
#[derive(Parser)]
struct Options {
    /// Number of bodies
    #[arg(long, default_value = "10000", value_parser = value_parser!(u32).range(1..=1_000_000))]
    bodies: u32,

    /// Frames of a trace
    #[arg(long, default_value = "140", value_parser = value_parser!(u32).range(1..=100_000))]
    frames: u32,

    /// The trace of the fall (.bpt)
    #[arg(long, value_name = "F.bpt")]
    out: PathBuf,

    /// The trace of the settled pile (.bpt)
    #[arg(long, value_name = "F.bpt")]
    settled: Option<PathBuf>,

    /// The frame at which the settled trace begins, at least FRAMES
    #[arg(long, default_value = "260", requires = "settled", value_parser = value_parser!(u32).range(1..=1_000_000))]
    settled_from: u32,

    /// Balls instead of boxes
    #[arg(long)]
    balls: bool,

    /// Seed of their positions and rotations
    #[arg(long, default_value_t = DEFAULT_SEED)]
    seed: u64,
}

impl Options {
    /// Refuses a second trace that would begin before the first has ended.
    fn check(&self) -> Result<(), clap::Error> {
        let &Self { frames, settled_from, .. } = self;
        if self.settled.is_none() || settled_from >= frames {
            return Ok(());
        }
        let message = format!(
            "--settled-from {settled_from} is before the end of the first trace, which takes --frames \
             {frames}: give at least {frames}"
        );
        Err(Self::command().error(ErrorKind::ValueValidation, message))
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    options.check().unwrap_or_else(|e| e.exit());
    match record_both(&options) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settled_trace_beginning_within_the_first_is_refused() {
        let check = |more: &str| {
            let words = "record_pile --out a.bpt --frames 140".split(' ').chain(more.split(' '));
            Options::parse_from(words).check()
        };
        let refusal = check("--settled b.bpt --settled-from 139").unwrap_err().to_string();
        assert!(
            refusal.contains("--settled-from 139") && refusal.contains("at least 140"),
            "{refusal}"
        );
        assert!(check("--settled b.bpt --settled-from 140").is_ok());
        assert!(check("--bodies 10").is_ok());
    }
}
