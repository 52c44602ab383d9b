//! `harness run`: measures.

use super::{cases, without_repeats};
use crate::cli::RunOptions;
use crate::console;
use crate::failure::{self, Failure};
use broadphase::Algorithm;
use measure::{
    AllocationCount, Case, Cell, Group, Instruments, Machine, MonotonicClock, Outcome, Output,
    Plan, RunId, Status, SummaryRow, available_memory, measure_case, reference, run_directory,
    summary_table,
};
use std::path::{Path, PathBuf};

/// Seed of what is random outside the scenes, unless told otherwise.
const DEFAULT_ORDER_SEED: u64 = 1739;
/// Most frames of all repetitions of one cell: they are held until the cell is done.
const MAX_FRAMES_PER_CELL: u64 = 5_000_000;

/// Measures the chosen algorithms of the registry.
pub(crate) fn run(
    options: &RunOptions,
    command_line: Vec<String>,
    allocations: Option<AllocationCount>,
) -> Result<(), Failure> {
    run_rows(&options.selection.rows(), options, command_line, allocations)
}

/// Measures every case on every number of threads, writes the rows, and prints them.
fn run_rows(
    algorithms: &[&Algorithm],
    options: &RunOptions,
    command_line: Vec<String>,
    allocations: Option<AllocationCount>,
) -> Result<(), Failure> {
    let cases = cases(&options.playing, options.warmup, options.quiet)?;
    check_length(&cases, options.repeat)?;
    let run_id = RunId::now();
    let machine = Machine::detect(&run_id, command_line);
    let (folder, mut output) = open_output(options, &run_id, &machine)?;
    if !options.quiet {
        machine.warnings.iter().for_each(|w| console::note(&format!("warning: {w}")));
    }

    let clock = MonotonicClock::new();
    let instruments = Instruments { clock: &clock, allocations };
    let run_id = run_id.to_string();
    let mut groups: Vec<Vec<SummaryRow>> = Vec::new();
    let mut code = 0;
    for case in &cases {
        for threads in without_repeats(&options.playing.threads) {
            let plan = Plan {
                algorithms,
                threads,
                repeats: options.repeat,
                order_seed: options.playing.seed.unwrap_or(DEFAULT_ORDER_SEED),
                budget: options.budget,
                memory_limit: available_memory(),
            };
            let measured = measure_case(case, &plan, instruments)?;
            if let Some(warning) = measured.warning.filter(|_| !options.quiet) {
                console::note(&format!("warning: {}: {warning}", case.input));
            }
            let mut rows = Vec::new();
            for cell in &measured.cells {
                let row = cell.summary(&run_id, case, &plan);
                output.append(cell.frame_rows(&run_id, case, &plan), &row)?;
                tell(options.quiet, &row);
                code = worse(code, cell);
                rows.push(row);
            }
            groups.push(rows);
        }
    }

    print_result(options, &groups, &folder)?;
    if code == 0 { Ok(()) } else { Err(Failure::Reported { code }) }
}

fn check_length(cases: &[Case], repeats: u32) -> Result<(), Failure> {
    let frames = |case: &Case| u64::from(case.total_frames()) * u64::from(repeats);
    match cases.iter().map(frames).max() {
        Some(most) if most > MAX_FRAMES_PER_CELL => Err(Failure::Usage(format!(
            "{most} frames in {repeats} repetitions are too many: the rows of one algorithm are \
             held in memory, at most {MAX_FRAMES_PER_CELL}"
        ))),
        _ => Ok(()),
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
    let output = Output::create(&folder, options.force, machine)?;
    Ok((folder, output))
}

/// An error is told at once, and always; the rest only to somebody who is looking.
fn tell(quiet: bool, row: &SummaryRow) {
    let SummaryRow { input, n, algorithm, threads, .. } = row;
    let cell = format!("{algorithm} on {input}, n = {n}, {threads} thread(s)");
    let reason = row.reason.as_deref().unwrap_or_default();
    match (row.status, row.median_ns) {
        (Status::Error, _) => {
            let seed = row.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
            console::error(&format!("{cell}{seed}: {reason}"));
        }
        (Status::Ok, Some(ns)) => {
            console::progress(quiet, &format!("{cell}: {:.4} ms", ns as f64 / 1e6));
        }
        _ => console::progress(quiet, &format!("{cell}: skipped: {reason}")),
    }
}

/// A disagreement outweighs a panic: it spoils results, not only itself.
fn worse(code: u8, cell: &Cell) -> u8 {
    code.max(match cell.outcome {
        Outcome::Ok | Outcome::Skipped(_) => 0,
        Outcome::Panicked(_) => failure::RUNNING,
        Outcome::Disagrees(_) => failure::DISAGREEMENT,
    })
}

fn print_result(
    options: &RunOptions,
    groups: &[Vec<SummaryRow>],
    folder: &Path,
) -> Result<(), Failure> {
    let place = format!("results in {}", folder.display());
    if options.json {
        let rows: Vec<&SummaryRow> = groups.iter().flatten().collect();
        let json = serde_json::to_string_pretty(&rows)
            .map_err(|e| Failure::Running(format!("cannot write JSON: {e}")))?;
        if !options.quiet {
            console::note(&place);
        }
        return console::print(&(json + "\n"));
    }
    if options.quiet {
        return Ok(());
    }
    let groups: Vec<Group<'_>> = groups.iter().map(|rows| Group(rows)).collect();
    console::print(&format!("{}\n{place}\n", summary_table(&groups, reference().id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tests::{DROPS, PANICS, run_options};
    use broadphase::ALGORITHMS;

    fn exit_code(algorithms: &[&Algorithm]) -> u8 {
        let folder = tempfile::tempdir().unwrap();
        let options = run_options(folder.path());
        let result = run_rows(algorithms, &options, Vec::new(), None);
        let rows = csv::Reader::from_path(folder.path().join("out/summary.csv"))
            .unwrap()
            .into_deserialize::<SummaryRow>()
            .filter(|row| row.as_ref().unwrap().status == Status::Ok)
            .count();
        assert_eq!(rows, 1, "brute force went on");
        result.map_or_else(|failure| failure.exit_code(), |()| 0)
    }

    #[test]
    fn a_disagreement_is_exit_code_4_even_beside_a_panic() {
        assert_eq!(exit_code(&[&ALGORITHMS[0]]), 0);
        assert_eq!(exit_code(&[&ALGORITHMS[0], &DROPS]), 4);
        assert_eq!(exit_code(&[&DROPS, &PANICS, &ALGORITHMS[0]]), 4);
    }

    #[test]
    fn a_panic_is_exit_code_1() {
        assert_eq!(exit_code(&[&PANICS, &ALGORITHMS[0]]), 1);
    }
}
