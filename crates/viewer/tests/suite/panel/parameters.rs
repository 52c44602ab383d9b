//! The parameters of the algorithm that drives the motion.

use super::*;

fn bench_with_parameters(algorithm: &str) -> Bench {
    let mut bench = Bench::of(algorithm);
    bench.click(Role::DisclosureTriangle, "Parameters");
    bench
}

/// Carries out the only command, another algorithm, and returns its id.
#[track_caller]
fn chosen(bench: &mut Bench) -> &'static str {
    let command = bench.command();
    let Command::Order(Order::Algorithm(entry)) = command else { panic!("{command:?}") };
    bench.obey(command);
    assert_eq!(bench.session().algorithm().id, entry.id);
    entry.id
}

#[test]
fn typed_values_drive_the_motion_by_a_new_structure() {
    let mut bench = bench_with_parameters("grid-uniform");
    bench.steps(3);
    let before = motion(bench.session());
    bench.type_number("cell-side", "2.5");
    assert_eq!(chosen(&mut bench), "grid-uniform@cell-side=2.5");
    assert_eq!(motion(bench.session()), before);
    bench.steps(2);
    bench.type_number("objects-per-cell", "8");
    assert_eq!(chosen(&mut bench), "grid-uniform@cell-side=2.5@objects-per-cell=8");
    assert_eq!((bench.value("cell-side"), bench.value("objects-per-cell")), (2.5, 8.0));
    // The header counts what is not the default.
    bench.node(Role::DisclosureTriangle, "Parameters (2 changed)");
    for (reset, id) in [
        ("Reset cell-side", "grid-uniform@objects-per-cell=8"),
        ("Reset objects-per-cell", "grid-uniform"),
    ] {
        bench.click(Role::Button, reset);
        assert_eq!(chosen(&mut bench), id);
        assert!(bench.is_disabled(Role::Button, reset));
    }
    assert_eq!(bench.node(Role::ComboBox, "Algorithm").value().as_deref(), Some("Uniform grid"));
}

#[test]
fn every_parameter_has_a_field_with_its_range() {
    for entry in ALGORITHMS {
        let mut bench = bench_with_parameters(entry.id);
        assert!(bench.is_disabled(Role::Button, "Reset threads"), "{}", entry.id);
        for parameter in entry.parameters {
            let (name, most) = (parameter.name, parameter.range[1]);
            let value = bench.value(name);
            assert_eq!(value, parameter.default, "{}", entry.id);
            for text in ["two".to_owned(), (2.0 * most + 1.0).to_string()] {
                bench.type_number(name, &text);
                let refusal = bench.refusal(&format!("{name}: expected ")).unwrap();
                assert!(
                    refusal.ends_with(&format!("found “{text}”; {value} is kept")),
                    "{refusal}"
                );
                assert_eq!(bench.value(name), value);
                bench.assert_no_command();
            }
            bench.type_number(name, &most.to_string());
            let id = chosen(&mut bench);
            assert!(id.contains(&format!("@{name}={most}")), "{id}");
        }
        bench.steps(1);
    }
    let mut bench = bench_with_parameters("bsp");
    assert!(bench.draws("automatic"), "0 is left to the algorithm");
    bench.type_number("depth", "3");
    chosen(&mut bench);
    assert!(!bench.draws("automatic") && bench.draws("Reset"));
}

#[test]
fn chosen_threads_take_the_next_steps_and_name_the_rows() {
    let mut bench = bench_with_parameters("sweep-grid");
    bench.steps(2);
    let before = motion(bench.session());
    bench.stage().engine.obey(Order::Threads(3));
    assert!(bench.session().is_searched(), "what the step has found stays");
    bench.look();
    assert_eq!(bench.value("threads"), 3.0);
    assert_eq!(motion(bench.session()), before);
    assert!(bench.says("no step yet with this algorithm and these threads"));
    bench.steps(2);
    let mut alone = Bench::of("sweep-grid");
    alone.steps(4);
    assert_eq!(motion(bench.session()), motion(alone.session()));
    let threads: Vec<u32> = exported(bench.session()).iter().map(|row| row.threads).collect();
    assert_eq!(threads, [1, 1, 3, 3]);
    // Times on one thread are no longer shown.
    assert_eq!(bench.stage().snapshot.history.frames.len(), 2);
    bench.node(Role::DisclosureTriangle, "Parameters (1 changed)");
    bench.type_number("threads", "2");
    assert!(matches!(bench.command(), Command::Order(Order::Threads(2))));
    let command = bench.click_and_obey(Role::Button, "Reset threads");
    assert!(matches!(command, Command::Order(Order::Threads(1))), "{command:?}");
    bench.node(Role::DisclosureTriangle, "Parameters");
}

#[test]
fn dragged_value_drives_the_motion_once_it_is_released() {
    let mut bench = bench_with_parameters("grid-uniform");
    let default = bench.value("objects-per-cell");
    let from = bench.node(Role::SpinButton, "objects-per-cell").rect().center();
    let to = from + egui::vec2(40.0, 0.0);
    bench.harness.hover_at(from);
    bench.harness.run();
    bench.harness.drag_at(from);
    bench.harness.run();
    bench.harness.hover_at(to);
    bench.harness.run();
    bench.assert_no_command();
    let dragged = bench.value("objects-per-cell");
    assert!(dragged > default, "it is shown at once");
    bench.harness.drop_at(to);
    bench.harness.run();
    assert_eq!(chosen(&mut bench), format!("grid-uniform@objects-per-cell={dragged}"));
}
