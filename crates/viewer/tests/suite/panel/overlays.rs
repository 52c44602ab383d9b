//! What an overlay points out: levels, exchanges, straddlers, partners, tests.

use crate::common::bench::{Bench, Stage};
use crate::common::{crowded, row, session};
use broadphase::Aabb;
use broadphase::inspect::{
    BoxMark, Mark, Outcome, Overlay, TreeBox, Visited, for_each_region, planes_of,
};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use sim::Scene;
use sim::scene::Radius;
use std::collections::{BTreeMap, HashSet};
use viewer::picture::Entry;
use viewer::scene_renderer::{Color, Segment, Theme, WireBox};
use viewer::view::{Levels, Row};

const THEME: Theme = Theme::DARK;

fn bench(algorithm: &str, scene: Scene) -> Bench {
    let mut bench = Bench::new(session(scene, algorithm));
    bench.steps(1);
    bench
}

fn slow() -> Scene {
    Scene { speed: 0.01, ..crowded() }
}

/// The nodes of the tree.
fn nodes(bench: &Bench) -> Vec<TreeBox> {
    bench.marks(Overlay::TreeBoxes, |mark| match mark {
        Mark::Node(node) => Some(node),
        _ => None,
    })
}

fn pick(bench: &mut Bench, object: u32) {
    bench.stage().panel.view.picked = Some(object);
    bench.stage().look();
    bench.harness.run();
}

/// The drawn boxes, lines, lines over the objects, and colours of spheres.
fn drawn(bench: &mut Bench) -> (Vec<WireBox>, Vec<Segment>, Vec<Segment>, Vec<Color>) {
    bench.stage().panel.view.set(Row::Sources, false);
    let view = bench.stage().view();
    let colors = view.spheres.iter().map(|sphere| sphere.color).collect();
    (view.boxes.to_vec(), view.segments.to_vec(), view.over_objects.to_vec(), colors)
}

#[test]
fn cells_have_the_colours_of_their_levels() {
    let sizes = Scene { radius: Radius::LogUniform(0.01, 0.2), ..crowded() };
    let mut bench = bench("grid-hierarchical", sizes);
    bench.click(Role::CheckBox, "Cells");
    let (boxes, ..) = drawn(&mut bench);
    let mut levels: BTreeMap<u32, Vec<f32>> = BTreeMap::new();
    for_each_region(bench.session().structure().inspect(), &mut |cell| {
        let side = cell.region.bounds.size().max_element();
        levels.entry(cell.region.depth).or_default().push(side);
    });
    assert!(levels.len() > 1, "{levels:?}");
    let mut colors = HashSet::new();
    for (depth, sides) in &levels {
        let (number, side) = (sides.len(), sides.iter().copied().fold(0.0, f32::max));
        let share = *depth as f32 / (levels.len() - 1) as f32;
        let [r, g, b] = THEME.on_scale(0.35 + 0.65 * share);
        let of_level = boxes.iter().filter(|wire| wire.color[..3] == [r, g, b]);
        assert_eq!(of_level.count(), number, "level {depth}");
        assert!(colors.insert([r, g, b]));
        let sizes = format!(", objects up to {:.2}", 0.5 * side);
        let label = format!("level {depth}: {number} cells of side ");
        let label = bench.harness.query_all_by_label_contains(&label).next().unwrap();
        assert!(label.accesskit_node().value().unwrap().ends_with(&sizes), "{sizes}");
    }
    bench.choose("grid-uniform");
    assert!(bench.harness.query_by_label_contains("level 0: ").is_none(), "all cells are equal");
}

#[test]
fn exchanged_ends_are_marked_and_counted() {
    let mut bench = bench("sap-incremental", Scene { speed: 0.1, ..crowded() });
    bench.steps(1);
    bench.click(Role::CheckBox, "Endpoints");
    let exchanges = |bench: &mut Bench| {
        let work = &bench.stage().snapshot.search.work;
        work.iter().find(|work| work.name == "exchanges").map_or(0, |work| work.count)
    };
    bench.stage().look();
    let mut steps = 0;
    while exchanges(&mut bench) == 0 {
        bench.steps(1);
        steps += 1;
        assert!(steps < 100, "no ends are exchanged");
    }
    let number = exchanges(&mut bench);
    bench.harness.run();
    bench.harness.get_by_label("two ends exchanged a moment ago");
    // The step in which the overlay was switched on is counted too.
    let counted = bench.stage().snapshot.changed.exchanges.steps;
    assert_eq!(counted, steps + 1);
    let now = format!("{number} in this step");
    bench.harness.get_by_label(&match counted {
        1 => now,
        _ => format!("{now}, {number} in the last {counted} steps"),
    });
    let in_words = bench.harness.get_all_by_label_contains("changed places. ").count();
    assert_eq!(in_words as u64, number.min(2));
    let (_, segments, ..) = drawn(&mut bench);
    let marks = segments.iter().filter(|s| s.color == THEME.mark);
    assert_eq!(marks.count() as u64, 4 * number, "a lower and an upper end each, and their bars");
    bench.choose("sap-1-axis");
    bench.steps(1);
    assert!(bench.harness.query_by_label_contains("exchanged").is_none());
}

#[test]
fn of_few_objects_those_with_exchanged_ends_are_framed() {
    for (objects, are_framed) in [(12, true), (13, false)] {
        let mut bench = bench("sap-incremental", Scene { objects, ..crowded() });
        bench.stage().panel.view.set(Overlay::Endpoints, true);
        let mut framed = false;
        for _ in 0..30 {
            bench.steps(1);
            let (boxes, ..) = drawn(&mut bench);
            let now = bench.stage().snapshot.changed.exchanges.now;
            let marked = boxes.iter().filter(|b| b.color == THEME.mark).count();
            // Those of this step are opaque.
            assert_eq!(marked, if are_framed { 2 * now } else { 0 }, "{objects} objects");
            framed |= marked > 0;
        }
        assert_eq!(framed, are_framed, "{objects} objects");
    }
}

#[test]
fn own_blocks_of_several_columns_are_not_ahead() {
    let many = Scene { objects: 3000, radius: Radius::Equal(0.02), ..crowded() };
    let mut bench = bench("sweep-grid", many);
    bench.stage().panel.view.set(Overlay::Blocks, true);
    bench.stage().look();
    let mut on_border = 0;
    for object in 0..200 {
        pick(&mut bench, object);
        let (boxes, ..) = drawn(&mut bench);
        let [own, ahead] = [THEME.picked, THEME.overlap]
            .map(|color| boxes.iter().filter(|b| b.color == color && b.width == 1.75).count());
        on_border += usize::from(own > 1);
        let plural = if ahead == 1 { "" } else { "s" };
        let label = format!("{ahead} block{plural} ahead that it is compared with");
        let is_said = bench.harness.query_by_label(&label).is_some();
        assert_eq!(is_said, ahead > 0, "{object}: {own} own, {ahead} ahead");
    }
    assert!(on_border > 0, "no object is in two columns");
}

#[test]
fn objects_cut_by_a_plane_have_its_colour() {
    let mut bench = bench("kd-sap", crowded());
    bench.click(Role::CheckBox, "Planes");
    let (.., colors) = drawn(&mut bench);
    let mut held = 0;
    for_each_region(bench.session().structure().inspect(), &mut |list| {
        let Some(plane) = list.plane else { return };
        let [r, g, b] = THEME.planes[plane.index()];
        for object in list.objects {
            assert_eq!(colors[*object as usize], [r, g, b, 255], "{object}");
            held += 1;
        }
    });
    assert!(held > 0);
    let outlines = drawn(&mut bench).0.into_iter();
    let outlined = outlines.filter(|b| THEME.planes.iter().any(|p| b.color[..3] == p[..]));
    assert_eq!(outlined.count(), held, "their boxes have it, too");
    let in_colour = colors.iter().filter(|c| THEME.planes.iter().any(|p| c[..3] == p[..]));
    assert_eq!(in_colour.count(), held);
    bench.harness.run();
    bench.harness.get_by_label_contains(&format!("{held} objects are cut by a plane"));
    assert_eq!(bench.figure("Objects kept in inner nodes"), held.to_string());
}

#[test]
fn cached_partners_of_a_picked_object_stand_out() {
    let mut bench = bench("neighbour-list", slow());
    bench.click(Role::CheckBox, "Cached pairs");
    bench.steps(3);
    let object = bench.cached_pairs()[0].pair.a;
    bench.harness.get_by_label("Click an object: its partners.");
    pick(&mut bench, object);
    let number = bench.partners_of(object).len();
    bench.harness.get_by_label(&format!("cached partners of {object}: {number}"));
    let (boxes, _, lines, _) = drawn(&mut bench);
    let lit = boxes.iter().filter(|b| b.color == THEME.overlap && b.width == 2.0);
    assert_eq!(lit.count(), number);
    let all = bench.cached_pairs().len();
    let opaque = lines.iter().filter(|line| line.width > 2.0);
    assert_eq!((lines.len(), opaque.count()), (all, number));
}

#[test]
fn tests_of_brute_force_are_lines_of_the_picked_object() {
    let mut bench = bench("brute-force", crowded());
    bench.harness.get_by_label("Click an object: each line is a test.");
    assert!(drawn(&mut bench).1.is_empty());
    pick(&mut bench, 7);
    let candidates = bench.stage().snapshot.picked.as_ref().unwrap().candidates.len();
    bench.harness.get_by_label(&format!("line: {} tests without an overlap", 49 - candidates));
    assert_eq!(drawn(&mut bench).1.len(), 49, "a line for each other object");
    bench.choose("bsp");
    assert_eq!(drawn(&mut bench).1.len(), candidates);
}

#[test]
fn blocks_are_those_of_one_column() {
    let many = Scene { objects: 3000, radius: Radius::Equal(0.01), ..crowded() };
    let mut bench = bench("sweep-grid", many);
    bench.click(Role::CheckBox, "Blocks of 16");
    let shown = |bench: &mut Bench| {
        let (boxes, ..) = drawn(bench);
        boxes.iter().filter(|b| b.width == 1.25).count()
    };
    // Column, place, and whether the picked object is in it.
    let blocks = bench.marks(Overlay::Blocks, |mark| match mark {
        Mark::Block(block) => Some((block.region, block.place, block.objects.contains(&7))),
        _ => None,
    });
    let longest = blocks.iter().map(|(_, place, _)| place + 1).max().unwrap();
    assert_eq!(shown(&mut bench), longest as usize);
    let label = format!("{longest} blocks drawn, those of the fullest column.");
    bench.harness.get_by_label(&label);
    pick(&mut bench, 7);
    let own: HashSet<u32> = blocks.iter().filter(|of| of.2).map(|of| of.0).collect();
    let of_own = blocks.iter().filter(|of| own.contains(&of.0)).count();
    assert!(of_own > 0 && of_own < blocks.len(), "{of_own}");
    assert_eq!(shown(&mut bench), of_own);
}

#[test]
fn resting_objects_are_grey_where_fat_boxes_are_shown() {
    let still = Scene { speed: 0.0, ..crowded() };
    let mut bench = bench("rest-grid", still);
    bench.steps(20);
    bench.click(Role::CheckBox, "Fat AABBs");
    let (.., colors) = drawn(&mut bench);
    let resting = bench.marks(Overlay::FatBoxes, |mark| match mark {
        Mark::Box(BoxMark { role: 0, .. }) => Some(()),
        _ => None,
    });
    let resting = resting.len();
    let grey = colors.iter().filter(|color| {
        let [r, g, b, _] = **color;
        r.abs_diff(b) < 20 && g.abs_diff(r) < 20
    });
    assert!(resting > 0, "nothing rests");
    assert_eq!(grey.count(), resting);
}

#[test]
fn tree_built_from_the_leaves_is_shown_by_height() {
    let mut bench = bench("bvh-bottom-up", crowded());
    bench.click(Role::CheckBox, "Boxes");
    let (boxes, ..) = drawn(&mut bench);
    let leaves = boxes.iter().filter(|b| b.color[..3] == THEME.leaf[..3]).count();
    assert_eq!(leaves, 50, "all leaves, and few above");
    bench.harness.get_by_label("height 1");
    bench.choose("bvh-top-down");
    bench.steps(1);
    bench.harness.get_by_label("depth 0");
}

#[test]
fn moved_plane_is_dashed_where_it_was() {
    let mut bench = bench("kd-tree", crowded());
    bench.click(Role::CheckBox, "Planes");
    let (mut seen, mut unseen) = (0, 0);
    for _ in 0..60 {
        bench.steps(1);
        let moved = bench.stage().snapshot.changed.planes.fresh.clone();
        let is_known = moved.iter().any(|(moved, _)| moved.before.is_some());
        let (_, segments, ..) = drawn(&mut bench);
        let dashes: Vec<&Segment> = segments.iter().filter(|s| s.color == THEME.mark).collect();
        let is_there = |at: &Segment| {
            let mut before = moved.iter().filter_map(|(moved, _)| moved.before);
            before.any(|plane| at.a[plane.axis.index()] == plane.position)
        };
        assert_eq!(!dashes.is_empty(), is_known);
        assert!(dashes.into_iter().all(is_there));
        // The first two have their objects counted on both sides.
        let labels = bench.harness.query_all_by_label_contains("before: ").count();
        let counted = moved.iter().take(2).filter(|(moved, _)| moved.before.is_some());
        assert_eq!(labels, counted.count());
        seen += u32::from(is_known);
        unseen += u32::from(!is_known);
    }
    assert!(seen > 0 && unseen > 0, "{seen} {unseen}");
}

#[test]
fn boxes_on_the_way_have_their_numbers() {
    for id in ["bvh-bottom-up", "bvh-top-down"] {
        let mut bench = bench(id, Scene { objects: 8, ..crowded() });
        bench.click(Role::CheckBox, "Boxes");
        bench.stage().panel.view.tree_levels = Levels { depth: 9, only: false };
        pick(&mut bench, 3);
        let nodes = nodes(&bench);
        let picked = bench.stage().snapshot.picked.clone().expect("it is picked");
        let texts = bench.texts();
        for visited in picked.visited.iter().filter(|node| node.outcome == Outcome::Holds) {
            let node =
                nodes.iter().find(|node| node.bounds == visited.bounds).expect("it is in the tree");
            let Some(step) = node.step else { continue };
            // In the scene, left of the legend.
            let is_number = |(text, rect, _): &(String, egui::Rect, f32)| {
                *text == step.to_string() && rect.right() < 700.0
            };
            assert!(texts.iter().any(is_number), "{id}: {step}");
        }
    }
}

#[test]
fn cell_of_a_picked_object_is_named_by_place_and_slot() {
    let mut bench = bench("grid-hashed", crowded());
    pick(&mut bench, 7);
    let slots = bench.stage().snapshot.picked.as_ref().unwrap().slots.clone();
    assert!(!slots.is_empty());
    for slot in slots.iter().flatten().take(8) {
        let [x, y, z] = slot.cell;
        let place = format!("cell ({x}, {y}, {z}), hash slot {} of {}", slot.slot, slot.slots);
        bench.harness.get_by_label(&place);
    }
    bench.choose("grid-uniform");
    assert!(bench.harness.query_by_label_contains("hash slot").is_none());
    assert!(row("grid-uniform").shows(broadphase::inspect::Overlay::Regions));
}

/// What the bars of a colour span on an axis.
fn bars(segments: &[Segment], color: Color, axis: usize) -> Vec<[f32; 2]> {
    let along = segments.iter().filter(|s| s.color == color && s.a[axis] != s.b[axis]);
    along.map(|s| [s.a[axis], s.b[axis]]).collect()
}

#[test]
fn bars_of_a_picked_object_are_those_of_its_column() {
    let many = Scene { objects: 3000, radius: Radius::Equal(0.01), ..crowded() };
    for id in ["sweep-grid", "kd-sap"] {
        let mut bench = bench(id, many.clone());
        let regions = if id == "kd-sap" { "Leaves" } else { "Columns" };
        bench.stage().panel.view.set(Overlay::Regions, true);
        pick(&mut bench, 7);
        let picked = bench.stage().snapshot.picked.clone().unwrap();
        let sweeps = &picked.sweeps;
        let intervals = &sweeps.intervals.kept;
        assert!(sweeps.own > 0 && intervals.len() < 3000, "{id}: {}", intervals.len());
        let own = intervals.iter().find(|i| i.object == 7).unwrap();
        let axis = own.axis.index();
        let (_, segments, ..) = drawn(&mut bench);
        let boxes = bench.session().motion().boxes().to_vec();
        let b = &boxes[7];
        assert!(bars(&segments, THEME.picked, axis).contains(&[b.min[axis], b.max[axis]]), "{id}");
        // One bar in the colour of tested objects for each that does not overlap it.
        let tested = picked.tested.iter().filter(|object| !picked.concerns(**object));
        let solid = tested.filter(|object| !sweeps.carried.contains(object));
        let lit = bars(&segments, THEME.tested, axis);
        for other in solid.clone() {
            let other = &boxes[*other as usize];
            assert!(lit.contains(&[other.min[axis], other.max[axis]]), "{id}");
        }
        assert!(solid.count() > 3, "{id}");
        bench.harness.run();
        let lanes = sweeps.intervals.lanes;
        assert!(lanes[axis] > 1, "{id}: {lanes:?}");
        bench.harness.get_by_label_contains("not tested: beyond its reach");
        let before = segments.len();
        bench.click(Role::CheckBox, regions);
        assert!(drawn(&mut bench).1.len() + 100 < before, "{id}: without {regions} no bars");
    }
}

#[test]
fn bars_of_resting_objects_have_their_own_colour() {
    let still = Scene { objects: 400, speed: 0.0, radius: Radius::Equal(0.03), ..crowded() };
    let mut bench = bench("rest-grid", still);
    bench.steps(20);
    bench.stage().panel.view.set(Overlay::Regions, true);
    pick(&mut bench, 7);
    let (_, segments, ..) = drawn(&mut bench);
    let lit = segments.iter().filter(|s| [THEME.overlap, THEME.tested].contains(&s.color));
    assert_eq!(lit.count(), 0, "nothing is tested");
    bench.harness.run();
    bench.harness.get_by_label_contains("overlap it here, resting as it is: not tested");
}

#[test]
fn way_of_a_picked_object_down_a_tree_is_drawn() {
    for (id, parts) in [("bsp", "Planes"), ("kd-tree", "Planes"), ("bvh-linear", "Boxes")] {
        let mut bench = bench(id, crowded());
        bench.click(Role::CheckBox, parts);
        let faintest = |boxes: &[WireBox]| boxes.iter().map(|b| b.color[3]).min();
        let before = faintest(&drawn(&mut bench).0);
        pick(&mut bench, 7);
        let picked = bench.stage().snapshot.picked.clone().unwrap();
        let of = |outcome| picked.visited.iter().filter(move |node| node.outcome == outcome);
        let (boxes, segments, ..) = drawn(&mut bench);
        for node in of(Outcome::Holds) {
            let white = |b: &WireBox| b.bounds == node.bounds && b.color[..3] == THEME.picked[..3];
            assert!(boxes.iter().any(white), "{id}: {node:?}");
        }
        let green = boxes.iter().filter(|b| b.color == THEME.overlap).count();
        assert_eq!(green, of(Outcome::Searched).count(), "{id}");
        let [r, g, b, _] = THEME.rail;
        let dashes = segments.iter().filter(|s| s.color[..3] == [r, g, b]).count();
        assert!(of(Outcome::Rejected).count() > 0 && dashes > 0, "{id}");
        // The rest of the tree steps back.
        assert!(parts == "Planes" || faintest(&boxes) < before, "{id}: {before:?}");
        bench.harness.run();
        bench.harness.get_by_label("Its way down the tree");
        if parts == "Boxes" {
            bench.harness.get_by_label_contains("its root on top");
            let nodes = nodes(&bench);
            let is_in_tree = |visited: &Visited| {
                nodes.iter().any(|n| (n.bounds, n.depth) == (visited.bounds, visited.depth))
            };
            assert!(picked.visited.iter().all(is_in_tree));
            let Stage { snapshot, panel, .. } = bench.stage();
            let legend = snapshot.drawing.legend(&panel.view);
            let is_hollow = |entry: &&Entry| match entry {
                Entry::Tree(nodes) => nodes.iter().any(|node| !node.is_filled),
                _ => false,
            };
            assert!(legend.iter().any(is_hollow), "no node is rejected");
        }
        let holds = of(Outcome::Holds).count();
        let leaves = picked.regions.len();
        let label = match parts {
            "Planes" if id != "kd-sap" => {
                let name = if leaves == 1 { "leaf holds" } else { "leaves hold" };
                let cells = if holds - leaves == 1 { "cell" } else { "cells" };
                format!("{leaves} {name} it, and {} {cells} above", holds - leaves)
            }
            "Planes" => format!("{holds} cells hold it"),
            _ => format!("{holds} boxes hold it"),
        };
        bench.harness.get_by_label(&label);
    }
}

#[test]
fn diagram_of_planes_has_axes_and_numbers_of_leaves() {
    for id in ["bsp", "kd-sap"] {
        let mut bench = bench(id, crowded());
        ["Planes", "Leaves"].into_iter().for_each(|part| bench.click(Role::CheckBox, part));
        for object in [None, Some(7)] {
            bench.pick(object);
            // The texts of the diagram follow two lines in words. Those in the scene are drawn before.
            let texts = bench.texts().into_iter().map(|(text, ..)| text);
            let legend = texts.skip_while(|text| !text.contains("its root on top"));
            let inside: Vec<String> = legend.skip(2).take_while(|text| text.len() < 6).collect();
            let inspect = bench.session().structure().inspect();
            let (planes, mut lists) = (planes_of(inspect).len(), 0);
            for_each_region(inspect, &mut |_| lists += 1);
            let is_axis = |text: &&String| text.starts_with(['x', 'y', 'z']) && text.len() < 5;
            assert_eq!(inside.iter().filter(is_axis).count(), planes, "{id}: {inside:?}");
            let leaves = lists - if id == "kd-sap" { planes } else { 0 };
            let is_number = |text: &&String| text.parse::<u32>().is_ok();
            assert_eq!(inside.iter().filter(is_number).count(), leaves, "{id}: {inside:?}");
        }
    }
}

#[test]
fn cells_of_an_octree_compared_with_a_picked_one_are_green() {
    let sizes = Scene { objects: 400, radius: Radius::LogUniform(0.01, 0.1), ..crowded() };
    let mut bench = bench("octree-loose", sizes);
    bench.click(Role::CheckBox, "Cells");
    pick(&mut bench, 7);
    let (boxes, ..) = drawn(&mut bench);
    let green = boxes.iter().filter(|b| b.color[..3] == THEME.overlap[..3]);
    let (green, bright) = (green.clone().count(), green.filter(|b| b.color[3] == 255).count());
    assert_eq!(bright, 1, "the one whose reach is dashed");
    let picked = bench.stage().snapshot.picked.clone().unwrap();
    let searched = picked.visited.iter().filter(|node| node.outcome == Outcome::Searched).count();
    assert!(searched > 0 && green == searched, "{green} of {searched}");
    bench.harness.run();
    let cells = if searched == 1 { "cell" } else { "cells" };
    bench.harness.get_by_label(&format!("{searched} {cells} compared with its cell"));
}

#[test]
fn diagram_of_an_octree_stays_when_an_object_is_picked() {
    let mut bench = bench("octree-loose", crowded());
    bench.click(Role::CheckBox, "Boxes");
    for object in [None, Some(7)] {
        bench.pick(object);
        bench.harness.get_by_label_contains("its root on top");
    }
    let leaves = |bench: &mut Bench| {
        let (boxes, ..) = drawn(bench);
        boxes.iter().filter(|b| b.color[..3] == THEME.leaf[..3]).count()
    };
    bench.pick(None);
    assert!(leaves(&mut bench) > 0);
    bench.click(Role::CheckBox, "Cells");
    assert_eq!(leaves(&mut bench), 0, "they are drawn as cells");
}

#[test]
fn coarser_cells_that_a_picked_object_searches_are_drawn() {
    let sizes = Scene { radius: Radius::LogUniform(0.01, 0.2), ..crowded() };
    let mut bench = bench("grid-hierarchical", sizes);
    bench.click(Role::CheckBox, "Cells");
    let small = (0..50).find(|object| {
        pick(&mut bench, *object);
        let visited = &bench.stage().snapshot.picked.as_ref().unwrap().visited;
        visited.iter().any(|cell| cell.outcome == Outcome::Searched)
    });
    assert!(small.is_some(), "no object searches a coarser cell");
    let picked = bench.stage().snapshot.picked.clone().unwrap();
    let searched: Vec<_> =
        picked.visited.iter().filter(|cell| cell.outcome == Outcome::Searched).collect();
    let (boxes, ..) = drawn(&mut bench);
    let green: Vec<_> = boxes.iter().filter(|b| b.color == THEME.overlap).collect();
    assert_eq!(green.len(), searched.len());
    // Drawn up to the walls.
    let covers = |drawn: &Aabb, cell: &Aabb| cell.union(drawn) == *cell;
    assert!(searched.iter().all(|cell| green.iter().any(|b| covers(&b.bounds, &cell.bounds))));
    bench.harness.get_by_label_contains(": searched");
}

#[test]
fn rotations_and_reinsertions_have_different_colours() {
    let mut bench = bench("bvh-incremental", Scene { speed: 0.6, ..crowded() });
    bench.click(Role::CheckBox, "Boxes");
    bench.click(Role::CheckBox, "Fat AABBs");
    let mut steps = 0;
    loop {
        bench.steps(1);
        let changed = &bench.stage().snapshot.changed;
        if !changed.rotations.fresh.is_empty() && !changed.escapes.fresh.is_empty() {
            break;
        }
        steps += 1;
        assert!(steps < 200, "no node is rotated");
    }
    let (boxes, ..) = drawn(&mut bench);
    let of = |[r, g, b, _]: Color| boxes.iter().filter(move |wire| wire.color[..3] == [r, g, b]);
    let changed = &bench.stage().snapshot.changed;
    assert_eq!(of(THEME.rotated).count(), 2 * changed.rotations.fresh.len());
    assert_eq!(of(THEME.mark).count(), changed.escapes.fresh.len());
    bench.harness.get_by_label("two subtrees changed places a moment ago");
}

#[test]
fn blocks_have_bars_beside_the_order_of_the_sweep() {
    let mut bench = bench("box-pruning", crowded());
    bench.click(Role::CheckBox, "Endpoints");
    let before = drawn(&mut bench).1.len();
    bench.click(Role::CheckBox, "Blocks of 16");
    let (_, segments, ..) = drawn(&mut bench);
    let begins = bench.marks(Overlay::Blocks, |mark| match mark {
        Mark::Block(block) => Some((block.axis.index(), block.bounds.min[block.axis.index()])),
        _ => None,
    });
    assert_eq!((begins.len(), segments.len()), (4, before + 4), "50 objects");
    let begins_a_bar = |(axis, low): &(usize, f32)| segments.iter().any(|s| s.a[*axis] == *low);
    assert!(begins.iter().all(begins_a_bar));
}
