//! Clicks on spheres, answered by queries to the structure.

use crate::common::shown::{BLIND, CONFUSED, HONEST, TOUCHY};
use crate::common::{clock, crowded, row};
use crate::panel::structure::structure_bench;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use viewer::camera::Ray;
use viewer::picking::nearest_sphere;
use viewer::session::Session;
use viewer::simulation::Order;

/// Rays from all sides, most of which meet a sphere.
fn rays() -> impl Iterator<Item = Ray> {
    (0..400).map(|i| {
        let angle = i as f32 * 2.399_963;
        let height = i as f32 / 200.0 - 1.0;
        let origin = Vec3::new(4.0 * angle.cos(), 4.0 * angle.sin(), 3.0 * height);
        let aim = Vec3::new((i % 7) as f32 - 3.0, (i % 5) as f32 - 2.0, (i % 3) as f32 - 1.0) * 0.2;
        Ray { origin, direction: (aim - origin).normalize() }
    })
}

#[test]
fn a_click_picks_alike_with_and_without_queries() {
    for row in [&HONEST, &CONFUSED, row("brute-force")] {
        let mut bench = structure_bench(row, crowded());
        let mut met = 0;
        for (number, ray) in (1..).zip(rays()) {
            bench.stage().obey(Order::Pick(ray).into());
            let world = bench.session().world().unwrap();
            let expected = nearest_sphere(ray, world.positions(), world.radii());
            let snapshot = &bench.harness.state().snapshot;
            assert_eq!(snapshot.engine.picks, number);
            let picked = bench.harness.state().picked_by_click;
            assert_eq!(picked, expected, "{} {ray:?}", row.id);
            met += u32::from(expected.is_some());
        }
        assert!((100..400).contains(&met), "{met}");
    }
}

#[test]
fn only_an_updated_structure_is_queried() {
    let mut bench = structure_bench(&BLIND, crowded());
    let world = bench.session().world().unwrap();
    let toward = Ray { origin: world.positions()[3] - Vec3::X * 9.0, direction: Vec3::X };
    let expected = nearest_sphere(toward, world.positions(), world.radii());
    assert!(expected.is_some());
    let mut session = Session::new("a", &crowded(), &BLIND, clock(), None).unwrap();
    let placed = nearest_sphere(
        toward,
        session.world().unwrap().positions(),
        session.world().unwrap().radii(),
    );
    assert_eq!(session.pick(toward), (placed, Ok(())), "no search was done yet");
    bench.obey(Order::Pick(toward));
    assert_eq!(bench.harness.state().picked_by_click, None, "the structure was not queried");
}

#[test]
fn a_panic_in_a_query_is_reported_and_picks_anyway() {
    let mut bench = structure_bench(&TOUCHY, crowded());
    let world = bench.session().world().unwrap();
    let toward = Ray { origin: world.positions()[3] - Vec3::X * 9.0, direction: Vec3::X };
    let expected = nearest_sphere(toward, world.positions(), world.radii());
    bench.obey(Order::Pick(toward));
    assert_eq!(bench.harness.state().picked_by_click, expected);
    bench.harness.get_by_label_contains("touchy failed: no questions");
    // The structure was dropped; the next step creates another one.
    bench.steps(2);
    assert_eq!(bench.session().world().unwrap().steps(), 3);
}
