//! The command line, and the options that several commands have.

mod playing;
mod selection;
mod values;

pub(crate) use playing::{
    Effort, Playing, ResultOptions, StageOptions, StudyOptions, one_of, parse_narrow, parse_volume,
};
pub(crate) use selection::{Selection, algorithm};
pub(crate) use values::{
    MAX_FRAMES, MAX_REPEATS, MAX_THREADS, MAX_WORLDS, number, ratio, replaced, seconds, share,
};

use crate::commands::Command;
use clap::Parser;

/// Measures broad-phase collision detection.
#[derive(Debug, Parser)]
#[command(name = "harness", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 ok, 1 failure while running, 2 usage, 3 bad input file, \
                        4 algorithms disagree, 5 regression against a baseline, 130 stopped.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}
