//! Mass properties against formulas.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::{ZOO, rotation};
use crate::body::Pose;
use crate::shape::Shape;

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{found} instead of {expected}");
}

#[track_caller]
fn assert_diagonal(found: DMat3, expected: DVec3) {
    let difference = found - DMat3::from_diagonal(expected);
    let worst = difference.to_cols_array().iter().fold(0.0_f64, |worst, x| worst.max(x.abs()));
    assert!(worst <= 1e-12 * expected.max_element(), "{found} instead of {expected}");
}

#[test]
fn shapes_follow_their_formulas() {
    let (r, l) = (0.6_f64, 2.5);
    let [barrel, ball] = [PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3)];
    let about_axis = barrel * r * r / 2.0 + ball * 0.4 * r * r;
    let across = barrel * (l * l / 12.0 + r * r / 4.0)
        + ball * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
    let s = 1.3_f64;
    let tetrahedron = s.powi(3) / (6.0 * 2.0_f64.sqrt());
    // A needle has the digits of a cube.
    let cuboids = [[1.0, 2.0, 4.0], [1e-6, 1e-6, 1.0]].map(|[a, b, c]| {
        let squares = DVec3::new(b * b + c * c, c * c + a * a, a * a + b * b);
        (Shape::cuboid(DVec3::new(a, b, c)), a * b * c, squares * (a * b * c / 12.0))
    });
    let others = [
        (Shape::sphere(r), ball, DVec3::splat(0.4 * ball * r * r)),
        (Shape::capsule(r, l), barrel + ball, DVec3::new(across, about_axis, across)),
        (Shape::tetrahedron(s), tetrahedron, DVec3::splat(tetrahedron * s * s / 20.0)),
    ];
    for (shape, volume, moments) in cuboids.into_iter().chain(others) {
        let mass = *shape.unwrap().mass();
        assert_near(mass.volume, volume);
        for axis in 0..3 {
            assert_near(mass.inertia.col(axis)[axis], moments[axis]);
        }
        assert_diagonal(mass.inertia, moments);
    }
}

#[test]
fn moments_turn_with_a_part_beside_its_origin() {
    for shape in ZOO.iter().filter(|shape| shape.is_convex()) {
        let pose = Pose { position: DVec3::new(0.3, -0.7, 0.5), rotation: rotation() };
        let turned = Shape::compound(&[(shape, pose)]).unwrap();
        let matrix = DMat3::from_quat(rotation());
        let back = matrix.transpose() * turned.mass().inertia * matrix;
        let difference = (back - shape.mass().inertia).to_cols_array();
        let largest = shape.mass().inertia.x_axis.length();
        assert!(difference.iter().all(|x| x.abs() < 1e-13 * largest), "{difference:?}");
        assert_near(turned.mass().volume, shape.mass().volume);
        assert_diagonal(turned.mass().inertia * turned.mass().inverse_inertia, DVec3::ONE);
    }
}

#[test]
fn parts_add_up_about_their_common_centre() {
    let half = Shape::cuboid(DVec3::new(1.0, 2.0, 3.0)).unwrap();
    let whole = Shape::cuboid(DVec3::new(2.0, 2.0, 3.0)).unwrap();
    let at = |x: f64| Pose { position: DVec3::new(x, 5.0, 0.0), ..Pose::IDENTITY };
    let cone = Shape::cone(1.0, 2.0, 5).unwrap();
    assert!(cone.center_of_mass().distance(DVec3::Y * -0.5) < 1e-15);
    let both = Shape::compound(&[(&half, at(7.0)), (&half, at(8.0))]).unwrap();
    assert!(both.center_of_mass().distance(DVec3::new(7.5, 5.0, 0.0)) < 1e-14);
    assert_near(both.mass().volume, whole.mass().volume);
    let difference = both.mass().inertia - whole.mass().inertia;
    assert!(difference.to_cols_array().iter().all(|x| x.abs() < 1e-12));
}

#[test]
fn part_is_placed_by_the_frame_of_its_coordinates() {
    let corners = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]];
    let prism = Shape::polygon(1.0, &corners).unwrap().shape;
    let pose = Pose { position: DVec3::new(1.0, 2.0, 3.0), rotation: rotation() };
    let alone = Shape::compound(&[(&prism, pose)]).unwrap();
    // The corner at the author's origin comes to the pose's position.
    let corner = pose.point(DVec3::Y * 0.5) - alone.center_of_mass();
    let mut vertices = alone.parts()[0].core().vertices().iter();
    assert!(vertices.any(|vertex| vertex.distance(corner) < 1e-14), "{corner}");
}
