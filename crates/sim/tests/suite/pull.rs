//! Objects that a user pulls.

use crate::world_run::{Run, kd_tree, scene};
use glam::Vec3;
use sim::{Hold, Pull};

/// Pulls an object to a place for some steps. Returns where it is then.
fn pulled(run: &mut Run, object: u32, to: Vec3, steps: u32) -> Vec3 {
    for _ in 0..steps {
        assert!(run.world.pull(Pull { object, to }));
        run.steps(1);
    }
    run.world.positions()[object as usize]
}

/// Two resting spheres of radius 0.2 that are 1 apart, in a box from -3 to 3.
const SPHERES: &str =
    "i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!ball 0 0 0  0 0 0 0.2\n#!ball 1 0 0  0 0 0 0.2\n";

#[test]
fn pulled_sphere_pushes_another_passes_none_and_walls_hold_it() {
    let mut run = Run::new(&scene(SPHERES), kd_tree());
    let reached = pulled(&mut run, 0, Vec3::X * 2.5, 60);
    assert!(reached.distance(Vec3::X * 2.5) < 0.5, "{reached}");
    let [a, b] = [0, 1].map(|object: usize| run.world.positions()[object]);
    assert!(a.x < b.x, "{a} passed {b}");
    let reached = pulled(&mut run, 0, Vec3::Y * 50.0, 120);
    assert!((2.0..=2.801).contains(&reached.y), "{reached}");
}

#[test]
fn pulled_body_pushes_without_penetration() {
    let cubes = "i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!shape cube box 1 1 1\n\
        #!body cube -1 0 0  0 0 0\n#!body cube 1 0 0  0 0 0\n";
    let mut run = Run::new(&scene(cubes), kd_tree());
    pulled(&mut run, 0, Vec3::X, 90);
    let [a, b] = [0, 1].map(|object: usize| run.world.positions()[object]);
    assert!(b.x > 1.1 && a.x < b.x, "{a} {b}");
}

#[test]
fn static_and_missing_objects_are_not_pulled() {
    let fixed = "i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!shape cube box 1 1 1\n\
        #!body cube 0 0 0  0 0 0 static\n";
    let mut world = sim::World::new(&scene(fixed));
    let before = world.hash();
    for (object, to) in [(0, Vec3::X), (7, Vec3::X)] {
        assert!(!world.pull(Pull { object, to }), "{object}");
    }
    world.step(Hold::None);
    assert_eq!(world.hash(), before);
    let mut world = sim::World::new(&scene(SPHERES));
    assert!(!world.pull(Pull { object: 0, to: Vec3::NAN }));
}
