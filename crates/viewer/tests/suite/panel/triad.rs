//! The axes at the lower edge of the scene.

use crate::common::bench::Bench;
use crate::common::{crowded, session};
use broadphase::Axis;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use viewer::camera::Side;
use viewer::panel::Command;

/// The ends by their names, with the sides that they lead to.
const ENDS: [(&str, Axis, bool); 6] = [
    ("View along -X, from the right", Axis::X, true),
    ("View along +X, from the left", Axis::X, false),
    ("View along -Y, from behind", Axis::Y, true),
    ("View along +Y, from the front", Axis::Y, false),
    ("View along -Z, from above", Axis::Z, true),
    ("View along +Z, from below", Axis::Z, false),
];

fn camera(bench: &mut Bench) -> viewer::camera::OrbitCamera {
    bench.stage().camera.unwrap()
}

#[test]
fn click_on_an_end_shows_the_scene_from_there() {
    let mut bench = Bench::of("bsp");
    for (name, axis, is_positive) in ENDS {
        bench.stage().camera = None;
        bench.harness.run();
        let command = bench.click_and_obey(Role::Button, name);
        let Command::LookFrom(side) = command else { panic!("{command:?}") };
        assert_eq!(side, Side { axis, is_positive }, "{name}");
        assert!(camera(&mut bench).looks_from(side), "{name}");
        // Another click there leads to the other side.
        let (opposite, ..) = ENDS.into_iter().find(|e| (e.1, e.2) == (axis, !is_positive)).unwrap();
        assert!(!bench.has(Role::Button, name), "{name}");
        bench.click_and_obey(Role::Button, opposite);
        assert!(camera(&mut bench).looks_from(side.opposite()), "{opposite}");
    }
}

#[test]
fn axes_are_hidden_with_the_panels_and_in_a_small_scene() {
    let is_shown = |bench: &Bench| bench.harness.query_by_label(ENDS[0].0).is_some();
    let mut bench = Bench::of("bsp");
    assert!(is_shown(&bench));
    bench.stage().panel.hidden = true;
    bench.harness.run();
    assert!(!is_shown(&bench));
    let small = Bench::sized(session(crowded(), "bsp"), 640.0, 240.0);
    assert!(!is_shown(&small));
}
