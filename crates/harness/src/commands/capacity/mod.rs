//! `harness capacity`: the pairs that an engine with a fixed buffer would lose, frame by frame.
//!
//! Counts, no times: the rows are the same on every machine. Page and chart come from the rows alone.

mod chart;
mod counting;
mod curve;
mod page;
mod rows;
#[cfg(test)]
mod tests;

use super::inputs::cases;
use super::series::Setting;
use super::{check_memory, without_repeats};
use crate::Process;
use crate::cli::CapacityOptions;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::study::{Files, Report, Study};
use broadphase::benchmark::limit_simd;
use curve::Curve;
use measure::{Exit, Machine, MonotonicClock, RunId, Table, UNFINISHED, case_settings};
use rows::{Capacity, CapacityRow};
use serde_json::json;
use std::collections::HashSet;

/// The rows, in the folder of the study.
const TABLE: &str = "capacity.csv";

/// Counts unless only the page is to be written, and writes the page.
pub(crate) fn capacity(options: &CapacityOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    let study = Study { name: "capacity", options: &options.study, is_redraw: options.redraw };
    study.run(process, |files, machine| measure(options, files, machine, process), report)
}

/// The capacities that are asked for, the smallest first.
fn capacities(options: &CapacityOptions) -> Vec<Capacity> {
    let CapacityOptions { per_object, pairs, .. } = options;
    let is_per_object = pairs.is_empty();
    let mut all = without_repeats(if is_per_object { per_object } else { pairs });
    all.sort_unstable();
    all.into_iter().map(|pairs| Capacity { pairs, per_object: is_per_object }).collect()
}

fn measure(
    options: &CapacityOptions,
    files: &Files,
    machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    let (playing, study) = (&options.playing, &options.study);
    if playing.threads != [1] {
        let reason = "--threads has no effect: the counts are the same on any number of threads";
        return Err(Failure::Usage(reason.to_owned()));
    }
    // Every frame counts, none warms up.
    let cases = cases(playing, Some(0), false, study.quiet)?;
    check_memory(&cases)?;
    let capacities = capacities(options);
    let data = files.data();
    let old = [TABLE, "machine.json", UNFINISHED].map(|name| data.join(name));
    let _lock = files.prepare(&data, false, old.into(), study)?;
    let clock = MonotonicClock::new();
    let setting = Setting::of_study(machine, process.instruments(&clock), study, process);
    let settings = json!({
        "cases": case_settings(&cases)?,
        "capacities": capacities.iter().map(|capacity| capacity.text()).collect::<Vec<_>>(),
    });
    let mut log = setting.open(&data, Table::of::<CapacityRow>(TABLE), settings)?;
    let done: HashSet<_> = rows::read(&log.path())?.iter().map(CapacityRow::case).collect();
    for case in &cases {
        if done.contains(&(case.input.clone(), case.n as u64, case.seed)) {
            continue;
        }
        let mut bar = Progress::of_frames(&case.input, case.total_frames().into(), study.quiet);
        let counted = counting::count(case, &capacities, log.run_id(), &mut bar, process.stop)?;
        bar.finish();
        log.add_case(&counted)?;
    }
    log.finish(&RunId::now().date(), &[])?;
    Ok(Exit::Ok)
}

fn report(files: &Files) -> Result<Option<Report>, Failure> {
    let data = files.data();
    let path = data.join(TABLE);
    let rows = rows::read(&path)?;
    if rows.is_empty() {
        // Its empty page would replace a good one.
        return Err(Failure::BadFile(format!("{}, line 2: expected a row", path.display())));
    }
    let machine = Machine::read(&data.join("machine.json"))?;
    let curves = Curve::all(&rows);
    let chart = chart::chart(&curves).map(|chart| (data.join("lost.svg"), chart));
    let summary = page::summary(&curves);
    let page = page::page(&curves, &summary, chart.is_some(), &machine);
    Ok(Some(Report { page, charts: chart.into_iter().collect(), summary }))
}
