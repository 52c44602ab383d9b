//! The bar over the kept steps, its bookmarks, and the command that shows the same.

use crate::common::bench::Bench;
use crate::common::traces::Trace;
use crate::common::{crowded, session};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use viewer::panel::Command;
use viewer::simulation::Order;

/// The steps that were ordered.
fn wanted(bench: &mut Bench) -> Vec<u64> {
    let commands = std::mem::take(&mut bench.stage().commands);
    commands
        .into_iter()
        .map(|command| match command {
            Command::Order(Order::GoTo(step)) => step,
            other => panic!("{other:?}"),
        })
        .collect()
}

fn bar(bench: &Bench) -> egui::Rect {
    bench.node(Role::Slider, "Step shown").rect()
}

/// Presses and releases the pointer at a share of the bar.
fn click(bench: &mut Bench, share: f32) -> Vec<u64> {
    let bar = bar(bench).shrink2(egui::vec2(4.0, 0.0));
    let at = egui::pos2(bar.left() + share * bar.width(), bar.center().y);
    bench.harness.hover_at(at);
    bench.harness.run();
    for pressed in [true, false] {
        bench.harness.event(egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::default(),
        });
        bench.harness.run();
    }
    wanted(bench)
}

#[test]
fn click_on_the_bar_shows_its_step() {
    let trace = Trace::new(40, 101);
    let mut bench = Bench::new(trace.session("bsp"));
    for (share, step) in [(0.0, 0), (0.25, 25), (1.0, 100), (0.5, 50)] {
        let steps = click(&mut bench, share);
        let expected = if step == bench.session().steps() { vec![] } else { vec![step] };
        assert_eq!(steps, expected);
        steps.into_iter().for_each(|step| bench.obey(Order::GoTo(step)));
        assert_eq!(bench.session().motion().boxes(), &trace.frames[step as usize][..]);
    }
    bench.harness.get_by_label("Frame 50 of 0 to 100");
}

#[test]
fn drag_along_the_bar_shows_step_after_step() {
    let mut bench = Bench::new(session(crowded(), "kd-tree"));
    bench.steps(40);
    let bar = bar(&bench).shrink2(egui::vec2(4.0, 0.0));
    let at = |share: f32| egui::pos2(bar.left() + share * bar.width(), bar.center().y);
    bench.harness.hover_at(at(1.0));
    bench.harness.run();
    bench.harness.drag_at(at(1.0));
    bench.harness.run();
    let mut seen = Vec::new();
    for share in [0.75, 0.5, 0.5, 0.25] {
        bench.harness.hover_at(at(share));
        bench.harness.run();
        for step in wanted(&mut bench) {
            seen.push(step);
            bench.obey(Order::GoTo(step));
        }
    }
    bench.harness.drop_at(at(0.25));
    bench.harness.run();
    bench.assert_no_command();
    assert_eq!(seen, [30, 20, 10], "each step once");
    assert_eq!((bench.session().steps(), bench.session().motion().kept()), (10, 0..=40));
    bench.harness.get_by_label("Step 10");
}

#[test]
fn click_near_a_peak_shows_the_peak() {
    // One crowded frame, among frames whose boxes are apart.
    let trace = Trace::new(40, 2000);
    let mut frames = trace.frames.clone();
    let together = vec![frames[0][0]; 40];
    frames[1203] = together;
    let trace = Trace::of(frames);
    let mut bench = Bench::new(trace.session("bsp"));
    for frame in 1190..1215 {
        bench.obey(Order::GoTo(frame - 1));
        bench.steps(1);
    }
    let steps = click(&mut bench, 1202.0 / 1999.0);
    assert_eq!(steps, [1203]);
    let steps = click(&mut bench, 900.0 / 1999.0);
    assert!(steps.len() == 1 && steps[0].abs_diff(900) <= 2, "{steps:?}");
}

#[test]
fn bookmarks_are_added_shown_and_removed() {
    let mut bench = Bench::new(session(crowded(), "bsp"));
    bench.steps(5);
    bench.click(Role::Button, "Bookmarks");
    bench.click(Role::Button, "Add this step and camera");
    let [bookmark] = bench.stage().panel.bookmarks[..] else { panic!("one is added") };
    assert_eq!(bookmark.step, 5);
    bench.steps(3);
    if !bench.has(Role::Button, "1: step 5") {
        bench.click(Role::Button, "Bookmarks (1)");
    }
    bench.click(Role::Button, "1: step 5");
    let command = bench.command();
    assert!(matches!(command, Command::Show(shown) if shown == bookmark), "{command:?}");
    if !bench.has(Role::Button, "Remove bookmark 1") {
        bench.click(Role::Button, "Bookmarks (1)");
    }
    bench.click(Role::Button, "Remove bookmark 1");
    assert!(bench.stage().panel.bookmarks.is_empty());
    bench.harness.get_by_label("Bookmarks");
}

#[test]
fn command_is_copied_on_request() {
    let mut bench = Bench::of("bsp");
    bench.click(Role::Button, "Copy command");
    assert!(matches!(bench.command(), Command::CopyCommand));
}
