//! Group *Draw*: switches and their effect on the picture.

use super::*;

#[test]
fn each_draw_switch_removes_only_its_part() {
    let pane = Obstacle {
        corner: Vec3::new(-0.5, 0.0, -0.5),
        size: Vec3::new(1.0, 0.0, 1.0),
        normal: broadphase::Axis::Y,
    };
    let scene = Scene { obstacles: vec![pane], sources: vec![cube()], ..crowded() };
    let mut bench = Bench::with(scene, "bsp");
    bench.show(&[Overlay::Planes.into(), Row::Glow]);
    let all = bench.draw();
    for row in [
        Row::Objects,
        Row::Sources,
        Row::Obstacles,
        Overlay::Planes.into(),
        Row::Shading,
        Row::Glow,
    ] {
        let name = row.name();
        assert!(bench.is_ticked(name), "{name}");
        bench.click(Role::CheckBox, name);
        assert_eq!(bench.draw(), all.with(row, false), "{name}");
        let view = bench.stage().view();
        for (part, is_drawn) in [
            ("Objects", !view.spheres.is_empty()),
            ("Sources", !view.boxes.is_empty()),
            ("Obstacles", view.rectangles.iter().any(|of| of.is_glass)),
            ("Planes", view.rectangles.iter().any(|of| !of.is_glass)),
            ("Shading", view.shading),
        ] {
            assert_eq!(is_drawn, part != name, "{part} without {name}");
        }
        bench.click(Role::CheckBox, name);
        assert_eq!(bench.draw(), all, "{name}");
    }
    bench.assert_no_command();
}

#[test]
fn labels_of_a_scene_are_drawn_unless_they_are_hidden() {
    let text = "i -1 -1 -1 2 2 2 100 f\n#!objects 1\n#!label 0 0 0 fast tube\n";
    let mut bench = Bench::with(scene(text), "bsp");
    for is_drawn in [true, false, true] {
        let middle = bench.stage().scene.center();
        let texts = bench.texts();
        let mut labels = texts.iter().filter(|(text, ..)| text == "fast tube");
        assert_eq!(labels.any(|(_, at, _)| at.contains(middle)), is_drawn);
        bench.click(Role::CheckBox, "Labels");
    }
}

#[test]
fn spheres_glow_after_a_hit_unless_they_are_many_or_it_is_off() {
    let mut bench = Bench::with(meeting(), "bsp");
    let glow = |bench: &mut Bench| {
        let spheres = bench.stage().drawn().spheres.iter();
        let hot = spheres.filter(|sphere| sphere.color == Theme::DARK.hit).count();
        (hot, bench.has(Role::Label, "hit a moment ago"))
    };
    assert_eq!(glow(&mut bench), (0, true));
    bench.steps(3);
    assert_eq!(glow(&mut bench), (2, true));
    // Orange is what the picked one touches.
    bench.pick(Some(0));
    assert!(matches!(glow(&mut bench), (0 | 1, false)));
    bench.pick(None);
    for (objects, glows) in [(MAX_DRAWN_BY_DEFAULT, true), (MAX_DRAWN_BY_DEFAULT + 1, false)] {
        let snapshot = &mut bench.stage().snapshot;
        snapshot.objects.positions.resize(objects, Vec3::ZERO);
        snapshot.objects.radii.resize(objects, 0.1);
        bench.harness.run();
        assert_eq!(bench.is_ticked("Glow after a hit"), glows, "{objects}");
        assert_eq!(glow(&mut bench), (if glows { 2 } else { 0 }, glows));
    }
    for expected in [(2, true), (0, false)] {
        bench.click(Role::CheckBox, "Glow after a hit");
        assert_eq!(glow(&mut bench), expected, "as chosen");
    }
}

#[test]
fn switches_without_an_effect_say_so() {
    let mut bench = Bench::of("sap-matrix");
    for (color, disabled) in [(ColorBy::Plain, false), (ColorBy::Tests, true)] {
        bench.set_up(|panel| panel.view.color = color);
        assert_eq!(bench.is_disabled(Role::CheckBox, "Glow after a hit"), disabled);
    }
    let matrix = "The counters of all pairs, in the legend";
    assert_eq!(bench.meaning(Role::CheckBox, "Matrix"), matrix);
    let many = Scene { objects: 65, radius: Radius::Equal(0.05), ..crowded() };
    let drawn = format!("{matrix}. It has no picture now: it is drawn up to 64 objects");
    assert_eq!(Bench::with(many, "sap-matrix").meaning(Role::CheckBox, "Matrix"), drawn);
}

#[test]
fn planes_and_boxes_are_drawn_down_to_a_depth_with_an_opacity() {
    let mut bench = Bench::of("bsp");
    assert!(!bench.has(Role::SpinButton, "Planes down to depth"));
    bench.click(Role::CheckBox, "Planes");
    for (typed, taken) in [(55.0, 0.55), (150.0, 1.0), (0.0, 0.0)] {
        bench.set(Role::SpinButton, "opacity", typed);
        assert!((bench.draw().plane_opacity - taken).abs() < 1e-6, "{typed}");
        let view = bench.stage().view();
        let root = view.rectangles.iter().map(|plane| plane.fill[3]).max().unwrap();
        assert_eq!(root, (255.0_f32 * taken).round() as u8, "{typed}");
    }
    // Each plane has two below it, and fifty objects take three levels of them.
    for (depth, planes) in [(0, 1), (1, 3), (2, 7)] {
        bench.set(Role::SpinButton, "Planes down to depth", f64::from(depth));
        assert_eq!(bench.draw().plane_depth, depth);
        assert_eq!(bench.stage().view().rectangles.len(), planes, "depth {depth}");
    }
    let mut bench = Bench::of("bvh-bottom-up");
    bench.click(Role::CheckBox, "Boxes");
    let mut before = 0;
    for height in [0, 1, 2] {
        bench.set(Role::Slider, "height", f64::from(height));
        assert_eq!(bench.draw().tree_levels.depth, height);
        let boxes = bench.stage().view().boxes.len();
        assert!(boxes > before, "{boxes} boxes up to height {height}");
        before = boxes;
    }
    bench.click(Role::Button, "only");
    assert!(bench.stage().view().boxes.len() < before && bench.draw().tree_levels.only);
}

#[test]
fn switches_of_the_window_are_ticked() {
    let mut bench = Bench::of("bsp");
    for wanted in [false, true] {
        bench.click(Role::CheckBox, "Vertical sync");
        bench.click(Role::CheckBox, "Dark");
        let panel = &bench.stage().panel;
        assert_eq!((panel.vsync, panel.dark), (wanted, wanted));
    }
    bench.click(Role::Button, "Picture");
    assert!(matches!(bench.command(), Command::ExportPicture));
}

#[test]
fn help_sheet_is_in_sight_as_a_whole() {
    let mut bench = Bench::sized(session(crowded(), "bsp"), 1280.0, 720.0);
    for is_open in [true, false] {
        bench.click(Role::Button, "?");
        for text in ["start, stop", "larger, smaller text", "show its figures and neighbours"] {
            assert_eq!(bench.draws(text), is_open, "{text}");
        }
    }
    bench.assert_no_command();
}
