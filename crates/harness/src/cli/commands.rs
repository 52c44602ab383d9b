//! The options of the commands that measure one plan, or show what was measured.

use super::playing::{Effort, Playing, ResultOptions, StageOptions};
use super::selection::{
    AlgorithmId, AlgorithmWord, Parameters, Selection, WITH_VARIANTS, selected,
};
use super::values::{MAX_FRAMES, MAX_REPEATS, MAX_WORLDS, ratio, seconds, share};
use crate::study::Shard;
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, value_parser};
use measure::{BoxesSpec, DEFAULT_FRAMES, parse_seed};
use report::Figure;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct ListOptions {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

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

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    /// Algorithms by id, all of them, or all of them with their variants, whose ids have a `+`; an id may set
    /// parameters, ID@PARAMETER=V
    #[arg(long, value_name = "all|all+variants|ID,..", value_delimiter = ',')]
    #[arg(default_value = WITH_VARIANTS, value_parser = AlgorithmWord)]
    pub(super) algorithms: Vec<String>,

    #[command(flatten)]
    parameters: Parameters,

    /// Time that an algorithm may take for one case on one number of threads, and once more what all share; it is skipped
    /// where it takes more
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,

    /// Accept a case in which no boxes overlap; otherwise it is a failure, since nothing was compared
    #[arg(long)]
    pub(crate) allow_no_pairs: bool,

    /// Without effect: wrong pairs were once written into this folder
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but differences and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl VerifyOptions {
    /// The entries of the registry, each once, in the registry's order; then the entries with other values of their
    /// parameters.
    pub(crate) fn entries(&self) -> Vec<&'static Algorithm> {
        let entries = selected(&ALGORITHMS, &self.algorithms).into_iter();
        self.parameters.with_configured(entries, &self.algorithms)
    }
}

#[derive(Debug, Args)]
pub(crate) struct RecordOptions {
    /// A scene file
    #[arg(required_unless_present = "boxes", conflicts_with = "boxes")]
    pub(crate) input: Option<PathBuf>,

    /// Generated boxes instead of a scene, or a cell of the atlas, atlas:SEED:NUMBER
    #[arg(long, value_name = "NAME:N")]
    pub(crate) boxes: Option<BoxesSpec>,

    /// Share of the generated boxes that moves, 0 to 1 [default: 1, of statics 0.1]
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "boxes")]
    pub(crate) moving: Option<f32>,

    /// The trace to write (.bpt)
    #[arg(long, value_name = "F.bpt")]
    pub(crate) out: PathBuf,

    /// The algorithm that finds the pairs of a scene, which its motion depends on
    #[arg(long, value_name = "ID", default_value = "kd-tree", conflicts_with = "boxes")]
    #[arg(value_parser = AlgorithmId)]
    pub(crate) algorithm: &'static Algorithm,

    /// Number of objects, instead of the scene's own
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    #[arg(conflicts_with = "boxes")]
    pub(crate) objects: Option<u32>,

    /// Frames to write
    #[arg(long, value_name = "F", default_value_t = DEFAULT_FRAMES)]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub(crate) frames: u32,

    /// Play the scene with #!continuous all, and write swept boxes: each contains its object during the whole step
    #[arg(long, conflicts_with = "boxes")]
    pub(crate) swept: bool,

    /// Seed, instead of the input's own
    #[arg(long, value_name = "SEED", value_parser = parse_seed)]
    pub(crate) seed: Option<u64>,

    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

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

#[derive(Debug, Args)]
pub(crate) struct PlotOptions {
    /// summary.csv and frames.csv of runs, where frames complete the summary of the same run; or the
    /// folder of a run, or those of all its shards
    #[arg(required = true, value_name = "CSV")]
    pub(crate) files: Vec<PathBuf>,

    /// Which figures; `all` are those for which there are data
    #[arg(long, value_name = "all|FIGURE,..", value_delimiter = ',', default_value = "time")]
    #[arg(value_parser = figure_or_all())]
    figures: Vec<String>,

    /// Where to: .svg or .png, or both by two names. If there are several charts, figure and input
    /// are appended to the name
    #[arg(long, required = true, value_name = "F.svg,F.png", value_delimiter = ',')]
    pub(crate) out: Vec<PathBuf>,

    /// Resolution of PNG files, dots per inch; a chart is a column of 88 mm wide
    #[arg(long, value_name = "DPI", default_value = "300")]
    #[arg(value_parser = value_parser!(u32).range(30..=2400))]
    pub(crate) dpi: u32,

    /// Replace files that are there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl PlotOptions {
    /// The figures asked for, each once, in their own order.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let wanted = |f: &Figure| self.all_figures() || self.figures.iter().any(|w| w == f.word());
        Figure::ALL.into_iter().filter(wanted).collect()
    }

    /// Whether figures without data are to be passed over.
    pub(crate) fn all_figures(&self) -> bool {
        self.figures.iter().any(|word| word == "all")
    }
}

fn figure_or_all() -> PossibleValuesParser {
    let all = PossibleValue::new("all");
    let each = Figure::ALL
        .into_iter()
        .map(|figure| PossibleValue::new(figure.word()).help(figure.needs()));
    PossibleValuesParser::new(std::iter::once(all).chain(each))
}

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    /// Folder of a run: summary.csv, machine.json, and frames.csv if it is there. Of a run in
    /// shards, the folders of all of them
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,

    /// The page; without it report.html in the only folder
    #[arg(long, value_name = "F.html")]
    pub(crate) out: Option<PathBuf>,

    /// Replace a page that is there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}
