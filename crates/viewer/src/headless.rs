//! The job without a window: runs every algorithm on the input, writes a table, frames and a
//! picture.

use crate::camera::OrbitCamera;
use crate::cli::StepRange;
use crate::composer::{Composer, Selection};
use crate::failure::Failure;
use crate::gpu::Gpu;
use crate::offscreen::{OffscreenError, Picture, Studio};
use crate::panel::{self, PanelState};
use crate::picture_folder::PictureFolder;
use crate::platform::System;
use crate::scene_renderer::Theme;
use crate::session::{Methods, Session, StageFault, Stepped, StructureAt};
use crate::simulation::Snapshot;
use crate::simulation::flashes::Flashes;
use crate::view::{View, ViewOptions};
use broadphase::registry::Algorithm;
use egui::{Pos2, Rect, vec2};
use measure::{
    AllocationCount, Case, Checks, Clock, DEFAULT_ORDER_SEED, Exit, FramesFile, Instruments,
    Outcome, OutputError, Plan, RunError, RunId, SummaryRow, Warning, available_memory,
    measure_case, summary_table,
};
use sim::{AtomicFile, Hold, Scene, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    /// What is drawn, and of which step: without one, of the last.
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
    /// What makes the figures doubtful.
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
    let pictures = job.screenshot.as_ref().map(|shot| PictureFile::create(shot, job.replaces));
    let mut pictures = pictures.transpose()?;
    let plan = Plan {
        algorithms: &job.algorithms,
        programs: &[],
        threads: &[job.threads],
        repeats: 1,
        order_seed: case.seed.unwrap_or(DEFAULT_ORDER_SEED),
        budget: None,
        memory_limit: available_memory(),
        events: false,
        checks: Checks::EveryList,
        stages: None,
    };
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
    if let (Some(screenshot), Some(pictures)) = (&job.screenshot, &mut pictures) {
        let adapter = take_pictures(job, screenshot, pictures, clock);
        report.picture = Some(adapter.map(|adapter| (screenshot.path.clone(), adapter)));
    }
    Ok(report)
}

/// Where pictures are written.
enum PictureFile<'a> {
    One { path: &'a Path, replaces: bool },
    Sequence(PictureFolder),
}

impl<'a> PictureFile<'a> {
    /// Checks that pictures can be written.
    fn create(screenshot: &'a Screenshot, replaces: bool) -> Result<Self, Failure> {
        let path = &screenshot.path;
        let written = |source| OutputError::Io { action: "write", path: path.clone(), source };
        if screenshot.steps.is_some() {
            let folder = PictureFolder::create(&System, path).map_err(Failure::running)?;
            return Ok(Self::Sequence(folder));
        }
        AtomicFile::create_with_folder(path).map_err(written)?;
        Ok(Self::One { path, replaces })
    }

    fn add(&mut self, picture: &Picture) -> Result<(), OffscreenError> {
        match self {
            Self::One { path, replaces } => picture.save_png(path, *replaces),
            Self::Sequence(folder) => folder.add(picture),
        }
    }
}

/// Draws the input after the job's frames, or at the requested steps, as the window would show it. Returns the adapter.
fn take_pictures(
    job: &Job,
    screenshot: &Screenshot,
    pictures: &mut PictureFile<'_>,
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
    let mut flashes = Flashes::default();
    let (mut composer, mut studio) = (Composer::default(), Studio::new(&gpu, screenshot.size)?);
    let step = screenshot.view.step.unwrap_or(last);
    for step in screenshot.steps.clone().unwrap_or(step..=step) {
        play_to(&mut session, step, &panel.view, &mut flashes)?;
        let show = |changed: &mut _| flashes.show(session.steps(), false, changed);
        let snapshot = Snapshot::with_changes(&session, &panel.view, show);
        let view = screenshot.view.camera;
        let picture = draw(&mut studio, &mut composer, &snapshot, &panel, view, screenshot.legend)?;
        pictures.add(&picture)?;
    }
    Ok(gpu.adapter_summary().to_string())
}

/// Draws a snapshot, with a legend as large in the picture as in a window of [`USUAL_HEIGHT`].
fn draw(
    studio: &mut Studio,
    composer: &mut Composer,
    snapshot: &Snapshot,
    panel: &PanelState,
    camera: Option<OrbitCamera>,
    legend: bool,
) -> Result<Picture, OffscreenError> {
    let camera = camera.unwrap_or_else(|| snapshot.first_camera());
    let scale = if legend { (studio.size()[1] as f32 / USUAL_HEIGHT).max(1.0) } else { 1.0 };
    let [width, height] = studio.size().map(|side| side as f32 / scale);
    let place = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
    let camera = if legend { camera.within(panel::beside_legend(place)) } else { camera };
    let nothing = Selection::default();
    let view = composer.view(snapshot, &panel.view, nothing, camera, &Theme::DARK, scale);
    let drawn = match legend {
        false => studio.draw(&view),
        true => studio.draw_with_panels(&view, panel.dark, scale, |ui| {
            panel::over_picture(ui, panel, snapshot, camera);
        }),
    };
    studio.finish(&drawn)
}

/// Takes steps up to `step`, and notes what changes in the structure. A recording is played from a few frames before it.
fn play_to(
    session: &mut Session,
    step: u64,
    view: &View,
    flashes: &mut Flashes,
) -> Result<(), Failure> {
    let never = AtomicBool::new(false);
    let is_far = session.steps() + SEARCHED_BEFORE < step;
    if is_far && session.motion().recording().is_some() {
        session.go_to(step.saturating_sub(SEARCHED_BEFORE)).map_err(Failure::running)?;
    }
    while session.steps() < step {
        if let Stepped::Faulted(fault) =
            session.step(Hold::None, &never).map_err(Failure::running)?
        {
            return Err(wrong(fault));
        }
        flashes.begin(session.steps());
        if session.is_searched() {
            flashes.add(session.structure_here(), view);
        }
    }
    if session.is_searched() {
        return Ok(());
    }
    let mut replayed = |searched: StructureAt<'_>| flashes.add(searched, view);
    let fault = session.search_here(&never, &mut replayed).map_err(Failure::running)?;
    fault.map_or(Ok(()), |fault| Err(wrong(fault)))
}

/// A method gave a wrong answer about two bodies.
fn wrong(fault: Arc<StageFault>) -> Failure {
    Failure::new(Exit::Disagreement, fault)
}
