//! Names and places of all controls.

use crate::common::bench::Bench;
use crate::common::shown::SHOWN;
use crate::common::{crowded, row, session, tumbling};
use crate::panel::planted::FORGETFUL;
use crate::panel::scene::{divided, scene_bench};
use crate::panel::structure::structure_bench;
use broadphase::inspect::Overlay;
use broadphase::registry::ALGORITHMS;
use egui::accesskit::Role;
use egui::pos2;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::DVec3;
use std::collections::HashSet;
use viewer::panel;
use viewer::simulation::Order;
use viewer::view::{ColorBy, Row};

/// Role and name of every control. Each must have a name, and no two of a role the same.
fn control_names(bench: &Bench) -> HashSet<(Role, String)> {
    use Role::{Button, CheckBox, ComboBox, Link, RadioButton, Slider, SpinButton, TextInput};
    let controls = [Button, CheckBox, ComboBox, Link, RadioButton, Slider, SpinButton, TextInput];
    let mut names = HashSet::new();
    for node in bench.harness.root().children_recursive() {
        let control = node.accesskit_node();
        if controls.contains(&control.role()) {
            let name = control.label().unwrap_or_default();
            assert!(!name.trim().is_empty(), "{node:?}");
            assert!(names.insert((control.role(), name)), "a second {node:?}");
        }
    }
    names
}

#[test]
fn every_control_of_the_panel_has_a_unique_name() {
    let mut bench = Bench::of("brute-force");
    for entry in ALGORITHMS {
        bench.choose(entry.id);
        bench.click(Role::ComboBox, "Algorithm");
        let names = control_names(&bench);
        // The open list, and the rest of the panel.
        let families = ALGORITHMS.iter().filter(|entry| entry.variant.is_none()).count();
        assert!(names.len() >= 19 + families, "{names:?}");
        bench.click(Role::ComboBox, "Algorithm");
    }
}

#[test]
fn every_control_has_a_unique_name_with_all_panels_open() {
    // Wide enough for the chart of the comparison with all panels open.
    let mut bench = Bench::sized(session(crowded(), "brute-force"), 1600.0, 1400.0);
    bench.stage().panel.compare.open = true;
    for entry in ALGORITHMS {
        bench.choose(entry.id);
        bench.obey(Order::Compare(vec![&FORGETFUL]));
        bench.steps(1);
        let panel = &mut bench.stage().panel;
        (panel.help, panel.more.open) = (true, true);
        panel.view.set(Overlay::Regions, true);
        panel.view.color = ColorBy::Tests;
        bench.stage().look();
        bench.harness.run();
        let names = control_names(&bench);
        for expected in ["All", "None", "Lines", "Bars", "Linear", "Log", "Close"] {
            assert!(names.contains(&(Role::Button, expected.to_owned())), "{expected}");
        }
        assert!(names.contains(&(Role::CheckBox, FORGETFUL.name.to_owned())));
    }
}

#[test]
fn every_control_about_the_scene_has_a_unique_name() {
    let mut bench = scene_bench(divided());
    bench.stage().shipped = vec!["scenes/pad.scene".into(), "scenes/random.scene".into()];
    bench.stage().recent = vec!["/a/pad.scene".into(), "/b/pad.scene".into()];
    bench.select("1   40 %");
    bench.select("1   y-z");
    let names = control_names(&bench);
    assert!(names.len() >= 70, "{}: {names:?}", names.len());
}

/// A bench with everything about bodies switched on, and one of them picked.
fn bodies_bench(width: f32, height: f32) -> Bench {
    let mut bench = Bench::sized(session(tumbling(), "bsp"), width, height);
    let panel = &mut bench.stage().panel;
    panel.view.picked = Some(0);
    for row in [Row::Aabbs, Row::Volumes, Row::Contacts, Row::Normals] {
        panel.view.set(row, true);
    }
    bench
}

#[test]
fn every_control_about_bodies_has_a_unique_name() {
    let mut bench = bodies_bench(1600.0, 1400.0);
    bench.stage().panel.more.open = true;
    bench.steps(2);
    for list in ["Bounding volume", "Narrow phase"] {
        bench.click(Role::ComboBox, list);
        let names = control_names(&bench);
        let kinds = ["AABB: tight", "AABB: rotated", "AABB: sphere"];
        assert!(kinds.iter().all(|kind| names.contains(&(Role::Button, (*kind).to_owned()))));
        assert!(names.contains(&(Role::Button, "Close".to_owned())), "that of the inspector");
        bench.click(Role::ComboBox, list);
    }
}

#[test]
fn panels_about_bodies_do_not_overflow() {
    for (width, height) in [(1280.0, 720.0), (640.0, 360.0)] {
        let mut bench = bodies_bench(width, height);
        bench.steps(20);
        let right = width - MARGIN - panel::WIDTH;
        let expected = (MARGIN, right, height - MARGIN - panel::SCRUBBER_HEIGHT);
        let bounds = |bench: &mut Bench| {
            let scene = bench.stage().scene;
            (scene.left(), scene.right(), scene.bottom())
        };
        assert_eq!(bounds(&mut bench), expected);
        // The longest figures.
        let bodies = bench.stage().snapshot.objects.bodies.as_mut().unwrap();
        bodies.energy = 1.234e-29;
        bodies.momentum = DVec3::X * 1.234e-29;
        bodies.angular_momentum = DVec3::X * 1.234e-29;
        bench.harness.run();
        assert_eq!(bounds(&mut bench), expected);
    }
}

#[test]
fn edges_of_panels_are_dragged() {
    let mut bench = Bench::sized(session(crowded(), "brute-force"), 1280.0, 720.0);
    bench.stage().panel.more.open = true;
    bench.stage().panel.compare.open = true;
    bench.harness.run();
    let scene = |bench: &mut Bench| bench.stage().scene;
    let before = scene(&mut bench);
    let (x, y) = (before.center().x, before.center().y);
    bench.drag(pos2(before.right(), y), pos2(before.right() - 60.0, y));
    bench.drag(pos2(before.left(), y), pos2(before.left() + 40.0, y));
    let narrow = scene(&mut bench);
    assert_eq!((narrow.left(), narrow.right()), (before.left() + 40.0, before.right() - 60.0));
    // The edge of *Compare*, under the bar of the steps.
    let edge = before.bottom() + panel::SCRUBBER_HEIGHT;
    bench.drag(pos2(x, edge), pos2(x, edge - 50.0));
    assert_eq!(scene(&mut bench).bottom(), before.bottom() - 50.0);
    // No panel is narrower than its contents.
    let right = scene(&mut bench).right();
    bench.drag(pos2(right, y - 60.0), pos2(1270.0, y - 60.0));
    assert_eq!(scene(&mut bench).right(), before.right());
    // A window of another size has its own sizes.
    bench.harness.set_size(egui::vec2(1280.0, 900.0));
    bench.harness.run();
    let tall = scene(&mut bench);
    assert_eq!((tall.left(), tall.right()), (before.left(), before.right()));
    assert!(tall.height() > before.height() + 60.0, "{tall}");
}

#[test]
fn dragged_panels_leave_room_to_the_scene() {
    for (width, height) in [(1280.0, 720.0), (960.0, 600.0), (640.0, 480.0)] {
        let mut bench = Bench::sized(session(crowded(), "brute-force"), width, height);
        bench.stage().panel.more.open = true;
        bench.stage().panel.compare.open = true;
        bench.harness.run();
        let scene = |bench: &mut Bench| bench.stage().scene;
        let before = scene(&mut bench);
        let y = before.top() + 20.0;
        bench.drag(pos2(before.right(), y), pos2(10.0, y));
        bench.drag(pos2(before.left(), y), pos2(width - 10.0, y));
        let after = scene(&mut bench);
        assert!(after.width() >= before.width().min(350.0), "{width}: {before} {after}");
        let edge = before.bottom() + panel::SCRUBBER_HEIGHT;
        bench.drag(pos2(before.center().x, edge), pos2(before.center().x, 0.0));
        let after = scene(&mut bench);
        assert!(after.height() >= before.height().min(140.0), "{height}: {before} {after}");
    }
}

/// Margin of the test harness around its contents, in points.
const MARGIN: f32 = 8.0;

#[test]
fn panels_do_not_overflow_their_places() {
    // Contents wider than their panel would push it over the scene.
    for (width, height) in [(1280.0, 720.0), (640.0, 360.0)] {
        let mut bench = Bench::sized(session(crowded(), "brute-force"), width, height);
        bench.stage().panel.view.set(Overlay::Planes, true);
        for entry in ALGORITHMS {
            bench.choose(entry.id);
            let panel = &mut bench.stage().panel;
            (panel.hidden, panel.more.open, panel.compare.open) = (false, false, false);
            bench.steps(20);
            let scene = bench.stage().scene;
            let right = width - MARGIN - panel::WIDTH;
            let expected = (MARGIN, right, height - MARGIN - panel::SCRUBBER_HEIGHT);
            assert_eq!((scene.left(), scene.right(), scene.bottom()), expected, "{}", entry.id);
            bench.stage().panel.more.open = true;
            bench.stage().panel.compare.open = true;
            bench.steps(1);
            let scene = bench.stage().scene;
            let left = MARGIN + if width > 1000.0 { panel::MORE_WIDTH } else { 0.0 };
            assert_eq!((scene.left(), scene.right()), (left, right), "{}", entry.id);
            assert!(scene.bottom() < height - 100.0, "{}", entry.id);
            bench.stage().panel.hidden = true;
            bench.steps(1);
            let scene = bench.stage().scene;
            let size = scene.size() + egui::vec2(2.0, 2.0) * MARGIN;
            assert_eq!(size, egui::vec2(width, height), "{}", entry.id);
        }
    }
}

#[test]
fn panels_are_laid_out_in_windows_of_any_size() {
    for (width, height) in [(1.0, 1.0), (1.0, 900.0), (16_384.0, 1.0), (70.0, 50.0), (320.0, 180.0)]
    {
        let mut bench = Bench::sized(session(crowded(), "kd-tree"), width, height);
        for open in [false, true] {
            let panel = &mut bench.stage().panel;
            (panel.more.open, panel.compare.open) = (open, open);
            (panel.help, panel.view.picked) = (open, Some(0));
            bench.steps(2);
            let scene = bench.stage().scene;
            // Where the margins leave nothing, it is empty.
            let right = width.max(scene.left());
            assert!(scene.is_finite() && scene.right() <= right, "{width} x {height}: {scene}");
        }
    }
}

#[test]
fn export_is_in_sight_on_a_screen_of_720_points() {
    for entry in ALGORITHMS.families() {
        let mut bench = Bench::sized(session(crowded(), entry.id), 1280.0, 720.0);
        bench.stage().panel.view = bench.stage().panel.view.with_structure(&Overlay::ALL);
        bench.steps(20);
        let bottom = bench.harness.get_by_role_and_label(Role::Button, "Frames").rect().bottom();
        assert!(bottom < 720.0 - MARGIN, "{}: {bottom}", entry.id);
    }
}

#[test]
fn overlay_switches_keep_the_panel_width() {
    for row in [&SHOWN, row("kd-tree")] {
        let mut bench = structure_bench(row, crowded());
        let right = bench.stage().scene.right();
        let draw = &mut bench.stage().panel.view;
        *draw = draw.with_structure(&Overlay::ALL);
        draw.tree_levels.depth = 30;
        bench.steps(2);
        assert_eq!(bench.stage().scene.right(), right, "{}", row.id);
    }
}

/// The smallest text that is drawn, with its size in points.
fn smallest_text(bench: &Bench) -> (String, f32) {
    let texts = bench.texts().into_iter().map(|(text, _, size)| (text, size));
    texts.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

#[test]
fn text_has_at_least_twelve_points_in_all_panels() {
    let check = |bench: &Bench, what: &str| {
        let (text, size) = smallest_text(bench);
        assert!(size >= 12.0, "{what}: {text:?} has {size} points");
    };
    let mut bench = Bench::sized(session(crowded(), "brute-force"), 1800.0, 1600.0);
    bench.stage().panel.compare.open = true;
    bench.obey(Order::Compare(vec![&FORGETFUL]));
    bench.steps(2);
    for view in ["Bars", "Lines"] {
        bench.click(Role::Button, view);
        check(&bench, view);
    }
    for entry in ALGORITHMS.families() {
        bench.choose(entry.id);
        let panel = &mut bench.stage().panel;
        (panel.help, panel.guide, panel.suggestions) = (true, true, true);
        (panel.more.open, panel.explains, panel.view.picked) = (true, Some(true), Some(0));
        panel.view = panel.view.with_structure(&Overlay::ALL);
        panel.view.color = ColorBy::Tests;
        bench.steps(1);
        check(&bench, entry.id);
    }
    bench.stage().panel.help = false;
    bench.stage().panel.guide = false;
    bench.click(Role::ComboBox, "Algorithm");
    check(&bench, "the list of algorithms");

    let mut bench = bodies_bench(1800.0, 1600.0);
    bench.steps(2);
    check(&bench, "bodies");
}
