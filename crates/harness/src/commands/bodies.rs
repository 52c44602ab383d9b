//! `harness bodies`: measures the stages after the broad phase.

use super::experiments;
use super::inputs::{check_frames, check_length, check_names, open, without_repeats};
use super::series::Setting;
use crate::Process;
use crate::cli::BodiesOptions;
use crate::console;
use crate::failure::Failure;
use crate::progress::Progress;
use measure::{
    Case, CaseOptions, DEFAULT_ORDER_SEED, Input, Instruments, Machine, Median, MonotonicClock,
    PairsSpecError, Plan, RandomPairs, RunId, StageRow, Stages, StagesFile, Status, Table, Warning,
    Watch, finder, measure_case_watched, noise, run_settings, stages_table,
};
use narrowphase::BoxKind;
use sim::Scene;
use std::path::Path;

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
    let run_id = RunId::now();
    let clock = MonotonicClock::new();
    let machine = Machine::detect(&run_id, process.command_line.clone());
    let instruments = Instruments::new(&clock, None);
    let setting = Setting::of_study(machine, instruments, &results.of_study(), process);
    let folder = results.folder(&run_id)?;
    setting.print_warnings(run_settings(&cases, &plan)?);
    let measured = measure_into(&folder, &cases, &plan, &setting);
    let (rows, warnings) = measured.inspect_err(|failure| {
        // A folder that was refused holds nothing of this run.
        if matches!(failure, Failure::Stopped) {
            results.note_resume(&folder);
        }
    })?;
    results.print(&rows, || format!("{}\n", stages_table(&rows)), &folder)?;
    if !results.quiet {
        warnings.iter().for_each(console::warn);
    }
    Failure::unless_measured(rows.iter().map(|row| row.status), rows.iter().map(StageRow::exit))
}

/// Measures cases into a folder: `stages.csv`, and the machine. Returns the rows of all cases, and what makes them doubtful.
pub(super) fn measure_into(
    folder: &Path,
    cases: &[Case],
    plan: &Plan<'_>,
    setting: &Setting<'_>,
) -> Result<(Vec<StageRow>, Vec<Warning>), Failure> {
    let table = Table::of::<StageRow>(StagesFile::NAME);
    let mut output = setting.open(folder, table, run_settings(cases, plan)?)?;
    // Rows of cases that were complete when the run was resumed.
    let done = StagesFile::read(&output.path())?.rows;
    let (mut rows, mut calibration_ns) = (Vec::new(), Vec::new());
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
        let mut bar = Progress::of_frames(&label, whole, setting.quiet);
        let watch = Watch { observer: &mut bar, stop: setting.stop, finished: Vec::new() };
        let measured = measure_case_watched(case, plan, setting.instruments, watch)?;
        bar.finish();
        rows.extend(measured.stage_rows(output.run_id(), case, plan));
        calibration_ns.extend(measured.calibration_ns);
        if !measured.warnings.is_empty() {
            let warning = Warning::about(&label, &measured.warnings);
            output.warn(&warning)?;
            if !setting.quiet {
                console::warn(&warning);
            }
        }
        output.add_case(&rows[before..])?;
        print_errors(&rows[before..]);
    }
    let warnings = noise(&medians(&rows), &calibration_ns);
    output.finish(&RunId::now().date(), &warnings)?;
    Ok((rows, warnings))
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

/// The cases of the command line: scenes with each kind of boxes, or random pairs of their shapes.
fn cases(options: &BodiesOptions) -> Result<Vec<Case>, Failure> {
    let inputs = open(&options.inputs, options.results.quiet)?;
    if !options.pairs.is_empty() {
        return pairs(options, &inputs);
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
