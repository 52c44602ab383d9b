//! The panels beside a recording.

use crate::common::bench::Bench;
use crate::common::traces::{Trace, boxes_session, cube_at};
use broadphase::Aabb;
use broadphase::inspect::Overlay;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use measure::BoxesSpec;
use sim::GeneratedKind;
use viewer::panel::Command;
use viewer::simulation::Order;
use viewer::view::{ColorBy, Row};

fn bench(trace: &Trace) -> Bench {
    let mut bench = Bench::new(trace.session("bsp"));
    bench.stage().panel.more.open = true;
    bench.harness.run();
    bench
}

#[test]
fn only_what_applies_to_a_recording_is_offered() {
    let trace = Trace::new(50, 7);
    let bench = bench(&trace);
    bench.harness.get_by_label("50 boxes, recorded: 7 frames");
    bench.harness.get_by_label("The motion is recorded: it is played, not changed.");
    for (role, name) in [
        (Role::Button, "Generate objects"),
        (Role::Button, "Undo"),
        (Role::CheckBox, "Sources"),
        (Role::CheckBox, "Obstacles"),
        (Role::CheckBox, "Glow after a hit"),
        (Role::CheckBox, "Objects strictly inside"),
        (Role::SpinButton, "Radius"),
        (Role::Slider, "Response delay"),
        (Role::Label, "Hits"),
        (Role::Label, "Hits/s"),
    ] {
        assert!(!bench.has(role, name), "{name}");
    }
    for (role, name) in [
        (Role::CheckBox, "Objects"),
        (Role::CheckBox, "Shading"),
        (Role::CheckBox, "Outlines"),
        (Role::Button, "Restart"),
        (Role::Button, "Load"),
        (Role::Label, "Candidates"),
    ] {
        assert!(bench.has(role, name), "{name}");
    }
    assert!(bench.is_disabled(Role::Button, "Save"));
}

#[test]
fn generated_boxes_are_named_so() {
    let mut bench = Bench::new(boxes_session("gas:60", "bsp"));
    bench.stage().panel.more.open = true;
    bench.harness.run();
    assert_eq!(bench.node(Role::TextInput, "Scene file").value().as_deref(), Some(""), "no path");
    bench.harness.get_by_label("60 boxes, generated");
    bench.harness.get_by_label("The motion is generated: it is played, not changed.");
}

#[test]
fn outlines_are_a_switch() {
    let trace = Trace::new(50, 2);
    let mut bench = bench(&trace);
    bench.click(Role::CheckBox, "Outlines");
    assert!(bench.draw().shows(Row::Outlines));
}

#[test]
fn recording_can_be_replayed_from_its_end() {
    let trace = Trace::new(50, 3);
    let mut bench = bench(&trace);
    assert!(bench.has(Role::Button, "Start"));
    bench.steps(2);
    assert!(bench.is_disabled(Role::Button, "Step"));
    let command = bench.click_and_obey(Role::Button, "Replay");
    assert!(matches!(command, Command::Order(Order::Run(true))));
    assert_eq!(bench.session().steps(), 0);
    bench.obey(Order::GoTo(1));
    bench.click_and_obey(Role::Button, "Back");
    assert_eq!(bench.session().steps(), 0);
}

#[test]
fn boxes_are_generated_by_a_button() {
    let trace = Trace::new(50, 2);
    let mut bench = bench(&trace);
    bench.click(Role::ComboBox, "Kind of boxes");
    bench.click(Role::Button, "brownian");
    bench.set(Role::SpinButton, "Number of boxes", 77.0);
    bench.click(Role::Button, "Generate boxes");
    let command = bench.command();
    let Command::PlayBoxes(BoxesSpec::Generated(spec)) = command else { panic!("{command:?}") };
    assert_eq!((spec.kind, spec.objects), (GeneratedKind::Brownian, 77));
}

#[test]
fn picked_box_has_a_size_and_no_radius() {
    let trace = Trace::new(50, 4);
    let mut bench = bench(&trace);
    bench.steps(1);
    bench.stage().panel.view.picked = Some(7);
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label("Box 7");
    let size = bench.figure("Its sides along x, y and z");
    assert_eq!(size.split(' ').count(), 3, "{size}");
    assert!(bench.harness.query_by_label("Radius").is_none());
}

#[test]
fn speeds_are_unknown_in_the_first_frame() {
    let trace = Trace::new(50, 4);
    let mut bench = bench(&trace);
    bench.stage().panel.view.picked = Some(7);
    let is_shown = |bench: &mut Bench, color, label: &str| {
        bench.stage().panel.view.color = color;
        bench.stage().look();
        bench.harness.run();
        bench.harness.query_all_by_label_contains(label).next().is_some()
    };
    for color in [ColorBy::Velocity, ColorBy::Resting] {
        assert!(is_shown(&mut bench, color, "unknown: 50"), "{color:?}");
        assert!(is_shown(&mut bench, color, &format!("Colour: {}", color.name())), "{color:?}");
    }
    let meaning = "Unknown where the object was absent in the frame before, or there is none";
    assert_eq!(bench.figure(meaning), "unknown");
    bench.steps(1);
    for color in [ColorBy::Velocity, ColorBy::Resting] {
        assert!(!is_shown(&mut bench, color, "unknown"), "{color:?}");
    }
    let meaning = "Its speed in units per second";
    let speed = bench.figure(meaning);
    assert!(speed.parse::<f32>().is_ok(), "{speed}");
}

#[test]
fn absent_objects_are_not_counted_in_the_legend() {
    // Of three objects one is absent in all frames, and one in the first.
    let [near, far] = [0.0, 5.0].map(|x| cube_at(glam::Vec3::X * x, 1.0));
    let frame = |second| vec![near, second, Aabb::EMPTY];
    let trace = Trace::of(vec![frame(Aabb::EMPTY), frame(far), frame(far)]);
    let mut bench = Bench::new(trace.session("sap-1-axis"));
    for expected in [Some("unknown: 1"), Some("unknown: 1"), None] {
        for color in [ColorBy::Velocity, ColorBy::Resting] {
            bench.stage().panel.view.color = color;
            bench.stage().look();
            bench.harness.run();
            let unknown = bench.harness.query_by_label_contains("unknown");
            let unknown = unknown.and_then(|node| node.accesskit_node().value());
            assert_eq!(unknown.as_deref(), expected, "{color:?}");
        }
        bench.steps(1);
    }
}

#[test]
fn absent_objects_are_not_counted_as_tested() {
    let [near, far] = [0.0, 5.0].map(|x| cube_at(glam::Vec3::X * x, 1.0));
    let trace = Trace::of(vec![vec![near, Aabb::EMPTY, far]; 2]);
    let mut bench = Bench::new(trace.session("brute-force"));
    bench.steps(1);
    bench.stage().panel.view.picked = Some(0);
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label("1 box tested against its box: apart");
    assert_eq!(bench.stage().snapshot.picked.as_ref().unwrap().tested, [2]);
}

#[test]
fn endpoints_are_counted_as_they_are_drawn() {
    // 5000 boxes, of which every third is drawn. Objects 0 and 4 are absent, object 1 is picked.
    let at = |i: u32| cube_at(glam::Vec3::X * (3 * i) as f32, 1.0);
    let frame = (0..5000).map(|i| if i == 0 || i == 4 { Aabb::EMPTY } else { at(i) }).collect();
    let trace = Trace::of(vec![frame]);
    let mut bench = Bench::new(trace.session("sap-1-axis"));
    bench.stage().panel.view.set(Overlay::Endpoints, true);
    for (picked, expected) in
        [(None, "1,666 of 4,998 objects"), (Some(1), "1,667 of 4,998 objects")]
    {
        bench.stage().panel.view.picked = picked;
        bench.stage().look();
        bench.harness.run();
        bench.harness.get_by_label_contains(expected);
    }
}

#[test]
fn colours_of_scenes_are_not_offered() {
    let trace = Trace::new(50, 2);
    let mut bench = bench(&trace);
    bench.click(Role::ComboBox, "Colour by");
    for color in ColorBy::ALL {
        let is_offered = bench.has(Role::Button, color.name());
        assert_eq!(is_offered, !color.is_of_scenes(), "{}", color.name());
    }
}

#[test]
fn objects_of_a_recording_are_called_boxes() {
    let near = cube_at(glam::Vec3::ZERO, 1.0);
    let trace = Trace::of(vec![vec![near; 2]; 2]);
    let mut bench = Bench::new(trace.session("sap-1-axis"));
    bench.stage().panel.view.picked = Some(1);
    bench.stage().panel.view.set(Overlay::Endpoints, true);
    bench.steps(1);
    for label in ["Box 1", "Box 1, which is picked", "Overlaps"] {
        bench.harness.get_by_label(label);
    }
    for word in ["phere", "touches"] {
        assert!(bench.harness.query_by_label_contains(word).is_none(), "{word}");
    }
    bench.node(Role::Link, "0");
}

#[test]
fn pairs_and_partners_are_those_of_present_objects() {
    // Of five boxes, two are absent.
    let [near, far] = [0.0, 5.0].map(|x| cube_at(glam::Vec3::X * x, 1.0));
    let frame = vec![near, near, Aabb::EMPTY, far, Aabb::EMPTY];
    let trace = Trace::of(vec![frame; 2]);
    let mut bench = Bench::new(trace.session("brute-force"));
    bench.stage().panel.view.picked = Some(0);
    bench.stage().panel.explains = Some(true);
    bench.steps(1);
    let label = bench.harness.get_by_label("All pairs");
    let meaning = label.accesskit_node().data().description().unwrap().to_owned();
    assert!(meaning.starts_with("All pairs of 3 objects"), "{meaning}");
    assert_eq!(bench.figure(&meaning).trim(), "3");
    bench.harness.get_by_label_contains("This step: 3 pairs -> 3 tests -> ");
    let meaning = "Pairs with it that the algorithm tested in the last step, of all other objects; a pair that is \
                   tested in several leaves counts each time";
    let tests = bench.figure(meaning);
    assert!(tests.ends_with(" of 2"), "{tests}");
}
