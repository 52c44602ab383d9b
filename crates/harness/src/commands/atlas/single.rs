//! `--cell K`: one cell, and a table of its algorithms.

use super::measuring::CellBench;
use super::plan::{AtlasPart, single};
use super::run::{fault, plan_of, threads};
use crate::Process;
use crate::cli::AtlasOptions;
use crate::commands::check_memory;
use crate::console;
use crate::failure::Failure;
use crate::study::StudyRow;
use broadphase::registry::Algorithm;
use comfy_table::Table;
use measure::numbers::{significant, thousands};
use measure::{MonotonicClock, Status};

/// Measures one cell, and prints its algorithms.
pub(super) fn measure_one(
    part: AtlasPart,
    number: u32,
    algorithms: &[&Algorithm],
    options: &AtlasOptions,
    process: &Process,
) -> Result<(), Failure> {
    let Some(planned) = single(part, options.seed, number) else {
        return Err(Failure::Usage(format!("--cell {number}: the winner map has no such cell")));
    };
    check_memory(std::slice::from_ref(&planned.case))?;
    let threads = threads(part, options);
    let clock = MonotonicClock::new();
    let bench = CellBench {
        plan: plan_of(algorithms, &threads, options),
        twice: part.has_champions(),
        instruments: process.instruments(&clock),
        stop: process.stop,
    };
    let (rows, _) = bench.measure(&planned, "", &mut ())?;
    console::print(&table(&rows))?;
    rows.iter()
        .filter(|row| row.status == Status::Error)
        .for_each(|row| console::error(&fault(row, part)));
    Failure::unless_ok(rows.iter().map(StudyRow::exit).max().unwrap_or_default())
}

/// A table of the rows of a cell, the fastest first.
fn table(rows: &[StudyRow]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut text = format!(
        "{}: n = {}, {}\n{} frames x {}, times in us\n",
        first.input, first.n, first.description, first.frames, first.repeats
    );
    for rows in rows.chunk_by(|a, b| a.threads == b.threads) {
        let mut rows: Vec<&StudyRow> = rows.iter().collect();
        let time = |row: &StudyRow| row.mean_ns.unwrap_or(f64::INFINITY);
        rows.sort_by(|a, b| time(a).total_cmp(&time(b)));
        text += &format!("\n{}\n", of_threads(&rows));
        for row in rows.iter().filter(|row| row.status == Status::Skipped) {
            let reason = row.reason_text();
            text += &format!("{} skipped: {reason}\n", row.algorithm);
        }
    }
    text
}

fn of_threads(rows: &[&StudyRow]) -> Table {
    let least = rows.iter().filter(|row| !row.again).find_map(|row| row.mean_ns);
    let micros = |ns: Option<f64>| ns.map_or("-".to_owned(), |ns| significant(ns / 1e3));
    let whole = |ns: Option<u64>| micros(ns.map(|ns| ns as f64));
    let threads = rows.first().map_or(1, |row| row.threads);
    let heading = format!("{threads} thread{}", if threads == 1 { "" } else { "s" });
    let row = |row: &&StudyRow| {
        let again = if row.again { " (again)" } else { "" };
        let over = row.mean_ns.zip(least).map(|(own, least)| own / least.max(1.0));
        [
            format!("{}{again}", row.algorithm),
            micros(row.mean_ns),
            over.map_or("-".to_owned(), significant),
            micros(row.early_ns),
            whole(row.median_ns),
            whole(row.worst_ns),
            row.worst_frame.map_or("-".to_owned(), |frame| frame.to_string()),
            row.tests.map_or("-".to_owned(), thousands),
            row.pairs.map_or("-".to_owned(), thousands),
        ]
    };
    let header =
        [&*heading, "mean", "over best", "frames 5-44", "median", "worst", "at", "tests", "pairs"];
    console::table(header, &[1, 2, 3, 4, 5, 6, 7, 8], rows.iter().map(row))
}
