//! `harness bodies`: measures the stages after the broad phase.

use super::experiments;
use super::inputs::{cases_of, check_frames, check_length, open, without_repeats};
use super::series::Setting;
use crate::Process;
use crate::cli::{
    MAX_FRAMES, MAX_REPEATS, MAX_THREADS, ResultOptions, number, one_of, parse_narrow,
    parse_volume, seconds,
};
use crate::console;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::registry::{narrow_phases, times_of_impact};
use clap::{Args, value_parser};
use measure::{
    Case, CaseOptions, DEFAULT_ORDER_SEED, Input, Instruments, Method, PairMotion, PairsSpec,
    PairsSpecError, Plan, RandomPairs, RunId, StageRow, Stages, StagesFile, Status, Table, Warning,
    Watch, finder, measure_case_watched, noise, parse_seed, run_settings, stages_table,
};
use narrowphase::BoxKind;
use narrowphase::impact;
use narrowphase::volume::VOLUMES;
use sim::Scene;
use std::path::{Path, PathBuf};
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
    #[arg(value_parser = volumes)]
    volumes: Vec<Methods>,

    /// Narrow phases (`harness list` has all; `parry` needs the feature `peers`)
    #[arg(long, value_name = "all|ID,..", value_delimiter = ',', default_value = "all")]
    #[arg(value_parser = narrow)]
    narrow: Vec<Methods>,

    /// Times of impact (`harness list` has all), where bodies collide within steps: scenes with #!continuous bullets or all,
    /// and --pairs with --motion. ID@k=K sets a number of static tests.
    /// With swept-boxes, relative-sweep is measured too, on one thread: candidates whose boxes touch at one time of the step
    #[arg(long, value_name = "all|ID,..", value_delimiter = ',', default_value = "all")]
    #[arg(value_parser = impacts)]
    impacts: Vec<Methods>,

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
    #[arg(value_parser = box_kinds)]
    box_kind: Vec<Vec<BoxKind>>,

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
    #[arg(long, conflicts_with_all = [
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
    /// The methods asked for, each once, and contact sets.
    pub(crate) fn methods(&self) -> Vec<Method> {
        let named = [&self.volumes, &self.narrow, &vec![vec![Method::Contacts]], &self.impacts];
        let mut methods: Methods = Vec::new();
        for &method in named.into_iter().flatten().flatten() {
            let is_same = |o: &Method| o.stage() == method.stage() && o.name() == method.name();
            if !methods.iter().any(is_same) {
                methods.push(method);
            }
        }
        // Its false alarms are compared with those of the union of all places of a box.
        let has_sweep = methods.iter().any(|method| method.id() == "swept-boxes");
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

    /// The kinds of boxes asked for, in their own order.
    pub(crate) fn box_kinds(&self) -> Vec<BoxKind> {
        BoxKind::ALL.into_iter().filter(|kind| self.box_kind.concat().contains(kind)).collect()
    }
}

/// The thing that a word names.
type Methods = Vec<Method>;

/// All, or the one of an id.
fn all_or<T>(
    word: &str,
    all: impl Iterator<Item = T>,
    one: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    if word == "all" { Ok(all.collect()) } else { one(word).map(|one| vec![one]) }
}

fn volumes(word: &str) -> Result<Methods, String> {
    all_or(word, VOLUMES.iter().map(Method::Volume), |id| parse_volume(id).map(Method::Volume))
}

fn narrow(word: &str) -> Result<Methods, String> {
    let all = narrow_phases().iter().map(Method::Narrow);
    all_or(word, all, |id| parse_narrow(id).map(Method::Narrow))
}

fn impacts(word: &str) -> Result<Methods, String> {
    let kinds = times_of_impact();
    let one = |id: &str| {
        impact::find_in(kinds, id).map(Method::Impact).map_err(|error| {
            let known: Vec<&str> = kinds.iter().map(|kind| kind.id).collect();
            format!("{error}; known are all, {}", known.join(", "))
        })
    };
    all_or(word, kinds.iter().filter_map(|kind| one(kind.id).ok()), one)
}

fn box_kinds(word: &str) -> Result<Vec<BoxKind>, String> {
    let one = |id: &str| {
        let kind = BoxKind::ALL.into_iter().find(|kind| kind.id() == id);
        kind.ok_or_else(|| one_of(BoxKind::ALL.into_iter().map(BoxKind::id)))
    };
    all_or(word, BoxKind::ALL.into_iter(), one)
}

/// Measures all stages of every case, writes their rows, and prints them.
pub(crate) fn bodies(options: &BodiesOptions, process: &Process) -> Result<(), Failure> {
    if options.experiments {
        return experiments::experiments(options, process);
    }
    let (methods, threads) = (options.methods(), without_repeats(&options.threads));
    let results = &options.results;
    results.refuse_inputs(&options.inputs)?;
    let cases = cases(options)?;
    if options.is_approximate() && !cases.iter().any(Case::has_impacts) {
        let reason = "--contact approximate needs bodies that collide within steps: a scene with #!continuous bullets or \
                      all, or --pairs with --motion";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let finder = [finder()];
    let plan = Plan {
        order_seed: options.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: options.budget,
        stages: Some(Stages::Each(&methods)),
        ..Plan::new(&finder, &threads, options.repeat)
    };
    let mut setting = Setting::new(process, &results.study);
    setting.instruments = Instruments::new(&*process.clock, None);
    let settings = run_settings(&cases, &plan)?;
    let measure = |folder: &Path, rows: &mut _| measure_into(folder, &cases, &plan, &setting, rows);
    let table = |rows: &[StageRow]| format!("{}\n", stages_table(rows));
    let rows = results.run((&setting, settings), measure, table)?;
    Failure::unless_measured(rows.iter().map(|row| (row.status, row.exit())))
}

/// Measures cases into a folder: `stages.csv`, and the machine. The rows of each case go to `rows`. Returns what makes them
/// doubtful.
pub(super) fn measure_into(
    folder: &Path,
    cases: &[Case],
    plan: &Plan<'_>,
    setting: &Setting<'_>,
    rows: &mut Vec<StageRow>,
) -> Result<Vec<Warning>, Failure> {
    let table = Table::of::<StageRow>(StagesFile::NAME);
    let mut output = setting.open(folder, table, run_settings(cases, plan)?)?;
    // Rows of cases that were complete when the run was resumed.
    let done = StagesFile::read(&output.path())?.rows;
    let mut calibration_ns = Vec::new();
    for case in cases {
        let is_its = |row: &&StageRow| {
            (&row.input, row.n, row.seed) == (&case.input, case.n as u64, case.seed)
                && row.box_kind == case.box_kind_id()
        };
        let before = rows.len();
        rows.extend(done.iter().filter(is_its).cloned());
        if rows.len() > before {
            continue;
        }
        let repetitions = u64::from(plan.repeats) * plan.threads.len() as u64;
        let label = format!("{}, n = {}", case.input, case.n);
        let whole = u64::from(case.total_frames()) * repetitions;
        let mut bar = Progress::of_frames(&label, whole, setting.options.quiet);
        let watch = Watch { observer: &mut bar, stop: setting.stop, finished: Vec::new() };
        let measured = measure_case_watched(case, plan, setting.instruments, watch)?;
        drop(bar);
        rows.extend(measured.stage_rows(output.run_id(), case, plan));
        calibration_ns.extend(measured.calibration_ns);
        if !measured.warnings.is_empty() {
            let warning = Warning::about(&label, &measured.warnings);
            output.warn(&warning)?;
            if !setting.options.quiet {
                console::warn(&warning);
            }
        }
        output.add_case(&rows[before..])?;
        print_errors(&rows[before..]);
    }
    let warnings = noise(rows.iter().filter_map(StageRow::median), &calibration_ns);
    output.finish(&RunId::now().date(), &warnings)?;
    Ok(warnings)
}

/// Prints why rows are errors, once for all rows that share the reason, and also with `quiet`.
fn print_errors(rows: &[StageRow]) {
    let mut printed: Vec<&StageRow> = Vec::new();
    for row in rows.iter().filter(|row| row.status == Status::Error) {
        let is_known = |other: &&StageRow| other.is_of_group(row) && other.reason == row.reason;
        if !printed.iter().any(is_known) {
            console::error(&format!("{}: {}", row.name(), row.reason_text()));
            printed.push(row);
        }
    }
}

/// The cases of the command line: scenes with each kind of boxes, or random pairs of their shapes.
fn cases(options: &BodiesOptions) -> Result<Vec<Case>, Failure> {
    let inputs = open(&options.inputs, options.results.study.quiet)?;
    if !options.pairs.is_empty() {
        return pairs(options, &inputs);
    }
    let case_options = CaseOptions {
        objects: without_repeats(&options.objects),
        seed: options.seed,
        warmup: Some(options.warmup),
        frames: Some(options.frames),
    };
    let cases = cases_of(&inputs, &case_options)?;
    if let Some(case) = cases.iter().find(|case| !case.has_bodies()) {
        let reason = "has no bodies; `harness run` measures spheres and boxes";
        return Err(Failure::Usage(format!("{} {reason}", case.input)));
    }
    check_length(&cases, options.repeat)?;
    let kinds = options.box_kinds();
    let of_kinds =
        |case: &Case| kinds.iter().map(|kind| case.clone().with_box_kind(*kind)).collect();
    Ok(cases.iter().flat_map::<Vec<Case>, _>(of_kinds).collect())
}

fn pairs(options: &BodiesOptions, inputs: &[Input]) -> Result<Vec<Case>, Failure> {
    if options.box_kinds() != [BoxKind::Tight] {
        let reason = "--box-kind has no effect on --pairs, which no broad phase finds";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let scenes: Vec<(&str, &Scene)> = inputs
        .iter()
        .filter_map(|input| Some((input.name.as_str(), input.document()?.scene())))
        .collect();
    if inputs.len() > 1 || scenes.len() < inputs.len() {
        let reason = "--pairs takes the shapes of one scene file at most";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let seed = options.seed.unwrap_or(DEFAULT_ORDER_SEED);
    let (warmup, frames) = (options.warmup, options.frames);
    check_frames(std::iter::once(warmup.saturating_add(frames)), options.repeat)?;
    let wrong = |error: PairsSpecError| Failure::Usage(format!("--pairs: {error}"));
    let motions = without_repeats(&options.motions());
    let mut cases = Vec::new();
    for spec in without_repeats(&options.pairs) {
        let pairs = RandomPairs::new(spec, scenes.first().copied(), seed).map_err(wrong)?;
        let moving = motions.iter().map(|motion| match motion {
            Some(motion) => pairs.clone().moving(*motion),
            None => pairs.clone(),
        });
        cases.extend(moving.map(|pairs| Case::of_pairs(pairs, warmup, frames)));
    }
    Ok(cases)
}
