//! `harness compare`.

use super::playing::{Effort, Playing};
use super::values::{MAX_REPEATS, ratio};
use clap::{Args, value_parser};

#[derive(Debug, Args)]
pub(crate) struct CompareOptions {
    /// The baseline: an algorithm's id, which may set parameters, ID@PARAMETER=V; or a summary.csv, a stages.csv, or the
    /// folder of one
    pub(crate) a: String,

    /// What is compared with it: another id, or another file of the same kind
    pub(crate) b: String,

    #[command(flatten)]
    pub(crate) playing: Playing,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// Rounds, in each of which both go once through all frames; an interval of 95 % takes six
    #[arg(long, value_name = "R", default_value = "10")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_REPEATS))]
    pub(crate) repeat: u32,

    /// Exit with 5 where B takes more than this multiple of the time of A, beyond noise
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    pub(crate) fail_above: Option<f64>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}
