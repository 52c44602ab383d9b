//! Tests of shapes.

mod bad_input;
mod cores;
mod hulls;
mod masses;
mod rounded;

use std::sync::LazyLock;

use glam::{DQuat, DVec3};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Shape;
use crate::body::Pose;

/// A rotation about no special axis.
fn rotation() -> DQuat {
    DQuat::from_xyzw(0.3, -0.5, 0.2, 0.7).normalize()
}

/// One of every kind.
static ZOO: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let pose = |x: f64| Pose { position: DVec3::X * x, rotation: rotation() };
    let capsule = Shape::capsule(0.3, 2.0).unwrap();
    vec![
        Shape::sphere(0.7).unwrap(),
        Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap(),
        Shape::cylinder(0.5, 2.0, 16).unwrap(),
        Shape::cylinder(0.5, 2.0, 64).unwrap(),
        Shape::cone(1.0, 1.5, 16).unwrap(),
        Shape::tetrahedron(1.0).unwrap(),
        Shape::hull(16, 1).unwrap(),
        Shape::hull(128, 2).unwrap(),
        Shape::polygon(0.5, &[[0.0, 0.0], [2.0, 0.0], [1.0, 3.0]]).unwrap().shape,
        Shape::compound(&[(&cube, pose(1.0)), (&capsule, pose(-1.0))]).unwrap(),
        capsule,
        cube,
    ]
});

/// Random numbers from 0 to 1, the same on every machine.
fn random_numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    move || random.random::<f64>()
}
