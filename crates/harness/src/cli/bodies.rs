//! `harness bodies`.

use super::playing::{KNOWN_FOLDER, ResultOptions, parse_narrow};
use super::values::{MAX_FRAMES, MAX_REPEATS, MAX_THREADS, number, seconds};
use crate::commands::without_repeats;
use crate::registry::{narrow_phases, times_of_impact};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, value_parser};
use measure::{Method, PairMotion, PairsSpec, parse_seed};
use narrowphase::BoxKind;
use narrowphase::impact::{self, ImpactMethod, ImpactMethodError};
use narrowphase::volume::VOLUMES;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct BodiesOptions {
    /// Scene files with bodies. With --pairs they only have shapes
    #[arg(value_name = "INPUT", required_unless_present_any = ["pairs", "experiments"])]
    pub(crate) inputs: Vec<PathBuf>,

    /// Pairs of two shapes at random poses, without a world; may be repeated. Shapes: those of the inputs, and cube,
    /// box, tetrahedron, rod, hull16, capsule, cylinder. Rows name a scene's shape NAME@FILE. PLACING: uniform (in the
    /// plane of a scene with #!flat), near, touching, deep or parallel
    #[arg(long, value_name = "SHAPE,SHAPE:N[:PLACING]")]
    pub(crate) pairs: Vec<PairsSpec>,

    /// Bounding volumes (`harness list` has all)
    #[arg(long, value_name = "all|ID,..", value_delimiter = ',', default_value = "all")]
    #[arg(hide_possible_values = true, value_parser = all_or(VOLUMES.iter().map(|kind| kind.id)))]
    volumes: Vec<String>,

    /// Narrow phases (`harness list` has all; `parry` needs the feature `peers`)
    #[arg(long, value_name = "all|ID,..", value_delimiter = ',', default_value = "all")]
    #[arg(value_parser = narrow_or_all)]
    narrow: Vec<String>,

    /// Times of impact (`harness list` has all), where bodies collide within steps: scenes with #!continuous bullets or all,
    /// and --pairs with --motion. ID@k=K sets a number of static tests.
    /// With swept-boxes, relative-sweep is measured too, on one thread: candidates whose boxes touch at one time of the step
    #[arg(long, value_name = "all|ID,..", value_delimiter = ',', default_value = "all")]
    #[arg(value_parser = impact_or_all)]
    impacts: Vec<ImpactWord>,

    /// Contact sets at the times of first contact. `approximate` also measures regions taken from positions and velocities
    /// alone (001). Their errors are distances from the middle of the exact points, in sizes of the pair
    #[arg(long, value_name = "exact|approximate", default_value = "exact")]
    #[arg(hide_possible_values = true, value_parser = ["exact", "approximate"])]
    contact: String,

    /// Pairs in motion, each speed a case of its own: how far each body moves in a step, in lengths of the pair, the mean of
    /// the longest sides of both boxes. About half of the pairs first touch within the step
    #[arg(long, value_name = "SPEED,..", value_delimiter = ',', requires = "pairs")]
    #[arg(value_parser = |text: &str| number(text, 1e-6..=1e6))]
    motion: Vec<f64>,

    /// How far each body of a pair turns in a step, in rad
    #[arg(long, value_name = "ANGLE", default_value = "0", requires = "motion")]
    #[arg(value_parser = |text: &str| number(text, 0.0..=100.0))]
    spin: f64,

    /// The second body of each pair rests
    #[arg(long, requires = "motion")]
    resting: bool,

    /// Kinds of boxes whose overlaps are the candidates
    #[arg(long, value_name = "all|ID,..", value_delimiter = ',', default_value = "tight")]
    #[arg(value_parser = all_or(BoxKind::ALL.map(BoxKind::id).into_iter()))]
    box_kind: Vec<String>,

    /// Numbers of generated objects of the scenes, each a case of its own; without it a scene's own number
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..), conflicts_with = "pairs")]
    pub(crate) objects: Vec<u32>,

    /// Frames that count
    #[arg(long, value_name = "F", default_value = "30")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_FRAMES))]
    pub(crate) frames: u32,

    /// Frames before those that count
    #[arg(long, value_name = "F", default_value = "3")]
    #[arg(value_parser = value_parser!(u32).range(0..=MAX_FRAMES))]
    pub(crate) warmup: u32,

    /// Repetitions, each from a fresh start
    #[arg(long, value_name = "R", default_value = "3")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_REPEATS))]
    pub(crate) repeat: u32,

    /// Numbers of threads that the stages may use
    #[arg(long, value_name = "T,..", value_delimiter = ',', default_value = "1")]
    #[arg(value_parser = value_parser!(u32).range(1..=MAX_THREADS))]
    pub(crate) threads: Vec<u32>,

    /// Seed of scenes and random pairs, and of the order of measuring
    #[arg(long, value_name = "SEED", value_parser = parse_seed)]
    pub(crate) seed: Option<u64>,

    /// Time that a method may take for one case, its checks included; it is skipped where it takes more. What all
    /// methods share (motion, candidates, reference) may take as much
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,

    /// Measure what the sources claim of bodies, volumes and motion, and write a page with a verdict on each claim:
    /// bodies.md in --out, without it in results/MACHINE, where --resume looks too
    #[arg(long, group = KNOWN_FOLDER, conflicts_with_all = [
        "inputs", "pairs", "volumes", "narrow", "impacts", "contact", "box_kind", "objects", "threads", "budget", "json",
    ])]
    pub(crate) experiments: bool,

    /// Fewer pairs and bodies
    #[arg(long, requires = "experiments")]
    pub(crate) quick: bool,

    /// Measure nothing: write page and charts of --experiments from the rows of an earlier run
    #[arg(long, requires = "experiments", conflicts_with_all = ["quick", "frames", "warmup", "repeat", "seed"])]
    #[arg(conflicts_with_all = ["force", "resume"])]
    pub(crate) redraw: bool,

    #[command(flatten)]
    pub(crate) results: ResultOptions,
}

impl BodiesOptions {
    /// The methods asked for, in the order of their registries, and contact sets; times of impact as they are given.
    pub(crate) fn methods(&self) -> Vec<Method> {
        let volumes = VOLUMES.iter().filter(|kind| is_wanted(&self.volumes, kind.id));
        let narrow = narrow_phases().iter().filter(|kind| is_wanted(&self.narrow, kind.id));
        let of_pairs = volumes.map(Method::Volume).chain(narrow.map(Method::Narrow));
        let mut methods: Vec<Method> = of_pairs.chain([Method::Contacts]).collect();
        let all = || times_of_impact().iter().filter_map(|kind| method(kind.id).ok());
        let impacts = self.impacts.iter().flat_map(|word| match word {
            ImpactWord::All => all().collect(),
            ImpactWord::One(method) => vec![*method],
        });
        let impacts = without_repeats(&impacts.collect::<Vec<_>>());
        // Its false alarms are compared with those of the union of all places of a box.
        let has_sweep = impacts.iter().any(|method| method.kind.id == "swept-boxes");
        methods.extend(impacts.into_iter().map(Method::Impact));
        methods.extend(has_sweep.then_some(Method::RelativeSweep));
        methods.push(Method::ExactContacts);
        methods.extend(self.is_approximate().then_some(Method::ApproximateContacts));
        methods
    }

    /// Whether approximate regions are asked for.
    pub(crate) fn is_approximate(&self) -> bool {
        self.contact == Method::ApproximateContacts.id()
    }

    /// How the pairs move; `None` for pairs at rest.
    pub(crate) fn motions(&self) -> Vec<Option<PairMotion>> {
        let &Self { spin, resting: against_resting, .. } = self;
        let motion = |&speed| Some(PairMotion { speed, spin, against_resting });
        match self.motion.is_empty() {
            true => vec![None],
            false => self.motion.iter().map(motion).collect(),
        }
    }

    /// The kinds of boxes asked for.
    pub(crate) fn box_kinds(&self) -> Vec<BoxKind> {
        BoxKind::ALL.into_iter().filter(|kind| is_wanted(&self.box_kind, kind.id())).collect()
    }
}

/// A word of `--impacts`.
#[derive(Clone, Copy, Debug)]
enum ImpactWord {
    All,
    One(ImpactMethod),
}

fn method(text: &str) -> Result<ImpactMethod, ImpactMethodError> {
    impact::find_in(times_of_impact(), text)
}

fn narrow_or_all(text: &str) -> Result<String, String> {
    if text != "all" {
        parse_narrow(text)?;
    }
    Ok(text.to_owned())
}

fn impact_or_all(text: &str) -> Result<ImpactWord, String> {
    if text == "all" {
        return Ok(ImpactWord::All);
    }
    method(text).map(ImpactWord::One).map_err(|error| {
        let known: Vec<&str> = times_of_impact().iter().map(|kind| kind.id).collect();
        format!("{error}; known are all, {}", known.join(", "))
    })
}

fn is_wanted(words: &[String], id: &str) -> bool {
    words.iter().any(|word| word == "all" || word == id)
}

fn all_or(ids: impl Iterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(["all"].into_iter().chain(ids).map(PossibleValue::new))
}
