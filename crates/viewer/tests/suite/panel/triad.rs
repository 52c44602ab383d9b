//! The axes at the lower edge of the scene.

use super::*;
use viewer::camera::Side;

/// The ends by their names, in the order of [`Side::ALL`], in pairs of opposite ones.
const ENDS: [[&str; 2]; 3] = [
    ["View along -X", "View along +X"],
    ["View along -Y", "View along +Y"],
    ["View along -Z", "View along +Z"],
];

#[test]
fn click_on_an_end_shows_the_scene_from_there() {
    let mut bench = Bench::of("bsp");
    for (axis, ends) in broadphase::Axis::ALL.into_iter().zip(ENDS) {
        for place in [0, 1] {
            let side = Side { axis, is_positive: place == 0 };
            bench.stage().camera = None;
            bench.harness.run();
            // Another click there leads to the other side.
            for (name, side) in [(ends[place], side), (ends[1 - place], side.opposite())] {
                let command = bench.click_and_obey(Role::Button, name);
                assert!(matches!(command, Command::LookFrom(of) if of == side), "{command:?}");
                assert!(bench.stage().camera.unwrap().looks_from(side), "{name}");
                assert!(!bench.has(Role::Button, name), "{name}");
            }
        }
    }
}

#[test]
fn axes_are_hidden_with_the_panels_and_in_a_small_scene() {
    let is_shown = |bench: &Bench| bench.has(Role::Button, ENDS[0][0]);
    let mut bench = Bench::of("bsp");
    assert!(is_shown(&bench));
    bench.set_up(|panel| panel.hidden = true);
    assert!(!is_shown(&bench));
    assert!(!is_shown(&Bench::sized(session(crowded(), "bsp"), 640.0, 240.0)));
}
