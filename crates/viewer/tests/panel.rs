//! The panel, clicked without a window: which commands come of it, and what they do to a session.

#![allow(clippy::unwrap_used, reason = "this is a test")]

mod common;

use broadphase::ALGORITHMS;
use common::{cube, row, steps};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, Node};
use glam::Vec3;
use sim::scene::{Obstacle, Radius, Triangles};
use sim::{Hold, Scene};
use std::collections::HashSet;
use std::path::PathBuf;
use viewer::camera::OrbitCamera;
use viewer::composer::{Composer, DrawOptions};
use viewer::panel::{self, Command, Notice, PanelState, Status};
use viewer::scene_renderer::Theme;
use viewer::session::Session;

/// What a window holds, beside the window.
struct Stage {
    session: Session,
    panel: PanelState,
    running: bool,
    vsync: bool,
    notice: Option<Notice>,
    folder: PathBuf,
    commands: Vec<Command>,
}

impl Stage {
    /// Carries a command out by the methods that the window calls.
    fn obey(&mut self, command: Command) {
        let refused = |refusal: viewer::session::SessionError| Notice::Trouble(refusal.to_string());
        match command {
            Command::Run(running) => self.running = running,
            Command::Step => self.session.step(Hold::None).unwrap(),
            Command::Algorithm(row) => {
                self.notice = self.session.set_algorithm(row).err().map(refused)
            }
            Command::Generate(scene) => {
                self.notice = self.session.generate(*scene).err().map(refused)
            }
            Command::Strict(strict) => self.session.world_mut().set_strict(strict),
            Command::Vsync(vsync) => self.vsync = vsync,
            Command::ExportCsv => {
                let path = self.session.export_path(&self.folder);
                let frames = self.session.export(&path).unwrap();
                self.notice = Some(Notice::Done(format!("{frames} frames written")));
            }
        }
    }
}

/// A panel on the screen, standing still.
struct Bench {
    harness: Harness<'static, Stage>,
}

impl Bench {
    fn new(session: Session) -> Self {
        let stage = Stage {
            panel: PanelState::of_scene(session.scene()),
            session,
            running: false,
            vsync: true,
            notice: None,
            folder: PathBuf::new(),
            commands: Vec::new(),
        };
        let size = egui::vec2(panel::WIDTH, 1000.0);
        let mut harness = Harness::builder().with_size(size).build_ui_state(
            |ui, stage: &mut Stage| {
                let status = Status {
                    running: stage.running,
                    vsync: stage.vsync,
                    adapter: "an adapter",
                    notice: stage.notice.as_ref(),
                };
                let (panel, session) = (&mut stage.panel, &stage.session);
                panel::show(ui, panel, session, &status, &mut stage.commands);
            },
            stage,
        );
        harness.run();
        Self { harness }
    }

    fn of(algorithm: &str) -> Self {
        Self::new(common::session(common::crowded(), algorithm))
    }

    fn node(&self, role: Role, name: &'static str) -> Node<'_> {
        self.harness.get_by_role_and_label(role, name)
    }

    fn is_disabled(&self, role: Role, name: &'static str) -> bool {
        self.node(role, name).accesskit_node().is_disabled()
    }

    fn is_ticked(&self, name: &'static str) -> bool {
        let toggled = self.node(Role::CheckBox, name).accesskit_node().toggled();
        toggled == Some(egui::accesskit::Toggled::True)
    }

    fn click(&mut self, role: Role, name: &'static str) {
        self.node(role, name).click();
        self.harness.run();
    }

    fn set(&mut self, role: Role, name: &'static str, value: f64) {
        self.node(role, name).set_value_accesskit(value);
        self.harness.run();
    }

    /// The figure that stands beside the one of this meaning.
    fn figure(&self, meaning: &str) -> String {
        let mut texts = self.harness.get_all_by_role(Role::Label).filter_map(|node| {
            let label = node.accesskit_node();
            (label.data().description() == Some(meaning)).then(|| label.value().unwrap())
        });
        texts.next_back().unwrap()
    }

    fn stage(&mut self) -> &mut Stage {
        self.harness.state_mut()
    }

    fn session(&self) -> &Session {
        &self.harness.state().session
    }

    fn draw(&self) -> DrawOptions {
        self.harness.state().panel.draw
    }

    /// The one command that came of the last click.
    #[track_caller]
    fn command(&mut self) -> Command {
        let mut commands = std::mem::take(&mut self.stage().commands);
        assert_eq!(commands.len(), 1, "{commands:?}");
        commands.remove(0)
    }

    #[track_caller]
    fn assert_no_command(&self) {
        let commands = &self.harness.state().commands;
        assert!(commands.is_empty(), "{commands:?}");
    }

    fn obey(&mut self, command: Command) {
        self.stage().obey(command);
        self.harness.run();
    }
}

/// Everything that moves, to the bit.
fn motion(session: &Session) -> (Vec<[u32; 3]>, Vec<[u32; 3]>, f64) {
    let bits = |vectors: &[Vec3]| vectors.iter().map(|v| v.to_array().map(f32::to_bits)).collect();
    let world = session.world();
    (bits(world.positions()), bits(world.velocities()), world.time())
}

#[test]
fn every_algorithm_can_be_chosen_and_the_motion_goes_on_to_the_bit() {
    let mut bench = Bench::of("brute-force");
    steps(&mut bench.stage().session, 5);
    for (index, row) in ALGORITHMS.iter().enumerate().rev() {
        let before = motion(bench.session());
        bench.click(Role::ComboBox, "Algorithm");
        let entry = format!("{}  {}", index + 1, row.name);
        bench.harness.get_by_role_and_label(Role::Button, &entry).click();
        bench.harness.run();
        let command = bench.command();
        assert!(matches!(command, Command::Algorithm(chosen) if std::ptr::eq(chosen, row)));
        bench.obey(command);
        assert_eq!(bench.session().algorithm().id, row.id);
        assert_eq!(motion(bench.session()), before, "{}", row.id);
        let shown = bench.node(Role::ComboBox, "Algorithm").value();
        assert_eq!(shown.as_deref(), Some(row.name));
        steps(&mut bench.stage().session, 2);
    }
}

#[test]
fn the_motion_is_started_and_stopped_by_one_button() {
    let mut bench = Bench::of("bsp");
    assert!(bench.harness.query_by_label("Stop").is_none());
    bench.click(Role::Button, "Start");
    let start = bench.command();
    assert!(matches!(start, Command::Run(true)));
    bench.obey(start);
    assert!(bench.harness.query_by_label("Start").is_none());
    bench.click(Role::Button, "Stop");
    assert!(matches!(bench.command(), Command::Run(false)));
}

#[test]
fn a_single_step_is_taken_standing_still_only() {
    let mut bench = Bench::of("bsp");
    bench.click(Role::Button, "Step");
    let step = bench.command();
    assert!(matches!(step, Command::Step));
    bench.obey(step);
    assert_eq!((bench.session().world().steps(), bench.session().recorded()), (1, 1));
    bench.harness.get_by_label("0.02 s simulated");

    bench.obey(Command::Run(true));
    assert!(bench.is_disabled(Role::Button, "Step"));
    bench.click(Role::Button, "Step");
    bench.assert_no_command();
}

#[test]
fn objects_are_generated_as_the_form_says_once_the_button_is_clicked() {
    let mut bench = Bench::of("kd-tree");
    steps(&mut bench.stage().session, 3);
    let before = motion(bench.session());
    bench.set(Role::SpinButton, "Count", 80.0);
    bench.set(Role::SpinButton, "Radius", 0.05);
    bench.set(Role::SpinButton, "Speed", 1.5);
    bench.click(Role::Button, "80");
    bench.assert_no_command();
    assert_eq!(motion(bench.session()), before, "typing alone changes nothing");

    bench.click(Role::Button, "Generate objects");
    let command = bench.command();
    let Command::Generate(scene) = &command else { panic!("{command:?}") };
    let expected = Scene {
        objects: 80,
        radius: Radius::Equal(0.05),
        speed: 1.5,
        triangles: Triangles::Eighty,
        ..common::crowded()
    };
    assert_eq!(**scene, expected);
    bench.obey(command);
    let world = bench.session().world();
    assert_eq!((world.len(), world.steps()), (80, 0));
    assert!(world.radii().iter().all(|&radius| radius == 0.05));
    assert!(world.velocities().iter().all(|v| (v.length() - 1.5).abs() < 1e-5));
    assert_eq!(bench.figure("Spheres in the scene"), "80");
}

#[test]
fn impossible_numbers_are_not_taken_by_the_form() {
    let mut bench = Bench::of("bsp");
    for (name, typed, taken) in [
        ("Count", 0.0, 1.0),
        ("Count", 1e12, 1e7),
        ("Radius", -1.0, 1e-6),
        ("Radius", 5e7, 1e6),
        ("Speed", -3.0, 0.0),
    ] {
        bench.set(Role::SpinButton, name, typed);
        let form = bench.harness.state().panel.objects;
        let now = match name {
            "Count" => f64::from(form.count),
            "Radius" => f64::from(form.radius),
            _ => f64::from(form.speed),
        };
        assert!((now - taken).abs() < 1e-6, "{name}: {typed} became {now}");
    }
}

#[test]
fn a_refused_generation_is_told_and_changes_nothing() {
    let mut bench = Bench::of("sap-matrix");
    steps(&mut bench.stage().session, 2);
    let before = motion(bench.session());
    bench.set(Role::SpinButton, "Count", 1e6);
    bench.set(Role::SpinButton, "Radius", 1e-3);
    bench.click(Role::Button, "Generate objects");
    let command = bench.command();
    bench.obey(command);
    bench.harness.get_by_label_contains("sap-matrix needs 1.0 TB");
    assert_eq!(motion(bench.session()), before);
    assert_eq!(bench.session().recorded(), 2);
}

#[test]
fn vertical_sync_is_asked_for_or_not() {
    let mut bench = Bench::of("bsp");
    for wanted in [false, true] {
        bench.click(Role::CheckBox, "Vertical sync");
        let command = bench.command();
        assert!(matches!(command, Command::Vsync(vsync) if vsync == wanted));
        bench.obey(command);
        assert_eq!(bench.is_ticked("Vertical sync"), wanted);
    }
}

#[test]
fn objects_are_held_strictly_inside_from_the_next_step_on() {
    let mut bench = Bench::of("bsp");
    for wanted in [true, false] {
        bench.click(Role::CheckBox, "Objects strictly inside");
        let command = bench.command();
        assert!(matches!(command, Command::Strict(strict) if strict == wanted));
        bench.obey(command);
        assert_eq!(bench.session().world().scene().strict, wanted);
        assert_eq!(bench.is_ticked("Objects strictly inside"), wanted);
    }
}

#[test]
fn each_draw_switch_switches_its_own_part_of_the_picture_off() {
    let pane = Obstacle {
        corner: Vec3::new(-0.5, 0.0, -0.5),
        size: Vec3::new(1.0, 0.0, 1.0),
        normal: broadphase::Axis::Y,
    };
    let scene = Scene { obstacles: vec![pane], sources: vec![cube()], ..common::crowded() };
    let mut bench = Bench::new(common::session(scene, "bsp"));
    bench.stage().panel.draw.planes = true;
    let all = bench.draw();
    let cases = [
        ("Objects", DrawOptions { objects: false, ..all }),
        ("Sources", DrawOptions { sources: false, ..all }),
        ("Obstacles", DrawOptions { obstacles: false, ..all }),
        ("Planes", DrawOptions { planes: false, ..all }),
        ("Shading", DrawOptions { shading: false, ..all }),
        ("Glow after a hit", DrawOptions { hits: false, ..all }),
    ];
    let camera = OrbitCamera::from_pose(bench.session().scene().camera);
    for (name, without) in cases {
        assert!(bench.is_ticked(name), "{name}");
        bench.click(Role::CheckBox, name);
        assert_eq!(bench.draw(), without, "{name}");
        let mut composer = Composer::default();
        let view = composer.view(bench.session(), &without, camera, &Theme::DARK, 1.0);
        let parts = [
            ("Objects", !view.spheres.is_empty()),
            ("Sources", !view.boxes.is_empty()),
            ("Obstacles", !view.panes.is_empty()),
            ("Planes", !view.planes.is_empty()),
            ("Shading", view.shading),
        ];
        for (part, is_drawn) in parts {
            assert_eq!(is_drawn, part != name, "{part} without {name}");
        }
        bench.click(Role::CheckBox, name);
        assert_eq!(bench.draw(), all, "{name}");
    }
    bench.assert_no_command();
}

#[test]
fn spheres_that_have_just_hit_another_glow_unless_that_is_switched_off() {
    let mut bench = Bench::new(common::session(common::meeting(), "bsp"));
    let colors = |bench: &Bench| -> Vec<[u8; 4]> {
        let camera = OrbitCamera::from_pose(bench.session().scene().camera);
        let mut composer = Composer::default();
        let view = composer.view(bench.session(), &bench.draw(), camera, &Theme::DARK, 1.0);
        view.spheres.iter().map(|sphere| sphere.color).collect()
    };
    let cold = colors(&bench);
    steps(&mut bench.stage().session, 3);
    assert_eq!(colors(&bench), [Theme::DARK.hit; 2]);
    bench.click(Role::CheckBox, "Glow after a hit");
    assert_eq!(colors(&bench), cold);
}

#[test]
fn planes_can_be_switched_on_where_the_algorithm_has_any() {
    for row in ALGORITHMS {
        let mut bench = Bench::of(row.id);
        assert_eq!(bench.is_disabled(Role::CheckBox, "Planes"), !row.has_planes, "{}", row.id);
        bench.click(Role::CheckBox, "Planes");
        assert_eq!(bench.draw().planes, row.has_planes, "{}", row.id);
    }
}

#[test]
fn planes_are_drawn_down_to_the_depth_of_the_slider() {
    let mut bench = Bench::of("bsp");
    assert!(bench.is_disabled(Role::Slider, "deepest"));
    bench.click(Role::CheckBox, "Planes");
    assert!(!bench.is_disabled(Role::Slider, "deepest"));
    let camera = OrbitCamera::from_pose(bench.session().scene().camera);
    // Each plane has two below it, and fifty objects take three levels of them.
    for (depth, planes) in [(0, 1), (1, 3), (2, 7)] {
        bench.set(Role::Slider, "deepest", f64::from(depth));
        assert_eq!(bench.draw().plane_depth, depth);
        let mut composer = Composer::default();
        let view = composer.view(bench.session(), &bench.draw(), camera, &Theme::DARK, 1.0);
        assert_eq!(view.planes.len(), planes, "depth {depth}");
    }
}

#[test]
fn frames_can_be_exported_as_soon_as_there_are_any() {
    let mut bench = Bench::of("sap-matrix");
    let folder = tempfile::tempdir().unwrap();
    bench.stage().folder = folder.path().to_owned();
    assert!(bench.is_disabled(Role::Button, "Export CSV"));
    bench.click(Role::Button, "Export CSV");
    bench.assert_no_command();

    steps(&mut bench.stage().session, 3);
    bench.harness.run();
    bench.harness.get_by_label("3 frames recorded");
    assert!(!bench.is_disabled(Role::Button, "Export CSV"));
    bench.click(Role::Button, "Export CSV");
    let command = bench.command();
    assert!(matches!(command, Command::ExportCsv));
    bench.obey(command);
    bench.harness.get_by_label("3 frames written");
    let files = std::fs::read_dir(folder.path().join("results")).unwrap().count();
    assert_eq!(files, 1);
}

#[test]
fn every_control_has_a_name_of_its_own() {
    let is_control = |role| {
        use Role::{Button, CheckBox, ComboBox, RadioButton, Slider, SpinButton, TextInput};
        [Button, CheckBox, ComboBox, RadioButton, Slider, SpinButton, TextInput].contains(&role)
    };
    for row in ALGORITHMS {
        let mut bench = Bench::of(row.id);
        bench.click(Role::ComboBox, "Algorithm");
        let mut names = HashSet::new();
        for node in bench.harness.root().children_recursive() {
            let control = node.accesskit_node();
            if is_control(control.role()) {
                let name = control.label().unwrap_or_default();
                assert!(!name.trim().is_empty(), "{node:?}");
                assert!(names.insert((control.role(), name)), "a second {node:?}");
            }
        }
        // The list is open, and the rest of the panel stands beside it.
        assert!(names.len() >= 20 + ALGORITHMS.len(), "{names:?}");
    }
}

#[test]
fn figures_are_those_of_the_session() {
    let mut bench = Bench::of("kd-tree");
    let rates =
        ["Frames drawn per second", "Pairs tested per second", "Real collisions per second"];
    for rate in rates {
        assert_eq!(bench.figure(rate), "–");
    }
    steps(&mut bench.stage().session, 8);
    bench.stage().session.drawn(9_000_000);
    bench.harness.run();
    for rate in rates {
        let figure = bench.figure(rate).replace(',', "");
        let number: f64 = figure.parse().unwrap_or_else(|e| panic!("{rate}: {figure}: {e}"));
        assert!(number.is_finite() && number > 0.0, "{rate}: {figure}");
    }
    let counters = bench.session().counters();
    let last = *bench.session().history().last().unwrap();
    assert!(counters.tests > 0 && last.pairs > 0 && counters.straddlers > 0);
    for (meaning, figure) in [
        ("Spheres in the scene", 50),
        ("Pairs tested in the last frame", counters.tests),
        ("Pairs of overlapping boxes in the last frame", last.pairs),
        ("Objects that stand in more than one leaf", counters.straddlers),
        ("Leaves of the tree", 8),
    ] {
        assert_eq!(bench.figure(meaning), figure.to_string(), "{meaning}");
    }
    let shares = bench.session().history().rates().unwrap().shares;
    let collisions: f64 = shares[..3].iter().sum();
    let text = format!("Time: collisions {:.0} %", 100.0 * collisions);
    bench.harness.get_by_label(&text);
    assert_ne!(bench.harness.query_by_label("drawing 0 %").is_some(), shares[3] > 0.005);
}

#[test]
fn an_algorithm_without_planes_shows_no_figures_of_a_tree() {
    let mut bench = Bench::of("kd-tree");
    bench.harness.get_by_label("Leaves");
    bench.obey(Command::Algorithm(row("sap-matrix")));
    assert!(bench.harness.query_by_label("Leaves").is_none());
}
