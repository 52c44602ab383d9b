//! Clicks on the picture, loading and bookmarks.

mod driving;
mod endings;
mod gripping;
mod input;
mod links;
mod measuring;
mod pictures;
mod platform;

use super::*;
use crate::app::scene_file::Opened;
use crate::panel::Bookmark;
use crate::platform::double::Double;
use crate::view::{ColorBy, Row};
use broadphase::Aabb;
use broadphase::inspect::Overlay;
use broadphase::registry;
use egui::{Key, Modifiers};
use glam::Vec3;
use measure::{BoxesSpec, Clock, Input, MonotonicClock};
use sim::SceneDocument;
use std::time::Duration;

/// An L in the x-z plane: its long arm is along x, its short one along z. It is rotated by 30 degrees about y.
const SCENE: &str = "\
i -3 -3 -3 6 6 6 100 f
#!objects 0
#!shape cube box 1 1 1
#!shape arm compound
#!part arm cube 0 0 0
#!part arm cube 1 0 0
#!part arm cube 2 0 0
#!part arm cube 0 0 1
#!body arm 0 0 0  0 0 0 rotate 0 1 0 30
";

fn model(text: &str) -> Model {
    viewed(text, "bsp", ViewOptions::default())
}

fn viewed(text: &str, algorithm: &str, view: ViewOptions) -> Model {
    let clock = running_clock();
    let start = start_of(text.as_bytes(), algorithm, clock);
    Model::new(Start { view, ..start }, Platform::system(clock))
}

fn running_clock() -> &'static dyn Clock {
    Box::leak(Box::new(MonotonicClock::new()))
}

/// A scene without a file, under an algorithm.
fn start_of(text: &[u8], algorithm: &str, clock: &'static dyn Clock) -> Start {
    let document = SceneDocument::parse("own.scene", text).unwrap();
    let entry = registry::find(algorithm).unwrap();
    let session = Session::new("own.scene", document.scene(), entry, clock, None).unwrap();
    Start {
        opened: Opened { document: Some(document), path: None, boxes: None },
        session,
        first: false,
        view: ViewOptions::default(),
        drive: None,
        compared: Vec::new(),
        folder: PathBuf::new(),
        settings: Settings::default(),
        settings_path: None,
        unsaved: None,
        notices: Vec::new(),
    }
}

fn picked(model: &mut Model, at: Vec3) -> Option<u32> {
    model.click(Ray { origin: at - Vec3::Y * 5.0, direction: Vec3::Y });
    model.panel.view.picked
}

#[test]
fn click_during_motion_picks_the_body_and_not_its_sphere() {
    let mut model = model(SCENE);
    model.snapshot.engine.running = true;
    // On the long arm, 1.55 along x and -0.25 along z of the centre of mass in the body's frame.
    let arm = Vec3::new(1.217, 0.0, -0.991);
    assert_eq!(picked(&mut model, arm), Some(0));
    // The same by the inverse rotation, which is within the bounding sphere.
    assert_eq!(picked(&mut model, Vec3::new(1.467, 0.0, 0.558)), None);
    assert_eq!(picked(&mut model, -arm), None);
    model.panel.view.picked = Some(0);
    model.panel.view.set(Row::Objects, false);
    assert_eq!(picked(&mut model, arm), None, "hidden bodies are not picked");
}

/// Starts the simulation of a model, which windows do when they open.
fn started(text: &str) -> Model {
    start(model(text))
}

fn start(mut model: Model) -> Model {
    model.start(|| ()).unwrap();
    model
}

/// Waits until the model shows something, as the window's pictures do.
fn wait(model: &mut Model, what: &str, is_shown: impl Fn(&Model) -> bool) {
    let start = std::time::Instant::now();
    while !is_shown(model) {
        assert!(start.elapsed() < Duration::from_secs(600), "{what} is not shown");
        model.take_snapshot();
        model.finish_files();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until the model shows the effects of all orders, and files are loaded and saved.
fn settle(model: &mut Model) {
    wait(model, "the last order", |model| {
        model.next.is_none() && model.snapshot.engine.orders_done >= model.simulation.orders_sent()
    });
    model.finish_files();
}

const SPHERES: &str = "i -3 -3 -3 6 6 6 100 f\n#!objects 7\n#!radius 0.1\n";

/// Whether a camera sees all of a box in a square picture.
fn sees(camera: OrbitCamera, bounds: Aabb) -> bool {
    let size = glam::Vec2::splat(100.0);
    crate::camera::corners(&bounds).into_iter().all(|corner| {
        let at = camera.project(corner, size);
        at.is_some_and(|at| at.min_element() > -0.1 && at.max_element() < 100.1)
    })
}

#[test]
fn whole_scene_is_framed_when_it_opens_and_by_a_key() {
    let mut model = model(include_str!("../../../../../scenes/contacts.scene"));
    let occupied = model.snapshot.objects.occupied;
    assert!(!sees(model.snapshot.first_camera(), occupied), "its own camera cuts it off");
    assert!(sees(model.camera.goal, occupied));
    let escaped = Aabb::around_sphere(Vec3::new(30.0, 0.0, 5.0), 0.1);
    model.snapshot.objects.occupied = occupied.union(&escaped);
    press(&mut model, Key::F);
    assert!(sees(model.camera.goal, escaped));
    model.snapshot.objects.occupied.max.x = f32::INFINITY;
    model.frame_all();
    assert!(model.camera.goal.distance() < 40.0, "without what is infinitely far");
}

#[test]
fn lists_beside_the_scene_are_framed() {
    let mut model = start(viewed(SPHERES, "sap-1-axis", ViewOptions::default()));
    model.panel.view.set(Overlay::Endpoints, true);
    model.update_view();
    let sees_lists = |model: &Model| {
        let ends = model.rail_ends();
        let size = glam::Vec2::splat(100.0);
        let seen = ends.iter().filter_map(|end| model.camera.goal.project(*end, size));
        let is_inside = |at: glam::Vec2| at.min_element() > -0.1 && at.max_element() < 100.1;
        !ends.is_empty() && seen.filter(|at| is_inside(*at)).count() == ends.len()
    };
    // The camera moves away from those that it would cut off, once.
    wait(&mut model, "the list", |model| !model.rail_ends().is_empty());
    assert!(sees_lists(&model));
    model.camera.goal.zoom(9.0);
    settle(&mut model);
    assert!(!sees_lists(&model), "the user chose another view");
    press(&mut model, Key::F);
    assert!(sees_lists(&model));
    // Lists that are shown again count as the first ones.
    model.panel.view.set(Overlay::Endpoints, false);
    model.update_view();
    wait(&mut model, "no list", |model| !model.has_rails);
    model.camera.goal.zoom(9.0);
    model.panel.view.set(Overlay::Endpoints, true);
    model.update_view();
    wait(&mut model, "the list", |model| model.has_rails);
    assert!(sees_lists(&model));
}

#[test]
fn objects_on_a_wide_ground_are_framed_without_it() {
    let text = "i -200 -200 -1 400 400 20 100 f\n#!objects 0\n#!shape ground box 396 396 1\n\
        #!shape crate box 1 1 1\n#!body ground 0 0 0  0 0 0  static\n#!body crate 3 0 1  0 0 0\n\
        #!body crate -3 2 1  0 0 0\n";
    let mut model = model(text);
    let crates = [1, 2].map(|body| model.snapshot.bounds_of(body).unwrap());
    for _ in 0..2 {
        let camera = model.camera.goal;
        assert!(camera.distance() < 20.0 && crates.iter().all(|b| sees(camera, *b)), "{camera:?}");
        press(&mut model, Key::F);
    }
    // A thick body is no ground, nor is one that spans a flat scene in one direction.
    let space = Aabb::new(Vec3::splat(-200.0), Vec3::splat(200.0));
    let planet = Aabb::around_sphere(Vec3::ZERO, 190.0);
    let wall = Aabb::new(Vec3::new(-190.0, 0.0, 0.0), Vec3::new(190.0, 1.0, 0.0));
    let flat =
        Aabb::new(space.min * Vec3::new(1.0, 1.0, 0.0), space.max * Vec3::new(1.0, 1.0, 0.0));
    for (occupied, large) in [(space, planet), (flat, wall)] {
        model.snapshot.objects.occupied = occupied;
        model.snapshot.objects.bodies.as_mut().unwrap().boxes[0] = large;
        assert_eq!(model.snapshot.framed(), occupied);
    }
}

/// Presses a key, and carries out its commands.
fn press(model: &mut Model, key: Key) {
    model.key(key, Modifiers::NONE, false);
    model.obey_all();
}

#[test]
fn key_zooms_to_the_picked_object_and_its_neighbours() {
    let text = "i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!radius 0.1\n#!ball 2 2 2  0 0 0\n#!ball 2.1 2 2  0 0 0\n";
    let mut model = viewed(text, "bsp", ViewOptions { pick: Some(0), ..ViewOptions::default() });
    let before = model.camera.goal;
    press(&mut model, Key::Z);
    assert_eq!(model.camera.goal, before, "the snapshot does not have it yet");
    let mut model = start(model);
    model.update_view();
    wait(&mut model, "the picked ball", |model| {
        model.snapshot.picked.as_ref().is_some_and(|picked| !picked.candidates.is_empty())
    });
    press(&mut model, Key::Z);
    let near = model.camera.goal;
    assert!(near.distance() < 0.3 * before.distance(), "{}", near.distance());
    let both = [0, 1].map(|ball| model.snapshot.bounds_of(ball).unwrap());
    assert!(sees(near, both[0].union(&both[1])));
    press(&mut model, Key::F);
    assert!(sees(model.camera.goal, model.snapshot.objects.occupied));
}

fn bookmark(model: &Model) -> Bookmark {
    Bookmark { step: 1, ..Bookmark::here(&model.snapshot, model.camera.goal) }
}

#[test]
fn changes_before_the_step_of_the_command_line_are_counted() {
    let view = ViewOptions { step: Some(24), planes: Some(3), ..ViewOptions::default() };
    let mut model = start(viewed(SPHERES, "kd-tree", view));
    wait(&mut model, "step 24", |model| model.snapshot.motion.steps == 24);
    // The structure of the first step is new.
    assert_eq!(model.snapshot.changed.planes.steps, 23);
}

#[test]
fn dropped_scene_begins_and_a_bad_one_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [good, bad] = ["seven.scene", "bad.scene"].map(|name| folder.path().join(name));
    std::fs::write(&good, SPHERES).unwrap();
    std::fs::write(&bad, "i 1 2\n").unwrap();
    let mut model = started(SCENE);
    model.panel.bookmarks.push(bookmark(&model));
    model.panel.view.picked = Some(0);
    for path in [&bad, &folder.path().join("missing.scene")] {
        model.load(path);
        assert_eq!(model.scene_file.path(), None);
        let notices = model.panel.toasts.notices();
        assert!(notices.iter().any(|of| matches!(of, Notice::Problem(_))), "{notices:?}");
    }
    assert_eq!((model.panel.bookmarks.len(), model.panel.view.picked), (1, Some(0)));
    model.load(&good);
    wait(&mut model, "the dropped scene", |model| model.scene_file.path() == Some(&good));
    assert_eq!(model.snapshot.objects.positions.len(), 7);
    assert_eq!(model.panel.objects.typed.count, 7);
    assert!(model.panel.bookmarks.is_empty() && model.panel.view.picked.is_none());
    assert!(model.panel.toasts.notices().is_empty(), "{:?}", model.panel.toasts.notices());
    // Generated boxes begin without a file.
    model.panel.view.color = ColorBy::Source;
    let spec: BoxesSpec = "gas:50".parse().unwrap();
    model.obey(Command::PlayBoxes(spec));
    wait(&mut model, "the boxes", |model| model.snapshot.objects.boxes.len() == 50);
    wait(&mut model, "a colour of boxes", |model| model.panel.view.color == ColorBy::Plain);
    assert_eq!(model.scene_file.path(), None);
    assert!(model.snapshot.motion.recording.is_some());
}

#[test]
fn bookmarks_of_a_file_are_there_in_the_next_session() {
    let folder = tempfile::tempdir().unwrap();
    let [own, other] = ["own.scene", "other.scene"].map(|name| folder.path().join(name));
    std::fs::write(&own, SPHERES).unwrap();
    std::fs::write(&other, SPHERES).unwrap();
    let mut model = started(SPHERES);
    let load = |model: &mut Model, path: &Path| {
        model.load(path);
        wait(model, "the scene", |model| model.scene_file.path() == Some(path));
    };
    load(&mut model, &own);
    let named = Bookmark { name: "the fall".to_owned(), ..bookmark(&model) };
    model.panel.bookmarks.push(named.clone());
    load(&mut model, &other);
    assert_eq!(model.panel.bookmarks, []);
    load(&mut model, &own);
    assert_eq!(model.panel.bookmarks, [named]);
    model.panel.bookmarks[0].name.push('!');
    model.keep_files(0);

    let clock = running_clock();
    let mut begun = start_of(SPHERES.as_bytes(), "bsp", clock);
    (begun.opened.path, begun.settings) = (Some(own.clone()), model.settings.clone());
    let mut next = start(Model::new(begun, Platform::system(clock)));
    assert_eq!(next.panel.bookmarks[0].name, "the fall!");
    next.panel.bookmarks.clear();
    next.keep_files(0);
    assert_eq!(next.settings.bookmarks(), []);
}

#[test]
fn every_refused_file_of_a_drop_keeps_its_notice() {
    let mut model = started(SPHERES);
    let folder = tempfile::tempdir().unwrap();
    let paths = ["0", "1", "first", "last", "2", "3"].map(|name| folder.path().join(name));
    paths[2..4].iter().for_each(|path| std::fs::write(path, SPHERES).unwrap());
    model.open_dropped(paths.iter().cloned().map(Ok).collect());
    wait(&mut model, "the last file", |model| model.scene_file.path() == Some(&*paths[3]));
    let shown = format!("{:?}", model.panel.toasts.notices());
    for path in &paths {
        assert_eq!(shown.contains(&*path.to_string_lossy()), *path != paths[3], "{shown}");
    }
}

#[test]
fn copied_command_says_what_it_does_not_show() {
    let mut model = started(SCENE);
    let lacks = |model: &mut Model| {
        model.panel.toasts.clear();
        model.obey(Command::CopyCommand);
        model.panel.toasts.notices().iter().any(
            |notice| matches!(notice, Notice::Problem(text) if text.contains("changed by hand")),
        )
    };
    assert!(!lacks(&mut model));
    model.obey(Order::Edit(sim::Edit::Strict(true)).into());
    model.obey(Order::Undo.into());
    // Before it is taken back, the edit itself is named.
    wait(&mut model, "the edit", |model| {
        model.snapshot.input.by_hand
            && model.snapshot.engine.orders_done >= model.simulation.orders_sent()
    });
    assert!(lacks(&mut model));
}

#[test]
fn scene_changed_by_another_program_is_kept_by_the_first_save() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.scene");
    std::fs::write(&path, SPHERES).unwrap();
    let mut model = started(SCENE);
    model.load(&path);
    wait(&mut model, "the scene", |model| model.scene_file.path() == Some(&path));
    let save = |model: &mut Model| {
        model.obey(Command::Save(path.clone()));
        settle(model);
        std::fs::read_to_string(&path).unwrap()
    };
    let changed = SPHERES.replace("objects 7", "objects 8");
    std::fs::write(&path, &changed).unwrap();
    assert_eq!(save(&mut model), changed);
    let refusal = format!(
        "{} was changed by another program since it was opened; save again to replace it",
        path.display()
    );
    assert_eq!(model.panel.toasts.notices(), [Notice::Problem(refusal)]);
    assert!(save(&mut model).contains("objects 7"));
    model.obey(Order::Edit(sim::Edit::Strict(true)).into());
    assert!(save(&mut model).contains("\ns 1"), "its own change is none of another program");
    std::fs::remove_file(&path).unwrap();
    assert!(save(&mut model).contains("objects 7"), "a file that is gone is no change");
}

#[test]
fn bookmark_shows_its_step_from_its_camera() {
    let mut model = started(SPHERES);
    model.obey(Order::GoTo(5).into());
    wait(&mut model, "step 5", |model| {
        model.snapshot.motion.steps == 5 && model.snapshot.search.searched
    });
    let mut camera = model.camera.goal;
    camera.look_from(crate::camera::Side::ALL[2]);
    assert_ne!(camera, model.camera.goal);
    model.obey(Command::Show(Bookmark { step: 2, camera, ..bookmark(&model) }));
    assert_eq!(model.camera.goal, camera);
    wait(&mut model, "step 2", |model| model.snapshot.motion.steps == 2);
    assert!(!model.snapshot.engine.running && model.snapshot.motion.kept == (0..=5));
}

/// The panels of a model in a virtual window.
fn window(model: Model) -> egui_kittest::Harness<'static, Model> {
    let show = |ui: &mut Ui, model: &mut Model| _ = model.show(ui, None, "Some adapter");
    let builder = egui_kittest::Harness::builder().with_size(egui::vec2(1280.0, 1000.0));
    builder.build_ui_state(show, model)
}

#[test]
fn copied_command_is_put_on_the_clipboard() {
    let mut model = started(SPHERES);
    model.obey(Order::GoTo(3).into());
    wait(&mut model, "step 3", |model| model.snapshot.motion.steps == 3);
    model.obey(Command::CopyCommand);
    let noted = |notice: &Notice| match notice {
        Notice::Done(text) => text.strip_prefix("copied: ").map(str::to_owned),
        _ => None,
    };
    let line = model.panel.toasts.notices().iter().find_map(noted).unwrap();
    assert!(line.contains("--algorithm bsp") && line.contains("--step 3"), "{line}");
    let context = egui::Context::default();
    let copied = |model: &mut Model| {
        let show = |ui: &mut Ui| _ = model.show(ui, None, "Some adapter");
        let mut output = context.run_ui(egui::RawInput::default(), show);
        output.textures_delta.clear();
        output.platform_output.commands.into_iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text),
            _ => None,
        })
    };
    assert_eq!(copied(&mut model), Some(line));
    assert_eq!(copied(&mut model), None, "once");
}

#[test]
fn first_window_shows_planes_and_three_suggestions() {
    use egui_kittest::kittest::Queryable as _;
    let text = include_bytes!("../../../../../scenes/first.scene");
    let begin = |first: bool| {
        let clock = running_clock();
        let begun = Start { first, ..start_of(text, "kd-tree", clock) };
        let mut model = start(Model::new(begun, Platform::system(clock)));
        model.update_view();
        wait(&mut model, "the planes", |model| {
            let mut groups = model.snapshot.drawing.groups(&model.panel.view);
            groups.any(|group| !group.planes.is_empty())
        });
        window(model)
    };
    let suggestions = ["Watch a tree adjust", "See a sweep", "Race them all"];
    let shown = |window: &egui_kittest::Harness<'static, Model>| {
        let is_shown = |name: &&str| window.query_by_label(name).is_some();
        suggestions.iter().filter(|name| is_shown(name)).count()
    };
    let first = begin(true);
    assert!(first.state().panel.view.shows(Overlay::Planes));
    assert_eq!((shown(&first), shown(&begin(false))), (3, 0));
}
