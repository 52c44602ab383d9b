//! Measures all experiments, and draws the pictures.

#[cfg(feature = "draw")]
use super::drawn;
use super::experiments::{BuiltIn, Experiment, FER, RANDOM, ThesisPlan, varied};
use super::figures;
use super::figures::ThesisFigure;
use super::rows::{Methods, SEMI_ADJUSTING, SETS};
use crate::cli::StudyOptions;
use crate::commands::series::{Order, Series, Setting};
use crate::failure::Failure;
use crate::page_files::{PageFile, remove_old};
use crate::study::{Files, run_files};
use crate::{Process, console};
use broadphase::registry::Algorithm;
use measure::{Case, Drawing, Exit, Instruments, Machine, MonotonicClock, Plan};
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
    let setting = Setting {
        replace: true,
        quiet: options.quiet || !std::io::stderr().is_terminal(),
        ..Setting::of_study(machine, process.instruments(&clock), options, process)
    };
    let mut bench = ThesisBench { setting, data, start: Instant::now(), exit: Exit::Ok };
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
    pub(super) setting: Setting<'a>,
    /// Holds the folders of the experiments.
    data: PathBuf,
    start: Instant,
    /// How the rows so far end the program.
    exit: Exit,
}

impl ThesisBench<'_> {
    /// Shows what is measured next.
    fn progress(&self, what: &str) {
        if !self.setting.quiet {
            console::note(&format!("{:6.1} s  {what}", self.start.elapsed().as_secs_f64()));
        }
    }

    /// Measures an experiment: these algorithms in the same rounds, each round over all cases. With `drawing` every frame
    /// is drawn.
    pub(super) fn part(
        &mut self,
        experiment: Experiment,
        cases: Vec<Case>,
        ids: &[&str],
        repeats: u32,
        drawing: Option<&dyn Drawing>,
    ) -> Result<(), Failure> {
        self.progress(&format!("{}: {}", experiment.folder(), experiment.summary()));
        let algorithms: Vec<&Algorithm> =
            ids.iter().filter_map(|id| broadphase::registry::find(id)).collect();
        let plan = Plan::new(&algorithms, &[1], repeats);
        let series = Series { cases, plan, order: Order::Rounds, shard: None };
        let instruments = Instruments { drawing, ..self.setting.instruments };
        let setting = Setting { instruments, ..self.setting.clone() };
        let exit = series.measure_part(&self.data.join(experiment.folder()), &setting, None)?;
        self.exit = self.exit.max(exit);
        Ok(())
    }
}

/// Measures E2, E3 and E7, without rendering, by both sets of methods.
fn search(plan: &ThesisPlan, bench: &mut ThesisBench<'_>) -> Result<(), Failure> {
    let over_n = |from: Experiment, scene: BuiltIn, warmup: u32| {
        let case =
            |&n| Ok(Case::of_scene(from.input(), scene.scene(Some(n))?, warmup, plan.frames));
        plan.numbers.iter().map(case).collect::<Result<Vec<Case>, Failure>>()
    };
    let varied = varied(plan.varied_number)?.into_iter();
    let varied = varied.map(|(name, scene)| Case::of_scene(&name, scene, plan.warmup, plan.frames));
    let ids: Vec<&str> = SETS.into_iter().flat_map(Methods::ids).collect();
    let random = over_n(Experiment::Random, RANDOM, plan.warmup)?;
    let with_other = [&ids[..], &[SEMI_ADJUSTING]].concat();
    bench.part(Experiment::Random, random, &with_other, plan.repeats, None)?;
    let fer = over_n(Experiment::Fer, FER, plan.fer_warmup)?;
    bench.part(Experiment::Fer, fer, &ids, plan.repeats, None)?;
    bench.part(Experiment::SpeedAndSize, varied.collect(), &ids, plan.repeats, None)
}

/// Measures the experiments with rendering and draws the pictures, if there is an adapter.
#[cfg(feature = "draw")]
fn draw(plan: &ThesisPlan, bench: &mut ThesisBench<'_>) -> Result<(), Failure> {
    match viewer::gpu::Gpu::headless() {
        Ok(gpu) => {
            bench.setting.machine.gpu = Some(gpu.adapter_summary().to_string());
            drawn::measure(plan, &gpu, bench)?;
            drawn::draw(&gpu, &bench.data, &|what| bench.progress(what))
        }
        Err(error) => {
            bench.setting.machine.warn(&format!("nothing was drawn: {error}"));
            Ok(())
        }
    }
}

#[cfg(not(feature = "draw"))]
fn draw(_plan: &ThesisPlan, bench: &mut ThesisBench<'_>) -> Result<(), Failure> {
    let reason = "the program was built without drawing; build it with --features draw";
    bench.setting.machine.warn(&format!("nothing was drawn: {reason}"));
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
