//! Measures the parts, and computes the rows of `speed.csv`.

use super::effort::{PartPlan, SpeedEffort};
use super::parts::SpeedPart;
use super::piles::Piles;
use super::{programs, rows};
use crate::Process;
use crate::cli::{SpeedOptions, StudyOptions};
use crate::commands::recorder::open_output;
use crate::commands::series::{Order, Series};
use crate::console;
use crate::failure::Failure;
use crate::probes::Probes;
use crate::registry;
use crate::study::{self, Files, run_files};
use broadphase::registry::Algorithm;
use measure::{Exit, Machine, MonotonicClock, Plan, SummaryRow, Table};
use std::path::PathBuf;

/// Measures all parts, each into its own folder, and writes `speed.csv`. Returns how its rows end the
/// program.
pub(super) fn measure(
    peers: &[Algorithm],
    effort: &SpeedEffort,
    files: &Files,
    options: &SpeedOptions,
    machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    effort.check()?;
    let programs = programs::open(&options.programs)?;
    let _lock = files.prepare(&files.data(), false, old_results(files), &options.study)?;

    let versions = registry::peer_versions();
    let engine = versions.iter().find(|version| version.starts_with("rapier3d"));
    let piles = Piles {
        folder: files.data().join("traces"),
        engine: engine.cloned().unwrap_or_default(),
        quiet: options.study.quiet,
        stop: process.stop,
    };
    let plans = effort.plans(peers, &programs, &piles)?;
    let bench = SpeedBench { files, options, machine, probes: Probes::open(process), process };
    let (mut all_rows, mut exit) = (Vec::new(), Exit::Ok);
    for (index, plan) in plans.iter().enumerate() {
        if !options.study.quiet {
            let (number, count) = (index + 1, plans.len());
            console::note(&format!("part {number} of {count}: {}", plan.part.title()));
        }
        exit = exit.max(bench.part(plan)?);
        all_rows.extend(rows::of_part(plan.part, &bench.folder(plan.part))?);
    }
    study::write_rows(&files.rows(), &all_rows)?;
    // Also in those of parts that an earlier run measured: pages read all.
    let manifests = SpeedPart::ALL.map(|part| bench.folder(part).join("machine.json"));
    for manifest in manifests.iter().filter(|manifest| manifest.exists()) {
        study::note_table(manifest, manifest, "../../speed.csv", &files.rows())?;
    }
    Ok(exit)
}

/// The setting in which all parts are measured.
struct SpeedBench<'a> {
    files: &'a Files,
    options: &'a SpeedOptions,
    machine: Machine,
    probes: Probes,
    process: &'a Process,
}

impl SpeedBench<'_> {
    fn folder(&self, part: SpeedPart) -> PathBuf {
        self.files.data().join(part.folder())
    }

    /// Measures the rest of a part. Returns how its rows end the program.
    fn part(&self, planned: &PartPlan) -> Result<Exit, Failure> {
        let algorithms: Vec<&Algorithm> = planned.algorithms.iter().collect();
        let plan = Plan {
            programs: &planned.programs,
            budget: Some(planned.budget),
            ..Plan::new(&algorithms, &planned.threads, planned.repeats)
        };
        let order = Order::CaseByCase;
        let series = Series { cases: planned.cases.clone(), plan, order, shard: None };
        let machine = Machine {
            peers: registry::peer_versions(),
            hardware_counters: self.probes.describe(),
            ..series.machine(self.machine.clone())?
        };
        let StudyOptions { resume, quiet, .. } = self.options.study;
        let output =
            open_output(&self.folder(planned.part), Table::of_cells(), &machine, resume, true)?;
        let clock = MonotonicClock::new();
        let instruments = self.probes.instruments(&clock);
        let (stop, title) = (self.process.stop, planned.part.title());
        let mut rows = Vec::new();
        series.measure(output, instruments, quiet, stop, Some(title), &mut rows)?;
        Ok(rows.iter().flatten().map(SummaryRow::exit).max().unwrap_or_default())
    }
}

/// The files that an earlier run may have left, except the traces.
fn old_results(files: &Files) -> Vec<PathBuf> {
    let of_part = |part: SpeedPart| run_files(&files.data().join(part.folder()));
    let (chart, png) = (files.chart(), files.chart().with_extension("png"));
    let page = [files.page(), files.rows(), chart, png];
    page.into_iter().chain(SpeedPart::ALL.into_iter().flat_map(of_part)).collect()
}
