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
use super::recorder::open_output;
use super::{check_memory, without_repeats};
use crate::Process;
use crate::cli::{CapacityOptions, StudyOptions};
use crate::failure::Failure;
use crate::progress::FrameBar;
use crate::study::{self, Files, Report, Study};
use broadphase::benchmark::limit_simd;
use curve::Curve;
use measure::{Exit, Machine, RunId, Table, UNFINISHED, case_settings};
use rows::{Capacity, CapacityRow};
use serde_json::json;
use std::collections::HashSet;

/// The rows, in the folder of the study.
const TABLE: &str = "capacity.csv";

/// Counts unless only the page is to be written, and writes the page.
pub(crate) fn capacity(options: &CapacityOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    study::run(&CapacityStudy(options), process)
}

struct CapacityStudy<'a>(&'a CapacityOptions);

impl CapacityStudy<'_> {
    /// The capacities, the smallest first.
    fn capacities(&self) -> Vec<Capacity> {
        let CapacityOptions { per_object, pairs, .. } = self.0;
        let is_per_object = pairs.is_empty();
        let mut all = without_repeats(if is_per_object { per_object } else { pairs });
        all.sort_unstable();
        all.into_iter().map(|pairs| Capacity { pairs, per_object: is_per_object }).collect()
    }
}

impl Study for CapacityStudy<'_> {
    const NAME: &'static str = "capacity";

    fn options(&self) -> &StudyOptions {
        &self.0.study
    }

    fn is_redraw(&self) -> bool {
        self.0.redraw
    }

    fn measure(&self, files: &Files, machine: Machine, process: &Process) -> Result<Exit, Failure> {
        let (playing, study) = (&self.0.playing, &self.0.study);
        if playing.threads != [1] {
            let reason =
                "--threads has no effect: the counts are the same on any number of threads";
            return Err(Failure::Usage(reason.to_owned()));
        }
        // Every frame counts, none warms up.
        let cases = cases(playing, Some(0), false, study.quiet)?;
        check_memory(&cases)?;
        let capacities = self.capacities();
        let machine = machine.with_settings(json!({
            "cases": case_settings(&cases)?,
            "capacities": capacities.iter().map(|capacity| capacity.text()).collect::<Vec<_>>(),
        }));
        let data = files.data();
        let old = [TABLE, "machine.json", UNFINISHED].map(|name| data.join(name));
        let _lock = files.prepare(&data, false, old.into(), study)?;
        let table = Table::of::<CapacityRow>(TABLE);
        let mut log = open_output(&data, table, &machine, study.resume, study.force)?;
        let done: HashSet<_> = rows::read(&log.path())?.iter().map(CapacityRow::case).collect();
        for case in &cases {
            if done.contains(&(case.input.clone(), case.n as u64, case.seed)) {
                continue;
            }
            let mut bar = FrameBar::new(&case.input, case.total_frames().into(), study.quiet);
            let run_id = log.run_id().to_owned();
            let counted = counting::count(case, &capacities, &run_id, &mut bar, process.stop);
            bar.finish();
            log.add_case(&counted?)?;
        }
        log.finish(&RunId::now().date(), &[])?;
        Ok(Exit::Ok)
    }

    fn report(&self, files: &Files) -> Result<Option<Report>, Failure> {
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
}
