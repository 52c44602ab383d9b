//! The parameters of the algorithm that drives the motion.

use crate::common::bench::Bench;
use crate::common::exported;
use crate::panel::run::motion;
use broadphase::registry::ALGORITHMS;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use viewer::panel::Command;
use viewer::simulation::Order;

fn bench_with_parameters(algorithm: &str) -> Bench {
    let mut bench = Bench::of(algorithm);
    bench.click(Role::DisclosureTriangle, "Parameters");
    bench
}

/// Carries out the only command, another algorithm, and returns its id.
fn chosen(bench: &mut Bench) -> &'static str {
    let command = bench.command();
    let Command::Order(Order::Algorithm(entry)) = command else { panic!("{command:?}") };
    bench.obey(command);
    entry.id
}

#[test]
fn typed_value_drives_the_motion_by_a_new_structure() {
    let mut bench = bench_with_parameters("grid-uniform");
    bench.steps(3);
    assert_eq!(bench.value("cell-side"), 1.5);
    assert!(bench.is_disabled(Role::Button, "Reset cell-side"));
    let before = motion(bench.session());
    bench.type_number("cell-side", "2.5");
    assert_eq!(chosen(&mut bench), "grid-uniform@cell-side=2.5");
    assert_eq!(bench.session().algorithm().id, "grid-uniform@cell-side=2.5");
    assert_eq!(motion(bench.session()), before);
    bench.steps(2);
    bench.type_number("objects-per-cell", "8");
    assert_eq!(chosen(&mut bench), "grid-uniform@cell-side=2.5@objects-per-cell=8");
    assert_eq!((bench.value("cell-side"), bench.value("objects-per-cell")), (2.5, 8.0));
    // The header counts what is not the default.
    bench.node(Role::DisclosureTriangle, "Parameters (2 changed)");

    bench.click(Role::Button, "Reset cell-side");
    assert_eq!(chosen(&mut bench), "grid-uniform@objects-per-cell=8");
    bench.click(Role::Button, "Reset objects-per-cell");
    assert_eq!(chosen(&mut bench), "grid-uniform");
    assert!(bench.is_disabled(Role::Button, "Reset objects-per-cell"));
    assert_eq!(bench.node(Role::ComboBox, "Algorithm").value().as_deref(), Some("Uniform grid"));
}

#[test]
fn value_left_to_the_algorithm_is_named_automatic() {
    let mut bench = bench_with_parameters("bsp");
    assert_eq!(bench.value("depth"), 0.0);
    assert!(bench.draws("automatic"));
    bench.type_number("depth", "3");
    chosen(&mut bench);
    assert!(!bench.draws("automatic") && bench.draws("Reset"));
    assert!(!bench_with_parameters("grid-uniform").draws("automatic"));
}

#[test]
fn wrong_value_is_refused_in_words_and_the_old_one_kept() {
    let mut bench = bench_with_parameters("kd-tree");
    for (name, text, expected) in [
        ("depth", "17", "depth: expected a whole number from 0 to 12, found “17”; 0 is kept"),
        ("depth", "2.5", "depth: expected a whole number from 0 to 12, found “2.5”; 0 is kept"),
        ("period", "0", "period: expected a number from 0.001 to 60, found “0”; 0.2 is kept"),
        ("imbalance", "two", "imbalance: expected a number from 1 to 100, found “two”; 2 is kept"),
    ] {
        let before = bench.value(name);
        bench.type_number(name, text);
        assert_eq!(bench.refusal(&format!("{name}: expected ")).as_deref(), Some(expected));
        assert_eq!(bench.value(name), before);
        bench.assert_no_command();
    }
}

#[test]
fn every_parameter_has_a_field_and_every_algorithm_has_threads() {
    for entry in ALGORITHMS {
        let mut bench = Bench::of(entry.id);
        bench.click(Role::DisclosureTriangle, "Parameters");
        assert!(bench.is_disabled(Role::Button, "Reset threads"), "{}", entry.id);
        for parameter in entry.parameters {
            assert_eq!(bench.value(parameter.name), parameter.default, "{}", entry.id);
            let most = parameter.range[1];
            bench.type_number(parameter.name, &most.to_string());
            let id = chosen(&mut bench);
            assert!(id.contains(&format!("@{}={most}", parameter.name)), "{id}");
        }
        bench.steps(1);
    }
}

#[test]
fn chosen_threads_take_the_next_steps_and_name_the_rows() {
    let mut bench = bench_with_parameters("sweep-grid");
    bench.steps(2);
    let before = motion(bench.session());
    bench.stage().engine.obey(Order::Threads(3));
    assert!(bench.session().is_searched(), "what the step has found stays");
    bench.stage().look();
    bench.harness.run();
    assert_eq!(bench.node(Role::ComboBox, "threads").value().as_deref(), Some("3"));
    assert_eq!(motion(bench.session()), before);
    bench.harness.get_by_label_contains("no step yet with this algorithm and these threads");
    bench.steps(2);
    let mut alone = Bench::of("sweep-grid");
    alone.steps(4);
    assert_eq!(motion(bench.session()), motion(alone.session()));
    let threads: Vec<u32> = exported(bench.session()).iter().map(|row| row.threads).collect();
    assert_eq!(threads, [1, 1, 3, 3]);
    // Times on one thread are no longer shown.
    assert_eq!(bench.stage().snapshot.history.frames.len(), 2);

    bench.node(Role::DisclosureTriangle, "Parameters (1 changed)");
    bench.click(Role::ComboBox, "threads");
    bench.click(Role::Button, "1");
    let command = bench.command();
    assert!(matches!(command, Command::Order(Order::Threads(1))), "{command:?}");
    let command = bench.click_and_obey(Role::Button, "Reset threads");
    assert!(matches!(command, Command::Order(Order::Threads(1))), "{command:?}");
    bench.node(Role::DisclosureTriangle, "Parameters");
}
