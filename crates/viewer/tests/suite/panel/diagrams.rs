//! Small pictures in the legend: a sorted list, trees; and what the scene has of them.

use crate::common::bench::Bench;
use crate::common::{crowded, session};
use broadphase::inspect::{Exchange, SplitPlane, for_each_region};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use sim::Scene;
use sim::scene::{Radius, Source};
use viewer::picture::former_fat_boxes;
use viewer::scene_renderer::{Theme, WireBox};
use viewer::simulation::Escape;

fn bench(algorithm: &str, objects: u32) -> Bench {
    let mut bench = Bench::new(session(Scene { objects, ..crowded() }, algorithm));
    bench.steps(1);
    bench
}

/// The numbers that are drawn in the legend, without the lines of text.
fn numbers(bench: &Bench) -> Vec<u32> {
    let texts = bench.texts().into_iter().filter(|(_, place, _)| place.left() > 700.0);
    texts.filter_map(|(text, ..)| text.parse().ok()).collect()
}

#[test]
fn list_of_an_exchange_is_laid_flat_for_few_objects() {
    for (objects, is_drawn) in [(12, true), (13, false)] {
        let mut bench = bench("sap-incremental", objects);
        bench.click(Role::CheckBox, "Endpoints");
        let mut exchanged = None;
        for _ in 0..60 {
            bench.steps(1);
            let fresh = &bench.stage().snapshot.changed.exchanges.fresh;
            exchanged = fresh.iter().find(|(_, fresh)| *fresh == 1.0).map(|(of, _)| *of);
            if exchanged.is_some() {
                break;
            }
        }
        let Exchange { axis, .. } = exchanged.expect("no ends are exchanged");
        let label = format!("The list on {}, a row for each object:", axis.name());
        assert_eq!(bench.harness.query_by_label(&label).is_some(), is_drawn, "{objects}");
        if is_drawn {
            let at = axis.index();
            let boxes = bench.session().motion().boxes().to_vec();
            let mut order: Vec<u32> = (0..objects).collect();
            let low = |object: u32| boxes[object as usize].min[at];
            order.sort_by(|a, b| low(*a).total_cmp(&low(*b)));
            assert!(numbers(&bench).windows(order.len()).any(|part| part == order), "{order:?}");
        }
    }
}

#[test]
fn places_on_a_curve_are_those_in_its_tree() {
    let mut bench = bench("bvh-linear", 9);
    ["Boxes", "Curve"].into_iter().for_each(|part| bench.click(Role::CheckBox, part));
    let all: Vec<u32> = (0..9).collect();
    assert!(numbers(&bench).windows(9).any(|part| part == all), "below the tree");
    let scene = bench.texts().into_iter().filter(|(_, place, _)| place.left() < 700.0);
    let mut scene: Vec<u32> = scene.filter_map(|(text, ..)| text.parse().ok()).collect();
    scene.sort_unstable();
    scene.dedup();
    assert_eq!(scene, all, "at the objects");
    assert!(["x", "y", "z"].iter().any(|axis| bench.draws(axis)), "the axes of inner nodes");
}

#[test]
fn objects_on_both_sides_of_a_moved_plane_are_counted() {
    let mut bench = bench("kd-tree", 50);
    bench.click(Role::CheckBox, "Planes");
    let mut counted = 0;
    for _ in 0..240 {
        bench.steps(1);
        let moved = bench.stage().snapshot.changed.planes.fresh.clone();
        let boxes = bench.session().motion().boxes().to_vec();
        let words = |plane: &SplitPlane| {
            let axis = plane.axis.index();
            let inside = || boxes.iter().filter(|b| b.overlaps(&plane.cell));
            let low = inside().filter(|b| b.min[axis] < plane.position).count();
            let high = inside().filter(|b| b.max[axis] >= plane.position).count();
            let [below, above] = [low, high].map(|on| on * on.saturating_sub(1) / 2);
            format!("{low} | {high} objects, {below} + {above} pairs")
        };
        let view = bench.stage().view();
        let marked = view.planes.iter().filter(|p| p.color == Some(Theme::DARK.mark)).count();
        assert_eq!(marked, moved.len(), "they have the colour of the legend");
        if let Some((moved, _)) = moved.first() {
            let now = format!("now: {}", words(&moved.now));
            assert!(bench.harness.query_all_by_label(&now).count() > 0, "{now}");
            if let Some(before) = moved.before {
                let before = format!("before: {}", words(&before));
                assert!(bench.harness.query_all_by_label(&before).count() > 0, "{before}");
                counted += 1;
            }
        }
    }
    assert!(counted > 2, "{counted}");
}

#[test]
fn lists_of_leaves_and_planes_are_named_in_the_scene() {
    let mut bench = bench("kd-sap", 50);
    ["Planes", "Leaves"].into_iter().for_each(|part| bench.click(Role::CheckBox, part));
    let mut expected = Vec::new();
    for_each_region(bench.session().structure().inspect(), &mut |list| {
        let objects = list.region.objects;
        expected.push(match list.plane {
            Some(plane) => format!("{objects} at plane {}", plane.name()),
            None => format!("{objects}, sweep {}", list.axis.unwrap().name()),
        });
    });
    let planes = expected.iter().filter(|text| text.contains("plane")).count();
    let heading = format!("{} lists: {} leaves, {planes} plane", expected.len(), planes + 1);
    bench.harness.get_by_label_contains(&heading);
    expected.retain(|text| !text.starts_with('0'));
    assert!(expected.len() > 3, "{expected:?}");
    for text in expected {
        assert!(bench.draws(&text), "{text}");
    }
}

#[test]
fn alternatives_say_what_they_search_for() {
    let mut bench = bench("auto", 50);
    bench.steps(3);
    let alternatives = bench.stage().snapshot.search.alternatives.clone();
    assert_eq!(alternatives.len(), 3);
    for way in alternatives {
        bench.harness.get_by_label(&format!("   {}", way.why));
    }
}

#[test]
fn sources_step_back_beside_a_structure() {
    let inner = Source { percent: 50.0, ..crowded().sources[0] };
    let scene = Scene { sources: vec![inner; 2], ..crowded() };
    for (sources, step_back) in [(scene.sources.clone(), true), (crowded().sources, false)] {
        let scene = Scene { sources, ..crowded() };
        let mut bench = Bench::new(session(scene, "kd-tree"));
        let opacity = |bench: &mut Bench| {
            bench.stage().look();
            let view = bench.stage().view();
            let source = view.boxes.iter().find(|b| b.color[..3] == Theme::DARK.source[..3]);
            source.expect("no source is drawn").color[3]
        };
        bench.steps(1);
        let whole = opacity(&mut bench);
        bench.click(Role::CheckBox, "Leaves");
        assert_eq!(opacity(&mut bench) < whole / 2, step_back);
    }
}

#[test]
fn copied_candidates_are_counted() {
    let still = Scene { speed: 0.0, ..crowded() };
    let mut bench = Bench::new(session(still, "rest-grid"));
    bench.steps(20);
    bench.click(Role::CheckBox, "Cached pairs");
    bench.steps(1);
    let copied = bench.cached_pairs().iter().filter(|mark| mark.role == 1).count();
    let pairs = bench.stage().snapshot.search.found.unwrap().pairs;
    assert!(copied > 0 && pairs == copied as u64, "{pairs} {copied}");
    bench
        .harness
        .get_by_label_contains(&format!("candidates, {copied} of them of two resting objects"));
}

#[test]
fn rotations_that_others_undid_are_counted() {
    let mut bench = Bench::new(session(Scene { speed: 0.6, ..crowded() }, "bvh-incremental"));
    bench.click(Role::CheckBox, "Boxes");
    let (mut seen, mut unseen) = (0, 0);
    for _ in 0..60 {
        bench.steps(1);
        let snapshot = &bench.stage().snapshot;
        let all = snapshot.search.work.iter().find(|work| work.name == "rotations").unwrap().count;
        let undone = all - snapshot.changed.rotations.now as u64;
        let label = format!("{undone} more in this step, no longer in place.");
        let are_any = snapshot.changed.rotations.lately > 0;
        let is_said = bench.harness.query_by_label(&label).is_some();
        assert_eq!(is_said, undone > 0 && are_any, "{all} {undone}");
        seen += u32::from(is_said);
        unseen += u32::from(!is_said);
    }
    assert!(seen > 0 && unseen > 0, "{seen} {unseen}");
}

#[test]
fn numbers_of_cells_are_within_the_walls() {
    let flat = Source { size: glam::Vec3::new(2.0, 2.0, 0.4), ..crowded().sources[0] };
    let scene = Scene { sources: vec![flat], radius: Radius::Equal(0.05), ..crowded() };
    let mut bench = Bench::new(session(scene, "octree-loose"));
    bench.steps(1);
    bench.click(Role::CheckBox, "Cells");
    let (occupied, mut reach_out) = (bench.stage().snapshot.objects.occupied, 0);
    for_each_region(bench.session().structure().inspect(), &mut |cell| {
        reach_out += u32::from(occupied.union(&cell.region.bounds) != occupied);
    });
    assert!(reach_out > 0, "no cell reaches out");
    let view = bench.stage().view();
    let is_within = |wire: &&WireBox| occupied.union(&wire.bounds) == occupied;
    let cells = view.boxes.iter().filter(|wire| wire.width == 1.5);
    assert!(cells.clone().count() > 3 && cells.into_iter().all(|wire| is_within(&wire)));
}

#[test]
fn lists_swept_with_a_picked_object_are_named() {
    let mut bench = bench("kd-sap", 50);
    ["Planes", "Leaves"].into_iter().for_each(|part| bench.click(Role::CheckBox, part));
    let mut planes = 0;
    for object in 0..50 {
        bench.pick(Some(object));
        let lists = bench.stage().snapshot.picked.as_ref().unwrap().sweeps.lists.clone();
        assert!(!lists.is_empty(), "{object}");
        let named = lists.iter().map(|list| match list.plane {
            Some(plane) => format!("{} at plane {}", list.objects, plane.name()),
            None => format!("{} in a leaf", list.objects),
        });
        let named: Vec<String> = named.collect();
        let others = if named.len() > 1 { named[1..].join(", ") } else { "nothing".to_owned() };
        let label =
            format!("1. Its own list: {}. 2. Of other lists, what reaches it: {others}.", named[0]);
        bench.harness.get_by_label(&label);
        planes += lists.iter().filter(|list| list.plane.is_some()).count();
    }
    assert!(planes > 10, "{planes}");
}

#[test]
fn tests_of_a_cache_are_those_of_pairs_and_those_of_objects() {
    let scene = Scene { speed: 0.3, radius: Radius::Equal(0.05), ..crowded() };
    let mut bench = Bench::new(session(scene, "neighbour-list"));
    bench.click(Role::CheckBox, "Cached pairs");
    let mut parts = 0;
    for _ in 0..40 {
        bench.steps(1);
        let of_pairs = bench.cached_pairs().iter().filter(|mark| mark.role == 0).count() as u64;
        let tests = bench.stage().snapshot.search.found.unwrap().tests;
        let label = format!(
            "Tests: {of_pairs} of cached pairs, {} of searches.",
            tests.saturating_sub(of_pairs)
        );
        let is_said = bench.harness.query_by_label_contains(&label).is_some();
        assert_eq!(is_said, of_pairs > 0 && tests >= of_pairs, "{label}");
        parts += u32::from(is_said && tests > of_pairs);
    }
    for object in 0..50 {
        bench.pick(Some(object));
        let tested = bench.stage().snapshot.picked.as_ref().unwrap().tested.clone();
        let partners = bench.partners_of(object);
        let of_cached = partners.iter().filter(|other| tested.contains(other)).count();
        let of_searches = tested.len() - of_cached;
        let label =
            format!("Of these tests {of_cached} of cached pairs, {of_searches} of searches.");
        assert_eq!(bench.harness.query_by_label(&label).is_some(), !tested.is_empty(), "{label}");
    }
    assert!(parts > 0, "no object escapes");
}

#[test]
fn sweep_of_a_picked_object_is_laid_flat_for_few_objects() {
    let scene = Scene { objects: 40, radius: Radius::Equal(0.1), ..crowded() };
    let mut bench = Bench::new(session(scene, "kd-sap"));
    bench.steps(1);
    ["Planes", "Leaves"].into_iter().for_each(|part| bench.click(Role::CheckBox, part));
    let label = "A row for each object; x, y, z: at a plane.";
    let (mut drawn, mut not_drawn) = (0, 0);
    for object in 0..40 {
        bench.pick(Some(object));
        let sweeps = bench.stage().snapshot.picked.clone().unwrap().sweeps;
        let own = sweeps.intervals.kept.iter().find(|row| row.object == object).unwrap();
        let rows = sweeps.intervals.kept.iter().filter(|row| row.axis == own.axis).count();
        let fits = rows <= 12 && rows == sweeps.outcomes.all() + 1;
        assert_eq!(bench.harness.query_by_label(label).is_some(), fits, "{object}: {rows}");
        drawn += u32::from(fits);
        not_drawn += u32::from(!fits);
    }
    assert!(drawn > 0 && not_drawn > 0, "{drawn} {not_drawn}");
}

#[test]
fn single_rotation_is_named_in_the_scene_and_in_words() {
    let mut bench = Bench::new(session(Scene { speed: 0.05, ..crowded() }, "bvh-incremental"));
    bench.click(Role::CheckBox, "Boxes");
    let (mut drawn, mut not_drawn) = (0, 0);
    for _ in 0..200 {
        bench.steps(1);
        let fresh = bench.stage().snapshot.changed.rotations.fresh.clone();
        let saved = fresh.first().map_or(0.0, |(rotation, _)| 100.0 * rotation.saved);
        let label = format!(
            "A went down a level, B up: the box that holds A instead of B lost {saved:.0} % of its surface."
        );
        let is_single = fresh.len() == 1;
        assert_eq!(bench.harness.query_by_label(&label).is_some(), is_single, "{fresh:?}");
        let letters = bench.texts().into_iter().filter(|(text, ..)| text == "A").count();
        assert_eq!(letters > 0, is_single, "in the scene, with its shadow");
        drawn += u32::from(is_single);
        not_drawn += u32::from(fresh.len() > 1);
    }
    assert!(drawn > 0 && not_drawn > 0, "{drawn} {not_drawn}");
}

#[test]
fn fat_boxes_that_were_left_are_drawn() {
    let mut left = 0;
    for speed in [0.1, 0.3, 0.6, 1.0, 2.0] {
        // Fewer than are drawn of.
        let scene = Scene { objects: 12, speed, radius: Radius::Equal(0.05), ..crowded() };
        let mut bench = Bench::new(session(scene, "neighbour-list"));
        bench.click(Role::CheckBox, "Fat AABBs");
        for _ in 0..60 {
            bench.steps(1);
            let snapshot = &bench.stage().snapshot;
            let escapes = &snapshot.changed.escapes.fresh;
            let holds = |escape: &Escape| {
                let b = snapshot.bounds_of(escape.object).unwrap();
                escape.before.map(|fat| fat.union(&b) == fat)
            };
            let outside = escapes.iter().filter(|e| holds(&e.0) == Some(false)).count();
            // None is drawn of more.
            let expected = if escapes.len() <= 16 { outside } else { 0 };
            assert_eq!(former_fat_boxes(snapshot).count(), expected, "{escapes:?}");
            left += expected;
        }
    }
    assert!(left > 0);
}
