//! `harness run`: measures.

mod keeper;
mod report;
pub(super) mod settings;

use super::{DEFAULT_ORDER_SEED, cases, check_length, without_repeats};
use crate::Process;
use crate::cli::RunOptions;
use crate::console;
use crate::failure::{self, Failure};
use crate::probes::Probes;
use crate::progress::Progress;
use crate::registry;
use broadphase::{Algorithm, limit_simd};
use keeper::Keeper;
use measure::{
    Case, Machine, MonotonicClock, Output, Plan, RunId, Status, SummaryRow, Watch,
    available_memory, measure_case_watched, run_directory,
};
use std::path::{Path, PathBuf};

/// Measures the chosen algorithms of the registry.
pub(crate) fn run(options: &RunOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    run_rows(&options.selection.rows(), options, process)
}

/// Measures every case, writes the rows, and prints them.
fn run_rows(
    algorithms: &[&Algorithm],
    options: &RunOptions,
    process: &Process,
) -> Result<(), Failure> {
    let cases = cases(&options.playing, options.effort.warmup, true, options.quiet)?;
    check_length(&cases, options.repeat)?;
    let threads = without_repeats(&options.playing.threads);
    let plan = Plan {
        algorithms,
        threads: &threads,
        repeats: options.repeat,
        order_seed: options.playing.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: options.effort.budget,
        memory_limit: available_memory(),
        events: options.events,
    };
    let probes = Probes::open(process);
    let run_id = RunId::now();
    let mut machine = Machine::detect(&run_id, process.command_line.clone());
    machine.settings = settings::of(&cases, &plan)?;
    machine.hardware_counters = probes.describe();
    machine.peers = registry::peer_versions();
    let (folder, output) = open_output(options, &run_id, &machine)?;
    if !options.quiet {
        machine.warnings.iter().for_each(|w| console::note(&format!("warning: {w}")));
    }
    let ids: Vec<&str> = algorithms.iter().map(|row| row.id).collect();
    let progress = Progress::new(&cases, &ids, &threads, options.repeat, options.quiet);
    let mut run = Run { options, process, plan, output, progress, calibration: Vec::new() };

    let mut rows = Vec::new();
    let clock = MonotonicClock::new();
    for case in &cases {
        match run.case(case, &clock, &probes) {
            Ok(of_case) => rows.push(of_case),
            Err(failure) => {
                run.progress.finish();
                // What is done is worth seeing, and worth going on with.
                if !rows.is_empty() {
                    report::print(options, &rows, &folder)?;
                }
                if !options.quiet {
                    let folder = folder.display();
                    let instead = if options.force { " in place of --force" } else { "" };
                    console::note(&format!(
                        "what is done is kept: the same command with --out {folder} --resume{instead} \
                         completes the run"
                    ));
                }
                return Err(failure);
            }
        }
    }
    run.progress.finish();
    let warnings = report::noise(&rows, &run.calibration);
    run.output.finish(&RunId::now().date(), &warnings)?;
    report::print(options, &rows, &folder)?;
    if !options.quiet {
        warnings.iter().for_each(|w| console::note(&format!("warning: {w}")));
    }
    match rows.iter().flatten().map(code_of).max() {
        None | Some(0) => Ok(()),
        Some(code) => Err(Failure::Reported { code }),
    }
}

/// A run under way.
struct Run<'a> {
    options: &'a RunOptions,
    process: &'a Process,
    plan: Plan<'a>,
    output: Output,
    progress: Progress,
    /// Readings of all cases.
    calibration: Vec<u64>,
}

impl Run<'_> {
    /// The rows of a case: measured and written, unless they were before.
    fn case(
        &mut self,
        case: &Case,
        clock: &MonotonicClock,
        probes: &Probes,
    ) -> Result<Vec<SummaryRow>, Failure> {
        let run_id = self.output.run_id().to_owned();
        if let Some(rows) = self.rows_done_before(case, &run_id) {
            self.progress.case_done(case);
            return Ok(rows);
        }
        let finished = self.output.take_begun(case);
        finished.iter().for_each(|repetition| self.progress.done_before(case, repetition));
        let mut keeper = Keeper { output: &mut self.output, progress: &mut self.progress, case };
        let watch = Watch { observer: &mut keeper, stop: self.process.stop, finished };
        let measured = measure_case_watched(case, &self.plan, probes.instruments(clock), watch)?;
        self.calibration.extend(measured.calibration_ns);
        if let Some(warning) = measured.warning {
            let warning = format!("{}, n = {}: {warning}", case.input, case.n);
            self.output.warn(&warning)?;
            if !self.options.quiet {
                self.progress.note(&format!("warning: {warning}"));
            }
        }
        let mut rows = Vec::new();
        for cell in &measured.cells {
            let row = cell.summary(&run_id, case, &self.plan);
            self.output.append(cell.frame_rows(&run_id, case), &row)?;
            if row.status == Status::Error {
                // Told at once, and always.
                self.progress.note(&format!("error: {}", report::line(&row)));
            }
            rows.push(row);
        }
        self.output.case_done()?;
        Ok(rows)
    }

    /// The rows of a case of which all cells were done when the run was taken up again.
    fn rows_done_before(&self, case: &Case, run_id: &str) -> Option<Vec<SummaryRow>> {
        let cells = self.plan.threads.iter().flat_map(|&threads| {
            self.plan.algorithms.iter().map(move |row| (row.id.to_owned(), threads))
        });
        cells
            .map(|(algorithm, threads)| {
                let labels = case.labels(run_id, &algorithm, threads);
                self.output.done_row(&labels).cloned()
            })
            .collect()
    }
}

/// A wrong result outweighs a panic: it spoils more than itself.
fn code_of(row: &SummaryRow) -> u8 {
    match row.status {
        Status::Ok | Status::Skipped => 0,
        Status::Error if row.panicked() => failure::RUNNING,
        Status::Error => failure::DISAGREEMENT,
    }
}

fn open_output(
    options: &RunOptions,
    run_id: &RunId,
    machine: &Machine,
) -> Result<(PathBuf, Output), Failure> {
    let folder = match &options.out {
        Some(folder) => folder.clone(),
        None => run_directory(Path::new(""), &run_id.stamp())?,
    };
    let output = if options.resume {
        Output::resume(&folder, machine)?
    } else {
        Output::create(&folder, options.force, machine)?
    };
    Ok((folder, output))
}

#[cfg(test)]
mod tests;
