//! Motion within a step: the choice of continuous collisions, and first contacts.

use crate::common::bench::Bench;
use crate::common::{crowded, session, tumbling};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use sim::scene::{Continuous, MoveRule};
use sim::{Scene, SceneDocument};
use viewer::panel::Command;
use viewer::scene_renderer::{Segment, Theme};
use viewer::simulation::Order;

fn continuous(scene: Scene) -> Bench {
    let scene = Scene { continuous: Continuous::All, ..scene };
    Bench::new(session(scene, "bsp"))
}

fn has(bench: &Bench, text: &str) -> bool {
    bench.harness.query_by_label(text).is_some()
}

#[test]
fn continuous_choice_restarts_the_scene_and_is_undone() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.steps(3);
    let command = bench.click_and_obey(Role::Button, "Continuous: all");
    let Command::Order(Order::Generate(scene)) = command else { panic!("{command:?}") };
    assert_eq!(*scene, Scene { continuous: Continuous::All, ..tumbling() });
    let now = |bench: &mut Bench| {
        let world = bench.session().world().unwrap();
        (world.recipe().continuous, world.steps())
    };
    assert_eq!(now(&mut bench), (Continuous::All, 0));
    // It is a part of what is saved.
    let saved = SceneDocument::from_scene(bench.session().world().unwrap().recipe()).unwrap();
    assert!(saved.to_text().contains("#!continuous all"));
    bench.click(Role::Button, "Continuous: all");
    bench.assert_no_command();
    bench.obey(Order::Undo);
    assert_eq!(now(&mut bench), (Continuous::Off, 0));
}

#[test]
fn spheres_have_the_choice_with_the_forces() {
    let mut bench = Bench::new(session(crowded(), "bsp"));
    assert!(!bench.has(Role::Button, "Continuous: bullets"));
    bench.stage().panel.more.open = true;
    bench.harness.run();
    bench.click_and_obey(Role::Button, "Continuous: bullets");
    assert_eq!(bench.session().world().unwrap().recipe().continuous, Continuous::Bullets);
}

#[test]
fn first_contacts_are_offered_in_continuous_scenes_alone() {
    let names = ["First contacts", "waiting"];
    let mut off = Bench::new(session(tumbling(), "bsp"));
    off.steps(2);
    let mut all = continuous(tumbling());
    all.steps(2);
    for name in names {
        assert!(!off.has(Role::CheckBox, name) && !has(&off, name), "{name}");
    }
    assert!(has(&all, "waiting"));
    for name in ["Paths", "First contacts"] {
        assert!(all.has(Role::CheckBox, name) && !off.has(Role::CheckBox, name), "{name}");
    }
    assert!(all.has(Role::CheckBox, "Waiting") && off.has(Role::CheckBox, "Waiting"));
}

#[test]
fn first_contacts_paths_and_waiting_bodies_are_drawn() {
    // The ball meets closing plates so often that it waits.
    let text = b"i -9 -9 -9 18 18 18 100 f
#!objects 0
#!continuous all
#!shape plate box 0.2 1 1
#!body plate -0.4 0 0  24 0 0  kinematic
#!body plate 0.4 0 0  0 0 0  static
#!ball 0 0 0  50 0 0  0.1
";
    let scene = SceneDocument::parse("ball.scene", text).unwrap().scene().clone();
    let mut bench = Bench::new(session(scene, "bsp"));
    bench.steps(1);
    let bodies = bench.session().world().unwrap().bodies().unwrap();
    let (impacts, waiting) = (bodies.impacts().to_vec(), bodies.waiting_objects().len());
    let drawn = |bench: &mut Bench| -> (Vec<Segment>, usize) {
        let view = bench.stage().view();
        let waiting = view.boxes.iter().filter(|of| of.color == Theme::DARK.rotated);
        (view.over_objects.to_vec(), waiting.count())
    };
    assert_eq!(drawn(&mut bench), (Vec::new(), 0));
    bench.click(Role::CheckBox, "First contacts");
    let (marks, _) = drawn(&mut bench);
    assert!(impacts.len() >= 3 && waiting > 0, "{} {waiting}", impacts.len());
    assert_eq!(marks.len(), 4 * impacts.len());
    for (lines, impact) in marks.chunks(4).zip(&impacts) {
        let share = impact.time / f64::from(bench.session().motion().time_step());
        let [r, g, b] = Theme::DARK.on_scale(share as f32);
        assert!(lines.iter().all(|line| line.color == [r, g, b, 255]), "the colour is the time");
        let [from, to] = [lines[3].a, lines[3].b].map(Vec3::from);
        assert_eq!(from, impact.point.as_vec3());
        assert!((to - from).normalize().dot(impact.normal.as_vec3()) > 0.999);
    }
    bench.click(Role::CheckBox, "First contacts");
    bench.click(Role::CheckBox, "Paths");
    let (lines, _) = drawn(&mut bench);
    assert_eq!(lines.len(), 4 * impacts.len());
    let is_path = |two: &[Segment]| {
        let colors = [two[0].color, two[1].color] == [Theme::DARK.overlap, Theme::DARK.hit];
        colors && two[0].b == two[1].a
    };
    assert!(lines.chunks(2).all(is_path));
    bench.click(Role::CheckBox, "Waiting");
    assert_eq!(drawn(&mut bench).1, waiting);
    assert!(has(&bench, &format!("{waiting} bodies waited: they had too many contacts")));
}

#[test]
fn parts_have_boxes_of_their_own_and_figures_an_outline() {
    let text = b"i -2 -2 -2  4 4 4  100 f
#!objects 0
#!shape cube box 1 1 1
#!shape pill capsule 0.5 1
#!shape pair compound
#!part pair cube 0 0 0
#!part pair pill 0 0 1
#!body pair 0 0 0  0 0 0  scale 0.5
#!body cube 1.5 0 0  0 0 0
";
    let mut scene = SceneDocument::parse("figure.scene", text).unwrap().scene().clone();
    (scene.flat, scene.driving.rule) = (true, MoveRule::Walk);
    scene.placed_bodies[0].is_driven = true;
    let mut bench = Bench::new(session(scene, "brute-force"));
    let drawn = |bench: &mut Bench| {
        let view = bench.stage().view();
        (view.boxes.to_vec(), view.over_objects.to_vec())
    };
    let (without, _) = drawn(&mut bench);
    bench.click(Role::CheckBox, "Parts");
    let (boxes, figure) = drawn(&mut bench);
    let parts = &boxes[without.len()..];
    assert_eq!(parts.len(), 3, "two of the figure, one of the cube");
    let body = bench.stage().snapshot.objects.bodies.as_ref().unwrap().boxes[0];
    let both = parts[0].bounds.union(&parts[1].bounds);
    assert!((both.min - body.min).length() < 1e-5 && (both.max - body.max).length() < 1e-5);
    assert!(parts[0].bounds.size().z < body.size().z);
    let (low, high) = (body.min.z, body.max.z);
    let heights = || figure.iter().flat_map(|line| [line.a[2], line.b[2]]);
    assert!(heights().all(|z| z >= low - 1e-5 && z <= high + 1e-5));
    let least = heights().fold(f32::INFINITY, f32::min);
    let most = heights().fold(f32::NEG_INFINITY, f32::max);
    assert!(least - low < 1e-5 && high - most < 0.02 * (high - low), "from feet to head");
    bench.harness.run();
    assert!(has(&bench, "the figure that the parts stand for"));
}
