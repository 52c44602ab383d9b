//! The options of the commands that write a page of their own.

use clap::{Args, value_parser};
use std::path::PathBuf;

/// Where a study goes, and what becomes of earlier results there.
#[derive(Debug, Args)]
pub(crate) struct StudyOptions {
    /// Folder for the page and the rows behind it; without it results/MACHINE, named after processor
    /// and cores
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Complete a run that was killed or stopped, with the options that it began with
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,

    /// Replace results that are there already; recorded piles are kept
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ThesisOptions {
    /// Two minutes instead of most of an hour: few frames, once, at fewer numbers of objects
    #[arg(long)]
    pub(crate) quick: bool,

    /// Numbers of objects, instead of 50 to 5000
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) objects: Vec<u32>,

    /// Frames that count
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) frames: Option<u32>,

    /// Repetitions, each from a fresh start
    #[arg(long, value_name = "R", value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) repeat: Option<u32>,

    /// Measure nothing: draw and judge the rows of an earlier run again
    #[arg(long, conflicts_with_all = ["quick", "objects", "frames", "repeat", "force", "resume"])]
    pub(crate) redraw: bool,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}

#[derive(Debug, Args)]
pub(crate) struct SpeedOptions {
    /// A few minutes instead of about an hour: fewer frames, rounds and objects
    #[arg(long)]
    pub(crate) quick: bool,

    /// Only these inputs: gas, falling-pile and so on, or gas:20000
    #[arg(long, value_name = "INPUT,..", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Frames that count
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) frames: Option<u32>,

    /// Rounds, in each of which every algorithm starts afresh; an interval of 95 % takes six
    #[arg(long, value_name = "R", value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) repeat: Option<u32>,

    /// Measure nothing: draw and judge the rows of an earlier run again
    #[arg(long, conflicts_with_all = ["quick", "only", "frames", "repeat", "force", "resume"])]
    pub(crate) redraw: bool,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}
