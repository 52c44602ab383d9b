//! Groups *Forces* and *Rates*.

use crate::common::bench::Bench;
use crate::common::meeting;
use crate::panel::scene::{divided, scene_bench};
use egui::Event;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use sim::scene::Gravity;
use std::time::Duration;

#[test]
fn gravity_acts_from_the_next_step_on() {
    let mut bench = scene_bench(divided());
    for gravity in [Gravity::Weak, Gravity::Medium, Gravity::Strong, Gravity::Off] {
        bench.click_and_obey(Role::Button, &format!("Gravity {gravity}"));
        assert_eq!(bench.world().scene().gravity, gravity);
        let text = format!("It pulls downwards with {} units/s².", gravity.acceleration());
        bench.harness.get_by_label(&text);
    }
    bench.click(Role::Button, "Gravity off");
    bench.assert_no_command();

    let mut bench = scene_bench(meeting());
    bench.click_and_obey(Role::Button, "Gravity strong");
    bench.steps(1);
    let fall = Gravity::Strong.acceleration() * meeting().dt;
    assert!(bench.world().velocities().iter().all(|v| (v.z + fall).abs() < 1e-6));
}

#[test]
fn the_line_moves_once_its_field_is_left() {
    let mut bench = scene_bench(divided());
    bench.click(Role::SpinButton, "Line x");
    bench.harness.event(Event::Text("0.5".to_owned()));
    bench.harness.run();
    bench.assert_no_command();
    bench.harness.key_press(Key::Enter);
    bench.harness.run();
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.world().scene().line, [0.5, 0.0]);
    bench.type_number("Line y", "-0.25");
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.world().scene().line, [0.5, -0.25]);
    bench.click_and_obey(Role::Button, "Undo: line at 0.5, -0.25");
    assert_eq!(bench.value("Line y"), 0.0);
}

#[test]
fn a_dragged_line_is_previewed_and_moved_once() {
    let mut bench = scene_bench(divided());
    let from = bench.node(Role::SpinButton, "Line x").rect().center();
    let pointer = |bench: &mut Bench, event: Event| {
        bench.harness.event(event);
        bench.harness.run();
    };
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    pointer(&mut bench, Event::PointerMoved(from));
    pointer(&mut bench, button(from, true));
    for moved in [10.0, 20.0, 30.0] {
        pointer(&mut bench, Event::PointerMoved(from + egui::vec2(moved, 0.0)));
    }
    let seen = bench.harness.state().panel.selection().line.unwrap();
    assert!(seen[0] > 0.1, "{seen:?}");
    bench.assert_no_command();
    pointer(&mut bench, button(from + egui::vec2(30.0, 0.0), false));
    let command = bench.command();
    assert_eq!(bench.harness.state().panel.selection().line, Some(seen), "the order is on its way");
    bench.obey(command);
    assert_eq!(bench.world().scene().line, seen);
}

#[test]
fn the_response_delay_is_set_by_slider_or_field() {
    let mut bench = scene_bench(divided());
    bench.set(Role::Slider, "Response delay", 30.0);
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.session().response_delay(), Duration::from_millis(30));
    bench.type_number("Response delay in ms", "7");
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.session().response_delay(), Duration::from_millis(7));
    bench.type_number("Response delay in ms", "101");
    bench.assert_no_command();
    assert!(bench.refusal("Response delay in ms: expected a whole number").is_some());
}

#[test]
fn rates_are_those_of_the_history() {
    let mut bench = scene_bench(divided());
    bench.steps(8);
    let rates = bench.session().history().rates.unwrap();
    for (meaning, rate) in [
        (
            "Pairs of boxes compared, over the last second; a dash before the second step",
            rates.tests,
        ),
        (
            "Pairs of objects that touched, over the last second; a dash before the second step",
            rates.hits,
        ),
    ] {
        let figure = bench.figure(meaning).replace(',', "");
        assert_eq!(figure, format!("{rate:.0}"), "{meaning}");
    }
}
