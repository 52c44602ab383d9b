//! Measures the parts, and computes the rows of `speed.csv`.

use super::effort::{SpeedEffort, algorithms};
use super::inputs::SpeedPart;
use super::piles::Piles;
use super::rows;
use crate::commands::series::{Order, Series, Setting};
use crate::failure::Failure;
use crate::probes::Probes;
use crate::study::{Files, run_files};
use crate::{Process, console, registry, study};
use broadphase::registry::Algorithm;
use measure::{Exit, Machine, MonotonicClock, Plan, Program};
use std::collections::HashSet;
use std::path::PathBuf;

/// Measures all parts, each into its own folder, and writes `speed.csv`. Returns how its rows end the
/// program.
pub(super) fn measure(
    peers: &[Algorithm],
    effort: &SpeedEffort<'_>,
    files: &Files,
    machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    effort.check()?;
    let options = &effort.options.study;
    let programs = open_programs(&effort.options.programs)?;
    let _lock = files.prepare(&files.data(), false, old_results(files), options)?;

    let versions = registry::peer_versions();
    let engine = versions.iter().find(|version| version.starts_with("rapier3d"));
    let piles = Piles {
        folder: files.data().join("traces"),
        engine: engine.cloned().unwrap_or_default(),
        quiet: options.quiet,
        stop: process.stop,
    };
    let parts = effort.cases(&piles)?;
    let (probes, clock) = (Probes::open(process), MonotonicClock::new());
    let machine = Machine { peers: versions, hardware_counters: probes.describe(), ..machine };
    let setting = Setting {
        replace: true,
        ..Setting::of_study(machine, probes.instruments(&clock), options, process)
    };
    let count = parts.len();
    let (mut all_rows, mut exit) = (Vec::new(), Exit::Ok);
    for (number, (part, cases)) in (1..).zip(parts) {
        if !options.quiet {
            console::note(&format!("part {number} of {count}: {}", part.title()));
        }
        let algorithms = algorithms(part, peers);
        let plan = Plan {
            programs: if part == SpeedPart::Programs { &programs } else { &[] },
            budget: Some(effort.budget),
            ..Plan::new(&algorithms, effort.threads(part), effort.repeats(part))
        };
        let series = Series { cases, plan, order: Order::CaseByCase, shard: None };
        let folder = folder(files, part);
        exit = exit.max(series.measure_part(&folder, &setting, Some(part.title()))?);
        all_rows.extend(rows::of_part(part, &folder)?);
    }
    study::write_rows(&files.rows(), &all_rows)?;
    // Also in those of parts that an earlier run measured: pages read all.
    let manifests = SpeedPart::ALL.map(|part| folder(files, part).join("machine.json"));
    for manifest in manifests.iter().filter(|manifest| manifest.exists()) {
        study::note_table(manifest, manifest, "../../speed.csv", &files.rows())?;
    }
    Ok(exit)
}

fn folder(files: &Files, part: SpeedPart) -> PathBuf {
    files.data().join(part.folder())
}

/// The files that an earlier run may have left, except the traces.
fn old_results(files: &Files) -> Vec<PathBuf> {
    let of_part = |part: SpeedPart| run_files(&folder(files, part));
    let page = [files.page(), files.rows(), files.chart(), files.chart().with_extension("png")];
    page.into_iter().chain(SpeedPart::ALL.into_iter().flat_map(of_part)).collect()
}

/// Opens the programs. Refused where two would have the same name in the rows, or one that of an algorithm.
fn open_programs(paths: &[PathBuf]) -> Result<Vec<Program>, Failure> {
    let mut names = HashSet::new();
    let open = |path: &PathBuf| {
        let program = Program::open(path).map_err(|e| Failure::Usage(format!("--program {e}")))?;
        let name = program.id().to_owned();
        if registry::offered().find(&name).is_some() || !names.insert(name.clone()) {
            return Err(Failure::Usage(format!(
                "--program {}: another is called `{name}`: name the file otherwise",
                path.display()
            )));
        }
        Ok(program)
    };
    paths.iter().map(open).collect()
}
