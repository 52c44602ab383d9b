//! The copied command line shows the same again.

use crate::common::row;
use broadphase::inspect::Overlay;
use clap::Parser;
use glam::Vec2;
use measure::{Case, CaseOptions, Input};
use narrowphase::BoxKind;
use sim::{Hold, Scene};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use viewer::cli::Arguments;
use viewer::reproduction::{Reproduction, in_shell};
use viewer::session::{Methods, Session};
use viewer::simulation::Snapshot;
use viewer::view::{ColorBy, Levels, Row, View};

const SCENE: &str = "#!objects 24\n#!radius 0.15\n#!seed 5\ni -1 -1 -1  2 2 2  100 t\n";

/// A scene in a file.
struct Written {
    /// Removed with it.
    _folder: TempDir,
    path: PathBuf,
    input: Input,
}

impl Written {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my own.scene");
        std::fs::write(&path, text).unwrap();
        let input = Input::open(&path).unwrap();
        Self { _folder: folder, path, input }
    }

    fn original(&self) -> &Scene {
        self.input.document().unwrap().scene()
    }

    /// The words that open it, and others.
    fn words(&self, others: &[&str]) -> Vec<String> {
        let others = others.iter().map(|word| (*word).to_owned());
        std::iter::once(self.path.display().to_string()).chain(others).collect()
    }
}

/// The case of a command line, opened as the program opens it.
fn case(arguments: &Arguments) -> Case {
    let input = match arguments.boxes {
        Some(spec) => Input::boxes(spec.with_moving(arguments.moving)),
        None => Input::open(&arguments.input).unwrap(),
    };
    let objects = arguments.objects.into_iter().collect();
    let options = CaseOptions { objects, seed: arguments.seed, ..CaseOptions::default() };
    input.cases(&options).unwrap().remove(0)
}

fn parsed(words: &[String]) -> Arguments {
    Arguments::try_parse_from(std::iter::once("viewer").chain(words.iter().map(|w| &**w))).unwrap()
}

fn session(arguments: &Arguments, step: u64) -> Session {
    let algorithm = arguments.algorithm.unwrap_or(row("bvh-linear"));
    let mut session =
        Session::of_case(&case(arguments), algorithm, crate::common::clock(), None).unwrap();
    while session.steps() < step {
        session.step(Hold::None).unwrap();
    }
    session
}

/// Command copied from a snapshot, without a comparison, from its first camera.
fn shown<'a>(
    path: Option<&'a Path>,
    original: Option<&'a Scene>,
    snapshot: &'a Snapshot,
    view: &'a View,
) -> Reproduction<'a> {
    let camera = snapshot.first_camera();
    Reproduction { path, original, drive: None, snapshot, view, compares: false, camera }
}

/// The view that a command asks for.
fn viewed(words: &[String], snapshot: &Snapshot) -> View {
    let mut view = View::of_scene(&snapshot.input.scene);
    parsed(words).view.apply(&mut view);
    view
}

#[test]
fn copied_command_shows_the_same_again() {
    let (written, trace) = (Written::new(SCENE), crate::common::traces::Trace::new(30, 12));
    let [scene, trace] = [&written.path, &trace.path()].map(|path| path.display().to_string());
    for (number, input) in [
        vec![scene.as_str()],
        vec![&scene, "--objects", "31", "--seed", "8"],
        vec![&trace],
        vec!["--boxes", "brownian:60"],
        vec!["--boxes", "statics:60", "--moving", "0.25", "--seed", "9"],
        vec!["--boxes", "terdiman:60"],
        vec!["--boxes", "atlas:7:12"],
    ]
    .into_iter()
    .enumerate()
    {
        let words: Vec<String> = input.iter().map(|word| (*word).to_owned()).collect();
        let first = parsed(&words);
        let shown = session(&first, 9);
        let threads = if number % 2 == 0 { 3 } else { 1 };
        let picked = (number > 0).then_some(7);
        let mut snapshot = Snapshot::of(&shown, &View { picked, ..View::default() });
        snapshot.engine.threads = threads;
        let path = first.boxes.is_none().then_some(&*first.input);
        let opened = path.map(|path| Input::open(path).unwrap());
        let original = opened.as_ref().and_then(Input::document).map(|document| document.scene());
        let mut camera = snapshot.first_camera();
        camera.orbit(Vec2::new(33.3, -400.0));
        camera.pan(Vec2::new(5.0, 7.0), 600.0);
        let plain = View::of_scene(&snapshot.input.scene);
        let levels = Levels { depth: 7, only: true };
        let mut draw = View { tree_levels: levels, color: ColorBy::Tests, ..plain }
            .with_structure(&[Overlay::TreeBoxes, Overlay::Curve])
            .with(Row::Objects, number != 1)
            .with(Row::Sources, false)
            .with(Row::Outlines, number == 2)
            .with(Row::Shading, !snapshot.input.scene.shading);
        if number == 0 {
            draw.set(Row::Glow, false);
        }
        draw.picked = picked;
        let reproduction = Reproduction { camera, ..self::shown(path, original, &snapshot, &draw) };
        assert_eq!(reproduction.lack(), None);
        let words = reproduction.arguments();
        let again = parsed(&words);
        assert_eq!((again.view.step, again.view.camera), (Some(9), Some(camera)), "{words:?}");
        assert_eq!(viewed(&words, &snapshot), draw, "{words:?}");
        assert_eq!(again.algorithm.unwrap().id, "bvh-linear");
        assert_eq!(again.threads as usize, threads, "{words:?}");
        let reproduced = session(&again, 9);
        assert_eq!(reproduced.motion().boxes(), shown.motion().boxes(), "{words:?}");
        assert_eq!(reproduced.motion().seed(), shown.motion().seed());
    }
}

#[test]
fn copied_command_shows_planes_matrix_and_comparison() {
    let written = Written::new(SCENE);
    let compared =
        ["auto", "bsp@depth=4"].map(|id| broadphase::registry::ALGORITHMS.resolve(id).unwrap());
    for (algorithm, overlay) in [("kd-tree", Overlay::Planes), ("sap-matrix", Overlay::Matrix)] {
        let mut session = session(&parsed(&written.words(&["--algorithm", algorithm])), 2);
        session.set_compared(&compared).unwrap();
        let snapshot = Snapshot::of(&session, &Default::default());
        let plane_opacity = if overlay == Overlay::Planes { 0.55 } else { 0.2 };
        let draw = View { plane_opacity, ..View::of_scene(&snapshot.input.scene) };
        let draw = draw.with_structure(&[overlay]);
        for compares in [true, false] {
            let shown = shown(Some(&written.path), Some(written.original()), &snapshot, &draw);
            let words = Reproduction { compares, ..shown }.arguments();
            assert_eq!(viewed(&words, &snapshot), draw, "{words:?}");
            let again = parsed(&words);
            let ids: Vec<&str> = again.compared().iter().map(|row| row.id).collect();
            let expected = compared.map(|row| row.id);
            assert_eq!(ids, if compares { &expected[..] } else { &[] }, "{words:?}");
        }
    }
}

#[test]
fn copied_command_has_the_methods_and_overlays_of_bodies() {
    let shapes = "#!shape die box 1 1 1\n#!bodies source 1  die 100\n";
    for (text, has_bodies) in [(format!("{SCENE}{shapes}"), true), (SCENE.to_owned(), false)] {
        let written = Written::new(&text);
        let mut session = session(&parsed(&written.words(&[])), 2);
        session.set_methods(Methods::of_ids("dop18", "sat+cached"));
        session.set_box_kind(BoxKind::Rotated);
        let snapshot = Snapshot::of(&session, &Default::default());
        let plain = View::of_scene(&snapshot.input.scene);
        let rows = [Row::Volumes, Row::Aabbs, Row::Normals];
        let draw = rows.iter().fold(plain, |view, row| view.with(*row, true));
        let original = Some(written.original());
        let words = shown(Some(&written.path), original, &snapshot, &draw).arguments();
        let view = parsed(&words).view;
        let methods = view.methods.over(Methods::default());
        let drawn = viewed(&words, &snapshot);
        if has_bodies {
            assert_eq!((methods, drawn), (Methods::of_ids("dop18", "sat+cached"), draw));
            assert_eq!(view.methods.box_kind, Some(BoxKind::Rotated));
        } else {
            assert!(!view.methods.are_chosen(), "{words:?}");
            assert_eq!(drawn, plain);
        }
    }
}

#[test]
#[cfg(unix)]
fn shell_reads_the_words_as_they_were() {
    let words =
        ["a b.scene", "it's", "$HOME", "--camera=-1,2,3", "x;y", "", "*"].map(str::to_owned);
    let line = in_shell(&words);
    let printed = std::process::Command::new("sh")
        .args(["-c", &format!("printf '%s\\n' {line}")])
        .output()
        .unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert_eq!(printed.lines().collect::<Vec<_>>(), words);
}

fn lack(session: &Session, original: &Scene) -> Option<&'static str> {
    let snapshot = Snapshot::of(session, &Default::default());
    let view = View::of_scene(original);
    shown(Some(Path::new("a.scene")), Some(original), &snapshot, &view).lack()
}

#[test]
fn motion_changed_by_hand_is_not_in_the_command() {
    let written = Written::new(SCENE);
    let original = written.original();
    let mut session = session(&parsed(&written.words(&[])), 3);
    let step = |session: &mut Session, hold: Hold| {
        session.step(hold).unwrap();
    };
    let by_hand = |session: &Session| {
        let lack = lack(session, original);
        assert!(lack.is_none_or(|lack| lack.contains("changed by hand")), "{lack:?}");
        lack.is_some()
    };
    assert!(!by_hand(&session));
    step(&mut session, Hold::Attract);
    step(&mut session, Hold::None);
    assert!(by_hand(&session), "the steps after it, too");
    // The state before it is that of the scene, and so are other steps from there.
    session.go_to(3).unwrap();
    assert!(!by_hand(&session));
    session.go_to(5).unwrap();
    assert!(by_hand(&session));
    session.go_to(3).unwrap();
    step(&mut session, Hold::None);
    assert!(!by_hand(&session));

    // An edit that was undone, at once and after a step.
    session.edit(&sim::Edit::Strict(true)).unwrap();
    assert!(lack(&session, original).unwrap().contains("the edits of the scene"));
    session.edit(&sim::Edit::Strict(false)).unwrap();
    assert!(by_hand(&session));
    session.edit(&sim::Edit::Strict(true)).unwrap();
    step(&mut session, Hold::None);
    (0..3).for_each(|_| _ = session.undo().unwrap());
    assert!(by_hand(&session));
    // An edit stays where the steps after it are forgotten.
    session.edit(&sim::Edit::Strict(true)).unwrap();
    session.go_to(2).unwrap();
    step(&mut session, Hold::None);
    session.undo().unwrap();
    step(&mut session, Hold::None);
    assert!(by_hand(&session));
    session.restart().unwrap();
    assert!(!by_hand(&session));
}
