//! Motion within a step: the choice of continuous collisions, first contacts, and parts of bodies.

use super::*;

#[test]
fn continuous_choice_restarts_the_scene_and_is_undone() {
    let mut bench = Bench::with(tumbling(), "bsp");
    bench.steps(3);
    let command = bench.click_and_obey(Role::Button, "Continuous: all");
    let Command::Order(Order::Generate(scene)) = command else { panic!("{command:?}") };
    assert_eq!(*scene, Scene { continuous: Continuous::All, ..tumbling() });
    let now = |bench: &Bench| (bench.recipe().continuous, bench.world().steps());
    assert_eq!(now(&bench), (Continuous::All, 0));
    // It is a part of what is saved.
    let saved = SceneDocument::from_scene(bench.recipe()).unwrap();
    assert!(saved.to_text().contains("#!continuous all"));
    bench.click(Role::Button, "Continuous: all");
    bench.assert_no_command();
    bench.obey(Order::Undo);
    assert_eq!(now(&bench), (Continuous::Off, 0));
    // Spheres have it with the forces.
    let mut bench = Bench::with(crowded(), "bsp");
    assert!(!bench.has(Role::Button, "Continuous: bullets"));
    bench.set_up(|panel| panel.editor.open = true);
    bench.click_and_obey(Role::Button, "Continuous: bullets");
    assert_eq!(bench.recipe().continuous, Continuous::Bullets);
}

#[test]
fn first_contacts_are_offered_in_continuous_scenes_alone() {
    for (continuous, is_offered) in [(Continuous::Off, false), (Continuous::All, true)] {
        let mut bench = Bench::with(Scene { continuous, ..tumbling() }, "bsp");
        bench.steps(2);
        for name in ["Paths", "First contacts"] {
            assert_eq!(bench.has(Role::CheckBox, name), is_offered, "{name}");
        }
        assert!(bench.has(Role::CheckBox, "Waiting") && bench.says("waiting") == is_offered);
    }
}

#[test]
fn first_contacts_paths_and_waiting_bodies_are_drawn() {
    // The ball meets closing plates so often that it waits.
    let ball = "i -9 -9 -9 18 18 18 100 f
#!objects 0
#!continuous all
#!shape plate box 0.2 1 1
#!body plate -0.4 0 0  24 0 0  kinematic
#!body plate 0.4 0 0  0 0 0  static
#!ball 0 0 0  50 0 0  0.1
";
    let mut bench = Bench::with(scene(ball), "bsp");
    bench.steps(1);
    let bodies = bench.world().bodies().unwrap();
    let (impacts, waiting) = (bodies.impacts().to_vec(), bodies.waiting_objects().len());
    assert!(impacts.len() >= 3 && waiting > 0, "{} {waiting}", impacts.len());
    let drawn = |bench: &mut Bench, row: Row| -> (Vec<Segment>, usize) {
        bench.show(&[row]);
        let view = bench.stage().view();
        let waiting = view.boxes.iter().filter(|of| of.color == Theme::DARK.rotated);
        let drawn = (view.over_objects.to_vec(), waiting.count());
        bench.set_up(|panel| panel.view.set(row, false));
        drawn
    };
    assert_eq!(drawn(&mut bench, Row::Objects), (Vec::new(), 0));
    let (marks, _) = drawn(&mut bench, Row::Impacts);
    assert_eq!(marks.len(), 4 * impacts.len());
    for (lines, impact) in marks.chunks(4).zip(&impacts) {
        let share = impact.time / f64::from(bench.session().motion().time_step());
        let [r, g, b] = Theme::DARK.on_scale(share as f32);
        assert!(lines.iter().all(|line| line.color == [r, g, b, 255]), "the colour is the time");
        let [from, to] = [lines[3].a, lines[3].b].map(Vec3::from);
        assert_eq!(from, impact.point.as_vec3());
        assert!((to - from).normalize().dot(impact.normal.as_vec3()) > 0.999);
    }
    let (lines, _) = drawn(&mut bench, Row::Paths);
    assert_eq!(lines.len(), 4 * impacts.len());
    let is_path = |two: &[Segment]| {
        let colors = [two[0].color, two[1].color] == [Theme::DARK.overlap, Theme::DARK.hit];
        colors && two[0].b == two[1].a
    };
    assert!(lines.chunks(2).all(is_path));
    assert_eq!(drawn(&mut bench, Row::Waiting).1, waiting);
}

#[test]
fn parts_have_boxes_of_their_own_and_figures_an_outline() {
    let figure = "i -2 -2 -2  4 4 4  100 f
#!objects 0
#!shape cube box 1 1 1
#!shape pill capsule 0.5 1
#!shape pair compound
#!part pair cube 0 0 0
#!part pair pill 0 0 1
#!body pair 0 0 0  0 0 0  scale 0.5
#!body cube 1.5 0 0  0 0 0
";
    let mut scene = scene(figure);
    (scene.flat, scene.driving.rule) = (true, MoveRule::Walk);
    scene.placed_bodies[0].is_driven = true;
    let mut bench = Bench::with(scene, "brute-force");
    let without = bench.stage().view().boxes.len();
    bench.click(Role::CheckBox, "Parts");
    let view = bench.stage().view();
    let (parts, figure) = (view.boxes[without..].to_vec(), view.over_objects.to_vec());
    assert_eq!(parts.len(), 3, "two of the figure, one of the cube");
    let body = bench.stage().snapshot.objects.bodies.as_ref().unwrap().boxes[0];
    let both = parts[0].bounds.union(&parts[1].bounds);
    assert!((both.min - body.min).length() < 1e-5 && (both.max - body.max).length() < 1e-5);
    assert!(parts[0].bounds.size().z < body.size().z);
    let heights = || figure.iter().flat_map(|line| [line.a[2], line.b[2]]);
    let least = heights().fold(f32::INFINITY, f32::min);
    let most = heights().fold(f32::NEG_INFINITY, f32::max);
    assert!((least - body.min.z).abs() < 1e-5, "from its feet");
    assert!((-1e-5..0.02 * body.size().z).contains(&(body.max.z - most)), "to its head");
    bench.harness.run();
    assert!(bench.says("the figure that the parts stand for"));
}
