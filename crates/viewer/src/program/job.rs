//! The job without a window, from the command line.

use super::failure::Failure;
use crate::cli::{Arguments, StepRange};
use crate::headless::{Job, Screenshot};
use crate::session::file_stem;
use crate::view::{ViewOptions, algorithm_with};
use broadphase::inspect::Overlay;
use measure::{Case, RunId, is_same_file};
use std::path::{Path, PathBuf};

/// Why there is no window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The user asked for none. A picture is drawn only on request.
    Requested,
    /// It cannot be opened. A picture is drawn in its place.
    Unavailable,
}

/// The job that the arguments describe, with their case.
pub(super) fn from_arguments(
    arguments: &Arguments,
    case: Case,
    reason: Reason,
) -> Result<Job, Failure> {
    let view = arguments.view.clone();
    if reason == Reason::Requested {
        check_view(arguments, &view)?;
    }
    let overlays = view.overlays().unwrap_or_default();
    let algorithm = algorithm_with(arguments.offered, arguments.driving(), &overlays)
        .map_err(Failure::Usage)?;
    let screenshot = match (arguments.screenshot.as_ref().or(arguments.pictures.as_ref()), reason) {
        (None, Reason::Requested) => None,
        (path, _) => {
            let picked = view.picked_among(case.n);
            picked.map_err(|problem| Failure::Usage(format!("--pick: {problem}")))?;
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
    let picture = picture.map(|screenshot| screenshot.path.as_path());
    check_outputs(arguments, &csv, picture)?;
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
    Err(Failure::Usage(refused.to_owned()))
}

/// Refuses outputs that would replace the input or each other, or an existing file without `--force`.
fn check_outputs(arguments: &Arguments, csv: &Path, picture: Option<&Path>) -> Result<(), Failure> {
    if picture.is_some_and(|picture| is_same_file(picture, csv)) {
        let text = format!("--csv and --screenshot name the same file, {}", csv.display());
        return Err(Failure::Usage(text));
    }
    for (option, path) in [("--csv", Some(csv)), ("--screenshot", picture)] {
        let Some(path) = path else { continue };
        if arguments.boxes.is_none() && is_same_file(path, &arguments.input) {
            let text = format!("{option} names the input, {}", path.display());
            return Err(Failure::Usage(text));
        }
        if path.exists() && !arguments.force {
            return Err(Failure::Running(format!(
                "{} exists already: choose another name, or --force to replace it",
                path.display()
            )));
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
    use sim::Scene;

    fn refusal(arguments: &str) -> String {
        let arguments = ["viewer"].into_iter().chain(arguments.split_whitespace());
        let arguments = Arguments::try_parse_from(arguments).unwrap();
        let name = arguments.input.display().to_string();
        let case = Case::of_scene(name, Scene::default(), 0, 1);
        from_arguments(&arguments, case, Reason::Requested).err().unwrap().to_string()
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
        assert!(refusal(parts).starts_with("error: bsp has no curve"));
        assert!(refusal("a.scene --compare bsp").contains("--compare needs the window"));
        let pick = refusal("a.scene --pick 100000000 --screenshot p.png");
        assert!(pick.starts_with("error: --pick: there is no object 100000000"), "{pick}");
        let matrix = refusal("a.scene --show matrix --screenshot p.png");
        assert!(matrix.contains("drawn in the window alone"), "{matrix}");
    }
}
