//! The command line, and the options that several commands have, with their limits and parsers.

use crate::commands::Command;
use crate::registry::{self, narrow_phases};
use broadphase::benchmark::SimdLimit;
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::builder::{PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Args, Parser, value_parser};
use measure::{BoxesSpec, DEFAULT_FRAMES, DEFAULT_WARMUP, parse_seed};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::registry::find;
use narrowphase::volume::{VOLUMES, VolumeKind};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Measures broad-phase collision detection.
#[derive(Debug, Parser)]
#[command(name = "harness", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 ok, 1 failure while running, 2 usage, 3 bad input file, \
                        4 algorithms disagree, 5 regression against a baseline, 130 stopped.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The inputs, and the parts of them that are played.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// Scene files, and traces (.bpt)
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Generated boxes: gas, cluster, brownian, jitter, plane, line, same-x, stadium, terdiman or
    /// statics; or a cell of the atlas, atlas:SEED:NUMBER
    #[arg(long, value_name = "NAME:N,..", value_delimiter = ',')]
    pub(crate) boxes: Vec<BoxesSpec>,

    /// Share of the generated boxes that moves, 0 to 1 [default: 1, of statics 0.1]
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "boxes")]
    pub(crate) moving: Option<f32>,

    /// Numbers of objects of the scenes, each a case of its own; without it a scene's own number
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    pub(crate) objects: Vec<u32>,

    #[arg(help = format!("Frames that count; without it {DEFAULT_FRAMES}, of a trace all"))]
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub(crate) frames: Option<u32>,

    /// Seed of scenes and generated boxes, instead of their own, and of the order of measuring
    #[arg(long, value_name = "SEED", value_parser = parse_seed)]
    pub(crate) seed: Option<u64>,
}

/// Threads and instructions that the algorithms may use.
#[derive(Debug, Args)]
pub(crate) struct Searching {
    /// Numbers of threads that the algorithms may use
    #[arg(long, value_name = "T,..", value_delimiter = ',', default_value = "1")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_THREADS))]
    pub(crate) threads: Vec<u32>,

    /// Instruction set that vector kernels may use at most
    #[arg(long, value_name = "SET", value_parser = simd_limit(), default_value = "best")]
    pub(crate) simd: SimdLimit,
}

/// What a measurement may take.
#[derive(Debug, Args)]
pub(crate) struct Effort {
    #[arg(help = format!(
        "Frames before those that count; without it {DEFAULT_WARMUP}, of a trace a tenth if that is \
         less"
    ))]
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(0..=MAX_FRAMES))]
    pub(crate) warmup: Option<u32>,

    /// Time that an algorithm may take for one case; it is skipped where it would take more
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,
}

/// The folder of a run or a study, and the treatment of earlier results there.
#[derive(Clone, Debug, Args)]
pub(crate) struct StudyOptions {
    /// Folder for the results; without it results/run-YYYYMMDD-HHMMSS (UTC), of a command that writes a page
    /// results/MACHINE, named after processor and cores
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Complete the run in the folder, which was killed or stopped, or begin it; the other options must be the same
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,

    /// Replace existing results, also those of another command, except recorded piles
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The same, and what is printed.
#[derive(Debug, Args)]
pub(crate) struct ResultOptions {
    #[command(flatten)]
    pub(crate) study: StudyOptions,

    /// Print the rows as JSON instead of the table
    #[arg(long)]
    pub(crate) json: bool,
}

/// What `run` times on the pairs of bodies.
#[derive(Debug, Args)]
pub(crate) struct StageOptions {
    /// Scenes with bodies: the bounding volume that is timed on the pairs (`harness list` has all)
    #[arg(long, value_name = "ID", default_value = "obb", value_parser = parse_volume)]
    pub(crate) volume: &'static VolumeKind,

    /// Scenes with bodies: the narrow phase that is timed on what passes the volume (`harness list` has all)
    #[arg(long, value_name = "ID", default_value = "gjk+cached", value_parser = parse_narrow)]
    pub(crate) narrow: &'static NarrowPhaseKind,
}

/// The bounding volume with this id.
pub(crate) fn parse_volume(id: &str) -> Result<&'static VolumeKind, String> {
    find(VOLUMES, id).ok_or_else(|| one_of(VOLUMES.iter().map(|kind| kind.id)))
}

/// The narrow phase with this id.
pub(crate) fn parse_narrow(id: &str) -> Result<&'static NarrowPhaseKind, String> {
    // Known where it is built in.
    let hint = if id == "parry" { "; parry needs a build with the feature `peers`" } else { "" };
    let known = narrow_phases().iter().map(|kind| kind.id);
    find(narrow_phases(), id).ok_or_else(|| one_of(known) + hint)
}

pub(crate) fn one_of<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    format!("expected one of {}", ids.collect::<Vec<_>>().join(", "))
}

/// The entries that a word or an assignment names.
type Entries = Vec<&'static Algorithm>;

/// Which algorithms.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Algorithms by id, all of them [default of run], or all of them with their variants, whose ids have a `+` [default of
    /// verify]; an id may set parameters, ID@PARAMETER=V; `peers`: other libraries, if built with the feature `peers`
    #[arg(long, value_name = "all|all+variants|peers|ID,..", value_delimiter = ',')]
    #[arg(value_parser = entries)]
    algorithms: Vec<Entries>,

    /// One more entry for each value of a parameter, ID@PARAMETER=V (`harness list` has the parameters); may be
    /// repeated
    #[arg(long, value_name = "ID.PARAMETER=V[,V..]", value_parser = parameter_values)]
    set: Vec<Entries>,
}

impl Selection {
    /// The chosen entries, each once: ours in the registry's order, peers behind them, then those that set parameters.
    /// Without a choice all, with their variants if `has_variants`.
    pub(crate) fn entries(&self, has_variants: bool) -> Entries {
        let all = ALGORITHMS.iter().filter(|entry| has_variants || entry.variant.is_none());
        let all = if self.algorithms.is_empty() { all.collect() } else { Vec::new() };
        let mut chosen: Entries = Vec::new();
        for entry in self.algorithms.iter().flatten().chain(&all).chain(self.set.iter().flatten()) {
            if chosen.iter().all(|other| other.id != entry.id) {
                chosen.push(entry);
            }
        }
        chosen.sort_by_key(|entry| {
            let place = registry::offered().iter().position(|other| other.id == entry.id);
            place.unwrap_or(usize::MAX)
        });
        chosen
    }
}

fn entries(word: &str) -> Result<Entries, String> {
    match word {
        "all" => Ok(ALGORITHMS.families().collect()),
        "all+variants" => Ok(ALGORITHMS.iter().collect()),
        "peers" if !registry::PEERS.is_empty() => Ok(registry::PEERS.iter().collect()),
        id => algorithm(id).map(|entry| vec![entry]),
    }
}

/// The algorithm with this id, which may set parameters.
pub(crate) fn algorithm(id: &str) -> Result<&'static Algorithm, String> {
    registry::offered().resolve(id).map_err(registry::refusal)
}

fn parameter_values(text: &str) -> Result<Entries, String> {
    registry::offered().resolve_values(text).map_err(registry::refusal)
}

/// Longest repetition: at 60 frames a second more than four hours.
pub(crate) const MAX_FRAMES: i64 = 1_000_000;
/// Most repetitions.
pub(crate) const MAX_REPEATS: i64 = 10_000;
/// Most threads: more than any machine that this is for.
pub(crate) const MAX_THREADS: i64 = 1024;
/// Most worlds.
pub(crate) const MAX_WORLDS: i64 = 1 << 20;

/// A limit by its name, with all names in the help.
fn simd_limit() -> impl TypedValueParser<Value = SimdLimit> {
    PossibleValuesParser::new(SimdLimit::ALL.map(SimdLimit::name))
        .try_map(|name| SimdLimit::from_name(&name).ok_or("no such instruction set"))
}

/// Answers an option of an earlier version by what replaces it.
pub(crate) fn replaced(instead: &'static str) -> impl TypedValueParser<Value = ()> {
    StringValueParser::new().try_map(move |_| Err(instead))
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("a budget must be more than 0 seconds".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "too many seconds".to_owned())
}

pub(crate) fn share(text: &str) -> Result<f32, String> {
    number(text, 0.0..=1.0).map(|share| share as f32)
}

pub(crate) fn ratio(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ratio) if ratio > 0.0 && f64::is_finite(ratio) => Ok(ratio),
        _ => Err("not a ratio above 0".to_owned()),
    }
}

/// A number within a range.
pub(crate) fn number(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("not a number from {} to {}", range.start(), range.end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Command;
    use crate::commands::tests::command;

    #[test]
    fn all_is_without_variants_and_each_entry_stands_once() {
        let ids = |words: &str| -> Vec<&str> {
            let words = format!("run --boxes gas:9 {words}");
            let Command::Run(options) = command(&words) else { panic!() };
            options.selection.entries(false).iter().map(|entry| entry.id).collect()
        };
        let families: Vec<&str> = ALGORITHMS.families().map(|entry| entry.id).collect();
        let every: Vec<&str> = ALGORITHMS.iter().map(|entry| entry.id).collect();
        assert_eq!((ids(""), ids("--algorithms all")), (families.clone(), families));
        assert_eq!(ids("--algorithms all+variants,bsp"), every);
        assert_eq!(ids("--algorithms kd-tree,bsp+scalar,bsp"), ["bsp", "bsp+scalar", "kd-tree"]);
        let set = ids("--algorithms bsp@depth=2,bsp --set bsp.depth=3,2");
        assert_eq!(set, ["bsp", "bsp@depth=2", "bsp@depth=3"]);
    }
}
