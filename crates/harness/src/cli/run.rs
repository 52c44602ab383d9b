//! `harness run`.

use super::playing::{Effort, Playing};
use super::results::ResultOptions;
use super::selection::Selection;
use super::stages::StageOptions;
use super::values::{MAX_REPEATS, MAX_WORLDS};
use crate::study::Shard;
use clap::{Args, value_parser};

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

    /// Numbers of worlds: world K has the boxes of their seed + K. One call for all is compared with `auto` in a loop
    #[arg(long, value_name = "W,..", value_delimiter = ',', requires = "boxes")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_WORLDS))]
    #[arg(conflicts_with_all = ["inputs", "objects", "algorithms", "set", "volume", "narrow"])]
    pub(crate) worlds: Vec<u32>,

    /// Repetitions, each from a fresh start
    #[arg(long, value_name = "R", default_value = "5")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_REPEATS))]
    pub(crate) repeat: u32,

    #[command(flatten)]
    pub(crate) results: ResultOptions,
}
