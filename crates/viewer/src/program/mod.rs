//! The program: a scene in a window, or the same job without one.

mod failure;
mod job;
mod without_window;

use crate::app::{self, Start, WindowError};
use crate::cli::{Arguments, FIRST_SCENE};
use crate::console;
use crate::refusal::trace_refusal;
use crate::session::Session;
use crate::settings::Settings;
use crate::simulation::Notice;
use broadphase::registry::{ALGORITHMS, find};
use failure::Failure;
use job::Reason;
use measure::{
    AllocationCount, Clock, Exit, MonotonicClock, end_stopped, handle_requests_to_end,
    report_file_size_limit,
};
use sim::{Scene, SceneDocument};
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

/// Objects from which placing them may take a second, and is announced.
const MANY_OBJECTS: usize = 200_000;

/// Runs the program. `allocations` counts the process' heap allocations.
pub fn run(arguments: &Arguments, allocations: AllocationCount) -> ExitCode {
    report_file_size_limit();
    handle_requests_to_end(|| end_stopped());
    let outcome = run_scene(arguments, allocations);
    let exit = outcome.unwrap_or_else(|failure| {
        console::note(&failure);
        failure.exit()
    });
    exit.into()
}

fn run_scene(arguments: &Arguments, allocations: AllocationCount) -> Result<Exit, Failure> {
    if let Some(refusal) = trace_refusal(&arguments.scene) {
        return Err(Failure::Input(refusal));
    }
    let document = SceneDocument::read(&arguments.scene).map_err(Failure::Scene)?;
    for warning in document.warnings() {
        console::note(warning);
    }
    let mut scene = document.scene().clone();
    scene.objects = arguments.objects.unwrap_or(scene.objects);
    scene.seed = arguments.seed.unwrap_or(scene.seed);
    rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads as usize)
        .build_global()
        .map_err(|e| {
            Failure::Running(format!("cannot start {} threads: {e}", arguments.threads))
        })?;
    // Leaked: sessions on any thread use it until the program ends.
    let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
    if arguments.headless {
        let job = job::from_arguments(arguments, scene, Reason::Requested)?;
        return without_window::run(&job, arguments.screenshot.is_some(), clock, allocations);
    }
    match app::run(start(arguments, document, &scene, clock)?, clock) {
        Ok(()) => Ok(Exit::Ok),
        Err(WindowError::Broken(fault)) => Err(Failure::Running(fault)),
        Err(missing) => {
            console::note(format_args!("No window: {missing}"));
            console::note("Running the scene without one:");
            let job = job::from_arguments(arguments, scene, Reason::Unavailable)?;
            without_window::run(&job, arguments.screenshot.is_some(), clock, allocations)
        }
    }
}

/// The initial state of the window.
fn start(
    arguments: &Arguments,
    document: SceneDocument,
    scene: &Scene,
    clock: &'static dyn Clock,
) -> Result<Start, Failure> {
    let objects = scene.total_objects();
    if objects >= MANY_OBJECTS && std::io::stderr().is_terminal() {
        console::note(format_args!("placing {objects} objects ..."));
    }
    // A tree at work explains more than a table of zeros.
    let first = arguments.scene == Path::new(FIRST_SCENE);
    let default = if first { broadphase::algorithms::kd_tree::ENTRY.id } else { ALGORITHMS[0].id };
    let row = arguments.algorithm.or_else(|| find(default)).unwrap_or(&ALGORITHMS[0]);
    // No allocation count: it covers all threads, and the panels allocate on theirs.
    let session =
        Session::new(job::label(arguments), scene, row, clock, None).map_err(Failure::running)?;
    let folder = std::env::current_dir()
        .map_err(|e| Failure::Running(format!("the working folder is gone: {e}")))?;
    let warnings = document.warnings().iter();
    let mut notices: Vec<_> = warnings.map(|w| Notice::Problem(w.to_string())).collect();
    let settings_path = Settings::path();
    let settings = match &settings_path {
        Some(path) if !arguments.reset_settings => Settings::read(path).unwrap_or_else(|error| {
            notices.push(Notice::Problem(error));
            Settings::default()
        }),
        _ => Settings::default(),
    };
    let path = arguments.scene.clone();
    Ok(Start { document, path, session, first, folder, settings, settings_path, notices })
}
