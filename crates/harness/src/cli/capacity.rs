//! `harness capacity`.

use super::playing::Playing;
use super::study::StudyOptions;
use clap::{Args, value_parser};

#[derive(Debug, Args)]
pub(crate) struct CapacityOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    /// Capacities of a buffer, in pairs an object
    #[arg(long, value_name = "K,..", value_delimiter = ',', default_value = "1,2,4,8,16,32,64")]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    pub(crate) per_object: Vec<u64>,

    /// Capacities in pairs a frame, instead of those in pairs an object
    #[arg(long, value_name = "C,..", value_delimiter = ',', conflicts_with = "per_object")]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    pub(crate) pairs: Vec<u64>,

    /// Count nothing: write page and chart from the rows of an earlier run
    #[arg(long, conflicts_with_all = [
        "inputs", "boxes", "objects", "frames", "seed", "per_object", "pairs", "force", "resume",
    ])]
    pub(crate) redraw: bool,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}
