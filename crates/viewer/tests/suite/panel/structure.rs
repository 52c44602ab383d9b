//! Overlays of a structure.

use crate::common::bench::Bench;
use crate::common::shown::SHOWN;
use crate::common::{clock, crowded, row};
use broadphase::inspect::Overlay;
use broadphase::registry::Algorithm;
use broadphase::{Aabb, Axis};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use sim::Scene;
use sim::scene::Radius;
use viewer::picture::{MAX_BOXES, MAX_PAIRS};
use viewer::scene_renderer::{Segment, Theme, WireBox};
use viewer::session::Session;
use viewer::simulation::Escape;
use viewer::view::Row;

/// A bench under an algorithm that the registry does not know.
pub(crate) fn structure_bench(entry: &'static Algorithm, scene: Scene) -> Bench {
    let session = Session::new("shown.scene", &scene, entry, clock(), None).unwrap();
    let mut bench = Bench::new(session);
    bench.steps(1);
    bench
}

/// The drawn boxes and lines.
fn drawn(bench: &mut Bench) -> (Vec<WireBox>, Vec<Segment>) {
    bench.stage().panel.view.set(Row::Sources, false);
    let view = bench.stage().view();
    (view.boxes.to_vec(), [view.segments, view.over_objects].concat())
}

#[test]
fn only_overlays_of_the_algorithm_are_offered() {
    let names = [
        "Planes",
        "Leaves",
        "Cells",
        "Columns",
        "Boxes",
        "Endpoints",
        "Curve",
        "Fat AABBs",
        "Cached pairs",
        "Blocks of 16",
        "Matrix",
    ];
    let offered = |entry: &'static Algorithm| -> Vec<&str> {
        let bench = structure_bench(entry, crowded());
        names.into_iter().filter(|name| bench.has(Role::CheckBox, name)).collect()
    };
    assert_eq!(offered(&SHOWN), ["Boxes", "Endpoints", "Curve"]);
    assert_eq!(offered(row("kd-tree")), ["Planes", "Leaves"]);
    assert_eq!(offered(row("neighbour-list")), ["Fat AABBs", "Cached pairs"]);
    assert_eq!(offered(row("sweep-grid")), ["Columns", "Blocks of 16"]);
    assert_eq!(offered(row("sap-matrix")), ["Endpoints", "Matrix"]);
    assert!(offered(row("brute-force")).is_empty());
    let none = "none: all pairs are tested";
    assert!(Bench::of("brute-force").has(Role::Label, none));
    assert!(!Bench::of("kd-tree").has(Role::Label, none));
}

#[test]
fn boxes_of_a_tree_are_drawn_by_depth() {
    let mut bench = structure_bench(&SHOWN, crowded());
    assert!(drawn(&mut bench).0.is_empty() && !bench.has(Role::Slider, "depth"));
    bench.click(Role::CheckBox, "Boxes");
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
        // The colours span the depths that are drawn.
        let deepest = Theme::DARK.on_scale(if depth == 0 { 0.0 } else { 1.0 });
        assert!(boxes.iter().filter(inner).all(|b| b.color[..3] == deepest));
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
fn endpoint_lists_have_rails_ticks_and_bars() {
    let mut bench = structure_bench(&SHOWN, crowded());
    bench.click(Role::CheckBox, "Endpoints");
    let (_, segments) = drawn(&mut bench);
    bench.harness.run();
    bench.harness.get_by_label("Sorted endpoints: x, y, z");
    let boxes = bench.session().motion().boxes().to_vec();
    let of_color = |color: [u8; 4]| {
        segments.iter().filter(move |s| s.color[..3] == color[..3] && s.width == 2.0)
    };
    assert_eq!(segments.iter().filter(|s| s.color == Theme::DARK.rail).count(), 3);
    for (axis, color) in [(0, 0), (1, 1)] {
        // Every endpoint has a tick at its place on the axis.
        let ends = boxes.iter().map(|b| if color == 0 { b.min[axis] } else { b.max[axis] });
        for end in ends {
            let mut ticks = of_color(Theme::DARK.ends[color]);
            assert!(ticks.any(|tick| tick.a[axis] == end && tick.b[axis] == end), "{end}");
        }
        assert_eq!(of_color(Theme::DARK.ends[color]).count(), 150);
    }
    // The rails lie outside of the scene.
    let inside = |p: [f32; 3]| Vec3::from(p).abs().max_element() < 1.0;
    assert!(!segments.iter().any(|s| inside(s.a) || inside(s.b)));
    bench.click(Role::CheckBox, "Endpoints");
    assert!(drawn(&mut bench).1.is_empty());
}

#[test]
fn bars_of_a_picked_sphere_show_its_overlaps() {
    let mut bench = structure_bench(&SHOWN, crowded());
    bench.steps(4);
    let pair = bench.session().pairs()[0];
    bench.click(Role::CheckBox, "Endpoints");
    bench.stage().panel.view.picked = Some(pair.a);
    let (_, segments) = drawn(&mut bench);
    bench.harness.run();
    bench.harness.get_by_label(&format!("Sphere {}, which is picked", pair.a));
    let boxes = bench.session().motion().boxes().to_vec();
    let picked = bench.stage().snapshot.picked.clone().unwrap();
    for axis in Axis::ALL.map(Axis::index) {
        let own = boxes[pair.a as usize];
        let overlaps = |b: &Aabb| b.min[axis] <= own.max[axis] && own.min[axis] <= b.max[axis];
        // The bar that spans an object's interval on this axis.
        let bar = |b: &Aabb, color: [u8; 4]| {
            segments
                .iter()
                .any(|s| s.a[axis] == b.min[axis] && s.b[axis] == b.max[axis] && s.color == color)
        };
        let theme = Theme::DARK;
        for (object, b) in (0..).zip(&boxes) {
            let expected = if object == pair.a {
                theme.picked
            } else if picked.hits.contains(&object) {
                theme.hit
            } else if picked.candidates.contains(&object) {
                theme.candidate
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
fn a_curve_joins_all_objects_in_its_order() {
    let mut bench = structure_bench(&SHOWN, crowded());
    bench.click(Role::CheckBox, "Curve");
    bench.harness.get_by_label("last");
    let (_, segments) = drawn(&mut bench);
    let centers: Vec<[f32; 3]> =
        bench.session().motion().boxes().iter().map(|b| b.center().to_array()).collect();
    let ends: Vec<_> = segments.iter().map(|s| [s.a, s.b]).collect();
    let expected: Vec<_> = centers.windows(2).map(|ends| [ends[0], ends[1]]).collect();
    assert_eq!(ends, expected);
    let rgb = |s: &Segment| [s.color[0], s.color[1], s.color[2]];
    assert_eq!(rgb(&segments[0]), Theme::DARK.on_scale(0.0));
    assert_eq!(rgb(segments.last().unwrap()), Theme::DARK.on_scale(1.0));
}

#[test]
fn of_many_objects_a_part_is_drawn_and_reported() {
    let many = Scene { objects: 30_000, radius: Radius::Equal(0.001), ..crowded() };
    let mut bench = structure_bench(&SHOWN, many);
    let draw = &mut bench.stage().panel.view;
    *draw = draw.with_structure(&Overlay::ALL);
    draw.tree_levels.depth = 20;
    let (boxes, segments) = drawn(&mut bench);
    bench.harness.run();
    assert!(boxes.len() > MAX_BOXES / 2 && boxes.len() <= MAX_BOXES, "{}", boxes.len());
    // 2,000 objects with two ticks and a bar with its ends on three axes, the rails, the curve.
    assert_eq!(segments.len(), 2_000 * 15 + 3 + MAX_PAIRS * 3 / 4 - 1);
    bench.harness.get_by_label("59,999 of 59,999 boxes");
    bench.harness.get_by_label_contains("of these 59,999 are drawn");
    bench.harness.get_by_label("2,000 of 30,000 objects are drawn");
    bench.harness.get_by_label("15,000 of 30,000 points are drawn");
}

/// Slow spheres, so that their pairs stay cached.
fn slow(speed: f32) -> Scene {
    Scene { speed, ..crowded() }
}

#[test]
fn fat_boxes_surround_the_boxes_of_their_objects() {
    let mut bench = structure_bench(row("neighbour-list"), slow(0.01));
    bench.click(Role::CheckBox, "Fat AABBs");
    bench.steps(3);
    let (boxes, _) = drawn(&mut bench);
    let objects = bench.session().motion().boxes().to_vec();
    let slow = Theme::DARK.cached[1];
    let of_color = |b: &&WireBox| b.color[..3] == slow[..3];
    let (fat, tight): (Vec<_>, Vec<_>) = boxes.iter().filter(of_color).partition(|b| b.width > 1.0);
    assert_eq!((fat.len(), tight.len()), (50, 50));
    for b in &objects {
        let around = |fat: &&&WireBox| fat.bounds != *b && fat.bounds.union(b) == fat.bounds;
        assert!(fat.iter().any(|fat| around(&fat)), "{b:?}");
        assert!(tight.iter().any(|tight| tight.bounds == *b), "{b:?}");
    }
}

#[test]
fn escaped_objects_are_marked_in_their_step() {
    let mut bench = structure_bench(row("bvh-incremental"), slow(0.5));
    bench.click(Role::CheckBox, "Fat AABBs");
    bench.steps(1);
    let flashing = |bench: &mut Bench| {
        bench.stage().look();
        bench.stage().snapshot.changed.escapes.fresh.clone()
    };
    let mut steps = 0;
    while flashing(&mut bench).is_empty() {
        bench.steps(1);
        steps += 1;
        assert!(steps < 200, "no object escapes");
    }
    let (Escape { object, before }, fresh) = flashing(&mut bench)[0];
    assert_eq!(fresh, 1.0);
    let (boxes, segments) = drawn(&mut bench);
    let b = bench.session().motion().boxes()[object as usize];
    // It left the fat AABB that it had in the step before, which is dashed.
    let before = before.expect("the step before was watched");
    assert!(before.overlaps(&b) && before.union(&b) != before, "{before:?} contains {b:?}");
    let dashes = segments.iter().filter(|dash| dash.color == Theme::DARK.mark);
    let corners = dashes.filter(|dash| dash.a == before.min.to_array()).count();
    assert_eq!(corners, 3, "a dash along each axis");
    let is_marked = |wire: &&WireBox| wire.bounds == b && wire.color == Theme::DARK.mark;
    assert!(boxes.iter().any(|wire| is_marked(&wire)), "object {object}");
    // Where the scene stands still, its other changes of the last half second are not marked.
    let mut others = 0;
    for _ in 0..10 {
        bench.steps(1);
        assert!(flashing(&mut bench).iter().all(|(_, fresh)| *fresh == 1.0));
        others +=
            usize::from(!flashing(&mut bench).iter().any(|(other, _)| other.object == object));
    }
    assert!(others > 0, "object {object} escapes in each step");
}

#[test]
fn cached_pairs_are_lines_and_those_that_overlap_stand_out() {
    let mut bench = structure_bench(row("neighbour-list"), slow(0.01));
    bench.click(Role::CheckBox, "Cached pairs");
    bench.steps(3);
    let (_, segments) = drawn(&mut bench);
    let pairs = bench.session().pairs().to_vec();
    let centers = bench.session().world().unwrap().positions().to_vec();
    let overlapping: Vec<_> = segments.iter().filter(|s| s.width == 2.0).collect();
    assert_eq!(overlapping.len(), pairs.len());
    for pair in &pairs {
        let ends = [pair.a, pair.b].map(|object| centers[object as usize]);
        let joins = |s: &&&Segment| {
            let near = |end: Vec3, at: [f32; 3]| end.abs_diff_eq(Vec3::from(at), 1e-5);
            near(ends[0], s.a) && near(ends[1], s.b)
        };
        assert!(overlapping.iter().any(|s| joins(&s)), "{pair:?}");
    }
    assert!(segments.len() > pairs.len(), "no pair of fat AABBs alone");
}

#[test]
fn loose_bounds_are_dashed_for_the_picked_sphere_alone() {
    let many = Scene { objects: 400, radius: Radius::Equal(0.03), ..crowded() };
    let mut bench = structure_bench(row("octree-loose"), many);
    bench.click(Role::CheckBox, "Boxes");
    let theme = Theme::DARK;
    let dashes = |segments: &[Segment]| {
        segments.iter().filter(|s| s.color == theme.selected_pane_edge).count()
    };
    assert_eq!(dashes(&drawn(&mut bench).1), 0);
    let (mut whole, mut cut) = (0, 0);
    for object in 0..40 {
        bench.stage().panel.view.picked = Some(object);
        let segments = drawn(&mut bench).1;
        let space = bench.stage().snapshot.objects.space;
        let loose = bench.stage().snapshot.picked.as_ref().unwrap().loose[0];
        if space.union(&loose) == space {
            assert_eq!(dashes(&segments), 12 * 16, "a cube of sixteen dashes an edge");
            whole += 1;
        } else {
            // Cut off at the walls, near which objects may be.
            let of_bounds = segments.iter().filter(|s| s.color == theme.selected_pane_edge);
            let ends = of_bounds.flat_map(|s| [s.a, s.b]).flatten();
            assert!(ends.clone().count() > 0 && ends.into_iter().all(|end| end.abs() < 1.1));
            cut += 1;
        }
    }
    assert!(whole > 0 && cut > 0, "{whole} {cut}");
}
