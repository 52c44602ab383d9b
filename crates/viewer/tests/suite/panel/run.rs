//! Group *Run*: choice of the algorithm, start, stop and single steps, pace.

use crate::common::bench::Bench;
use crate::common::{crowded, session};
use broadphase::registry::ALGORITHMS;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use sim::Edit;
use std::time::Duration;
use viewer::panel::{Command, MAX_RESPONSE_DELAY, variant_name};
use viewer::session::{AtWork, Session, Task};
use viewer::simulation::{Order, Pace};

/// Everything that moves, to the bit.
pub(crate) fn motion(session: &Session) -> (Vec<[u32; 3]>, Vec<[u32; 3]>, f64) {
    let bits = |vectors: &[Vec3]| vectors.iter().map(|v| v.to_array().map(f32::to_bits)).collect();
    let world = session.world().unwrap();
    (bits(world.positions()), bits(world.velocities()), world.time())
}

#[test]
fn choosing_an_algorithm_keeps_the_motion_to_the_bit() {
    // All entries of the list must be visible at this size: hidden ones cannot be clicked.
    let session = session(crowded(), "brute-force");
    let mut bench = Bench::sized(session, 1280.0, 720.0);
    bench.steps(5);
    for entry in ALGORITHMS.iter().rev() {
        let before = motion(bench.session());
        let family = ALGORITHMS.find(entry.family).unwrap();
        bench.click(Role::ComboBox, "Algorithm");
        bench.click(Role::Button, family.name);
        if let Some(variant) = entry.variant {
            let first = bench.command();
            bench.obey(first);
            bench.click(Role::ComboBox, "Variant");
            bench.click(Role::Button, variant_name(Some(variant)));
        }
        let command = bench.command();
        assert!(matches!(command, Command::Order(Order::Algorithm(chosen)) if chosen == entry));
        bench.obey(command);
        assert_eq!(bench.session().algorithm().id, entry.id);
        assert_eq!(motion(bench.session()), before, "{}", entry.id);
        let shown = bench.node(Role::ComboBox, "Algorithm").value();
        assert_eq!(shown.as_deref(), Some(family.name));
        bench.steps(2);
    }
}

#[test]
fn time_is_never_cut_off_and_the_delay_has_its_line() {
    let mut bench = Bench::of("bsp");
    for (time, shown) in [
        (0.0, "0.00 s"),
        (99.99, "99.99 s"),
        (123.94, "123.94"),
        (999.99, "999.99"),
        (99_999.0, "99999 s"),
    ] {
        for delay in [0, 4, MAX_RESPONSE_DELAY.as_millis() as u64] {
            let snapshot = &mut bench.stage().snapshot;
            (snapshot.motion.time, snapshot.input.response_delay) =
                (time, Duration::from_millis(delay));
            bench.harness.run();
            let cut = bench.shapes(|shape| match shape {
                egui::Shape::Text(text) if text.galley.job.text == shown => {
                    Some(text.galley.elided)
                }
                _ => None,
            });
            assert_eq!(cut, [false], "{shown}");
            let line = format!("Delay of each response {delay} ms");
            assert_eq!(bench.has(Role::Label, &line), delay > 0, "{line}");
        }
    }
}

#[test]
fn one_button_starts_and_stops_the_motion() {
    let mut bench = Bench::of("bsp");
    assert!(bench.harness.query_by_label("Stop").is_none());
    bench.click(Role::Button, "Start");
    let start = bench.command();
    assert!(matches!(start, Command::Order(Order::Run(true))));
    bench.obey(start);
    assert!(bench.harness.query_by_label("Start").is_none());
    bench.click(Role::Button, "Stop");
    assert!(matches!(bench.command(), Command::Order(Order::Run(false))));
}

#[test]
fn single_steps_are_disabled_during_motion() {
    let mut bench = Bench::of("bsp");
    bench.click(Role::Button, "Step");
    let step = bench.command();
    assert!(matches!(step, Command::Order(Order::Step)));
    bench.obey(step);
    assert_eq!((bench.session().world().unwrap().steps(), bench.session().recorded()), (1, 1));

    bench.obey(Order::Run(true));
    assert!(bench.is_disabled(Role::Button, "Step"));
    bench.click(Role::Button, "Step");
    bench.assert_no_command();
}

#[test]
fn what_takes_long_is_reported_running_or_stopped() {
    let mut bench = Bench::of("bsp");
    let task = Task { words: "searching", algorithm: Some("k-d tree") };
    let notice = "k-d tree: searching for 3.2 s";
    assert!(bench.harness.query_by_label(notice).is_none());
    for running in [false, true] {
        bench.obey(Order::Run(running));
        let time = Duration::from_millis(3200);
        bench.stage().at_work = Some(AtWork { task: Some(task), task_for: time, busy_for: time });
        bench.harness.run();
        bench.harness.get_by_label(notice);
    }
}

#[test]
fn strict_box_is_an_edit_of_the_scene() {
    let mut bench = Bench::of("bsp");
    for wanted in [true, false] {
        bench.click(Role::CheckBox, "Objects strictly inside");
        let command = bench.command();
        assert!(
            matches!(command, Command::Order(Order::Edit(Edit::Strict(strict))) if strict == wanted)
        );
        bench.obey(command);
        assert_eq!(bench.session().world().unwrap().scene().strict, wanted);
        assert_eq!(bench.is_ticked("Objects strictly inside"), wanted);
    }
}

#[test]
fn pace_is_clamped_or_unlimited() {
    let mut bench = Bench::of("bsp");
    for (typed, taken) in [(0.5, 0.5), (99.0, 4.0), (0.0, 0.1)] {
        bench.set(Role::Slider, "Speed of time", typed);
        let command = bench.command();
        let Command::Order(Order::Pace(Pace::Times(times))) = command else {
            panic!("{command:?}")
        };
        assert!((f64::from(times) - taken).abs() < 1e-6, "{typed} became {times}");
        bench.obey(command);
    }
    bench.set(Role::Slider, "Speed of time", 2.0);
    let command = bench.command();
    bench.obey(command);
    let Pace::Times(chosen) = bench.stage().snapshot.engine.pace else { panic!("no limit") };
    bench.harness.get_by_label("Speed 2.00x");
    bench.click_and_obey(Role::CheckBox, "as fast as possible");
    assert_eq!(bench.stage().snapshot.engine.pace, Pace::Unlimited);
    assert!(bench.is_disabled(Role::Slider, "Speed of time"));
    bench.harness.get_by_label("Speed –");
    bench.steps(2);
    bench.click_and_obey(Role::CheckBox, "as fast as possible");
    assert_eq!(bench.stage().snapshot.engine.pace, Pace::Times(chosen), "as chosen before");
    bench.harness.get_by_label("Speed 2.00x");
}

#[test]
fn steps_are_taken_back_to_the_bit() {
    let mut bench = Bench::of("kd-tree");
    assert!(bench.is_disabled(Role::Button, "Back"));
    bench.steps(3);
    let third = motion(bench.session());
    bench.steps(2);
    for _ in 0..2 {
        bench.click_and_obey(Role::Button, "Back");
    }
    assert_eq!(motion(bench.session()), third);
    assert_eq!((bench.session().recorded(), bench.session().motion_state().steps_back()), (5, 3));
    bench.click_and_obey(Role::Button, "Restart");
    assert_eq!(bench.session().world().unwrap().steps(), 0);
    assert!(bench.is_disabled(Role::Button, "Back"));
}

#[test]
fn a_summary_stands_beside_each_name_in_the_list_of_algorithms() {
    let mut bench = Bench::sized(session(crowded(), "brute-force"), 1280.0, 720.0);
    bench.click(Role::ComboBox, "Algorithm");
    let texts = bench.texts();
    let place = |text: &str| {
        let found = texts.iter().rfind(|(drawn, ..)| drawn == text);
        found.unwrap_or_else(|| panic!("{text:?} is not drawn")).1
    };
    for family in ALGORITHMS.families() {
        let (name, summary) = (place(family.name), place(family.summary));
        assert!(name.y_range().contains(summary.center().y), "{}", family.name);
        assert!(summary.left() > name.right(), "{}", family.name);
    }
}

#[test]
fn variant_of_one_pair_at_a_time_is_named_so() {
    let mut bench = Bench::of("bsp+scalar");
    let shown = bench.node(Role::ComboBox, "Variant").value();
    assert_eq!(shown.as_deref(), Some("one pair at a time"));
    // As a whole.
    let variant = bench.node(Role::ComboBox, "Variant").rect();
    let (_, text, _) =
        bench.texts().into_iter().find(|(text, ..)| text == "one pair at a time").unwrap();
    assert!(text.right() < variant.right() - 14.0, "{text:?} in {variant:?}");
    bench.steps(1);
}
