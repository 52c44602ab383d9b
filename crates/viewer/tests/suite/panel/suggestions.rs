//! The strip of things to try.

use crate::common::bench::Bench;
use broadphase::inspect::Overlay;
use broadphase::registry::ALGORITHMS;
use egui::accesskit::Role;
use viewer::panel::Command;
use viewer::simulation::{Order, Pace};

/// A stopped bench that suggests things to try.
fn suggesting() -> Bench {
    let mut bench = Bench::of("bsp");
    assert!(!bench.has(Role::Button, "See a sweep"), "only on request");
    bench.obey(Command::Suggestions(true));
    bench
}

/// Clicks, and returns the commands that this causes.
fn commands(bench: &mut Bench, name: &str) -> Vec<Command> {
    bench.click(Role::Button, name);
    std::mem::take(&mut bench.stage().commands)
}

/// The algorithm that is chosen; it then starts the motion.
#[track_caller]
fn chosen(commands: &[Command]) -> &'static str {
    match commands {
        [Command::Order(Order::Algorithm(row)), .., Command::Order(Order::Run(true))] => row.id,
        other => panic!("{other:?}"),
    }
}

#[test]
fn tree_is_shown_at_work_by_one_click() {
    let mut bench = suggesting();
    let commands = commands(&mut bench, "Watch a tree adjust");
    assert_eq!(chosen(&commands), "kd-tree");
    // The crowd spreads within seconds.
    let is_slow = |command: &Command| matches!(command, Command::Order(Order::Pace(pace)) if *pace == Pace::Times(0.5));
    assert!(commands.iter().any(is_slow));
    assert!(commands.iter().any(|command| matches!(command, Command::Order(Order::Restart))));
    assert!(bench.draw().shows(Overlay::Planes));
}

#[test]
fn sweep_is_shown_with_a_picked_sphere_by_one_click() {
    let mut bench = suggesting();
    assert_eq!(chosen(&commands(&mut bench, "See a sweep")), "sap-1-axis");
    assert!(bench.draw().shows(Overlay::Endpoints) && bench.stage().panel.view.picked.is_some());
}

#[test]
fn all_families_are_compared_by_one_click() {
    let mut bench = suggesting();
    let commands = commands(&mut bench, "Race them all");
    let [Command::Order(Order::Compare(rows)), Command::Order(Order::Run(true))] = &commands[..]
    else {
        panic!("{commands:?}")
    };
    let others: Vec<&str> =
        ALGORITHMS.families().map(|entry| entry.id).filter(|id| *id != "bsp").collect();
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), others);
    assert!(bench.stage().panel.compare.open);
}

#[test]
fn suggestions_are_closed_and_brought_back_by_the_help_sheet() {
    let mut bench = suggesting();
    let closed = bench.click_and_obey(Role::Button, "Close suggestions");
    assert!(matches!(closed, Command::Suggestions(false)));
    assert!(!bench.has(Role::Button, "See a sweep"));
    bench.stage().panel.help = true;
    bench.harness.run();
    let opened = bench.click_and_obey(Role::CheckBox, "Suggest things to try");
    assert!(matches!(opened, Command::Suggestions(true)));
    assert!(bench.has(Role::Button, "See a sweep"));
}

#[test]
fn page_about_broad_phases_opens_from_suggestions_and_help() {
    let mut bench = suggesting();
    let is_open =
        |bench: &Bench| bench.texts().iter().any(|(text, ..)| text.contains("50 million pairs"));
    assert!(!is_open(&bench));
    bench.click(Role::Button, "What is a broad phase?");
    assert!(is_open(&bench));
    bench.obey(Command::Suggestions(false));
    bench.stage().panel.introduction = false;
    bench.stage().panel.help = true;
    bench.harness.run();
    bench.click(Role::Button, "What is a broad phase?");
    assert!(is_open(&bench));
}
