//! The input that a command line names, and the state in which a window or a page begins with it.

use crate::app::{Opened, Start};
use crate::cli::Arguments;
use crate::drive_file;
use crate::failure::Failure;
use crate::platform::{Files, Platform};
use crate::session::{Methods, Session, SessionError};
use crate::settings::{Settings, SettingsError};
use crate::shipped_scenes::{self, OpenedInput};
use crate::simulation::Notice;
use crate::view::{ViewOptions, algorithm_with};
use measure::{Case, CaseOptions, Exit, Input};
use sim::scene::PlacedBody;
use sim::{Scene, SceneDocument};
use std::fmt;
use std::path::{Path, PathBuf};

/// Frames that run without a window, of a trace at most.
const DEFAULT_FRAMES: u32 = 300;

/// The file or the boxes that the arguments name.
pub(super) fn open(arguments: &Arguments, files: &dyn Files) -> Result<OpenedInput, Failure> {
    let path = arguments.input.clone();
    let opened = match arguments.boxes {
        Some(spec) => {
            let input = Input::boxes(spec.with_moving(arguments.moving));
            Ok(OpenedInput { input, path, note: None })
        }
        None => shipped_scenes::open(files, &path).map_err(|error| Failure::input(&error)),
    };
    match &arguments.drive {
        Some(keys) => driven_by(keys, opened?, files),
        None => opened,
    }
}

/// A scene whose driven bodies are driven by the keys of a file. Its rows are not those of the scene alone.
fn driven_by(keys: &Path, opened: OpenedInput, files: &dyn Files) -> Result<OpenedInput, Failure> {
    let name = keys.display().to_string();
    let input = &opened.input;
    let document = input.document();
    let drives = |body: &PlacedBody| body.is_driven;
    let Some(document) = document.filter(|of| of.scene().placed_bodies.iter().any(drives)) else {
        let text = format!("--drive {name}: {} has no driven body", input.name);
        return Err(Failure::usage(text));
    };
    let unusable = |text: &dyn fmt::Display| Failure::new(Exit::BadInput, text);
    let text = files.read(keys, SceneDocument::MAX_BYTES);
    let text = text.map_err(|e| unusable(&format_args!("cannot read {name}: {e}")))?;
    let text = String::from_utf8_lossy(&text);
    let keys = drive_file::parse(&name, &text).map_err(|text| unusable(&text))?;
    let mut document = document.clone();
    let scene = Scene { drive: keys, ..document.scene().clone() };
    document.set_scene(scene).map_err(|error| unusable(&error))?;
    let name = format!("{} (driven)", input.name);
    let input = Input::of_bytes(Path::new(&name), document.to_text().as_bytes());
    let input = input.map_err(|error| Failure::input(&error))?;
    Ok(OpenedInput { input, ..opened })
}

/// The input with the number of objects, the seed and the frames of the arguments.
pub(super) fn case(arguments: &Arguments, input: &Input) -> Result<Case, Failure> {
    // The parser does not require --boxes where a file is named.
    if arguments.moving.is_some() && arguments.boxes.is_none() {
        return Err(Failure::usage("--moving is for generated boxes: --boxes NAME:N"));
    }
    if arguments.objects.is_some() && !input.is_scene() {
        let text = format!("--objects is for scenes: {} has its own", input.name);
        return Err(Failure::usage(text));
    }
    if arguments.seed.is_some() && !input.has_seed() {
        return Err(Failure::usage(format!("{} has no seed to choose by --seed", input.name)));
    }
    let last = arguments.steps.as_ref().map(|steps| ("--steps ..", *steps.end()));
    if let (Some((option, step)), Some(frames)) =
        (arguments.view.step.map(|step| ("--step ", step)).or(last), input.frames())
        && step >= u64::from(frames)
    {
        let text = format!("{option}{step}: {} has the frames 0 to {}", input.name, frames - 1);
        return Err(Failure::usage(text));
    }
    check_bodies(arguments, input)?;
    let options = CaseOptions {
        objects: arguments.objects.into_iter().collect(),
        seed: arguments.seed,
        warmup: None,
        frames: arguments.frames.or((!input.is_trace()).then_some(DEFAULT_FRAMES)),
    };
    let mut case = input.cases(&options).map_err(Failure::usage)?.remove(0);
    if arguments.frames.is_none() {
        case.frames = case.frames.min(DEFAULT_FRAMES);
    }
    Ok(case)
}

/// Refuses options about bodies for inputs without any.
fn check_bodies(arguments: &Arguments, input: &Input) -> Result<(), Failure> {
    let has_bodies = input.document().is_some_and(|document| document.scene().has_bodies());
    let overlays = arguments.view.overlays().unwrap_or_default();
    let option = match overlays.iter().find(|row| row.is_of_bodies()) {
        Some(row) => format!("--show {}", row.word()),
        None if arguments.view.methods.are_chosen() => {
            "--volume, --narrow and --box-kind".to_owned()
        }
        None => return Ok(()),
    };
    if has_bodies {
        return Ok(());
    }
    Err(Failure::usage(format!("{option}: {} has no bodies", input.name)))
}

/// The initial state of a window or of a page that these arguments describe.
///
/// # Errors
///
/// If the input cannot be read, or the arguments contradict it.
pub fn begin(arguments: &Arguments, platform: Platform) -> Result<Start, Failure> {
    let opened = open(arguments, platform.files)?;
    let case = case(arguments, &opened.input)?;
    start(arguments, &opened, &case, platform)
}

/// The initial state of the window.
pub(super) fn start(
    arguments: &Arguments,
    opened: &OpenedInput,
    case: &Case,
    platform: Platform,
) -> Result<Start, Failure> {
    let view = arguments.view.clone();
    let compared = arguments.compared();
    let first =
        arguments.driving().is_none() && view == ViewOptions::default() && compared.is_empty();
    let offered = arguments.offered;
    // A tree at work explains more than a table of zeros; recorded motion is to be searched fast.
    let default = match case.scene() {
        // The program of 004, whose rule this is, lists objects by areas.
        Some(scene) if scene.driving.rule.volume().is_some() => {
            broadphase::algorithms::areas::ENTRY.id
        }
        Some(_) => broadphase::algorithms::kd_tree::ENTRY.id,
        None => "auto",
    };
    let overlays = view.overlays().unwrap_or_default();
    let row = match (arguments.driving(), &overlays[..]) {
        (Some(row), []) => row,
        (None, []) => offered.find(default).unwrap_or(offered.reference()),
        (chosen, overlays) => algorithm_with(offered, chosen, overlays).map_err(Failure::usage)?,
    };
    // No allocation count: it covers all threads, and the panels allocate on theirs.
    let mut session =
        Session::of_case(case, row, platform.clock, None).map_err(|error| match error {
            SessionError::Input(error) => Failure::input(&error),
            error => error.into(),
        })?;
    let folder = platform.files.folder();
    let folder =
        folder.map_err(|e| Failure::running(format!("the working folder is gone: {e}")))?;
    let note = opened.note.iter().cloned().map(Notice::Done);
    let warnings = opened.input.warnings.iter().cloned().map(Notice::Problem);
    let mut notices: Vec<_> = note.chain(warnings).collect();
    let (settings, settings_path) = settings(arguments, platform.files, &mut notices);
    session.set_offered(offered);
    let methods = Methods::default();
    let methods = case.scene().map_or(methods, |scene| methods.of_scene(scene));
    session.set_methods(view.methods.over(methods));
    session.set_box_kind(view.methods.box_kind.unwrap_or_default());
    let path = arguments.boxes.is_none().then(|| opened.path.clone());
    let boxes = case.scene().is_none().then(|| case.clone());
    let opened = Opened { document: opened.input.document().cloned(), path, boxes };
    let drive = arguments.drive.clone();
    let unsaved = Settings::path().map(|path| path.with_file_name("unsaved"));
    Ok(Start {
        opened,
        session,
        view,
        drive,
        compared,
        first,
        folder,
        settings,
        settings_path,
        unsaved,
        notices,
    })
}

/// The settings of the last run, and where they are kept; `None` where they must not be written.
fn settings(
    arguments: &Arguments,
    files: &dyn Files,
    notices: &mut Vec<Notice>,
) -> (Settings, Option<PathBuf>) {
    let path = Settings::path();
    let read = path.as_deref().map_or(Ok(Settings::default()), |path| Settings::read(files, path));
    let (settings, path) = match read {
        Ok(settings) => (settings, path),
        Err(SettingsError { message, may_replace }) => {
            notices.push(Notice::Problem(message));
            (Settings::default(), path.filter(|_| may_replace))
        }
    };
    if arguments.reset_settings { (settings.reset(), path) } else { (settings, path) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::FIRST_SCENE;
    use clap::Parser as _;
    use measure::MonotonicClock;

    #[test]
    fn scenes_open_with_a_tree_and_recordings_with_auto() {
        // As from the root of the repository, and without the settings of the user who runs the tests.
        let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FIRST_SCENE);
        let platform = Platform::system(Box::leak(Box::new(MonotonicClock::new())));
        let begun = |words: &[&str]| {
            let words = ["viewer", "--reset-settings"].iter().chain(words);
            let mut arguments = Arguments::try_parse_from(words).unwrap();
            arguments.input.clone_from(&scene);
            let start = begin(&arguments, platform).unwrap();
            (start.first, start.session.algorithm().id)
        };
        assert_eq!(begun(&[]), (true, "kd-tree"));
        assert_eq!(begun(&["--algorithm", "bsp"]), (false, "bsp"));
        assert!(!begun(&["--pick", "3"]).0);
        assert_eq!(begun(&["other.scene"]), (true, "kd-tree"));
        assert_eq!(begun(&["--boxes", "gas:50"]), (true, "auto"));
    }
}
