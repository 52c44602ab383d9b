//! The job without a window: from the command line to its report and its exit code.

use crate::cli::{Arguments, StepRange};
use crate::console;
use crate::failure::Failure;
use crate::format::counted;
use crate::headless::{self, Job, Report, Screenshot};
use crate::session::export_path::file_stem;
use crate::view::{ViewOptions, algorithm_with};
use broadphase::inspect::Overlay;
use measure::{AllocationCount, Case, Clock, Exit, RunId, Warning, is_same_file};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Runs the job that the arguments describe, and prints its report. Where the window cannot be opened, a picture is drawn in
/// its place, and a missing one is no error unless it was asked for.
pub(super) fn run(
    arguments: &Arguments,
    case: Case,
    clock: &'static dyn Clock,
    allocations: AllocationCount,
) -> Result<Exit, Failure> {
    let job = job(arguments, case)?;
    let required = arguments.screenshot.is_some() || arguments.pictures.is_some();
    if io::stderr().is_terminal() {
        let algorithms = match &job.algorithms[..] {
            [only] => only.id.to_owned(),
            several => counted(several.len(), "algorithm"),
        };
        let frames = counted(job.case.frames as usize, "frame");
        console::note(format_args!(
            "{algorithms} through {frames} of {} ...",
            counted(job.case.n, "object")
        ));
    }
    let report = headless::run(&job, clock, Some(allocations))?;
    if !report.warnings.is_empty() {
        console::note(format_args!("warning: {}", Warning::joined(&report.warnings)));
    }
    let mut output = format!("{}frames: {}\n", report.table, report.csv.display());
    match &report.picture {
        Some(Ok((path, adapter))) => {
            let name = if arguments.pictures.is_some() { "pictures" } else { "picture" };
            output += &format!("{name}: {}, drawn by {adapter}\n", path.display());
        }
        Some(Err(reason)) if required => {
            console::note(format_args!("error: no picture: {reason}"));
        }
        Some(Err(reason)) => output += &format!("no picture: {reason}\n"),
        None => {}
    }
    console::print(&output)
        .map_err(|e| Failure::running(format!("cannot write the output: {e}")))?;
    for (algorithm, outcome) in &report.faults {
        console::note(format_args!("error: {algorithm}: {outcome}"));
    }
    Ok(exit(&report, required))
}

/// The exit code of a report. A wrong answer counts though its picture is not required.
fn exit(report: &Report, required: bool) -> Exit {
    let picture = match &report.picture {
        Some(Err(failure)) if required || failure.exit == Exit::Disagreement => failure.exit,
        _ => Exit::Ok,
    };
    report.faults.iter().map(|(_, outcome)| outcome.exit()).fold(picture, Exit::max)
}

/// The job that the arguments describe.
fn job(arguments: &Arguments, case: Case) -> Result<Job, Failure> {
    let view = arguments.view.clone();
    if arguments.headless {
        check_view(arguments, &view)?;
    }
    let overlays = view.overlays().unwrap_or_default();
    let algorithm = algorithm_with(arguments.offered, arguments.driving(), &overlays)
        .map_err(Failure::usage)?;
    let screenshot = match arguments.screenshot.as_ref().or(arguments.pictures.as_ref()) {
        None if arguments.headless => None,
        path => {
            let picked = view.picked_among(case.n);
            picked.map_err(|problem| Failure::usage(format!("--pick: {problem}")))?;
            Some(Screenshot {
                path: path.cloned().unwrap_or_else(|| default_path(&case, "png")),
                steps: arguments.pictures.as_ref().map(|_| steps(arguments, &case)),
                size: arguments.size,
                algorithm,
                view,
                legend: arguments.legend,
            })
        }
    };
    let csv = arguments.csv.clone().unwrap_or_else(|| default_path(&case, "csv"));
    let picture = screenshot.as_ref().filter(|screenshot| screenshot.steps.is_none());
    check_outputs(arguments, &csv, picture.map(|screenshot| &*screenshot.path))?;
    Ok(Job {
        case,
        algorithms: arguments.algorithms(),
        threads: arguments.threads,
        csv,
        screenshot,
        replaces: arguments.force,
    })
}

/// The steps of `--pictures`: by default all of the run. The frames of a recording are counted from 0.
fn steps(arguments: &Arguments, case: &Case) -> StepRange {
    let frames = u64::from(case.total_frames());
    let last = if case.scene().is_some() { frames } else { frames.saturating_sub(1) };
    arguments.steps.clone().unwrap_or(0..=last)
}

/// Refuses what neither the run nor a picture shows.
fn check_view(arguments: &Arguments, view: &ViewOptions) -> Result<(), Failure> {
    let has_picture = arguments.screenshot.is_some() || arguments.pictures.is_some();
    let refused = if !arguments.compare.is_empty() {
        "--compare needs the window; with --headless, every algorithm runs unless --algorithm chooses"
    } else if view.names(Overlay::Matrix) {
        "--show matrix: the matrix is drawn in the window alone; leave out --headless, or the matrix"
    } else if !has_picture && (arguments.legend || *view != ViewOptions::default()) {
        "--show, --planes, --plane-opacity, --color, --draw, --pick, --step, --camera, --legend, --volume, --narrow \
         and --box-kind are about a picture: name it with --screenshot or --pictures"
    } else {
        return Ok(());
    };
    Err(Failure::usage(refused))
}

/// Refuses outputs that would replace the input or each other, or an existing file without `--force`.
fn check_outputs(arguments: &Arguments, csv: &Path, picture: Option<&Path>) -> Result<(), Failure> {
    if picture.is_some_and(|picture| is_same_file(picture, csv)) {
        let csv = csv.display();
        return Err(Failure::usage(format!("--csv and --screenshot name the same file, {csv}")));
    }
    for (option, path) in [("--csv", Some(csv)), ("--screenshot", picture)] {
        let Some(path) = path else { continue };
        if arguments.boxes.is_none() && is_same_file(path, &arguments.input) {
            return Err(Failure::usage(format!("{option} names the input, {}", path.display())));
        }
        if path.exists() && !arguments.force {
            let path = path.display();
            let text =
                format!("{path} exists already: choose another name, or --force to replace it");
            return Err(Failure::running(text));
        }
    }
    Ok(())
}

/// A path in `results/`, named after the input and the moment.
fn default_path(case: &Case, extension: &str) -> PathBuf {
    let stem = file_stem(&case.input);
    PathBuf::from("results").join(format!("{stem}-{}.{extension}", RunId::now()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use measure::Outcome;
    use sim::Scene;

    fn refusal(arguments: &str) -> String {
        let arguments = ["viewer", "--headless"].into_iter().chain(arguments.split_whitespace());
        let arguments = Arguments::try_parse_from(arguments).unwrap();
        let name = arguments.input.display().to_string();
        let case = Case::of_scene(name, Scene::default(), 0, 1);
        job(&arguments, case).err().unwrap().to_string()
    }

    #[test]
    fn contradictions_are_refused() {
        for option in [
            "--show planes",
            "--plane-opacity 1",
            "--step 7",
            "--pick 3",
            "--camera 1,2,3",
            "--color tests",
            "--volume obb",
            "--narrow sat",
            "--box-kind sphere",
            "--legend",
            "--draw objects=off",
        ] {
            let refusal = refusal(&format!("a.scene {option}"));
            assert!(refusal.contains("name it with --screenshot"), "{refusal}");
        }
        assert!(refusal("a.scene --csv ./f --screenshot f").contains("the same file, ./f"));
        let parts = "a.scene --algorithm bsp --show curve --screenshot p.png";
        assert!(refusal(parts).starts_with("bsp has no curve"));
        assert!(refusal("a.scene --compare bsp").contains("--compare needs the window"));
        let pick = refusal("a.scene --pick 100000000 --screenshot p.png");
        assert!(pick.starts_with("--pick: there is no object 100000000"), "{pick}");
        let matrix = refusal("a.scene --show matrix --screenshot p.png");
        assert!(matrix.contains("drawn in the window alone"), "{matrix}");
    }

    #[test]
    fn exit_code_is_that_of_the_worst_fault() {
        let report = |picture: Option<Exit>, faults: &[&str]| Report {
            table: String::new(),
            csv: PathBuf::new(),
            picture: picture.map(|exit| Err(Failure::new(exit, "why"))),
            warnings: Vec::new(),
            faults: faults
                .iter()
                .map(|why| ("a".to_owned(), Outcome::Error((*why).to_owned())))
                .collect(),
        };
        let (missing, wrong) = (Some(Exit::Running), Some(Exit::Disagreement));
        let panicked = "panicked in frame 3 of repetition 0: why";
        for (picture, faults, required, code) in [
            (missing, &[][..], false, Exit::Ok),
            (missing, &[], true, Exit::Running),
            (wrong, &[], false, Exit::Disagreement),
            (None, &[panicked], false, Exit::Running),
            (missing, &["how", panicked], true, Exit::Disagreement),
        ] {
            assert_eq!(exit(&report(picture, faults), required), code, "{faults:?}");
        }
    }
}
