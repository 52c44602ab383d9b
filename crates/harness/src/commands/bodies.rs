//! `harness bodies`: measures the stages after the broad phase.

use super::experiments;
use super::inputs::{check_frames, check_length, check_names, without_repeats};
use super::recorder::open_output;
use crate::Process;
use crate::cli::BodiesOptions;
use crate::console;
use crate::failure::Failure;
use crate::progress::FrameBar;
use measure::{
    Case, CaseOptions, DEFAULT_ORDER_SEED, Input, InputError, Labels, Machine, Median,
    MonotonicClock, Output, PairsSpecError, RandomPairs, RunId, Seed, StageCase, StagePlan,
    StageRow, StagesFile, Status, Table, Warning, available_memory, case_settings, measure_stages,
    noise, stages_table,
};
use narrowphase::BoxKind;
use serde_json::{Value, json};
use sim::Scene;
use std::collections::HashSet;
use std::path::Path;

/// Measures all stages of every case, writes their rows, and prints them.
pub(crate) fn bodies(options: &BodiesOptions, process: &Process) -> Result<(), Failure> {
    if options.experiments {
        return experiments::experiments(options, process);
    }
    let (volumes, narrow_phases) = (options.volumes(), options.narrow_phases());
    let impacts = options.impacts();
    let (box_kinds, threads) = (options.box_kinds(), without_repeats(&options.threads));
    let results = &options.results;
    results.refuse_inputs(&options.inputs)?;
    let cases = cases(options, &box_kinds)?;
    if options.is_approximate() && !cases.iter().any(StageCase::has_impacts) {
        let reason = "--contact approximate needs bodies that collide within steps: a scene with #!continuous bullets or \
                      all, or --pairs with --motion";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let plan = StagePlan {
        finder: measure::finder(),
        volumes: &volumes,
        narrow_phases: &narrow_phases,
        impacts: &impacts,
        // Its false alarms are compared with those of the union of all places of a box.
        relative_sweep: impacts.iter().any(|method| method.kind.id == "swept-boxes"),
        contacts: options.contacts(),
        box_kinds: &box_kinds,
        threads: &threads,
        repeats: options.repeat,
        order_seed: options.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: options.budget,
        memory_limit: available_memory(),
    };
    let run_id = RunId::now();
    let machine = Machine::detect(&run_id, process.command_line.clone());
    let machine = machine.with_settings(settings(&cases, &plan)?);
    let folder = results.folder(&run_id)?;
    if !results.quiet {
        machine.warnings.iter().for_each(console::warn);
    }
    let earlier = Earlier { resume: results.resume, replace: results.force };
    let measured = measure_into(&folder, &cases, &plan, machine, earlier, results.quiet, process);
    let Measured { rows, warnings } = measured.inspect_err(|_| results.note_resume(&folder))?;
    results.print(&rows, || format!("{}\n", stages_table(&rows)), &folder)?;
    if !results.quiet {
        warnings.iter().for_each(console::warn);
    }
    Failure::unless_measured(rows.iter().map(|row| row.status), rows.iter().map(StageRow::exit))
}

/// The treatment of earlier results in a folder.
#[derive(Clone, Copy)]
pub(super) struct Earlier {
    /// Whether they are completed.
    pub(super) resume: bool,
    /// Whether they are replaced.
    pub(super) replace: bool,
}

/// The rows of all cases, and what makes them doubtful.
pub(super) struct Measured {
    pub(super) rows: Vec<StageRow>,
    pub(super) warnings: Vec<Warning>,
}

/// Measures cases into a folder: `stages.csv`, and the machine.
pub(super) fn measure_into(
    folder: &Path,
    cases: &[StageCase],
    plan: &StagePlan<'_>,
    machine: Machine,
    earlier: Earlier,
    quiet: bool,
    process: &Process,
) -> Result<Measured, Failure> {
    let table = Table::of::<StageRow>(StagesFile::NAME);
    let log = open_output(folder, table, &machine, earlier.resume, earlier.replace)?;
    let plan = *plan;
    let done = StagesFile::read(&log.path())?.rows;
    let mut run = Run { log, plan, quiet, process, done, calibration_ns: Vec::new() };
    let rows = run.cases(cases)?;
    let warnings = noise(&medians(&rows), &run.calibration_ns);
    run.log.finish(&RunId::now().date(), &warnings)?;
    Ok(Measured { rows, warnings })
}

/// A run under way.
struct Run<'a> {
    log: Output,
    plan: StagePlan<'a>,
    quiet: bool,
    process: &'a Process,
    /// Rows of cases that were complete when the run was resumed.
    done: Vec<StageRow>,
    calibration_ns: Vec<u64>,
}

impl Run<'_> {
    fn cases(&mut self, cases: &[StageCase]) -> Result<Vec<StageRow>, Failure> {
        let mut rows = Vec::new();
        for case in cases {
            let labels = |&threads| case.labels(self.plan.finder, self.log.run_id(), threads);
            let labels: HashSet<Labels> = self.plan.threads.iter().map(labels).collect();
            let done = self.done.iter().filter(|row| labels.contains(&row.labels()));
            let done: Vec<StageRow> = done.cloned().collect();
            rows.extend(if done.is_empty() { self.case(case)? } else { done });
        }
        Ok(rows)
    }

    fn case(&mut self, case: &StageCase) -> Result<Vec<StageRow>, Failure> {
        let Self { log, plan, quiet, process, calibration_ns, .. } = self;
        let run_id = log.run_id().to_owned();
        let frames: u32 = case.frames().into_iter().sum();
        let whole = u64::from(frames) * u64::from(plan.repeats);
        let label = format!("{}, n = {}", case.input(), case.n());
        let mut bar = FrameBar::new(&label, whole, *quiet);
        let clock = MonotonicClock::new();
        let measured = measure_stages(case, plan, &run_id, &clock, &mut bar, process.stop)?;
        bar.finish();
        calibration_ns.extend(measured.calibration_ns);
        if !measured.warnings.is_empty() {
            let warning = Warning::About { subject: label, warnings: measured.warnings };
            log.warn(&warning)?;
            if !*quiet {
                console::warn(&warning);
            }
        }
        log.add_case(&measured.rows)?;
        print_errors(&measured.rows);
        Ok(measured.rows)
    }
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

/// The medians of all rows with figures.
fn medians(rows: &[StageRow]) -> Vec<Median> {
    let median = |row: &StageRow| {
        let interval = row.ci_low_test_ns.zip(row.ci_high_test_ns);
        let interval = interval.map(|(low, high)| [low, high]);
        Some(Median { value: row.test_ns?, interval, repeats: row.repeats })
    };
    rows.iter().filter_map(median).collect()
}

/// The cases of the command line: scenes, or random pairs of their shapes.
fn cases(options: &BodiesOptions, box_kinds: &[BoxKind]) -> Result<Vec<StageCase>, Failure> {
    let mut inputs = Vec::new();
    for path in without_repeats(&options.inputs) {
        let input = Input::open(&path)?;
        if !options.results.quiet {
            input.warnings.iter().for_each(|warning| console::note(warning.trim_end()));
        }
        inputs.push(input);
    }
    if !options.pairs.is_empty() {
        return pairs(options, &inputs, box_kinds);
    }
    let case_options = CaseOptions {
        objects: without_repeats(&options.objects),
        seed: options.seed,
        warmup: Some(options.warmup),
        frames: Some(options.frames),
    };
    let mut cases: Vec<Case> = Vec::new();
    for input in &inputs {
        cases.extend(input.cases(&case_options)?);
    }
    if let Some(case) = cases.iter().find(|case| !case.has_bodies()) {
        let reason = "has no bodies; `harness run` measures spheres and boxes";
        return Err(Failure::Usage(format!("{} {reason}", case.input)));
    }
    check_names(&cases)?;
    check_length(&cases, options.repeat)?;
    Ok(cases.into_iter().map(StageCase::World).collect())
}

fn pairs(
    options: &BodiesOptions,
    inputs: &[Input],
    box_kinds: &[BoxKind],
) -> Result<Vec<StageCase>, Failure> {
    if box_kinds != [BoxKind::Tight] {
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
        cases.extend(moving.map(|pairs| StageCase::Pairs {
            pairs: Box::new(pairs),
            warmup,
            frames,
        }));
    }
    Ok(cases)
}

/// Everything that the figures depend on, machine and build aside.
pub(super) fn settings(cases: &[StageCase], plan: &StagePlan<'_>) -> Result<Value, InputError> {
    Ok(json!({
        "cases": case_settings(cases.iter().cloned())?,
        "volumes": plan.volumes.iter().map(|kind| kind.id).collect::<Vec<_>>(),
        "narrow": plan.narrow_phases.iter().map(|kind| kind.id).collect::<Vec<_>>(),
        "impacts": plan.impacts.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "contacts": plan.contacts.iter().map(|method| method.id()).collect::<Vec<_>>(),
        "box_kinds": plan.box_kinds.iter().map(|kind| kind.id()).collect::<Vec<_>>(),
        "threads": plan.threads,
        "repeat": plan.repeats,
        "order_seed": Seed(plan.order_seed),
        "budget_s": plan.budget.map(|budget| budget.as_secs_f64()),
    }))
}
