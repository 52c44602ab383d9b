//! The main job without a window: every algorithm through the scene, a table, the frames, a picture.

use crate::camera::OrbitCamera;
use crate::composer::{Composer, DrawOptions, Selection};
use crate::gpu::{Gpu, GpuError};
use crate::offscreen::{Offscreen, OffscreenError};
use crate::parts::Part;
use crate::scene_renderer::Theme;
use crate::session::{Session, SessionError};
use crate::simulation::Snapshot;
use broadphase::{ALGORITHMS, Algorithm, families};
use measure::{
    AllocationCount, Case, Checks, Clock, FramesFile, Group, Instruments, MemoryError, Outcome,
    OutputError, Plan, RunError, RunId, SummaryRow, available_memory, measure_case, summary_table,
};
use sim::{AtomicFile, Hold, Scene};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Frames before those that count.
const WARMUP: u32 = 10;

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Job {
    /// The scene's name in rows and files.
    pub label: String,
    /// The scene.
    pub scene: Scene,
    /// The only algorithm to run; `None` runs all but the variants.
    pub algorithm: Option<&'static Algorithm>,
    /// Frames to measure.
    pub frames: u32,
    /// Threads that the algorithms may use.
    pub threads: u32,
    /// Where the frames go.
    pub csv: PathBuf,
    /// Where a picture of the last frame goes.
    pub screenshot: Option<Screenshot>,
}

/// A picture to be made.
#[derive(Clone, Debug)]
pub struct Screenshot {
    /// Where it goes.
    pub path: PathBuf,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Whose structure is drawn; any moves the spheres the same way.
    pub algorithm: &'static Algorithm,
    /// What of it is drawn.
    pub parts: Vec<Part>,
}

/// Why a job failed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The objects have no room in memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Nothing could be measured.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The frames could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// There is no adapter.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Drawing or saving failed.
    #[error(transparent)]
    Offscreen(#[from] OffscreenError),
    /// The algorithm has no room in memory.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The motion left the range of numbers.
    #[error("{0}")]
    Motion(String),
}

/// What came of a job.
#[derive(Debug)]
pub struct Report {
    /// The table of the algorithms.
    pub table: String,
    /// Where the frames are.
    pub csv: PathBuf,
    /// Where the picture is and the adapter that drew it, or why there is none; `None` where none
    /// was wanted.
    pub picture: Option<Result<(PathBuf, String), PictureError>>,
    /// What was doubtful about the placing of the objects.
    pub warning: Option<String>,
    /// Algorithms whose pairs were wrong, or that panicked.
    pub faults: Vec<(&'static str, Outcome)>,
}

/// Runs a job.
///
/// # Errors
///
/// Where the input has no room, or a file cannot be written: noticed before anything is measured.
pub fn run(
    job: &Job,
    clock: &'static dyn Clock,
    allocations: Option<AllocationCount>,
) -> Result<Report, JobError> {
    let case = Case::of_scene(&job.label, job.scene.clone(), WARMUP, job.frames);
    case.check_memory(available_memory())?;
    let frames_file = FramesFile::create(&job.csv)?;
    if let Some(screenshot) = &job.screenshot {
        AtomicFile::create(&screenshot.path).map_err(|source| OutputError::Io {
            action: "write",
            path: screenshot.path.clone(),
            source,
        })?;
    }
    let all: Vec<&Algorithm> = match job.algorithm {
        Some(row) => vec![row],
        None => families().collect(),
    };
    let plan = Plan {
        algorithms: &all,
        threads: &[job.threads],
        repeats: 1,
        order_seed: job.scene.seed,
        budget: None,
        memory_limit: available_memory(),
        events: false,
        checks: Checks::EveryList,
    };
    let measured = measure_case(&case, &plan, Instruments::new(clock, allocations))?;
    let run_id = RunId::now().to_string();
    let cells = &measured.cells;
    let rows: Vec<SummaryRow> = cells.iter().map(|c| c.summary(&run_id, &case, &plan)).collect();
    let frames = cells.iter().flat_map(|cell| cell.frame_rows(&run_id, &case));
    let csv = frames_file.write(frames)?;

    let mut report = Report {
        table: summary_table(&[Group(&rows)], ALGORITHMS[0].id),
        csv,
        picture: None,
        warning: measured.warning,
        faults: cells
            .iter()
            .filter(|c| matches!(c.outcome, Outcome::Disagrees(_) | Outcome::Panicked(_)))
            .map(|c| (c.algorithm, c.outcome.clone()))
            .collect(),
    };
    report.picture = job.screenshot.as_ref().map(|shot| take_picture(job, shot, clock));
    Ok(report)
}

/// The scene after the job's frames, as the window would show it.
fn take_picture(
    job: &Job,
    screenshot: &Screenshot,
    clock: &'static dyn Clock,
) -> Result<(PathBuf, String), PictureError> {
    let gpu = Gpu::headless()?;
    let never = AtomicBool::new(false);
    let row = screenshot.algorithm;
    let mut session = Session::new(&*job.label, &job.scene, row, clock, None)?;
    for _ in 0..WARMUP + job.frames {
        session.step(Hold::None, &never).map_err(PictureError::Motion)?;
    }
    let mut options = DrawOptions::of_scene(&job.scene);
    for part in &screenshot.parts {
        part.switch_on(&mut options);
    }
    let camera = OrbitCamera::from_pose(job.scene.camera);
    let mut composer = Composer::default();
    let snapshot = Snapshot::of(&session, &options.watch(None));
    let view = composer.view(&snapshot, &options, Selection::default(), camera, &Theme::DARK, 1.0);
    let [width, height] = screenshot.size;
    Offscreen::new(&gpu, width, height)?.draw(&view)?.save_png(&screenshot.path)?;
    Ok((screenshot.path.clone(), gpu.adapter_summary().to_string()))
}
