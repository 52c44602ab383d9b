//! `harness run`.

use super::playing::{Effort, Playing};
use super::selection::Selection;
use super::stages::StageOptions;
use super::values::MAX_REPEATS;
use crate::study::Shard;
use clap::{Args, value_parser};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    #[command(flatten)]
    pub(crate) selection: Selection,

    #[command(flatten)]
    pub(crate) stages: StageOptions,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// Measure only the cases whose index modulo N is K - 1, and leave the others to other processes
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// Find the pairs that began and ended in each frame too: columns of their own, outside of all
    /// other times
    #[arg(long)]
    pub(crate) events: bool,

    /// Repetitions, each from a fresh start
    #[arg(long, value_name = "R", default_value = "5")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_REPEATS))]
    pub(crate) repeat: u32,

    /// Complete the run in the folder of --out, which was killed or stopped; begin it if there is
    /// none
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub(crate) resume: bool,

    /// Folder for the results; without it results/run-YYYYMMDD-HHMMSS (UTC)
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Replace results that are in the folder already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print the rows of summary.csv as JSON instead of the table
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}
