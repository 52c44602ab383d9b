//! The panel, clicked without a window: which commands come of it, and what they do to a session.

#![allow(clippy::unwrap_used, reason = "this is a test")]

mod common;

use broadphase::{ALGORITHMS, families};
use common::bench::Bench;
use common::cube;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use sim::scene::{Obstacle, Radius, Triangles};
use sim::{Edit, Scene};
use std::collections::HashSet;
use viewer::composer::{Composer, DrawOptions};
use viewer::panel::{self, Command};
use viewer::scene_renderer::Theme;
use viewer::session::Session;
use viewer::simulation::{Order, Pace};

/// Everything that moves, to the bit.
fn motion(session: &Session) -> (Vec<[u32; 3]>, Vec<[u32; 3]>, f64) {
    let bits = |vectors: &[Vec3]| vectors.iter().map(|v| v.to_array().map(f32::to_bits)).collect();
    let world = session.world();
    (bits(world.positions()), bits(world.velocities()), world.time())
}

#[test]
fn every_algorithm_can_be_chosen_and_the_motion_goes_on_to_the_bit() {
    // Where the whole list has to stand: what is scrolled away cannot be clicked here.
    let session = common::session(common::crowded(), "brute-force");
    let mut bench = Bench::sized(session, 1280.0, 720.0);
    bench.steps(5);
    for row in ALGORITHMS.iter().rev() {
        let before = motion(bench.session());
        let (place, family) =
            families().enumerate().find(|(_, first)| first.id == row.family).unwrap();
        let key = if place < 9 { (place + 1).to_string() } else { "\u{2007}".to_owned() };
        bench.click(Role::ComboBox, "Algorithm");
        bench.click(Role::Button, &format!("{key}  {}", family.name));
        if row.variant.is_some() {
            let first = bench.command();
            bench.obey(first);
            bench.click(Role::ComboBox, "Variant");
            bench.click(Role::Button, row.variant.unwrap());
        }
        let command = bench.command();
        assert!(
            matches!(command, Command::Order(Order::Algorithm(chosen)) if std::ptr::eq(chosen, row))
        );
        bench.obey(command);
        assert_eq!(bench.session().algorithm().id, row.id);
        assert_eq!(motion(bench.session()), before, "{}", row.id);
        let shown = bench.node(Role::ComboBox, "Algorithm").value();
        assert_eq!(shown.as_deref(), Some(family.name));
        bench.steps(2);
    }
}

#[test]
fn the_motion_is_started_and_stopped_by_one_button() {
    let mut bench = Bench::of("bsp");
    assert!(bench.harness.query_by_label("Stop").is_none());
    bench.click(Role::Button, "Start");
    let start = bench.command();
    assert!(matches!(start, Command::Order(Order::Run(true))));
    bench.obey(start);
    assert!(bench.harness.query_by_label("Start").is_none());
    bench.click(Role::Button, "Stop");
    assert!(matches!(bench.command(), Command::Order(Order::Run(false))));
}

#[test]
fn a_single_step_is_taken_standing_still_only() {
    let mut bench = Bench::of("bsp");
    bench.click(Role::Button, "Step");
    let step = bench.command();
    assert!(matches!(step, Command::Order(Order::Step)));
    bench.obey(step);
    assert_eq!((bench.session().world().steps(), bench.session().recorded()), (1, 1));

    bench.obey(Order::Run(true));
    assert!(bench.is_disabled(Role::Button, "Step"));
    bench.click(Role::Button, "Step");
    bench.assert_no_command();
}

#[test]
fn objects_are_generated_as_the_form_says_once_the_button_is_clicked() {
    let mut bench = Bench::of("kd-tree");
    bench.steps(3);
    let before = motion(bench.session());
    bench.set(Role::SpinButton, "Count", 80.0);
    bench.set(Role::SpinButton, "Radius", 0.05);
    bench.set(Role::SpinButton, "Speed", 1.5);
    bench.click(Role::Button, "80");
    bench.assert_no_command();
    assert_eq!(motion(bench.session()), before, "typing alone changes nothing");

    bench.click(Role::Button, "Generate objects");
    let command = bench.command();
    let Command::Order(Order::Generate(scene)) = &command else { panic!("{command:?}") };
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
    bench.steps(2);
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
fn a_long_search_is_told_whether_the_motion_runs_or_not() {
    let mut bench = Bench::of("bsp");
    let told = "BSP tree is at work for 3 s; another may be chosen";
    assert!(bench.harness.query_by_label(told).is_none());
    for running in [false, true] {
        bench.obey(Order::Run(running));
        bench.stage().busy_for = Some(3.2);
        bench.harness.run();
        bench.harness.get_by_label(told);
    }
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
        assert!(
            matches!(command, Command::Order(Order::Edit(Edit::Strict(strict))) if strict == wanted)
        );
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
    for (name, without) in cases {
        assert!(bench.is_ticked(name), "{name}");
        bench.click(Role::CheckBox, name);
        assert_eq!(bench.draw(), without, "{name}");
        let mut composer = Composer::default();
        let view = bench.stage().view(&mut composer);
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
    let colors = |bench: &mut Bench| -> Vec<[u8; 4]> {
        let mut composer = Composer::default();
        let view = bench.stage().view(&mut composer);
        view.spheres.iter().map(|sphere| sphere.color).collect()
    };
    let cold = colors(&mut bench);
    bench.steps(3);
    assert_eq!(colors(&mut bench), [Theme::DARK.hit; 2]);
    bench.click(Role::CheckBox, "Glow after a hit");
    assert_eq!(colors(&mut bench), cold);
}

#[test]
fn planes_can_be_switched_on_where_the_algorithm_has_any() {
    for row in ALGORITHMS {
        let mut bench = Bench::of(row.id);
        let planes = row.shows(broadphase::Overlay::Planes);
        assert_eq!(bench.has(Role::CheckBox, "Planes"), planes, "{}", row.id);
        if planes {
            bench.click(Role::CheckBox, "Planes");
            assert!(bench.draw().planes, "{}", row.id);
        }
    }
}

#[test]
fn planes_are_drawn_down_to_the_depth_of_the_slider() {
    let mut bench = Bench::of("bsp");
    assert!(!bench.has(Role::SpinButton, "deepest"));
    bench.click(Role::CheckBox, "Planes");
    // Each plane has two below it, and fifty objects take three levels of them.
    for (depth, planes) in [(0, 1), (1, 3), (2, 7)] {
        bench.set(Role::SpinButton, "deepest", f64::from(depth));
        assert_eq!(bench.draw().plane_depth, depth);
        let mut composer = Composer::default();
        let view = bench.stage().view(&mut composer);
        assert_eq!(view.planes.len(), planes, "depth {depth}");
    }
}

#[test]
fn frames_can_be_exported_as_soon_as_there_are_any() {
    let mut bench = Bench::of("sap-matrix");
    for name in ["Frames", "Summary"] {
        assert!(bench.is_disabled(Role::Button, name));
        bench.click(Role::Button, name);
    }
    bench.assert_no_command();
    bench.steps(3);
    bench.harness.get_by_label("3 frames recorded");
    bench.click(Role::Button, "Frames");
    assert!(matches!(bench.command(), Command::ExportFrames));
    bench.click(Role::Button, "Summary");
    assert!(matches!(bench.command(), Command::ExportSummary));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/frames.csv");
    bench.obey(Order::ExportFrames(path.clone()));
    bench.harness.get_by_label(&format!("3 frames written to {}", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1 + 3);
    bench.obey(Order::ExportFrames(path.join("below.csv")));
    bench.harness.get_by_label_contains("cannot write");
    assert_eq!(bench.session().recorded(), 3);
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
        let families = ALGORITHMS.iter().filter(|row| row.variant.is_none()).count();
        assert!(names.len() >= 18 + families, "{names:?}");
    }
}

#[test]
fn figures_are_those_of_the_simulation() {
    let mut bench = Bench::of("kd-tree");
    let rates =
        ["Steps simulated per second", "Pairs tested per second", "Real collisions per second"];
    for rate in rates {
        assert_eq!(bench.figure(rate), "–");
    }
    bench.steps(8);
    bench.obey(Order::Drawn { epoch: 0, step: 8, render_ns: 9_000_000 });
    for rate in rates {
        let figure = bench.figure(rate).replace(',', "");
        let number: f64 = figure.parse().unwrap_or_else(|e| panic!("{rate}: {figure}: {e}"));
        assert!(number.is_finite() && number > 0.0, "{rate}: {figure}");
    }
    assert_eq!(bench.figure("Pictures drawn per second"), "59.9");
    let counters = bench.session().structure().counters();
    assert!(counters.straddlers > 0);
    for (meaning, figure) in [
        ("Objects that stand in more than one leaf", counters.straddlers),
        ("Leaves of the tree", 8),
    ] {
        assert_eq!(bench.figure(meaning), figure.to_string(), "{meaning}");
    }
    let rates = bench.session().history().rates().unwrap();
    let shares = rates.shares;
    let collisions: f64 = shares[..3].iter().sum();
    let text = format!("Time: collisions {:.0} %", 100.0 * collisions);
    bench.harness.get_by_label(&text);
    assert_ne!(bench.harness.query_by_label("drawing 0 %").is_some(), shares[3] > 0.005);
    // The mean of the steps that the shares are of, and not the last one alone.
    bench.harness.get_by_label(&format!("of {:.1} ms", rates.step_ns / 1e6));
    let last = bench.session().history().last().unwrap();
    assert!(((last.motion_ns + last.collision_ns() + last.render_ns) as f64) > rates.step_ns);
}

#[test]
fn an_algorithm_without_planes_shows_no_figures_of_a_tree() {
    let mut bench = Bench::of("kd-tree");
    bench.harness.get_by_role_and_label(Role::Label, "Leaves");
    bench.choose("sap-matrix");
    assert!(bench.harness.query_by_role_and_label(Role::Label, "Leaves").is_none());
}

#[test]
fn the_pace_is_set_within_its_bounds_or_not_limited_at_all() {
    let mut bench = Bench::of("bsp");
    for (typed, taken) in [(0.5, 0.5), (99.0, 4.0), (0.0, 0.1)] {
        bench.set(Role::Slider, "Pace", typed);
        let command = bench.command();
        let Command::Order(Order::Pace(Pace::Times(times))) = command else {
            panic!("{command:?}")
        };
        assert!((f64::from(times) - taken).abs() < 1e-6, "{typed} became {times}");
        bench.obey(command);
    }
    bench.click_and_obey(Role::CheckBox, "No limit");
    assert_eq!(bench.stage().snapshot.pace, Pace::Unlimited);
    assert!(bench.is_disabled(Role::Slider, "Pace"));
    bench.click_and_obey(Role::CheckBox, "No limit");
    assert_eq!(bench.stage().snapshot.pace, Pace::Times(1.0));
}

#[test]
fn steps_are_taken_back_to_the_bit() {
    let mut bench = Bench::of("kd-tree");
    assert!(bench.is_disabled(Role::Button, "Back"));
    bench.steps(3);
    let third = motion(bench.session());
    bench.steps(2);
    for _ in 0..2 {
        bench.click_and_obey(Role::Button, "Back");
    }
    assert_eq!(motion(bench.session()), third);
    assert_eq!((bench.session().recorded(), bench.session().steps_back()), (3, 3));
    bench.click_and_obey(Role::Button, "Restart");
    assert_eq!(bench.session().world().steps(), 0);
    assert!(bench.is_disabled(Role::Button, "Back"));
}

/// What the harness leaves free around everything, in points.
const MARGIN: f32 = 8.0;

#[test]
fn the_panels_keep_to_their_places() {
    // What is wider than its panel would push it over the scene.
    for row in ALGORITHMS {
        for (width, height) in [(1280.0, 720.0), (640.0, 360.0)] {
            let mut bench = Bench::sized(common::session(common::crowded(), row.id), width, height);
            bench.stage().panel.draw.planes = true;
            bench.steps(20);
            let scene = bench.stage().scene;
            let right = width - MARGIN - panel::WIDTH;
            let expected = (MARGIN, right, height - MARGIN);
            assert_eq!((scene.left(), scene.right(), scene.bottom()), expected, "{}", row.id);
            bench.stage().panel.more.open = true;
            bench.stage().panel.compare.open = true;
            bench.steps(1);
            let scene = bench.stage().scene;
            let left = MARGIN + if width > 1000.0 { panel::MORE_WIDTH } else { 0.0 };
            assert_eq!((scene.left(), scene.right()), (left, right), "{}", row.id);
            assert!(scene.bottom() < height - 100.0, "{}", row.id);
            bench.stage().panel.hidden = true;
            bench.steps(1);
            let scene = bench.stage().scene;
            let size = scene.size() + egui::vec2(2.0, 2.0) * MARGIN;
            assert_eq!(size, egui::vec2(width, height), "{}", row.id);
        }
    }
}
