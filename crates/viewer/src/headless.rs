//! The job without a window: runs every algorithm on the input, writes a table, frames and a
//! picture.

use crate::app::scene_picture;
use crate::cli::StepRange;
use crate::composer::{Composer, SceneKey};
use crate::failure::Failure;
use crate::gpu::Gpu;
use crate::offscreen::{OffscreenError, Picture, Studio};
use crate::panel::PanelState;
use crate::picture_folder::PictureFolder;
use crate::platform::{Platform, System};
use crate::session::{Methods, Session};
use crate::simulation::{Engine, Notice, Order, Snapshot};
use crate::view::{View, ViewOptions};
use broadphase::registry::Algorithm;
use measure::{
    AllocationCount, Case, Clock, DEFAULT_ORDER_SEED, Exit, FramesFile, Instruments, Outcome,
    OutputError, Plan, RunError, RunId, SummaryRow, Warning, available_memory, measure_case,
    summary_table,
};
use sim::{AtomicFile, Scene, World};
use std::path::PathBuf;

/// Frames of a recording that are searched before the one in the picture, so that structures with a memory show it.
const SEARCHED_BEFORE: u64 = 10;

/// Height in points of the window that a legend is made for.
const USUAL_HEIGHT: f32 = 720.0;

/// A run and its output files.
#[derive(Clone, Debug)]
pub struct Job {
    /// The input, and the frames to measure.
    pub case: Case,
    /// The algorithms to run.
    pub algorithms: Vec<&'static Algorithm>,
    /// Threads that the algorithms may use.
    pub threads: u32,
    /// The file for the frames.
    pub csv: PathBuf,
    /// A picture of the last frame.
    pub screenshot: Option<Screenshot>,
    /// Whether files that are there when they are written are replaced.
    pub replaces: bool,
}

/// A picture to draw, or one of each of several steps.
#[derive(Clone, Debug)]
pub struct Screenshot {
    /// Its file; with `steps`, a new or empty folder.
    pub path: PathBuf,
    /// The steps of a sequence.
    pub steps: Option<StepRange>,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The algorithm whose structure is drawn. The motion does not depend on it.
    pub algorithm: &'static Algorithm,
    /// The view and its step: without one, the last.
    pub view: ViewOptions,
    /// Whether the legend is painted into it.
    pub legend: bool,
}

/// The results of a job.
#[derive(Debug)]
pub struct Report {
    /// A table with a row for each algorithm.
    pub table: String,
    /// The file with the frames.
    pub csv: PathBuf,
    /// The picture's file and the adapter that drew it, or why there is none. `None` if none was
    /// requested.
    pub picture: Option<Result<(PathBuf, String), Failure>>,
    /// Doubts about the figures.
    pub warnings: Vec<Warning>,
    /// Algorithms that found wrong pairs, or panicked.
    pub faults: Vec<(String, Outcome)>,
}

/// Runs a job.
///
/// # Errors
///
/// If the input does not fit into memory, or a file cannot be written. Both are checked before the
/// measurement.
pub fn run(
    job: &Job,
    clock: &'static dyn Clock,
    allocations: Option<AllocationCount>,
) -> Result<Report, Failure> {
    let case = &job.case;
    match job.screenshot {
        Some(_) => case.check_memory_to_show(available_memory())?,
        None => case.check_memory(available_memory())?,
    }
    let frames_file = FramesFile::create(&job.csv)?.replacing(job.replaces);
    let pictures = job.screenshot.as_ref().map(|shot| writer(shot, job.replaces)).transpose()?;
    let order_seed = case.seed.unwrap_or(DEFAULT_ORDER_SEED);
    let threads = [job.threads];
    let plan = Plan { order_seed, ..Plan::new(&job.algorithms, &threads, 1) };
    let measured = measure_case(case, &plan, Instruments::new(clock, allocations));
    let measured = measured.map_err(|error| match error {
        RunError::Input(error) => Failure::input(&error),
        error => error.into(),
    })?;
    let run_id = RunId::now().to_string();
    let cells = &measured.cells;
    let reasons = cells.iter().map(|cell| match &cell.outcome {
        Outcome::Skipped(reason) if cell.samples.is_empty() => Some(reason),
        _ => None,
    });
    if let Some(Some(reason)) = reasons.reduce(Option::and) {
        return Err(Failure::running(format!("nothing was measured: {reason}")));
    }
    let rows: Vec<SummaryRow> = cells.iter().map(|c| c.summary(&run_id, case, &plan)).collect();
    let frames = cells.iter().flat_map(|cell| cell.frame_rows(&run_id, case));
    let csv = frames_file.write(frames)?;

    let mut report = Report {
        table: summary_table(&[&rows]),
        csv,
        picture: None,
        warnings: measured.warnings,
        faults: cells
            .iter()
            .filter(|c| matches!(c.outcome, Outcome::Error(_)))
            .map(|c| (c.algorithm.clone(), c.outcome.clone()))
            .collect(),
    };
    if let (Some(screenshot), Some(write)) = (&job.screenshot, pictures) {
        let adapter = take_pictures(job, screenshot, write, clock);
        report.picture = Some(adapter.map(|adapter| (screenshot.path.clone(), adapter)));
    }
    Ok(report)
}

/// Writes a picture.
type Write<'a> = Box<dyn FnMut(&Picture) -> Result<(), OffscreenError> + 'a>;

/// Checks that pictures can be written. Returns the way to do so.
fn writer(screenshot: &Screenshot, replaces: bool) -> Result<Write<'_>, Failure> {
    let path = &screenshot.path;
    if screenshot.steps.is_some() {
        let mut folder = PictureFolder::create(&System, path).map_err(Failure::running)?;
        return Ok(Box::new(move |picture: &Picture| folder.add(picture)));
    }
    let written = |source| OutputError::Io { action: "write", path: path.clone(), source };
    AtomicFile::create_with_folder(path).map_err(written)?;
    Ok(Box::new(move |picture: &Picture| picture.save_png(path, replaces)))
}

/// Draws the input after the job's frames, or at the requested steps, as the window would show it. Returns the adapter.
fn take_pictures(
    job: &Job,
    screenshot: &Screenshot,
    mut write: Write<'_>,
    clock: &'static dyn Clock,
) -> Result<String, Failure> {
    let gpu = Gpu::headless()?;
    let mut session = Session::of_case(&job.case, screenshot.algorithm, clock, None)?;
    let frames = u64::from(job.case.total_frames());
    // The frames of a recording are counted from 0.
    let last = if session.world().is_some() { frames } else { frames.saturating_sub(1) };
    let nothing = Scene::default();
    let methods = Methods::default().of_scene(job.case.scene().unwrap_or(&nothing));
    session.set_methods(screenshot.view.methods.over(methods));
    session.set_box_kind(screenshot.view.methods.box_kind.unwrap_or_default());
    let scene = session.world().map_or(&nothing, World::scene);
    let mut panel = PanelState::of_scene(scene);
    screenshot.view.apply(&mut panel.view);
    let one = screenshot.view.step.unwrap_or(last);
    let steps = screenshot.steps.clone().unwrap_or(one..=one);
    go_near(&mut session, *steps.start())?;
    let mut snapshot = Snapshot::of(&session, &View::default());
    let mut engine = Engine::new(session, Platform::system(clock), false);
    engine.obey(Order::View(panel.view));
    let (mut composer, mut studio) = (Composer::default(), Studio::new(&gpu, screenshot.size)?);
    // With a legend as large as in a window of the usual height.
    let scale = match screenshot.legend {
        true => (studio.size()[1] as f32 / USUAL_HEIGHT).max(1.0),
        false => 1.0,
    };
    for step in steps {
        play_to(&mut engine, step, &mut snapshot)?;
        let camera = screenshot.view.camera.unwrap_or_else(|| snapshot.first_camera());
        let key = SceneKey { pixels_per_point: scale, ..SceneKey::new(panel.view, camera) };
        let legend = screenshot.legend;
        let drawn =
            scene_picture::draw(&mut studio, &mut composer, &snapshot, key, &panel, legend)?;
        write(&drawn)?;
    }
    Ok(gpu.adapter_summary().to_string())
}

/// Goes to a few frames before one of a recording.
fn go_near(session: &mut Session, step: u64) -> Result<(), Failure> {
    let step = step.saturating_sub(SEARCHED_BEFORE);
    if step > 0 && session.world().is_none() {
        session.go_to(step).map_err(Failure::running)?;
    }
    Ok(())
}

/// Takes steps up to one, and fills a snapshot.
fn play_to(engine: &mut Engine, step: u64, snapshot: &mut Snapshot) -> Result<(), Failure> {
    let is_wrong = |engine: &Engine| engine.state().failed || engine.state().fault.is_some();
    while !is_wrong(engine) && (engine.session().steps() < step || engine.due_in().is_some()) {
        if engine.due_in().is_none() {
            engine.obey(Order::Step);
        }
        if engine.due_in().is_none() {
            return Err(Failure::running(format!("there is no step {step}")));
        }
        engine.advance();
    }
    engine.snapshot(snapshot);
    // A method may have given a wrong answer about two bodies.
    let exit = if engine.state().fault.is_some() { Exit::Disagreement } else { Exit::Running };
    let stop = snapshot.notices.drain(..).find_map(|notice| match notice {
        Notice::Stop(reason) => Some(Failure::new(exit, reason)),
        _ => None,
    });
    stop.map_or(Ok(()), Err)
}
