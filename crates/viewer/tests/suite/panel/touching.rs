//! The list of pairs that touch.

use crate::common::bench::Bench;
use crate::common::{crowded, session, tumbling};
use egui::accesskit::Role;
use viewer::session::TouchingPair;

/// A bench after some steps with hits, with the list open.
fn listing(scene: sim::Scene) -> Bench {
    let mut bench = Bench::new(session(scene, "bsp"));
    let hits =
        |bench: &mut Bench| bench.stage().snapshot.search.found.map_or(0, |found| found.hits);
    while hits(&mut bench) < 2 {
        assert!(bench.stage().snapshot.motion.steps < 600, "no hits");
        bench.steps(1);
    }
    assert!(bench.stage().snapshot.touching.is_empty(), "only on request");
    bench.click(Role::Link, "Hits");
    bench.stage().look();
    bench.harness.run();
    bench
}

#[test]
fn touching_spheres_are_listed_and_picked_by_a_click() {
    let mut bench = listing(crowded());
    let touching = bench.stage().snapshot.touching.clone();
    assert_eq!(touching.len() as u64, bench.stage().snapshot.search.found.unwrap().hits);
    let objects = bench.stage().snapshot.objects.clone();
    for TouchingPair { pair, depth } in &touching {
        let [a, b] = [pair.a, pair.b].map(|object| object as usize);
        let gap = objects.positions[a].distance(objects.positions[b]);
        let expected = f64::from(objects.radii[a] + objects.radii[b] - gap);
        assert!((depth - expected).abs() < 1e-5 && *depth >= 0.0, "{depth} {expected}");
    }
    let pair = touching[1].pair;
    bench.click(Role::Link, &format!("Pick {}, which touches {}", pair.b, pair.a));
    assert_eq!(bench.stage().panel.view.picked, Some(pair.b));

    bench.click(Role::Link, "Hits");
    bench.stage().look();
    assert!(!bench.stage().panel.view.touching && bench.stage().snapshot.touching.is_empty());
}

#[test]
fn touching_bodies_are_listed_by_the_names_of_their_shapes() {
    let mut bench = listing(tumbling());
    let snapshot = bench.stage().snapshot.clone();
    assert_eq!(snapshot.touching.len() as u64, snapshot.search.found.unwrap().hits);
    let object = snapshot.touching[0].pair.a;
    let bodies = snapshot.objects.bodies.unwrap();
    let shape = &bodies.catalogue.shapes()[bodies.shape_of[object as usize] as usize].name;
    let mut shape = shape.clone();
    shape[..1].make_ascii_uppercase();
    assert!(bench.draws(&format!("{shape} {object}")), "{shape} {object}");
}
