//! The viewer's program: a window, or the same job without one.

use anyhow::anyhow;
use clap::Parser;
use measure::{Clock, MonotonicClock, RunId};
use sim::SceneDocument;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use viewer::app::{self, WindowError};
use viewer::cli::Arguments;
use viewer::headless::{self, Job, Screenshot};
use viewer::panel::Notice;
use viewer::session::Session;

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

    if arguments.headless {
        return run_headless(arguments, label, scene, clock, true);
    }
    let row = arguments.algorithm.unwrap_or(&broadphase::ALGORITHMS[0]);
    let session = Session::new(&label, scene.clone(), row, clock, Some(allocations))?;
    let warning = session.world().placement_warning();
    let notice = warning.map(|w| Notice::Trouble(w.to_owned()));
    let folder = std::env::current_dir().map_err(|e| anyhow!("the working folder is gone: {e}"))?;
    match app::run(session, clock, folder, notice) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(WindowError::Broken(fault)) => anyhow::bail!(fault),
        Err(missing) => {
            eprintln!("No window: {missing}");
            eprintln!("Running the scene without one:");
            run_headless(arguments, label, scene, clock, false)
        }
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
    let screenshot = match (&arguments.screenshot, asked_for) {
        (None, true) => None,
        (path, _) => Some(Screenshot {
            path: path.clone().unwrap_or_else(|| default_path("png")),
            size: arguments.size,
            planes: arguments.planes,
        }),
    };
    let job = Job {
        label,
        scene,
        algorithm: arguments.algorithm,
        frames: arguments.frames,
        csv: arguments.csv.clone().unwrap_or_else(|| default_path("csv")),
        screenshot,
    };
    let report = headless::run(&job, clock, Some(allocations))?;
    if let Some(warning) = &report.warning {
        eprintln!("warning: {warning}");
    }
    print!("{}", report.table);
    println!("frames: {}", shown(&report.csv));
    let mut code = ExitCode::SUCCESS;
    match &report.picture {
        Some(Ok((path, adapter))) => println!("picture: {}, drawn by {adapter}", shown(path)),
        // A picture that was asked for is missed; one that would only have been welcome is not.
        Some(Err(reason)) if arguments.screenshot.is_some() => {
            eprintln!("error: no picture: {reason}");
            code = ExitCode::FAILURE;
        }
        Some(Err(reason)) => println!("no picture: {reason}"),
        None => {}
    }
    for (algorithm, outcome) in &report.faults {
        eprintln!("error: {algorithm}: {outcome:?}");
    }
    Ok(if report.faults.is_empty() { code } else { ExitCode::from(4) })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
