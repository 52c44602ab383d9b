//! The job without a window: runs every algorithm on the input, writes a table, frames and a
//! picture.

use crate::composer::{Composer, DrawOptions, Selection};
use crate::gpu::{Gpu, GpuError};
use crate::offscreen::{Offscreen, OffscreenError};
use crate::scene_renderer::Theme;
use crate::session::{Methods, Session, SessionError, StageFault, Stepped, StructureAt};
use crate::simulation::{Flashes, Snapshot, Watch};
use crate::view_options::ViewOptions;
use broadphase::registry::Algorithm;
use measure::{
    AllocationCount, Case, Checks, Clock, DEFAULT_ORDER_SEED, FramesFile, Group, Instruments,
    MemoryError, Observer, Outcome, OutputError, Plan, RunError, RunId, SummaryRow, Warning,
    Watch as RunWatch, available_memory, measure_case_watched, summary_table,
};
use sim::{AtomicFile, Hold, Scene, World};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Frames of a recording that are searched before the one in the picture, so that structures with a memory show it.
const SEARCHED_BEFORE: u64 = 10;

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

/// A picture to draw.
#[derive(Clone, Debug)]
pub struct Screenshot {
    /// Its file.
    pub path: PathBuf,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The algorithm whose structure is drawn. The motion does not depend on it.
    pub algorithm: &'static Algorithm,
    /// What is drawn, and of which step: without one, of the last.
    pub view: ViewOptions,
}

/// Why a job failed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The objects do not fit into memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The measurement failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Why the picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// There is no adapter.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Drawing or saving failed.
    #[error(transparent)]
    Offscreen(#[from] OffscreenError),
    /// The algorithm's structure does not fit into memory.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A step failed.
    #[error("{0}")]
    Motion(String),
    /// A method gave a wrong answer about two bodies.
    #[error("{0}")]
    Wrong(Box<StageFault>),
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
    pub picture: Option<Result<(PathBuf, String), PictureError>>,
    /// What makes the figures doubtful.
    pub warnings: Vec<Warning>,
    /// Algorithms that found wrong pairs, or panicked.
    pub faults: Vec<(String, Outcome)>,
}

/// Runs a job. The observer follows the measurement.
///
/// # Errors
///
/// If the input does not fit into memory, or a file cannot be written. Both are checked before the
/// measurement.
pub fn run(
    job: &Job,
    clock: &'static dyn Clock,
    allocations: Option<AllocationCount>,
    observer: &mut dyn Observer,
) -> Result<Report, JobError> {
    let case = &job.case;
    match job.screenshot {
        Some(_) => case.check_memory_to_show(available_memory())?,
        None => case.check_memory(available_memory())?,
    }
    let frames_file = FramesFile::create(&job.csv)?.replacing(job.replaces);
    if let Some(screenshot) = &job.screenshot {
        AtomicFile::create_with_folder(&screenshot.path).map_err(|source| OutputError::Io {
            action: "write",
            path: screenshot.path.clone(),
            source,
        })?;
    }
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
    let watch = RunWatch { observer, stop: &AtomicBool::new(false), finished: Vec::new() };
    let instruments = Instruments::new(clock, allocations);
    let measured = measure_case_watched(case, &plan, instruments, watch)?;
    let run_id = RunId::now().to_string();
    let cells = &measured.cells;
    let rows: Vec<SummaryRow> = cells.iter().map(|c| c.summary(&run_id, case, &plan)).collect();
    let frames = cells.iter().flat_map(|cell| cell.frame_rows(&run_id, case));
    let csv = frames_file.write(frames)?;

    let mut report = Report {
        table: summary_table(&[Group(&rows)], measure::reference().id),
        csv,
        picture: None,
        warnings: measured.warnings,
        faults: cells
            .iter()
            .filter(|c| matches!(c.outcome, Outcome::Disagrees(_) | Outcome::Panicked(_)))
            .map(|c| (c.algorithm.clone(), c.outcome.clone()))
            .collect(),
    };
    report.picture = job.screenshot.as_ref().map(|shot| take_picture(job, shot, clock));
    Ok(report)
}

/// The input after the job's frames, or at a requested step, as the window would show it.
fn take_picture(
    job: &Job,
    screenshot: &Screenshot,
    clock: &'static dyn Clock,
) -> Result<(PathBuf, String), PictureError> {
    let gpu = Gpu::headless()?;
    let mut session = Session::of_case(&job.case, screenshot.algorithm, clock, None)?;
    let frames = u64::from(job.case.total_frames());
    // The frames of a recording are counted from 0.
    let last = if session.world().is_some() { frames } else { frames.saturating_sub(1) };
    session.set_methods(screenshot.view.methods.over(Methods::default()));
    session.set_box_kind(screenshot.view.methods.box_kind.unwrap_or_default());
    let nothing = Scene::default();
    let scene = session.world().map_or(&nothing, World::scene);
    let mut options = DrawOptions::of_scene(scene);
    screenshot.view.apply(&mut options);
    let watch = options.watch(screenshot.view.pick);
    let mut flashes = Flashes::default();
    play_to(&mut session, screenshot.view.step.unwrap_or(last), &watch, &mut flashes)?;
    let mut composer = Composer::default();
    let mut snapshot = Snapshot::of(&session, &watch);
    flashes.show(session.steps(), false, &mut snapshot.changed);
    let camera = screenshot.view.camera.unwrap_or_else(|| snapshot.first_camera());
    let view = composer.view(&snapshot, &options, Selection::default(), camera, &Theme::DARK, 1.0);
    let [width, height] = screenshot.size;
    let picture = Offscreen::new(&gpu, width, height)?.draw(&view)?;
    picture.save_png(&screenshot.path, job.replaces)?;
    Ok((screenshot.path.clone(), gpu.adapter_summary().to_string()))
}

/// Takes steps up to `step`, and notes what changes in the structure. A recording is played from a few frames before it.
fn play_to(
    session: &mut Session,
    step: u64,
    watch: &Watch,
    flashes: &mut Flashes,
) -> Result<(), PictureError> {
    let never = AtomicBool::new(false);
    if session.motion().recording().is_some() {
        session.go_to(step.saturating_sub(SEARCHED_BEFORE)).map_err(PictureError::Motion)?;
    }
    while session.steps() < step {
        let stepped = session.step(Hold::None, &never).map_err(PictureError::Motion)?;
        if let Stepped::Faulted(fault) = stepped {
            return Err(PictureError::Wrong(Box::new(fault)));
        }
        flashes.expire(session.steps());
        if session.is_searched() {
            flashes.add(session.structure_here(), watch);
        }
    }
    if session.is_searched() {
        return Ok(());
    }
    let mut replayed = |searched: StructureAt<'_>| flashes.add(searched, watch);
    let fault = session.search_here(&never, &mut replayed).map_err(PictureError::Motion)?;
    fault.map_or(Ok(()), |fault| Err(PictureError::Wrong(Box::new(fault))))
}
