//! Shapes of all kinds.

use glam::{DQuat, DVec3};

use narrowphase::{Pose, Shape};

/// Shapes that a scene can have, with names.
pub(crate) fn convex_shapes() -> Vec<(&'static str, Shape)> {
    vec![
        ("sphere", Shape::sphere(0.5).unwrap()),
        ("capsule", Shape::capsule(0.3, 1.2).unwrap()),
        ("cube", Shape::cuboid(DVec3::ONE).unwrap()),
        ("box", Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap()),
        ("rod", Shape::cuboid(DVec3::new(0.25, 2.0, 0.25)).unwrap()),
        ("tetrahedron", Shape::tetrahedron(1.0).unwrap()),
        ("hull16", Shape::hull(16, 7).unwrap()),
        ("cylinder", Shape::cylinder(0.5, 1.0, 16).unwrap()),
        ("cone", Shape::cone(0.5, 1.0, 7).unwrap()),
    ]
}

/// Two compounds.
pub(crate) fn compounds() -> Vec<(&'static str, Shape)> {
    let rod = Shape::cuboid(DVec3::new(0.2, 1.6, 0.2)).unwrap();
    let turned = |axis: DVec3| Pose {
        position: DVec3::ZERO,
        rotation: DQuat::from_axis_angle(axis, std::f64::consts::FRAC_PI_2),
    };
    let jack = [(&rod, Pose::IDENTITY), (&rod, turned(DVec3::X)), (&rod, turned(DVec3::Z))];
    let ball = Shape::sphere(0.4).unwrap();
    let at = |x: f64| Pose { position: DVec3::X * x, ..Pose::IDENTITY };
    let dumbbell = [(&ball, at(-0.8)), (&rod, turned(DVec3::Z)), (&ball, at(0.8))];
    vec![
        ("jack", Shape::compound(&jack).unwrap()),
        ("dumbbell", Shape::compound(&dumbbell).unwrap()),
    ]
}

/// Shapes that are far smaller in one or two directions than in the others.
pub(crate) fn thin_shapes() -> Vec<(&'static str, Shape)> {
    let cuboid = |x, y, z| Shape::cuboid(DVec3::new(x, y, z)).unwrap();
    let leaning = [[0.0, 0.0, 0.0], [1.0, 1.0, 1e-4], [2.0, 2.0, 0.0], [0.0, 2.0, -2.0]];
    let leaf = leaning
        .map(DVec3::from)
        .iter()
        .flat_map(|at| [*at, *at + DVec3::X * 1e-4])
        .collect::<Vec<_>>();
    vec![
        ("plate", cuboid(1.0, 1e-3, 1.0)),
        ("foil", cuboid(1.0, 1e-6, 2.0)),
        ("needle", cuboid(1e-4, 1.0, 1e-4)),
        ("disc", Shape::cylinder(0.5, 1e-4, 16).unwrap()),
        ("leaf", Shape::points(&leaf).unwrap().shape),
    ]
}
