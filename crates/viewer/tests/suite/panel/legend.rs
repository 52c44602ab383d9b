//! The legend: the algorithm in words, its guide, and the parts that are drawn there.

use crate::common::bench::Bench;
use crate::common::{crowded, half_static, row, session};
use broadphase::inspect::Overlay;
use broadphase::registry::ALGORITHMS;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use sim::Scene;
use sim::scene::Radius;
use viewer::scene_renderer::Theme;
use viewer::simulation::{Order, Tint};
use viewer::view::ColorBy;

/// Texts of all labels.
fn texts(bench: &Bench) -> Vec<String> {
    let nodes = bench.harness.root().children_recursive();
    nodes.filter_map(|node| node.accesskit_node().value()).collect()
}

fn says(bench: &Bench, part: &str) -> bool {
    texts(bench).iter().any(|text| text.contains(part))
}

#[test]
fn every_algorithm_is_explained_and_the_text_can_be_hidden() {
    let mut bench = Bench::of("brute-force");
    for family in ALGORITHMS.families() {
        bench.choose(family.id);
        for part in [family.cost, family.watch_for] {
            assert!(says(&bench, part), "{}: {part}", family.id);
        }
        bench.click(Role::Button, "Less");
        assert!(!says(&bench, family.watch_for), "{}", family.id);
        bench.click(Role::Button, "More");
        assert!(says(&bench, family.watch_for), "{}", family.id);
    }
}

#[test]
fn work_of_the_step_is_counted_from_all_pairs_to_candidates() {
    let mut bench = Bench::of("sap-incremental");
    bench.steps(2);
    let line = texts(&bench).into_iter().find(|text| text.starts_with("This step: "));
    let line = line.expect("no line counts the work");
    let snapshot = &bench.stage().snapshot;
    let found = snapshot.search.found.unwrap();
    let exchanges = snapshot.search.work[0];
    assert_eq!((snapshot.objects.positions.len(), exchanges.name), (50, "exchanges"));
    let [tests, exchanges, pairs] = [found.tests, exchanges.count, found.pairs];
    assert_eq!(
        line,
        format!(
            "This step: 1,225 pairs -> {tests} tests -> {pairs} candidates; {exchanges} exchanges."
        )
    );
}

#[test]
fn guide_opens_the_section_of_the_running_algorithm() {
    let mut bench = Bench::of("kd-tree");
    assert!(!says(&bench, "Kurtanjek 2008, sections 3.3"));
    bench.click(Role::Button, "Guide");
    assert!(says(&bench, "Kurtanjek 2008, sections 3.3"), "{:?}", texts(&bench));
    bench.choose("octree-loose");
    assert!(says(&bench, "Ulrich"), "the guide follows the algorithm");
    bench.click(Role::Button, "Guide");
    assert!(!says(&bench, "Game Programming Gems"));
}

#[test]
fn automatic_choice_is_stated_with_its_numbers() {
    let mut bench = Bench::of("auto");
    bench.steps(5);
    assert!(says(&bench, "Chosen: ") && says(&bench, " sampled objects move."));
    for name in ["Rest grid", "Neighbour list", "Grid of sweeps"] {
        assert!(says(&bench, name), "{name} is no alternative");
    }
    assert!(says(&bench, " chosen"));
    let why = |bench: &Bench| bench.harness.query_by_label("Does a cache pay?").is_some();
    assert!(!why(&bench), "it does nothing else than to choose");
    bench.obey(Order::Algorithm(ALGORITHMS.resolve("rest-grid@columns=2").unwrap()));
    bench.steps(1);
    assert!(why(&bench) && !says(&bench, "Time of a step, predicted"));
    bench.harness.get_by_label("Does a cache pay?").click();
    bench.harness.run();
    assert!(says(&bench, "Time of a step, predicted"));
    bench.choose("bsp-semi-adjusting");
    bench.steps(1);
    let expected = "One leaf: a leaf is divided from 65 objects on, and there are 50.";
    assert!(says(&bench, expected), "{:?}", texts(&bench));
}

#[test]
fn matrix_is_drawn_for_few_objects_and_counts_its_cells() {
    let mut bench = Bench::of("sap-matrix");
    bench.steps(2);
    bench.click(Role::CheckBox, "Matrix");
    let candidates = bench.session().pairs().len();
    bench.harness.get_by_label("Matrix: 1,225 pairs");
    bench.harness.get_by_label(&format!("{candidates} on 3 axes: candidates"));
    let few = Scene { objects: 8, ..crowded() };
    let mut bench = Bench::new(session(few, "sap-matrix"));
    bench.click(Role::CheckBox, "Matrix");
    let texts = bench.texts();
    // The object in the scene has its number, too, on the left.
    let in_legend = |text: &&(String, egui::Rect, f32)| text.0 == "6" && text.1.left() > 700.0;
    let [column, row] = texts.iter().filter(in_legend).collect::<Vec<_>>()[..] else {
        panic!("no number above a column and beside a row: {texts:?}")
    };
    assert!(column.1.left() > row.1.right() && column.1.bottom() < row.1.top());
    let in_scene = |texts: &[(String, egui::Rect, f32)], number: &str| {
        texts.iter().any(|(text, rect, _)| text == number && rect.right() < 700.0)
    };
    assert!(in_scene(&texts, "6"), "the object has no number");
    let many = Scene { objects: 65, radius: Radius::Equal(0.05), ..crowded() };
    let mut bench = Bench::new(session(many, "sap-matrix"));
    bench.click(Role::CheckBox, "Matrix");
    bench.harness.get_by_label("65 rows and columns: drawn up to 64 objects");
    assert!(!in_scene(&bench.texts(), "64"), "of many objects, each has its number");
}

/// The colours of the objects in the scene.
fn painted(bench: &mut Bench) -> Vec<[u8; 4]> {
    let view = bench.stage().view();
    view.spheres.iter().map(|sphere| sphere.color).collect()
}

#[test]
fn objects_tested_against_the_picked_one_are_counted_and_tinted() {
    const TESTED: [u8; 4] = Theme::DARK.tested;
    for entry in ALGORITHMS {
        let mut bench = Bench::of(entry.id);
        bench.steps(3);
        assert!(!says(&bench, "tested against its box"), "{}: nothing is picked", entry.id);
        assert!(!painted(&mut bench).contains(&TESTED), "{}", entry.id);
        bench.stage().panel.view.picked = Some(7);
        bench.stage().look();
        bench.harness.run();
        let picked = bench.stage().snapshot.picked.clone().unwrap();
        let is_tested = |candidate: &&u32| picked.tested.contains(candidate);
        let candidates = picked.candidates.iter().filter(is_tested).count();
        let apart = match picked.tested.len() - candidates {
            0 => None,
            1 => Some("1 box tested against its box: apart".to_owned()),
            number => Some(format!("{number} boxes tested against its box: apart")),
        };
        assert_eq!(says(&bench, "tested against its box"), apart.is_some(), "{}", entry.id);
        assert!(apart.is_none_or(|label| says(&bench, &label)), "{}", entry.id);
        // Those that touch it are counted apart, as hits.
        let hits = picked.hits.iter().filter(is_tested).count();
        let plain = candidates - hits;
        assert_eq!(says(&bench, &format!("{plain} tested and overlapping")), plain > 0);
        let touching = format!("{} overlapping, ", picked.hits.len());
        assert_eq!(says(&bench, &touching), !picked.hits.is_empty(), "{}", entry.id);
        let known = picked.candidates.len() - candidates;
        assert_eq!(says(&bench, "known from earlier steps: not tested"), known > 0, "{}", entry.id);
        let others = 49 - picked.tested.len() - known;
        let label = format!("{others} other objects not tested against it.");
        assert_eq!(says(&bench, &label), others > 0, "{}: {others}", entry.id);
        let repeated = picked.tests as usize > picked.tested.len();
        assert_eq!(says(&bench, &format!("{} tests in all: ", picked.tests)), repeated);
        assert!(picked.tested.len() <= picked.tests as usize && !picked.tested.contains(&7));
        assert!(picked.tested.is_sorted_by(|a, b| a < b), "{}: {:?}", entry.id, picked.tested);
        if entry.id == "brute-force" {
            assert_eq!(picked.tested.len(), 49);
        }
        // Candidates keep their colour.
        let colors = painted(&mut bench);
        let tinted = (0..50).filter(|object| colors[*object as usize] == TESTED);
        let others = picked.tested.iter().copied().filter(|object| !picked.concerns(*object));
        assert_eq!(tinted.collect::<Vec<u32>>(), others.collect::<Vec<u32>>(), "{}", entry.id);
    }
}

#[test]
fn objects_of_refused_layers_are_not_called_apart() {
    let mut bench = Bench::new(session(half_static(), "sap-matrix"));
    bench.steps(3);
    let mut any = false;
    for object in 0..50 {
        bench.stage().panel.view.picked = Some(object);
        bench.stage().look();
        bench.harness.run();
        let boxes = bench.session().motion().boxes().to_vec();
        let picked = bench.stage().snapshot.picked.clone().unwrap();
        let own = boxes[object as usize];
        let overlaps = |other: &&u32| boxes[**other as usize].overlaps(&own);
        let others = picked.tested.iter().filter(|other| !picked.concerns(**other));
        let refused = others.filter(overlaps).count();
        assert_eq!(says(&bench, "their layers admit no pair"), refused > 0, "{object}");
        let apart = picked.tested.iter().any(|other| !overlaps(&other));
        assert_eq!(says(&bench, "tested against its box: apart"), apart, "{object}");
        any |= refused > 0;
    }
    assert!(any, "no two objects at rest overlap");
}

#[test]
fn only_what_is_drawn_has_a_colour() {
    let mut bench = Bench::of("kd-tree");
    bench.obey(Order::Algorithm(ALGORITHMS.resolve("bsp@depth=1").unwrap()));
    bench.stage().panel.view.set(Overlay::Planes, true);
    bench.steps(2);
    assert!(says(&bench, "cuts x (y-z plane)") && !says(&bench, "cuts z (x-y plane)"));
    bench.choose("bsp");
    bench.steps(1);
    let names = |bench: &mut Bench, depth: u32| {
        bench.stage().panel.view.plane_depth = depth;
        bench.run();
        ["cuts x", "cuts y", "cuts z"].map(|name| says(bench, name))
    };
    assert_eq!(names(&mut bench, 0), [true, false, false], "only the plane of the root is drawn");
    assert_eq!(names(&mut bench, 9), [true; 3]);
}

#[test]
fn part_without_contents_in_this_step_is_named() {
    for algorithm in ["auto", "sweep-grid", "rest-grid", "kd-tree", "grid-uniform"] {
        let mut bench = Bench::of(algorithm);
        bench.stage().panel.view = bench.stage().panel.view.with_structure(&Overlay::ALL);
        bench.steps(2);
        let regions = match algorithm {
            "kd-tree" => "Leaves",
            "grid-uniform" => "Cells",
            _ => "Columns",
        };
        let mut empty = Vec::new();
        let parts = [
            (Overlay::Regions, regions),
            (Overlay::Blocks, "Blocks of 16"),
            (Overlay::CachedPairs, "Cached pairs"),
        ];
        for (overlay, name) in parts {
            let is_empty = bench.marks(overlay, |_| Some(())).is_empty();
            empty.extend((row(algorithm).shows(overlay) && is_empty).then_some(name));
        }
        for (_, name) in parts {
            let label = format!("{name}: none in this step");
            assert_eq!(says(&bench, &label), empty.contains(&name), "{algorithm}: {label}");
        }
        assert_eq!(empty.is_empty(), !["auto", "rest-grid"].contains(&algorithm), "{algorithm}");
    }
}

#[test]
fn colours_of_kinds_are_counted_with_a_noun() {
    let mut bench = Bench::new(session(half_static(), "kd-tree"));
    bench.steps(1);
    let heading = |bench: &mut Bench, color: ColorBy| {
        bench.stage().panel.view.color = color;
        bench.stage().look();
        bench.harness.run();
        let Tint::Kind { counts, .. } = &bench.stage().snapshot.tint else {
            panic!("{color:?} has no kinds")
        };
        let number = counts.iter().filter(|(kind, _)| *kind != u32::MAX).count();
        let text = texts(bench).into_iter().find(|text| text.starts_with("Colour: ")).unwrap();
        (text, number)
    };
    let (text, number) = heading(&mut bench, ColorBy::Region);
    assert!(number > 1);
    assert_eq!(text, format!("Colour: {number} leaves"));
    assert_eq!(heading(&mut bench, ColorBy::Source).0, "Colour: 2 sources");
    assert_eq!(heading(&mut bench, ColorBy::Layer).0, "Colour: 2 layers");
    assert_eq!(heading(&mut bench, ColorBy::Resting).0, "Colour: resting");
    bench.choose("grid-uniform");
    bench.stage().look();
    let (text, number) = heading(&mut bench, ColorBy::Region);
    assert_eq!(text, format!("Colour: {number} cells"));
    let mut one = Bench::of("kd-tree");
    assert_eq!(heading(&mut one, ColorBy::Source).0, "Colour: 1 source");
}

#[test]
fn states_of_cached_objects_are_counted_and_coloured() {
    let slow = Scene { speed: 0.01, ..crowded() };
    let mut bench = Bench::new(session(slow, "neighbour-list"));
    bench.click(Role::CheckBox, "Fat AABBs");
    bench.click(Role::CheckBox, "Cached pairs");
    bench.steps(3);
    bench.harness.get_by_label("50 within their fat AABB");
    let pairs = bench.cached_pairs().len();
    assert!(pairs >= bench.session().pairs().len());
    bench.harness.get_by_label(&format!("{pairs} cached pairs"));
    bench.choose("rest-grid");
    bench.steps(3);
    bench.harness.get_by_label("Nothing is cached now: all boxes are searched.");
    assert!(row("rest-grid").shows(Overlay::FatBoxes));
}

#[test]
fn sentences_wait_for_a_click_in_a_narrow_window() {
    let mut bench = Bench::sized(session(crowded(), "kd-tree"), 800.0, 1400.0);
    let watch_for = row("kd-tree").watch_for;
    assert!(!says(&bench, watch_for));
    bench.click(Role::Button, "More");
    assert!(says(&bench, watch_for));
    let bench = Bench::sized(session(crowded(), "kd-tree"), 1280.0, 720.0);
    assert!(says(&bench, watch_for));
}
