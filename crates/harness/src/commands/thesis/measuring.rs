//! Measures all experiments, and draws the pictures.

use super::experiments::{BuiltIn, Experiment, FER, RANDOM, varied};
use super::figures::{self, ThesisFigure};
use super::methods::{Methods, SEMI_ADJUSTING, SETS};
use super::plan::ThesisPlan;
#[cfg(feature = "draw")]
use super::{pictures, rendered};
use crate::Process;
use crate::cli::StudyOptions;
#[cfg(feature = "draw")]
use crate::commands::recorder::{line, open_output};
use crate::commands::series::{Order, Series, Setting};
use crate::console;
use crate::failure::Failure;
use crate::page_files::{PageFile, remove_old};
use crate::study::{Files, run_files};
use broadphase::registry::Algorithm;
use measure::{Case, Exit, Instruments, Machine, MonotonicClock, Plan, Warning};
#[cfg(feature = "draw")]
use measure::{Output, SummaryRow, run_tables};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
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
    search(plan, &mut bench)?;
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

/// The setting in which all experiments are measured.
pub(super) struct ThesisBench<'a> {
    pub(super) machine: Machine,
    pub(super) instruments: Instruments<'a>,
    /// Holds the folders of the experiments.
    pub(super) data: PathBuf,
    /// Whether an earlier run is completed.
    resume: bool,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
    /// Whether progress is not shown.
    quiet: bool,
    start: Instant,
    /// How the rows so far end the program.
    exit: Exit,
}

impl ThesisBench<'_> {
    /// Shows what is measured next.
    pub(super) fn progress(&self, what: &str) {
        if !self.quiet {
            console::note(&format!("{:6.1} s  {what}", self.start.elapsed().as_secs_f64()));
        }
    }
}

#[cfg(feature = "draw")]
impl ThesisBench<'_> {
    /// Opens the output of an experiment.
    pub(super) fn output(
        &self,
        experiment: Experiment,
        machine: Machine,
    ) -> Result<Output, Failure> {
        let folder = self.data.join(experiment.folder());
        open_output(&folder, &run_tables(), &machine, self.resume, true)
    }

    /// Reports a row that is an error.
    pub(super) fn check(&mut self, row: &SummaryRow) {
        let exit = row.exit();
        if exit != Exit::Ok {
            console::error(&line(row));
        }
        self.exit = self.exit.max(exit);
    }

    /// What draws, if anything does.
    pub(super) fn adapter(&self) -> Option<&str> {
        self.machine.gpu.as_deref()
    }
}

/// Measures E2, E3 and E7, without rendering: both sets of methods in the same rounds, each round over all numbers of
/// objects.
fn search(plan: &ThesisPlan, bench: &mut ThesisBench<'_>) -> Result<(), Failure> {
    let over_n = |from: Experiment, scene: BuiltIn, warmup: u32| {
        let case =
            |&n| Ok(Case::of_scene(from.input(), scene.scene(Some(n))?, warmup, plan.frames));
        plan.numbers.iter().map(case).collect::<Result<Vec<Case>, Failure>>()
    };
    let varied = varied(plan.varied_number)?.into_iter();
    let varied = varied.map(|(name, scene)| Case::of_scene(&name, scene, plan.warmup, plan.frames));
    let (random, fer) = (Experiment::Random, Experiment::Fer);
    for (experiment, cases, other) in [
        (random, over_n(random, RANDOM, plan.warmup)?, Some(SEMI_ADJUSTING)),
        (fer, over_n(fer, FER, plan.fer_warmup)?, None),
        (Experiment::SpeedAndSize, varied.collect(), None),
    ] {
        let ids = SETS.into_iter().flat_map(Methods::ids).chain(other);
        let algorithms: Vec<&Algorithm> = ids.filter_map(broadphase::registry::find).collect();
        let plan = Plan::new(&algorithms, &[1], plan.repeats);
        let series = Series { cases, plan, order: Order::Rounds, shard: None };
        bench.progress(&format!("{}: {}", experiment.folder(), experiment.summary()));
        let &mut ThesisBench { instruments, resume, quiet, stop, .. } = bench;
        let setting = Setting { machine: bench.machine.clone(), instruments, resume, quiet, stop };
        let exit = series.measure_part(&bench.data.join(experiment.folder()), &setting, None)?;
        bench.exit = bench.exit.max(exit);
    }
    Ok(())
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
            bench.machine.warnings.push(Warning::NotDrawn(error.to_string()));
            Ok(())
        }
    }
}

#[cfg(not(feature = "draw"))]
fn draw(_plan: &ThesisPlan, bench: &mut ThesisBench<'_>) -> Result<(), Failure> {
    let reason = "the program was built without drawing; build it with --features draw";
    bench.machine.warnings.push(Warning::NotDrawn(reason.to_owned()));
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
