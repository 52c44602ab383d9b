//! The viewer's program: a window, or the same job without one.

use anyhow::anyhow;
use clap::Parser;
use measure::{Clock, MonotonicClock, Outcome, RunError, RunId};
use sim::SceneDocument;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use viewer::app::{self, Start, WindowError};
use viewer::cli::Arguments;
use viewer::headless::{self, Job, JobError, Screenshot};
use viewer::parts;
use viewer::session::Session;
use viewer::settings::Settings;
use viewer::simulation::Notice;

/// Counts the heap allocations of every frame, for the column `allocations`.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn allocations() -> u64 {
    let stats = ALLOCATOR.stats();
    (stats.allocations + stats.reallocations) as u64
}

fn main() -> ExitCode {
    // What the backends say of missing drivers is told in one line where it matters.
    let filter = env_logger::Env::default().default_filter_or("error,wgpu_hal=off");
    env_logger::Builder::from_env(filter).init();
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            // Errors tell their own cause; the chain would tell it again.
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let document = match SceneDocument::read(&arguments.scene) {
        Ok(document) => document,
        Err(error) => {
            eprintln!("{error}");
            return Ok(ExitCode::from(3));
        }
    };
    for warning in document.warnings() {
        eprintln!("{warning}");
    }
    let mut scene = document.scene().clone();
    scene.objects = arguments.objects.unwrap_or(scene.objects);
    scene.seed = arguments.seed.unwrap_or(scene.seed);
    let label = arguments.scene.display().to_string();
    // Lives as long as the program: sessions read it from wherever they are.
    let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));

    rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads as usize)
        .build_global()
        .map_err(|e| anyhow!("cannot start {} threads: {e}", arguments.threads))?;
    if arguments.headless {
        return run_headless(arguments, label, scene, clock, true);
    }
    let row = arguments.algorithm.unwrap_or(&broadphase::ALGORITHMS[0]);
    // The counter sees all threads: in the window, that of the panels too, which allocate as they
    // like. So nobody counts there.
    let session = Session::new(&*label, &scene, row, clock, None)?;
    let folder = std::env::current_dir().map_err(|e| anyhow!("the working folder is gone: {e}"))?;
    let warnings = document.warnings().iter();
    let mut notices: Vec<_> = warnings.map(|w| Notice::Trouble(w.to_string())).collect();
    let settings_path = Settings::path();
    let settings = read_settings(settings_path.as_deref(), arguments.reset_settings);
    let settings = settings.unwrap_or_else(|trouble| {
        notices.push(Notice::Trouble(trouble));
        Settings::default()
    });
    let path = arguments.scene.clone();
    let start = Start { document, path, session, folder, settings, settings_path, notices };
    match app::run(start, clock) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(WindowError::Broken(fault)) => anyhow::bail!(fault),
        Err(missing) => {
            eprintln!("No window: {missing}");
            eprintln!("Running the scene without one:");
            run_headless(arguments, label, scene, clock, false)
        }
    }
}

/// What lasts from one run to the next, unless it is to be forgotten.
fn read_settings(path: Option<&Path>, reset: bool) -> Result<Settings, String> {
    match path {
        Some(path) if !reset => Settings::read(path),
        _ => Ok(Settings::default()),
    }
}

/// `asked_for`: the user wants no window; otherwise there is none to be had.
fn run_headless(
    arguments: &Arguments,
    label: String,
    scene: sim::Scene,
    clock: &'static dyn Clock,
    asked_for: bool,
) -> anyhow::Result<ExitCode> {
    let default_path = |extension: &str| {
        let stem = arguments.scene.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{stem}-{}.{extension}", RunId::now().stamp());
        PathBuf::from("results").join(name)
    };
    let parts = arguments.parts();
    let shown_algorithm = match parts::algorithm_with(arguments.algorithm, &parts) {
        Ok(row) => row,
        Err(lack) => {
            eprintln!("error: {lack}");
            return Ok(ExitCode::from(2));
        }
    };
    if asked_for && arguments.screenshot.is_none() && !parts.is_empty() {
        eprintln!("error: --show and --planes are about a picture: name it with --screenshot");
        return Ok(ExitCode::from(2));
    }
    let screenshot = match (&arguments.screenshot, asked_for) {
        (None, true) => None,
        (path, _) => Some(Screenshot {
            path: path.clone().unwrap_or_else(|| default_path("png")),
            size: arguments.size,
            algorithm: shown_algorithm,
            parts,
        }),
    };
    let job = Job {
        label,
        scene,
        algorithm: arguments.algorithm,
        frames: arguments.frames,
        threads: arguments.threads,
        csv: arguments.csv.clone().unwrap_or_else(|| default_path("csv")),
        screenshot,
    };
    if job.screenshot.as_ref().is_some_and(|shot| same_file(&shot.path, &job.csv)) {
        eprintln!("error: --csv and --screenshot name the same file, {}", shown(&job.csv));
        return Ok(ExitCode::from(2));
    }
    if io::stderr().is_terminal() {
        let who = job.algorithm.map_or("every algorithm", |row| row.id);
        let objects = job.scene.total_objects();
        eprintln!("{who} through {} frames of {objects} objects ...", job.frames);
    }
    let report = match headless::run(&job, clock, Some(allocations)) {
        Ok(report) => report,
        Err(JobError::Run(RunError::Input(error))) => {
            eprintln!("error: {error}");
            return Ok(ExitCode::from(3));
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(warning) = &report.warning {
        eprintln!("warning: {warning}");
    }
    let mut told = format!("{}frames: {}\n", report.table, shown(&report.csv));
    let mut code = 0;
    match &report.picture {
        Some(Ok((path, adapter))) => {
            told += &format!("picture: {}, drawn by {adapter}\n", shown(path));
        }
        // A picture that was asked for is missed; one that would only have been welcome is not.
        Some(Err(reason)) if arguments.screenshot.is_some() => {
            eprintln!("error: no picture: {reason}");
            code = 1;
        }
        Some(Err(reason)) => told += &format!("no picture: {reason}\n"),
        None => {}
    }
    print(&told)?;
    for (algorithm, outcome) in &report.faults {
        eprintln!("error: {algorithm}: {outcome}");
        code = code.max(if matches!(outcome, Outcome::Panicked(_)) { 1 } else { 4 });
    }
    Ok(ExitCode::from(code))
}

/// Writes to standard output. A reader that has gone (`| head`) has seen what it wanted.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|e| anyhow!("cannot write the output: {e}")),
    }
}

/// Whether two paths lead to one file, which may not be there yet.
fn same_file(a: &Path, b: &Path) -> bool {
    let whole = |path: &Path| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some((folder.canonicalize().ok()?, path.file_name()?.to_owned()))
    };
    a == b || whole(a).is_some_and(|a| Some(a) == whole(b))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
