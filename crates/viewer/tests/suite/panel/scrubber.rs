//! The bar over the kept steps, its bookmarks, and the command that shows the same.

use crate::common::bench::Bench;
use crate::common::traces::Trace;
use crate::common::{crowded, session};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use sim::Scene;
use sim::scene::{Action, Event};
use viewer::panel::{Bookmark, Command};
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
    bench.harness.get_by_label("Step 10, frame 9");
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
    let [bookmark] = &bench.stage().panel.bookmarks[..] else { panic!("one is added") };
    let bookmark = bookmark.clone();
    assert_eq!(bookmark.step, 5);
    bench.steps(3);
    if !bench.has(Role::Button, "1: step 5") {
        bench.click(Role::Button, "Bookmarks (1)");
    }
    bench.click(Role::Button, "1: step 5");
    let command = bench.command();
    assert!(matches!(&command, Command::Show(shown) if *shown == bookmark), "{command:?}");
    if !bench.has(Role::Button, "Remove bookmark 1") {
        bench.click(Role::Button, "Bookmarks (1)");
    }
    bench.click(Role::Button, "Remove bookmark 1");
    assert!(bench.stage().panel.bookmarks.is_empty());
    bench.harness.get_by_label("Bookmarks");
}

#[test]
fn bookmark_is_named_and_says_why_its_step_is_not_shown() {
    let mut bench = Bench::new(session(crowded(), "bsp"));
    bench.steps(5);
    bench.click(Role::Button, "Bookmarks");
    bench.click(Role::Button, "Add this step and camera");
    bench.type_into(Role::TextInput, "Name of bookmark 1", "the first hit");
    assert_eq!(bench.stage().panel.bookmarks[0].name, "the first hit");
    let here = bench.stage().panel.bookmarks[0].clone();
    bench.stage().panel.bookmarks.extend([
        Bookmark { step: 105, ..here.clone() },
        Bookmark { objects: here.objects + 1, ..here.clone() },
    ]);
    bench.harness.run();
    assert!(bench.draws("not reached yet: 100 steps ahead"));
    assert!(!bench.is_disabled(Role::Button, "2: step 105"));
    let other = format!("of {} objects, seed {}", here.objects + 1, here.seed);
    assert!(bench.draws(&other), "{other}");
    assert!(bench.is_disabled(Role::Button, "3: step 5"));
    bench.stage().panel.bookmarks = vec![here];
    // The last 600 steps are kept.
    bench.steps(700);
    assert!(bench.draws("no longer kept"));
    assert!(bench.is_disabled(Role::Button, "1: step 5"));
}

#[test]
fn command_is_copied_on_request() {
    let mut bench = Bench::of("bsp");
    bench.click(Role::Button, "Copy command");
    assert!(matches!(bench.command(), Command::CopyCommand));
}

/// The words at a step, as the pointer shows them.
fn words_at(bench: &mut Bench, step: u64) -> String {
    let (first, last) = bench.session().motion().kept().into_inner();
    let bar = bar(bench).shrink2(egui::vec2(4.0, 0.0));
    let share = (step - first) as f32 / (last - first) as f32;
    bench.harness.hover_at(egui::pos2(bar.left() + share * bar.width(), bar.center().y));
    bench.harness.run();
    let slider = bench.node(Role::Slider, "Step shown");
    slider.accesskit_node().data().description().unwrap().to_owned()
}

#[test]
fn bar_and_pointer_call_candidates_alike() {
    let mut bench = Bench::of("bsp");
    bench.steps(30);
    let pairs = bench.session().found().unwrap().pairs;
    let words = words_at(&mut bench, 30);
    assert!(words.starts_with(&format!("step 30: {pairs} candidates, search ")), "{words}");
    bench.harness.get_by_label(&format!("{pairs} candidates"));
}

#[test]
fn repeated_search_after_a_switch_is_not_the_time_of_a_step() {
    let mut bench = Bench::of("bsp");
    bench.steps(3);
    bench.harness.get_by_label("search 2.000 ms");
    bench.choose("kd-tree");
    bench.harness.get_by_label("repeated search 2.000 ms");
    assert!(bench.harness.query_by_label("search 2.000 ms").is_none());
    bench.steps(1);
    bench.harness.get_by_label("search 2.000 ms");
    // A step that was taken has its time after going back, too.
    bench.steps(1);
    bench.obey(Order::GoTo(4));
    bench.harness.get_by_label("search 2.000 ms");
    bench.obey(Order::GoTo(3));
    bench.harness.get_by_label("repeated search 2.000 ms");

    // Of this many steps, two share a place in the graph.
    let trace = Trace::new(5, 1600);
    let mut bench = Bench::new(trace.session("bsp"));
    bench.obey(Order::GoTo(1500));
    bench.harness.get_by_label("first search 2.000 ms");
    for _ in 0..3 {
        bench.steps(1);
        bench.harness.get_by_label("search 2.000 ms");
    }
}

#[test]
fn events_within_the_kept_steps_are_ticked_and_named() {
    let event = |time, action| Event { time, action };
    let hold = Action::Hold { attract: true, seconds: 0.5 };
    let events = vec![
        event(0.5, Action::RemoveSource(2)),
        event(1.0, hold),
        event(9.0, Action::RemoveSource(1)),
    ];
    let sources = vec![crate::common::cube(); 2];
    let mut bench = Bench::new(session(Scene { events, sources, dt: 0.1, ..crowded() }, "bsp"));
    let ticks = |bench: &Bench| {
        let color = egui::Color32::from_rgb(0x4f, 0xb2, 0x86);
        let is_tick = |shape: &egui::Shape| match shape {
            egui::Shape::LineSegment { stroke, .. } => stroke.color == color,
            _ => false,
        };
        bench.shapes(|shape| is_tick(shape).then_some(())).len()
    };
    bench.steps(4);
    assert_eq!(ticks(&bench), 0);
    bench.steps(16);
    assert_eq!(ticks(&bench), 2, "the third is yet to come");
    bench.harness.get_by_label("2 events");
    for (step, text) in [
        (5, "Event in step 5: source 2 is removed"),
        (10, "Event in step 10: the line attracts for 0.5 s"),
    ] {
        let words = words_at(&mut bench, step);
        assert!(words.contains(text), "{words}");
    }
    let between = words_at(&mut bench, 15);
    assert!(!between.contains("Event"), "{between}");
}

#[test]
fn the_bar_says_what_is_kept_and_when_a_structure_is_new() {
    let mut bench = Bench::of("kd-tree");
    bench.steps(30);
    let words = words_at(&mut bench, 30);
    let [kept, room] = bench.session().motion_state().kept_bytes;
    assert!(
        words.contains("Steps 0 to 30 are kept, in ") && words.ends_with(" of at most 67.1 MB"),
        "{words}"
    );
    assert!(kept > 0 && kept < room);
    assert!(bench.harness.query_by_label_contains("structure new").is_none());

    // More steps than are kept: the first ones are not known to an algorithm that is chosen now.
    bench.steps(620);
    bench.choose("sap-incremental");
    bench.harness.get_by_label("structure new in 650");
    bench.harness.get_by_label("first search 2.000 ms");
    bench.steps(20);
    bench.harness.get_by_label("structure new in 650");
    bench.obey(Order::GoTo(660));
    let structure_of_660 = bench.session().structure().counters();
    bench.harness.get_by_label("structure new in 650");
    bench.obey(Order::GoTo(640));
    bench.harness.get_by_label("structure new in 640");
    bench.obey(Order::GoTo(660));
    assert_eq!(bench.session().structure().counters(), structure_of_660);
}
