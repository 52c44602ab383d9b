//! Measures all experiments, and draws the pictures.

use super::bench::ThesisBench;
use super::collision_only;
use super::experiments::Experiment;
use super::figures::{self, ThesisFigure};
use super::plan::ThesisPlan;
#[cfg(feature = "draw")]
use super::{pictures, rendered};
use crate::Process;
use crate::cli::StudyOptions;
use crate::failure::Failure;
use crate::page_files::{PageFile, remove_old};
use crate::study::{Files, run_files};
use measure::{Exit, Machine, MonotonicClock, Warning};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The file with the seconds that a whole run took.
pub(super) const WALL_SECONDS: &str = "wall-seconds.txt";

/// Measures all experiments, each into its own folder. Returns how the rows end the
/// program.
pub(super) fn measure(
    plan: &ThesisPlan,
    files: &Files,
    options: &StudyOptions,
    machine: Machine,
    process: &Process,
) -> Result<Exit, Failure> {
    let data = files.data();
    let _lock = files.prepare(&data, false, old_results(&data), options)?;
    let clock = MonotonicClock::new();
    let mut bench = ThesisBench {
        machine,
        instruments: process.instruments(&clock),
        data,
        resume: options.resume,
        stop: process.stop,
        quiet: options.quiet || !std::io::stderr().is_terminal(),
        start: Instant::now(),
        exit: Exit::Ok,
    };
    draw(plan, &mut bench)?;
    collision_only::measure(plan, &mut bench)?;
    bench.progress("measured");
    let wall_seconds = bench.data.join(WALL_SECONDS);
    // A resumed run was measured by several processes, whose times are not added.
    if options.resume {
        remove_old(vec![wall_seconds], true)?;
    } else {
        let seconds = format!("{:.0}\n", bench.start.elapsed().as_secs_f64());
        PageFile::create(&wall_seconds, true)?.write(seconds.as_bytes())?;
    }
    Ok(bench.exit)
}

/// Measures the experiments with rendering and draws the pictures, if there is an adapter.
#[cfg(feature = "draw")]
fn draw(plan: &ThesisPlan, bench: &mut ThesisBench<'_>) -> Result<(), Failure> {
    match viewer::gpu::Gpu::headless() {
        Ok(gpu) => {
            bench.machine.gpu = Some(gpu.adapter_summary().to_string());
            rendered::measure(plan, &gpu, bench)?;
            pictures::draw(&gpu, &bench.data, &|what| bench.progress(what))
        }
        Err(error) => {
            bench.machine.warn(&Warning::NotDrawn(error.to_string()));
            Ok(())
        }
    }
}

#[cfg(not(feature = "draw"))]
fn draw(_plan: &ThesisPlan, bench: &mut ThesisBench<'_>) -> Result<(), Failure> {
    let reason = "the program was built without drawing; build it with --features draw";
    bench.machine.warn(&Warning::NotDrawn(reason.to_owned()));
    Ok(())
}

/// The files that an earlier run may have left.
fn old_results(data: &Path) -> Vec<PathBuf> {
    let rows =
        Experiment::ALL.iter().flat_map(|experiment| run_files(&data.join(experiment.folder())));
    let figures = figures::ALL.iter().flat_map(ThesisFigure::files).map(|name| data.join(name));
    let figures = figures.flat_map(|file| [file.with_extension("png"), file]);
    rows.chain(figures).collect()
}
