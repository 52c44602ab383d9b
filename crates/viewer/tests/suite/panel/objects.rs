//! Group *Objects*: the form and *Generate objects*.

use crate::common::bench::Bench;
use crate::common::crowded;
use crate::panel::run::motion;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use sim::Scene;
use sim::scene::{Radius, Triangles};
use viewer::panel::Command;
use viewer::simulation::Order;

#[test]
fn objects_are_generated_from_the_form_by_the_button() {
    let mut bench = Bench::of("kd-tree");
    bench.steps(3);
    let before = motion(bench.session());
    bench.set(Role::SpinButton, "Count", 80.0);
    bench.set(Role::SpinButton, "Radius", 0.05);
    bench.set(Role::SpinButton, "Speed", 1.5);
    bench.click(Role::Button, "80");
    bench.assert_no_command();
    assert_eq!(motion(bench.session()), before, "typing alone changes nothing");

    bench.click(Role::Button, "Generate objects");
    let command = bench.command();
    let Command::Order(Order::Generate(scene)) = &command else { panic!("{command:?}") };
    let expected = Scene {
        objects: 80,
        radius: Radius::Equal(0.05),
        speed: 1.5,
        triangles: Triangles::Eighty,
        ..crowded()
    };
    assert_eq!(**scene, expected);
    bench.obey(command);
    let world = bench.session().world().unwrap();
    assert_eq!((world.len(), world.steps()), (80, 0));
    assert!(world.radii().iter().all(|&radius| radius == 0.05));
    assert!(world.velocities().iter().all(|v| (v.length() - 1.5).abs() < 1e-5));
}

#[test]
fn numbers_out_of_range_are_clamped() {
    let mut bench = Bench::of("bsp");
    for (name, typed, taken) in [
        ("Count", 0.0, 1.0),
        ("Count", 1e12, 1e7),
        ("Radius", -1.0, 1e-6),
        ("Radius", 5e7, 1e6),
        ("Speed", -3.0, 0.0),
    ] {
        bench.set(Role::SpinButton, name, typed);
        let form = bench.harness.state().panel.objects;
        let now = match name {
            "Count" => f64::from(form.count),
            "Radius" => f64::from(form.radius),
            _ => f64::from(form.speed),
        };
        assert!((now - taken).abs() < 1e-6, "{name}: {typed} became {now}");
    }
}

#[test]
fn refused_generation_is_reported_and_changes_nothing() {
    let mut bench = Bench::of("sap-matrix");
    bench.steps(2);
    let before = motion(bench.session());
    bench.set(Role::SpinButton, "Count", 1e6);
    bench.set(Role::SpinButton, "Radius", 1e-3);
    bench.click(Role::Button, "Generate objects");
    let command = bench.command();
    bench.obey(command);
    bench.harness.get_by_label_contains("sap-matrix needs 1.0 TB");
    assert_eq!(motion(bench.session()), before);
    assert_eq!(bench.session().recorded(), 2);
}
