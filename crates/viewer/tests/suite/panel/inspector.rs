//! The figures of a picked sphere.

use crate::common::bench::Bench;
use crate::common::{crowded, half_static, session};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use sim::scene::Radius;
use sim::{Edit, Scene};
use viewer::camera::Ray;
use viewer::picking::nearest_sphere;
use viewer::simulation::Order;

/// The names of links to objects, or of other nodes.
fn names(bench: &Bench, wanted: Role) -> Vec<String> {
    let nodes = bench.harness.root().children_recursive();
    let nodes = nodes.filter(|node| node.accesskit_node().role() == wanted);
    let names = nodes.filter_map(|node| node.accesskit_node().label());
    names.filter(|name| name != "Hits").collect()
}

/// The meaning of *Source*.
const SOURCE: &str = "Number of the source whose walls hold it, or that it started in and left";

/// A sphere with hits and other candidates, after some steps.
fn sociable(bench: &mut Bench) -> u32 {
    bench.steps(5);
    let pairs = bench.session().pairs().to_vec();
    let degree = |object: u32| pairs.iter().filter(|p| p.a == object || p.b == object).count();
    (0..50).max_by_key(|&object| degree(object)).unwrap()
}

#[test]
fn a_picked_sphere_shows_its_figures_and_regions() {
    let mut bench = Bench::of("kd-tree");
    let object = sociable(&mut bench);
    bench.pick(Some(object));
    let picked = bench.stage().snapshot.picked.clone().unwrap();
    assert!(picked.candidates.len() > 1 && picked.tests > 0 && !picked.regions.is_empty());
    bench.harness.get_by_label(&format!("Sphere {object}"));
    for (meaning, figure) in [
        ("Its speed in units per second", format!("{:.3}", picked.velocity.unwrap().length())),
        ("Its radius", "0.1500".to_owned()),
        (SOURCE, "1".to_owned()),
        ("Objects whose boxes overlap its box", picked.candidates.len().to_string()),
        ("Candidates that touch it", picked.hits.len().to_string()),
    ] {
        assert_eq!(bench.figure(meaning), figure, "{meaning}");
    }
    bench.harness.get_by_label(&format!("{} of 49", picked.tests));
    for region in &picked.regions[..picked.regions.len().min(8)] {
        let label = format!("a leaf of {}, depth {}", region.objects, region.depth);
        assert!(bench.harness.query_all_by_label(&label).next().is_some(), "{label}");
    }
    let mut links = names(&bench, Role::Link);
    links.sort();
    let mut expected: Vec<String> = picked.candidates.iter().map(u32::to_string).collect();
    expected.sort();
    assert_eq!(links, expected);

    let neighbour = picked.candidates[0];
    bench.click(Role::Link, &neighbour.to_string());
    assert_eq!(bench.harness.state().panel.view.picked, Some(neighbour));
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label(&format!("Sphere {neighbour}"));

    bench.choose("brute-force");
    let is_shown = |bench: &Bench| bench.harness.query_by_label_contains("In ").is_some();
    assert!(!is_shown(&bench), "it has no leaves or cells");
}

#[test]
fn a_sphere_is_deselected_by_button_or_empty_click() {
    let mut bench = Bench::of("bsp");
    bench.steps(2);
    bench.pick(Some(3));
    bench.harness.get_by_label("Sphere 3");
    bench.click(Role::Button, "Close");
    assert_eq!(bench.harness.state().panel.view.picked, None);
    assert!(bench.harness.query_by_label("Sphere 3").is_none());

    let world = bench.session().world().unwrap();
    let at = |origin| {
        let ray = Ray { origin, direction: Vec3::X };
        nearest_sphere(ray, world.positions(), world.radii())
    };
    let (toward, beside) = (at(world.positions()[3] - Vec3::X * 9.0), at(Vec3::splat(5.0)));
    bench.pick(toward);
    bench.harness.get_by_label(&format!("Sphere {}", toward.unwrap()));
    bench.pick(beside);
    assert!(bench.harness.query_by_label_contains("Sphere ").is_none());
}

#[test]
fn at_most_twelve_neighbours_are_named() {
    let scene = Scene { radius: Radius::Equal(0.6), objects: 40, ..crowded() };
    let mut bench = Bench::new(session(scene, "brute-force"));
    let object = sociable(&mut bench).min(39);
    bench.pick(Some(object));
    let picked = bench.stage().snapshot.picked.clone().unwrap();
    let near = picked.candidates.len() - picked.hits.len();
    for number in [picked.hits.len(), near].into_iter().filter(|number| *number > 12) {
        let more = format!("and {} more", number - 12);
        assert!(bench.harness.query_all_by_label(&more).next().is_some(), "{more}");
    }
    assert!(picked.candidates.len() > 24, "{}", picked.candidates.len());
    assert_eq!(names(&bench, Role::Link).len(), picked.hits.len().min(12) + near.min(12));
}

#[test]
fn a_freed_sphere_shows_where_it_started() {
    let mut bench = Bench::new(session(half_static(), "bsp"));
    bench.pick(Some(0));
    assert_eq!(bench.figure(SOURCE), "1");
    bench.obey(Order::Edit(Edit::DeleteSource { number: 1 }));
    assert_eq!(bench.figure(SOURCE), "free, from 1");
}
