//! Notices over the lower edge of the scene.

use crate::common::bench::Bench;
use crate::common::{crowded, session};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use std::time::Duration;
use viewer::panel::Command;
use viewer::session::{AtWork, Task};
use viewer::simulation::Notice;

#[test]
fn notices_are_shown_until_they_are_dismissed() {
    let mut bench = Bench::of("bsp");
    assert!(!bench.has(Role::Button, "Dismiss"));
    let done = "chart written to results/a-chart.svg";
    let problem = "a.scene exists; save again to replace it (2 times)";
    bench.stage().notices =
        vec![Notice::Done(done.to_owned()), Notice::Problem(problem.to_owned())];
    bench.harness.run();
    for text in [done, problem] {
        assert!(bench.has(Role::Label, text), "{text}");
    }
    let command = bench.click_and_obey(Role::Button, "Dismiss");
    assert!(matches!(command, Command::DismissNotices), "{command:?}");
    assert!(bench.harness.query_by_label(done).is_none());
    assert!(!bench.has(Role::Button, "Dismiss"));
}

#[test]
fn long_notices_are_wrapped_within_the_scene() {
    let mut bench = Bench::sized(session(crowded(), "bsp"), 800.0, 600.0);
    let text = "a long sentence ".repeat(30);
    bench.stage().notices = vec![Notice::Problem(text.clone())];
    bench.harness.run();
    let rect = bench.harness.get_by_label(&text).rect();
    let scene = bench.stage().scene;
    assert!(scene.contains_rect(rect), "{rect} in {scene}");
}

#[test]
fn notices_are_above_the_strip_of_suggestions() {
    let mut bench = Bench::sized(session(crowded(), "bsp"), 1280.0, 720.0);
    let text = "a long sentence ".repeat(10);
    bench.stage().notices = vec![Notice::Problem(text.clone())];
    bench.harness.run();
    let alone = bench.harness.get_by_label(&text).rect();
    bench.obey(Command::Suggestions(true));
    bench.harness.run();
    let strip = bench.node(Role::Button, "See a sweep").rect();
    assert!(alone.x_range().intersects(strip.x_range()) && alone.bottom() > strip.top());
    let bottom = |bench: &Bench| bench.node(Role::Button, "Dismiss").rect().bottom();
    assert!(bottom(&bench) < strip.top());
    bench.stage().panel.hidden = true;
    bench.harness.run();
    assert!(bottom(&bench) > strip.top(), "there is no strip without panels");
}

#[test]
fn work_that_takes_long_is_named_and_cannot_be_dismissed() {
    let mut bench = Bench::of("bsp");
    let task_for = Duration::from_secs(3);
    let task = Some(Task { words: "searching", algorithm: Some("BSP tree") });
    bench.stage().at_work = Some(AtWork { task, task_for, busy_for: task_for });
    bench.harness.run();
    assert!(bench.has(Role::Label, "BSP tree: searching for 3.0 s"));
    assert!(!bench.has(Role::Button, "Dismiss"));
}
