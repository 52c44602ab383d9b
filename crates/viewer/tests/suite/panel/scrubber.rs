//! The bar over the kept steps, its bookmarks, and the command that shows the same.

use super::*;

/// The steps that were ordered.
fn wanted(bench: &mut Bench) -> Vec<u64> {
    let commands = std::mem::take(&mut bench.stage().commands).into_iter();
    let steps = commands.map(|command| match command {
        Command::Order(Order::GoTo(step)) => step,
        other => panic!("{other:?}"),
    });
    steps.collect()
}

/// The place at a share of the bar.
fn at(bench: &Bench, share: f32) -> egui::Pos2 {
    let bar = bench.node(Role::Slider, "Step shown").rect().shrink2(egui::vec2(4.0, 0.0));
    egui::pos2(bar.left() + share * bar.width(), bar.center().y)
}

/// Presses and releases the pointer at a share of the bar.
fn click(bench: &mut Bench, share: f32) -> Vec<u64> {
    let at = at(bench, share);
    bench.harness.hover_at(at);
    bench.harness.run();
    bench.harness.drag_at(at);
    bench.harness.run();
    bench.harness.drop_at(at);
    bench.harness.run();
    wanted(bench)
}

#[test]
fn click_on_the_bar_shows_its_step() {
    let trace = Trace::new(40, 101);
    let mut bench = Bench::new(trace.session("bsp"));
    for (share, step) in [(0.0, 0), (0.25, 25), (1.0, 100), (0.5, 50)] {
        let steps = click(&mut bench, share);
        assert_eq!(steps, if step == bench.session().steps() { vec![] } else { vec![step] });
        steps.into_iter().for_each(|step| bench.obey(Order::GoTo(step)));
        assert_eq!(bench.session().motion().boxes(), &trace.frames[step as usize][..]);
    }
    assert!(bench.has(Role::Label, "Frame 50 of 0 to 100"));
}

#[test]
fn drag_along_the_bar_shows_step_after_step() {
    let mut bench = Bench::of("kd-tree");
    bench.steps(40);
    bench.harness.hover_at(at(&bench, 1.0));
    bench.harness.run();
    bench.harness.drag_at(at(&bench, 1.0));
    bench.harness.run();
    let mut seen = Vec::new();
    for share in [0.75, 0.5, 0.5, 0.25] {
        bench.harness.hover_at(at(&bench, share));
        bench.harness.run();
        for step in wanted(&mut bench) {
            seen.push(step);
            bench.obey(Order::GoTo(step));
        }
    }
    bench.harness.drop_at(at(&bench, 0.25));
    bench.harness.run();
    bench.assert_no_command();
    assert_eq!(seen, [30, 20, 10], "each step once");
    assert_eq!((bench.session().steps(), bench.session().motion().kept()), (10, 0..=40));
    assert!(bench.has(Role::Label, "Step 10, frame 9"));
}

#[test]
fn click_near_a_peak_shows_the_peak() {
    // One crowded frame, among frames whose boxes are apart.
    let mut frames = Trace::new(40, 2000).frames;
    frames[1203] = vec![frames[0][0]; 40];
    let trace = Trace::of(frames);
    let mut bench = Bench::new(trace.session("bsp"));
    for frame in 1190..1215 {
        bench.obey(Order::GoTo(frame - 1));
        bench.steps(1);
    }
    assert_eq!(click(&mut bench, 1202.0 / 1999.0), [1203]);
    let steps = click(&mut bench, 900.0 / 1999.0);
    assert!(steps.len() == 1 && steps[0].abs_diff(900) <= 2, "{steps:?}");
}

#[test]
fn bookmarks_are_added_named_shown_and_removed() {
    let mut bench = Bench::of("bsp");
    bench.steps(5);
    bench.click(Role::Button, "Bookmarks");
    bench.click(Role::Button, "Add this step and camera");
    bench.type_into(Role::TextInput, "Name of bookmark 1", "the first hit");
    let [here] = &bench.stage().panel.bookmarks[..] else { panic!("one is added") };
    let here = here.clone();
    assert_eq!((here.step, here.name.as_str()), (5, "the first hit"));
    bench.click(Role::Button, "1: step 5");
    let command = bench.command();
    assert!(matches!(&command, Command::Show(shown) if *shown == here), "{command:?}");
    bench.stage().panel.bookmarks.extend([
        Bookmark { step: 105, ..here.clone() },
        Bookmark { objects: here.objects + 1, ..here.clone() },
    ]);
    bench.harness.run();
    if !bench.has(Role::Button, "Remove bookmark 1") {
        bench.click(Role::Button, "Bookmarks (3)");
    }
    let other = format!("of {} objects, seed {}", here.objects + 1, here.seed);
    assert!(bench.draws("not reached yet: 100 steps ahead") && bench.draws(&other), "{other}");
    assert!(!bench.is_disabled(Role::Button, "2: step 105"));
    assert!(bench.is_disabled(Role::Button, "3: step 5"));
    // The last 600 steps are kept.
    bench.steps(700);
    assert!(bench.draws("no longer kept") && bench.is_disabled(Role::Button, "1: step 5"));
    bench.click(Role::Button, "Remove bookmark 1");
    assert_eq!(bench.stage().panel.bookmarks.len(), 2);
}

/// The words at a step, as the pointer shows them.
fn words_at(bench: &mut Bench, step: u64) -> String {
    let (first, last) = bench.session().motion().kept().into_inner();
    let at = at(bench, (step - first) as f32 / (last - first) as f32);
    bench.harness.hover_at(at);
    bench.harness.run();
    bench.meaning(Role::Slider, "Step shown")
}

#[test]
fn repeated_search_after_a_switch_is_not_the_time_of_a_step() {
    let mut bench = Bench::of("bsp");
    bench.steps(3);
    let time = |bench: &Bench, kind: &str| {
        assert!(bench.has(Role::Label, &format!("{kind} 2.000 ms")), "{kind}");
    };
    time(&bench, "search");
    bench.choose("kd-tree");
    time(&bench, "one search");
    bench.steps(2);
    time(&bench, "search");
    // A step that was taken has its time after going back, too.
    for (step, kind) in [(4, "search"), (3, "one search")] {
        bench.obey(Order::GoTo(step));
        time(&bench, kind);
    }
    // Of this many steps, two share a place in the graph.
    let trace = Trace::new(5, 1600);
    let mut bench = Bench::new(trace.session("bsp"));
    bench.obey(Order::GoTo(1500));
    time(&bench, "one search");
    for _ in 0..3 {
        bench.steps(1);
        time(&bench, "search");
    }
}

#[test]
fn the_bar_says_what_is_kept_and_when_a_structure_is_new() {
    let mut bench = Bench::of("kd-tree");
    bench.steps(30);
    let pairs = bench.session().found().unwrap().pairs;
    let words = words_at(&mut bench, 30);
    assert!(words.starts_with(&format!("step 30: {pairs} candidates, search ")), "{words}");
    assert!(bench.has(Role::Label, &format!("{pairs} candidates")));
    assert!(words.contains("Steps 0 to 30 are kept, in "), "{words}");
    assert!(words.ends_with(" of at most 67.1 MB"), "{words}");
    assert!(!bench.says("did not search before"));
    // More steps than are kept: the first ones are not known to an algorithm that is chosen now.
    bench.steps(620);
    bench.choose("sap-incremental");
    assert!(bench.says("did not search before 650") && bench.says("one search 2.000 ms"));
    bench.steps(20);
    for (step, new) in [(660, 650), (640, 640)] {
        bench.obey(Order::GoTo(step));
        assert!(bench.says(&format!("did not search before {new}")), "step {step}");
    }
}
