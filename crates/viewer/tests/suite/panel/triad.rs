//! The axes at the lower edge of the scene.

use crate::common::bench::Bench;
use crate::common::{crowded, session};
use broadphase::Axis;
use broadphase::inspect::Overlay;
use egui::accesskit::Role;
use egui::{Id, Rect};
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
fn axes_leave_the_legend_and_the_suggestions_free() {
    for (width, height) in [(1280.0, 720.0), (800.0, 600.0)] {
        for explains in [None, Some(true)] {
            // Its matrix is as high as wide.
            let mut bench = Bench::sized(session(crowded(), "sap-matrix"), width, height);
            let panel = &mut bench.stage().panel;
            (panel.explains, panel.suggestions) = (explains, true);
            panel.view = panel.view.with_structure(&[Overlay::Endpoints, Overlay::Matrix]);
            bench.steps(2);
            let area = |name: &str| -> Rect {
                bench.harness.ctx.memory(|memory| memory.area_rect(Id::unique(name))).unwrap()
            };
            let triad = area("triad");
            for other in ["legend", "suggestions"] {
                let other_area = area(other);
                assert!(!triad.intersects(other_area), "{other}: {other_area} over {triad}");
            }
            assert!(!area("legend").intersects(area("suggestions")));
            assert!(bench.harness.state().scene.contains_rect(triad));
        }
    }
}

#[test]
fn axes_move_up_only_where_the_suggestions_reach_them() {
    for (width, moves) in [(1600.0, false), (1280.0, true), (800.0, true)] {
        let mut bench = Bench::sized(session(crowded(), "bsp"), width, 600.0);
        let place = |bench: &mut Bench, suggestions| {
            bench.stage().panel.suggestions = suggestions;
            bench.harness.run();
            bench.harness.get_by_label(ENDS[0].0).rect()
        };
        let [before, beside, after] = [false, true, false].map(|on| place(&mut bench, on));
        assert_eq!(beside.bottom() < before.bottom(), moves, "{before} {beside}");
        assert_eq!(before, after);
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
