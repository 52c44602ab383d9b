//! Group *Draw*: switches and their effect on the picture.

use crate::common::bench::{Bench, Stage};
use crate::common::{crowded, cube, meeting, session};
use broadphase::inspect::Overlay;
use broadphase::registry::ALGORITHMS;
use egui::accesskit::Role;
use egui_kittest::kittest::NodeT as _;
use glam::Vec3;
use sim::Scene;
use sim::scene::{Obstacle, Radius};
use viewer::composer::Composer;
use viewer::panel::Command;
use viewer::scene_renderer::Theme;
use viewer::view::{ColorBy, MAX_DRAWN_BY_DEFAULT, Row};

#[test]
fn vertical_sync_is_switched() {
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
fn each_draw_switch_removes_only_its_part() {
    let pane = Obstacle {
        corner: Vec3::new(-0.5, 0.0, -0.5),
        size: Vec3::new(1.0, 0.0, 1.0),
        normal: broadphase::Axis::Y,
    };
    let scene = Scene { obstacles: vec![pane], sources: vec![cube()], ..crowded() };
    let mut bench = Bench::new(session(scene, "bsp"));
    bench.stage().panel.view.set(Overlay::Planes, true);
    bench.stage().panel.view.set(Row::Glow, true);
    let all = bench.draw();
    let cases = [
        ("Objects", all.with(Row::Objects, false)),
        ("Sources", all.with(Row::Sources, false)),
        ("Obstacles", all.with(Row::Obstacles, false)),
        ("Planes", all.with_structure(&[])),
        ("Shading", all.with(Row::Shading, false)),
        ("Glow after a hit", all.with(Row::Glow, false)),
    ];
    for (name, without) in cases {
        assert!(bench.is_ticked(name), "{name}");
        bench.click(Role::CheckBox, name);
        assert_eq!(bench.draw(), without, "{name}");
        let view = bench.stage().view();
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
fn spheres_glow_after_a_hit_unless_switched_off() {
    let mut bench = Bench::new(session(meeting(), "bsp"));
    let colors = |bench: &mut Bench| -> Vec<[u8; 4]> {
        let view = bench.stage().view();
        view.spheres.iter().map(|sphere| sphere.color).collect()
    };
    let cold = colors(&mut bench);
    bench.steps(3);
    assert_eq!(colors(&mut bench), [Theme::DARK.hit; 2]);
    assert!(bench.has(Role::Label, "hit a moment ago"));
    bench.pick(Some(0));
    assert_ne!(colors(&mut bench), [Theme::DARK.hit; 2]);
    assert!(!bench.has(Role::Label, "hit a moment ago"), "orange is what the picked one touches");
    bench.pick(None);
    bench.click(Role::CheckBox, "Glow after a hit");
    assert_eq!(colors(&mut bench), cold);
}

#[test]
fn glow_of_many_objects_is_off_until_it_is_chosen() {
    let mut bench = Bench::new(session(meeting(), "bsp"));
    bench.steps(3);
    let hits = |bench: &mut Bench| {
        let Stage { snapshot, panel, .. } = bench.stage();
        let mut composer = Composer::default();
        let camera = snapshot.first_camera();
        let view =
            composer.view(snapshot, &panel.view, Default::default(), camera, &Theme::DARK, 1.0);
        view.spheres.iter().filter(|sphere| sphere.color == Theme::DARK.hit).count()
    };
    for (objects, glows) in [(MAX_DRAWN_BY_DEFAULT, true), (MAX_DRAWN_BY_DEFAULT + 1, false)] {
        let snapshot = &mut bench.stage().snapshot;
        snapshot.objects.positions.resize(objects, Vec3::ZERO);
        snapshot.objects.radii.resize(objects, 0.1);
        bench.harness.run();
        assert_eq!(bench.is_ticked("Glow after a hit"), glows, "{objects}");
        assert_eq!(hits(&mut bench), if glows { 2 } else { 0 });
        assert_eq!(bench.has(Role::Label, "hit a moment ago"), glows);
    }
    bench.click(Role::CheckBox, "Glow after a hit");
    assert!(bench.is_ticked("Glow after a hit"));
    assert_eq!(hits(&mut bench), 2);
}

#[test]
fn switches_without_an_effect_say_so() {
    let mut bench = Bench::of("sap-matrix");
    assert!(!bench.is_disabled(Role::CheckBox, "Glow after a hit"));
    bench.stage().panel.view.color = ColorBy::Tests;
    bench.stage().look();
    bench.harness.run();
    assert!(bench.is_disabled(Role::CheckBox, "Glow after a hit"));
    let meaning = |bench: &Bench, role, name: &str| {
        bench.node(role, name).accesskit_node().data().description().unwrap().to_owned()
    };
    let matrix = "The counters of all pairs, in the legend";
    assert_eq!(meaning(&bench, Role::CheckBox, "Matrix"), matrix);
    bench.click(Role::DisclosureTriangle, "Parameters");
    let threads = meaning(&bench, Role::ComboBox, "threads");
    assert!(threads.contains("Sweep and prune (matrix) searches on one: only motion"), "{threads}");
    bench.choose("sweep-grid");
    let threads = meaning(&bench, Role::ComboBox, "threads");
    assert!(threads.contains("Some algorithms search on one"), "{threads}");
    let many = Scene { objects: 65, radius: Radius::Equal(0.05), ..crowded() };
    let bench = Bench::new(session(many, "sap-matrix"));
    let drawn = "It has no picture now: it is drawn up to 64 objects";
    assert_eq!(meaning(&bench, Role::CheckBox, "Matrix"), format!("{matrix}. {drawn}"));
}

#[test]
fn opacity_of_planes_is_typed_in_per_cent() {
    let mut bench = Bench::of("kd-tree");
    bench.click(Role::CheckBox, "Planes");
    for (typed, taken) in [(55.0, 0.55), (150.0, 1.0), (0.0, 0.0)] {
        bench.set(Role::SpinButton, "opacity", typed);
        assert!((bench.draw().plane_opacity - taken).abs() < 1e-6, "{typed}");
        let view = bench.stage().view();
        let root = view.planes.iter().map(|plane| plane.alpha).fold(0.0, f32::max);
        assert!((root - taken).abs() < 1e-6, "{typed}: {root}");
    }
}

#[test]
fn boxes_are_drawn_up_to_the_height_of_the_slider() {
    let mut bench = Bench::of("bvh-bottom-up");
    bench.click(Role::CheckBox, "Boxes");
    let mut before = 0;
    for height in [0, 1, 2] {
        bench.set(Role::Slider, "height", f64::from(height));
        assert_eq!(bench.draw().tree_levels.depth, height);
        let wanted = bench.stage().view().boxes.len();
        assert!(wanted > before, "{wanted} boxes up to height {height}");
        before = wanted;
    }
}

#[test]
fn dark_and_help_are_switched_by_their_buttons() {
    let mut bench = Bench::of("bsp");
    for dark in [false, true] {
        let command = bench.click_and_obey(Role::CheckBox, "Dark");
        assert!(matches!(command, Command::Dark(wanted) if wanted == dark), "{command:?}");
        assert_eq!(bench.is_ticked("Dark"), dark);
    }
    for open in [true, false] {
        bench.click(Role::Button, "?");
        assert_eq!(bench.has(Role::Label, "one step back"), open);
    }
    bench.assert_no_command();
}

#[test]
fn help_sheet_is_in_sight_as_a_whole() {
    let mut bench = Bench::sized(session(crowded(), "bsp"), 1280.0, 720.0);
    bench.click(Role::Button, "?");
    for text in ["start, stop", "larger, smaller text", "show its figures and neighbours"] {
        assert!(bench.draws(text), "{text}");
    }
}

#[test]
fn picture_is_exported_by_its_button() {
    let mut bench = Bench::of("bsp");
    bench.click(Role::Button, "Picture");
    assert!(matches!(bench.command(), Command::ExportPicture));
}

#[test]
fn planes_are_offered_where_the_algorithm_has_any() {
    let mut bench = Bench::of("brute-force");
    for entry in ALGORITHMS {
        bench.choose(entry.id);
        bench.stage().panel.view.set(Overlay::Planes, false);
        bench.harness.run();
        let planes = entry.shows(broadphase::inspect::Overlay::Planes);
        assert_eq!(bench.has(Role::CheckBox, "Planes"), planes, "{}", entry.id);
        if planes {
            bench.click(Role::CheckBox, "Planes");
            assert!(bench.draw().shows(Overlay::Planes), "{}", entry.id);
        }
    }
}

#[test]
fn planes_are_drawn_down_to_the_depth_of_the_slider() {
    let mut bench = Bench::of("bsp");
    assert!(!bench.has(Role::SpinButton, "Planes down to depth"));
    bench.click(Role::CheckBox, "Planes");
    // Each plane has two below it, and fifty objects take three levels of them.
    for (depth, planes) in [(0, 1), (1, 3), (2, 7)] {
        bench.set(Role::SpinButton, "Planes down to depth", f64::from(depth));
        assert_eq!(bench.draw().plane_depth, depth);
        let view = bench.stage().view();
        assert_eq!(view.planes.len(), planes, "depth {depth}");
    }
}
