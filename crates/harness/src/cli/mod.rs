//! The command line's options.

mod study;

pub(crate) use study::{AtlasOptions, SpeedOptions, StudyOptions, ThesisOptions};

use crate::figures::Figure;
use crate::registry;
use crate::study::Shard;
use broadphase::{ALGORITHMS, Algorithm, SimdLimit};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use measure::BoxesSpec;
use std::path::PathBuf;
use std::time::Duration;

/// Longest repetition: at 60 frames a second more than four hours.
const MAX_FRAMES: i64 = 1_000_000;
/// Most repetitions.
const MAX_REPEATS: i64 = 10_000;
/// Most threads: more than any machine that this is for.
const MAX_THREADS: i64 = 1024;

/// Measures broad-phase collision detection.
#[derive(Debug, Parser)]
#[command(name = "harness", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 ok, 1 failure while running, 2 usage, 3 bad input file, \
                        4 algorithms disagree, 5 regression against a baseline, 130 stopped.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the algorithms: id, what it does, where it is described
    List(ListOptions),
    /// Measure algorithms, and write frames.csv, summary.csv and machine.json
    Run(RunOptions),
    /// Check every algorithm against brute force in every frame
    Verify(VerifyOptions),
    /// Write the boxes of a scene, or generated ones, as a trace
    Record(RecordOptions),
    /// Compare two algorithms, or two summary.csv: the ratio of their times and its interval
    Compare(CompareOptions),
    /// Draw figures from CSV files alone
    Plot(PlotOptions),
    /// Write the results in a folder as one page that needs nothing else: report.html
    Report(ReportOptions),
    /// Measure the experiments of the thesis, draw its figures, and judge its claims
    Thesis(ThesisOptions),
    /// Measure the fastest algorithms beside those of other libraries, and write a page of it:
    /// speed.md. Takes a build with the feature `peers`
    Speed(SpeedOptions),
    /// Measure `auto` and what it chooses from on a random family of inputs, and write a page of it:
    /// atlas.md
    Atlas(AtlasOptions),
}

#[derive(Debug, Args)]
pub(crate) struct ListOptions {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which algorithms.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Algorithms by id, all of them, or all of them with their variants, whose ids have a `+`;
    /// `peers` are other people's, where they are built in
    #[arg(
        long,
        value_name = "all|all+variants|peers|ID,..",
        value_delimiter = ',',
        default_value = "all"
    )]
    #[arg(value_parser = algorithm_or_all())]
    algorithms: Vec<String>,
}

/// What is played.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// Scene files, and traces (.bpt)
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Generated boxes: gas, cluster, brownian, jitter, plane, line, same-x, stadium, terdiman or
    /// statics; or a cell of the atlas, atlas:SEED:NUMBER
    #[arg(long, value_name = "NAME:N,..", value_delimiter = ',')]
    pub(crate) boxes: Vec<BoxesSpec>,

    /// Share of the generated boxes that moves at all, 0 to 1; without it all, of statics a tenth
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "boxes")]
    pub(crate) moving: Option<f32>,

    /// Numbers of objects of the scenes, each a case of its own; without it a scene's own number
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    pub(crate) objects: Vec<u32>,

    /// Frames that count; without it 100, of a trace all
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub(crate) frames: Option<u32>,

    /// Seed of scenes and generated boxes, instead of their own, and of the order of measuring
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,

    /// Numbers of threads that the algorithms may use
    #[arg(long, value_name = "T,..", value_delimiter = ',', default_value = "1")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_THREADS))]
    pub(crate) threads: Vec<u32>,

    /// Instruction set that the explicitly vectorised algorithms may use at most
    #[arg(long, value_name = "SET", value_parser = simd_limit(), default_value = "best")]
    pub(crate) simd: SimdLimit,
}

/// What a measurement may take.
#[derive(Debug, Args)]
pub(crate) struct Effort {
    /// Frames before those that count; without it 10, of a trace a tenth if that is less
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(0..=MAX_FRAMES))]
    pub(crate) warmup: Option<u32>,

    /// Time that an algorithm may take for one case; it is skipped where it would take more
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    #[command(flatten)]
    pub(crate) selection: Selection,

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

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    /// Algorithms by id, all of them, or all of them with their variants, whose ids have a `+`
    #[arg(long, value_name = "all|all+variants|ID,..", value_delimiter = ',')]
    #[arg(default_value = WITH_VARIANTS, value_parser = algorithm_or_all())]
    algorithms: Vec<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but differences and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RecordOptions {
    /// A scene file
    #[arg(required_unless_present = "boxes", conflicts_with = "boxes")]
    pub(crate) input: Option<PathBuf>,

    /// Generated boxes instead of a scene, or a cell of the atlas, atlas:SEED:NUMBER
    #[arg(long, value_name = "NAME:N")]
    pub(crate) boxes: Option<BoxesSpec>,

    /// Share of the generated boxes that moves at all, 0 to 1; without it all, of statics a tenth
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "boxes")]
    pub(crate) moving: Option<f32>,

    /// The trace to write (.bpt)
    #[arg(long, value_name = "F.bpt")]
    pub(crate) out: PathBuf,

    /// Finds the pairs that the motion of a scene answers
    #[arg(long, value_name = "ID", default_value = "kd-tree", conflicts_with = "boxes")]
    #[arg(value_parser = PossibleValuesParser::new(registry::rows().map(|a| a.id)))]
    algorithm: String,

    /// Number of objects, instead of the scene's own
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    #[arg(conflicts_with = "boxes")]
    pub(crate) objects: Option<u32>,

    /// Frames to write
    #[arg(long, value_name = "F", default_value = "100")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub(crate) frames: u32,

    /// Seed, instead of the input's own
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,

    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,

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

    /// Where to: .svg or .png, or both by two names. Where several charts come of it, each name is
    /// completed by the figure and the input
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

#[derive(Debug, Args)]
pub(crate) struct CompareOptions {
    /// The baseline: an algorithm's id, or a summary.csv or its folder
    pub(crate) a: String,

    /// What is compared with it: another id, or another summary.csv
    pub(crate) b: String,

    #[command(flatten)]
    pub(crate) playing: Playing,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// Rounds, in each of which both go once through all frames; an interval of 95 % takes six
    #[arg(long, value_name = "R", default_value = "10")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_REPEATS))]
    pub(crate) repeat: u32,

    /// Exit with 5 where B takes more than so many times as long as A, beyond noise
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

impl PlotOptions {
    /// The figures asked for, each once, in their own order.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let wanted = |f: &Figure| self.all_figures() || self.figures.iter().any(|w| w == f.word());
        Figure::value_variants().iter().copied().filter(wanted).collect()
    }

    /// Whether figures without data are to be passed over.
    pub(crate) fn all_figures(&self) -> bool {
        self.figures.iter().any(|word| word == "all")
    }
}

impl Selection {
    /// The rows of the registry, each once, in the registry's order; peers behind them.
    pub(crate) fn rows(&self) -> Vec<&'static Algorithm> {
        let wanted = |row: &&Algorithm| self.algorithms.iter().any(|a| a == "peers" || a == row.id);
        let peers = registry::PEERS.iter().filter(wanted);
        selected(ALGORITHMS, &self.algorithms).into_iter().chain(peers).collect()
    }
}

impl VerifyOptions {
    /// The rows of the registry, each once, in the registry's order.
    pub(crate) fn rows(&self) -> Vec<&'static Algorithm> {
        selected(ALGORITHMS, &self.algorithms)
    }
}

/// The word for every row of the registry; `all` leaves the variants out.
const WITH_VARIANTS: &str = "all+variants";

/// The rows that the words of a command line name.
fn selected<'a>(registry: &'a [Algorithm], words: &[String]) -> Vec<&'a Algorithm> {
    let wanted = |row: &&Algorithm| {
        words.iter().any(|word| match word.as_str() {
            "all" => row.variant().is_none(),
            WITH_VARIANTS => true,
            id => id == row.id,
        })
    };
    registry.iter().filter(wanted).collect()
}

impl RecordOptions {
    /// The row of the registry; the command line has checked the id.
    pub(crate) fn algorithm(&self) -> Option<&'static Algorithm> {
        registry::find(&self.algorithm)
    }
}

fn algorithm_or_all() -> PossibleValuesParser {
    let all = ["all", WITH_VARIANTS];
    let all_peers = (!registry::PEERS.is_empty()).then_some("peers");
    let ids = |rows: &'static [Algorithm]| rows.iter().map(|row| row.id);
    let ours = all.into_iter().chain(ids(ALGORITHMS));
    let each = ours.chain(all_peers).chain(ids(registry::PEERS));
    PossibleValuesParser::new(each.map(PossibleValue::new))
}

/// A limit by its name, with all names in the help.
fn simd_limit() -> impl TypedValueParser<Value = SimdLimit> {
    PossibleValuesParser::new(SimdLimit::ALL.map(SimdLimit::name))
        .try_map(|name| SimdLimit::from_name(&name).ok_or("no such instruction set"))
}

fn figure_or_all() -> PossibleValuesParser {
    let all = PossibleValue::new("all");
    let each = Figure::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(std::iter::once(all).chain(each))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("a budget must be more than 0 seconds".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "too many seconds".to_owned())
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("not a number from 0 to 1".to_owned()),
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ratio) if ratio > 0.0 && f64::is_finite(ratio) => Ok(ratio),
        _ => Err("not a ratio above 0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tests::{DROPS, registry_with_variants};

    #[test]
    fn all_leaves_variants_out_and_they_can_be_asked_for() {
        let registry = registry_with_variants();
        let ids = |words: &str| -> Vec<&str> {
            let words: Vec<String> = words.split(',').map(str::to_owned).collect();
            selected(&registry, &words).iter().map(|row| row.id).collect()
        };
        let every = ["drops", "drops+slow", "drops+fast", "panics"];
        assert_eq!(ids("all"), ["drops", "panics"]);
        assert_eq!(ids("all+variants"), every);
        assert_eq!(ids("drops+fast"), ["drops+fast"]);
        assert_eq!(ids("drops+fast,all"), ["drops", "drops+fast", "panics"]);
        assert_eq!(ids("panics,all+variants,drops"), every, "each once");
        assert_eq!(ids(DROPS.id), ["drops"], "a family's id is its first row, not all of it");
    }

    #[test]
    fn a_verification_is_of_the_variants_too_unless_told_otherwise() {
        let words = |command: &str| match Cli::try_parse_from(command.split(' ')).unwrap().command {
            Command::Verify(options) => options.algorithms,
            Command::Run(options) => options.selection.algorithms,
            other => panic!("{other:?}"),
        };
        assert_eq!(words("harness verify a.scene"), ["all+variants"]);
        assert_eq!(words("harness verify a.scene --algorithms all"), ["all"]);
        assert_eq!(words("harness run a.scene"), ["all"]);
        assert_eq!(words("harness run a.scene --algorithms all+variants"), ["all+variants"]);
    }
}
