//! What an algorithm shows of itself, switched without a window; and clicks that ask it.

#![allow(clippy::unwrap_used, reason = "this is a test")]

mod common;

use broadphase::{Algorithm, Axis};
use common::bench::Bench;
use common::shown::{BLIND, CONFUSED, HONEST, TOUCHY};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use sim::Scene;
use viewer::camera::Ray;
use viewer::composer::Composer;
use viewer::picking::nearest_sphere;
use viewer::scene_renderer::{Segment, Theme, WireBox};
use viewer::session::Session;
use viewer::simulation::{MOST_BOXES, MOST_POINTS, Order};

/// A bench under an algorithm that the registry does not know.
fn bench(row: &'static Algorithm, scene: Scene) -> Bench {
    let session = Session::new("shown.scene", &scene, row, common::clock(), None).unwrap();
    let mut bench = Bench::new(session);
    bench.steps(1);
    bench
}

/// The boxes and lines that are drawn.
fn drawn(bench: &mut Bench) -> (Vec<WireBox>, Vec<Segment>) {
    bench.stage().panel.draw.sources = false;
    let mut composer = Composer::default();
    let view = bench.stage().view(&mut composer);
    (view.boxes.to_vec(), view.segments.to_vec())
}

#[test]
fn switches_stand_only_where_the_algorithm_has_something_to_show() {
    let names = ["Planes", "Leaves", "Cells", "Boxes", "Endpoints", "Curve"];
    let offered = |row: &'static Algorithm| -> Vec<&str> {
        let bench = bench(row, common::crowded());
        names.into_iter().filter(|name| bench.has(Role::CheckBox, name)).collect()
    };
    assert_eq!(offered(&HONEST), ["Boxes", "Endpoints", "Curve"]);
    assert_eq!(offered(common::row("kd-tree")), ["Planes", "Leaves"]);
    assert!(offered(common::row("brute-force")).is_empty());
}

#[test]
fn boxes_of_a_tree_are_drawn_by_depth() {
    let mut bench = bench(&HONEST, common::crowded());
    assert!(drawn(&mut bench).0.is_empty() && !bench.has(Role::Slider, "depth"));
    bench.click(Role::CheckBox, "Boxes");
    let color = |depth: f32| {
        let [r, g, b] = Theme::DARK.on_scale(depth / 6.0);
        [r, g, b]
    };
    for (depth, up_to, only) in [(0, 1, 1), (2, 7, 4), (5, 63, 32)] {
        bench.click(Role::Button, "up to");
        bench.set(Role::Slider, "depth", f64::from(depth));
        assert_eq!(drawn(&mut bench).0.len(), up_to, "up to {depth}");
        bench.harness.run();
        bench.harness.get_by_label(&format!("{up_to} of 99 boxes"));
        bench.click(Role::Button, "only");
        let boxes = drawn(&mut bench).0;
        assert_eq!(boxes.len(), only, "only {depth}");
        let inner = |b: &&WireBox| b.color[..3] != Theme::DARK.leaf[..3];
        assert!(boxes.iter().filter(inner).all(|b| b.color[..3] == color(depth as f32)));
    }
    // Fifty objects: some of the boxes of depth 5 and all those of depth 6 are leaves.
    bench.set(Role::Slider, "depth", 6.0);
    let boxes = drawn(&mut bench).0;
    assert_eq!(boxes.len(), 36);
    assert!(boxes.iter().all(|b| b.color[..3] == Theme::DARK.leaf[..3]));
    bench.click(Role::CheckBox, "Boxes");
    assert!(drawn(&mut bench).0.is_empty());
}

#[test]
fn lists_have_a_rail_and_two_ticks_and_a_bar_for_each_object_on_each_axis() {
    let mut bench = bench(&HONEST, common::crowded());
    bench.click(Role::CheckBox, "Endpoints");
    let (_, segments) = drawn(&mut bench);
    bench.harness.run();
    bench.harness.get_by_label("Sorted ends: x, y, z");
    let boxes = bench.session().boxes().to_vec();
    let of_color = |color: [u8; 4]| {
        segments.iter().filter(move |s| s.color[..3] == color[..3] && s.width == 2.0)
    };
    assert_eq!(segments.iter().filter(|s| s.color == Theme::DARK.rail).count(), 3);
    for (axis, color) in [(0, 0), (1, 1)] {
        // Every end has its tick where it lies on its axis.
        let ends = boxes.iter().map(|b| if color == 0 { b.min[axis] } else { b.max[axis] });
        for end in ends {
            let mut ticks = of_color(Theme::DARK.ends[color]);
            assert!(ticks.any(|tick| tick.a[axis] == end && tick.b[axis] == end), "{end}");
        }
        assert_eq!(of_color(Theme::DARK.ends[color]).count(), 150);
    }
    // They lie outside of the scene.
    let inside = |p: [f32; 3]| Vec3::from(p).abs().max_element() < 1.0;
    assert!(!segments.iter().any(|s| inside(s.a) || inside(s.b)));
    bench.click(Role::CheckBox, "Endpoints");
    assert!(drawn(&mut bench).1.is_empty());
}

#[test]
fn a_picked_sphere_shows_whom_it_overlaps_on_each_axis() {
    let mut bench = bench(&HONEST, common::crowded());
    bench.steps(4);
    let pair = bench.session().pairs()[0];
    bench.click(Role::CheckBox, "Endpoints");
    bench.stage().panel.picked = Some(pair.a);
    let (_, segments) = drawn(&mut bench);
    bench.harness.run();
    bench.harness.get_by_label(&format!("sphere {}", pair.a));
    let boxes = bench.session().boxes().to_vec();
    let picked = bench.stage().snapshot.picked.clone().unwrap();
    for axis in Axis::ALL.map(Axis::index) {
        let own = boxes[pair.a as usize];
        let overlaps =
            |b: &broadphase::Aabb| b.min[axis] <= own.max[axis] && own.min[axis] <= b.max[axis];
        // The bar that spans an object's interval on this axis.
        let bar = |b: &broadphase::Aabb, color: [u8; 4]| {
            segments
                .iter()
                .any(|s| s.a[axis] == b.min[axis] && s.b[axis] == b.max[axis] && s.color == color)
        };
        let theme = Theme::DARK;
        for (object, b) in (0..).zip(&boxes) {
            let expected = if object == pair.a {
                theme.picked
            } else if picked.hits.contains(&object) {
                theme.picked_hit
            } else if picked.candidates.contains(&object) {
                theme.hit
            } else if overlaps(b) {
                theme.overlap
            } else {
                let [r, g, b, a] = theme.rail;
                [r, g, b, (f32::from(a) * 0.22) as u8]
            };
            assert!(bar(b, expected), "{object} on {axis}");
        }
    }
}

#[test]
fn a_curve_runs_through_all_objects_in_its_order_and_its_colour_along_it() {
    let mut bench = bench(&HONEST, common::crowded());
    bench.click(Role::CheckBox, "Curve");
    bench.harness.get_by_label("last");
    let (_, segments) = drawn(&mut bench);
    let centers: Vec<[f32; 3]> =
        bench.session().boxes().iter().map(|b| b.center().to_array()).collect();
    let ends: Vec<_> = segments.iter().map(|s| [s.a, s.b]).collect();
    let expected: Vec<_> = centers.windows(2).map(|ends| [ends[0], ends[1]]).collect();
    assert_eq!(ends, expected);
    let rgb = |s: &Segment| [s.color[0], s.color[1], s.color[2]];
    assert_eq!(rgb(&segments[0]), Theme::DARK.on_scale(0.0));
    assert_eq!(rgb(segments.last().unwrap()), Theme::DARK.on_scale(1.0));
}

#[test]
fn of_a_great_many_a_part_is_drawn_and_that_is_told() {
    let many =
        Scene { objects: 30_000, radius: sim::scene::Radius::Equal(0.001), ..common::crowded() };
    let mut bench = bench(&HONEST, many);
    let draw = &mut bench.stage().panel.draw;
    (draw.tree_boxes, draw.endpoints, draw.curve) = (true, true, true);
    draw.tree_levels.depth = 20;
    let (boxes, segments) = drawn(&mut bench);
    bench.harness.run();
    assert!(boxes.len() > MOST_BOXES / 2 && boxes.len() <= MOST_BOXES, "{}", boxes.len());
    // 2,000 objects with two ticks and a bar with its ends on three axes, the rails, the curve.
    assert_eq!(segments.len(), 2_000 * 15 + 3 + MOST_POINTS * 3 / 4 - 1);
    bench.harness.get_by_label("59,999 of 59,999 boxes");
    bench.harness.get_by_label_contains("of these 59,999 are drawn");
    bench.harness.get_by_label("One object in 15 of 30,000 is drawn");
    bench.harness.get_by_label("One point in 2 of 30,000 is drawn");
}

#[test]
fn the_panel_keeps_its_width_whatever_is_switched_on() {
    for row in [&HONEST, common::row("kd-tree")] {
        let mut bench = bench(row, common::crowded());
        let right = bench.stage().scene.right();
        let draw = &mut bench.stage().panel.draw;
        (draw.planes, draw.regions, draw.tree_boxes) = (true, true, true);
        (draw.endpoints, draw.curve, draw.tree_levels.depth) = (true, true, 30);
        bench.steps(2);
        assert_eq!(bench.stage().scene.right(), right, "{}", row.id);
    }
}

/// Rays from all sides, most of which meet a sphere.
fn rays() -> impl Iterator<Item = Ray> {
    (0..400).map(|i| {
        let angle = i as f32 * 2.399_963;
        let height = i as f32 / 200.0 - 1.0;
        let origin = Vec3::new(4.0 * angle.cos(), 4.0 * angle.sin(), 3.0 * height);
        let aim = Vec3::new((i % 7) as f32 - 3.0, (i % 5) as f32 - 2.0, (i % 3) as f32 - 1.0) * 0.2;
        Ray { origin, direction: (aim - origin).normalize() }
    })
}

#[test]
fn a_click_picks_the_same_sphere_whether_the_structure_is_asked_or_not() {
    for row in [&HONEST, &CONFUSED, common::row("brute-force")] {
        let mut bench = bench(row, common::crowded());
        let mut met = 0;
        for (number, ray) in (1..).zip(rays()) {
            bench.stage().obey(Order::Pick(ray).into());
            let world = bench.session().world();
            let expected = nearest_sphere(ray, world.positions(), world.radii());
            let snapshot = &bench.harness.state().snapshot;
            assert_eq!(snapshot.picks, number);
            let picked = bench.harness.state().picked_by_click;
            assert_eq!(picked, expected, "{} {ray:?}", row.id);
            met += u32::from(expected.is_some());
        }
        assert!((100..400).contains(&met), "{met}");
    }
}

#[test]
fn the_structure_is_really_asked_and_only_about_boxes_that_it_knows() {
    let mut bench = bench(&BLIND, common::crowded());
    let world = bench.session().world();
    let toward = Ray { origin: world.positions()[3] - Vec3::X * 9.0, direction: Vec3::X };
    let expected = nearest_sphere(toward, world.positions(), world.radii());
    assert!(expected.is_some());
    let mut session = Session::new("a", &common::crowded(), &BLIND, common::clock(), None).unwrap();
    let placed = nearest_sphere(toward, session.world().positions(), session.world().radii());
    assert_eq!(session.pick(toward), (placed, Ok(())), "nothing was searched yet");
    bench.obey(Order::Pick(toward));
    assert_eq!(bench.harness.state().picked_by_click, None, "it was not asked");
}

#[test]
fn a_panic_at_a_question_is_told_and_the_sphere_picked_all_the_same() {
    let mut bench = bench(&TOUCHY, common::crowded());
    let world = bench.session().world();
    let toward = Ray { origin: world.positions()[3] - Vec3::X * 9.0, direction: Vec3::X };
    let expected = nearest_sphere(toward, world.positions(), world.radii());
    bench.obey(Order::Pick(toward));
    assert_eq!(bench.harness.state().picked_by_click, expected);
    bench.harness.get_by_label_contains("touchy failed: no questions");
    // The torn structure is gone; the next step makes another one.
    bench.steps(2);
    assert_eq!(bench.session().world().steps(), 3);
}
