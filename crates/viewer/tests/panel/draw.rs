//! Group *Draw*: switches and their effect on the picture.

use crate::common::bench::Bench;
use crate::common::{crowded, cube, meeting, session};
use broadphase::registry::ALGORITHMS;
use egui::accesskit::Role;
use glam::Vec3;
use sim::Scene;
use sim::scene::Obstacle;
use viewer::composer::{Composer, DrawOptions};
use viewer::panel::Command;
use viewer::scene_renderer::Theme;

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
    bench.stage().panel.draw.planes = true;
    bench.stage().panel.draw.glow = Some(true);
    let all = bench.draw();
    let cases = [
        ("Objects", DrawOptions { objects: false, ..all }),
        ("Sources", DrawOptions { sources: false, ..all }),
        ("Obstacles", DrawOptions { obstacles: false, ..all }),
        ("Planes", DrawOptions { planes: false, ..all }),
        ("Shading", DrawOptions { shading: false, ..all }),
        ("Glow after a hit", DrawOptions { glow: Some(false), ..all }),
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
fn spheres_glow_after_a_hit_unless_switched_off() {
    let mut bench = Bench::new(session(meeting(), "bsp"));
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
fn planes_are_offered_where_the_algorithm_has_any() {
    let mut bench = Bench::of("brute-force");
    for row in ALGORITHMS {
        bench.choose(row.id);
        bench.stage().panel.draw.planes = false;
        bench.harness.run();
        let planes = row.shows(broadphase::inspect::Overlay::Planes);
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
    assert!(!bench.has(Role::SpinButton, "Planes down to depth"));
    bench.click(Role::CheckBox, "Planes");
    // Each plane has two below it, and fifty objects take three levels of them.
    for (depth, planes) in [(0, 1), (1, 3), (2, 7)] {
        bench.set(Role::SpinButton, "Planes down to depth", f64::from(depth));
        assert_eq!(bench.draw().plane_depth, depth);
        let mut composer = Composer::default();
        let view = bench.stage().view(&mut composer);
        assert_eq!(view.planes.len(), planes, "depth {depth}");
    }
}
