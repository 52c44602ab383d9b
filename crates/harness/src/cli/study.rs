//! The options of the commands that write a page of their own.

use super::playing::Playing;
use super::values::{MAX_THREADS, MAX_WORLDS, seconds};
use crate::commands::speed::SpeedPart;
use crate::study::Shard;
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::builder::PossibleValuesParser;
use clap::{Args, value_parser};
use sim::Scene;
use std::path::PathBuf;
use std::time::Duration;

/// Most cells of an atlas. Its `machine.json` lists them, in up to 216 bytes each: 10.3 of the 16 MiB that are read.
const MAX_CELLS: u32 = 50_000;

/// The folder of a study, and the treatment of earlier results there.
#[derive(Clone, Debug, Args)]
pub(crate) struct StudyOptions {
    /// Folder for the page and the rows behind it; without it results/MACHINE, named after processor
    /// and cores
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Complete a run that was killed or stopped; the other options must be the same
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,

    /// Replace existing results, except recorded piles
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ThesisOptions {
    /// A short run, minutes instead of a quarter of an hour: few frames, one repetition, fewer numbers of
    /// objects
    #[arg(long)]
    pub(crate) quick: bool,

    /// Numbers of objects, instead of 50 to 5000
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) objects: Vec<u32>,

    /// Frames that count
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) frames: Option<u32>,

    /// Repetitions, each with new structures
    #[arg(long, value_name = "R", value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) repeat: Option<u32>,

    /// Measure nothing: write page and charts from the rows of an earlier run
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

    /// Only these parts of the measurement
    #[arg(long, value_name = "PART,..", value_delimiter = ',', value_enum)]
    pub(crate) parts: Vec<SpeedPart>,

    /// Compare with these programs too: each reads a trace, and prints a line for each frame
    /// (docs/trace-file.md)
    #[arg(long = "program", value_name = "PATH", num_args = 1..)]
    pub(crate) programs: Vec<PathBuf>,

    /// Measure on these traces too (docs/trace-file.md)
    #[arg(long = "trace", value_name = "F.bpt", num_args = 1..)]
    pub(crate) traces: Vec<PathBuf>,

    /// Frames that count
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) frames: Option<u32>,

    /// Rounds, each with new structures; an interval of 95 % needs six
    #[arg(long, value_name = "R", value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) repeat: Option<u32>,

    /// Measure nothing: write page and charts from the rows of an earlier run
    #[arg(long, conflicts_with_all = [
        "quick", "only", "parts", "programs", "traces", "frames", "repeat", "force", "resume",
    ])]
    pub(crate) redraw: bool,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}

#[derive(Debug, Args)]
pub(crate) struct AtlasOptions {
    /// Number of cells to draw and measure
    #[arg(long, value_name = "N", default_value = "300")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(MAX_CELLS)))]
    pub(crate) cells: u32,

    /// Measure only this cell, and print its algorithms; nothing is written
    #[arg(long, value_name = "K", conflicts_with_all = [
        "cells", "objects_up_to", "shard", "redraw", "out", "resume", "force", "quiet",
    ])]
    pub(crate) cell: Option<u32>,

    /// Seed of the cells
    #[arg(long, value_name = "SEED", value_parser = measure::parse_seed, default_value_t = Scene::default().seed)]
    pub(crate) seed: u64,

    /// Measure the winner map instead: the whole registry on a gas, over the number of objects and
    /// speed, and over the number of objects and the share that moves
    #[arg(long, conflicts_with = "cells")]
    pub(crate) map: bool,

    /// Measure on these traces instead of cells (docs/trace-file.md)
    #[arg(long = "trace", value_name = "F.bpt", num_args = 1.., conflicts_with_all = [
        "cells", "cell", "seed", "map", "objects_up_to",
    ])]
    pub(crate) traces: Vec<PathBuf>,

    /// Measure each cell as this many worlds instead: world K is drawn from its seed + K. One call for all is compared with
    /// `auto` in a loop. Writes summary.csv, without a page
    #[arg(long, value_name = "W", value_parser = value_parser!(u32).range(1..=MAX_WORLDS))]
    #[arg(conflicts_with_all = ["cell", "map", "traces", "champions", "budget", "shard", "redraw"])]
    pub(crate) worlds: Option<u32>,

    /// Only cells of at most this many objects: the first of the seed, or those of the map [default with --worlds: 2000]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(250..))]
    pub(crate) objects_up_to: Option<u32>,

    /// Algorithms to measure, instead of the champions; with --map, instead of all
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(ALGORITHMS.iter().map(|entry| entry.id)))]
    champions: Vec<String>,

    /// Numbers of threads that the algorithms may use; without it 1,2, with --map 1
    #[arg(long, value_name = "T,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_THREADS))]
    pub(crate) threads: Vec<u32>,

    /// Repetitions, each with new structures; a frame counts by the fastest of them
    #[arg(long, value_name = "R", default_value = "5")]
    #[arg(value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) repeat: u32,

    /// Time that an algorithm may take for one cell, else it is skipped
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,

    /// Measure only the cells whose index modulo N is K - 1; other processes measure the others
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// Measure nothing: write page and charts from the rows in these folders, those of all shards of a
    /// plan; without a folder, in --out
    #[arg(long, value_name = "DIR", num_args = 0.., conflicts_with_all = [
        "cells", "seed", "map", "traces", "objects_up_to", "champions", "threads", "repeat", "budget",
        "shard", "resume",
    ])]
    pub(crate) redraw: Option<Vec<PathBuf>>,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}

impl AtlasOptions {
    /// The chosen algorithms, in the registry's order; empty without a choice.
    pub(crate) fn champions(&self) -> Vec<&'static Algorithm> {
        let is_chosen = |entry: &&Algorithm| self.champions.iter().any(|id| id == entry.id);
        ALGORITHMS.iter().filter(is_chosen).collect()
    }
}

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
