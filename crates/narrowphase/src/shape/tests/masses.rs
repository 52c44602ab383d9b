//! Mass properties against formulas.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::{rotation, zoo};
use crate::pose::Pose;
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
fn sphere_follows_its_formulas() {
    let r = 1.7_f64;
    let shape = Shape::sphere(r).unwrap();
    let volume = 4.0 / 3.0 * PI * r.powi(3);
    assert_near(shape.mass().volume, volume);
    assert_diagonal(shape.mass().inertia, DVec3::splat(0.4 * volume * r * r));
}

#[test]
fn cuboid_follows_its_formulas() {
    let [a, b, c] = [1.0, 2.0, 4.0];
    let shape = Shape::cuboid(DVec3::new(a, b, c)).unwrap();
    assert_near(shape.mass().volume, a * b * c);
    let squares = DVec3::new(b * b + c * c, c * c + a * a, a * a + b * b);
    assert_diagonal(shape.mass().inertia, squares * (a * b * c / 12.0));
    assert_eq!(shape.bounding_radius(), (a * a + b * b + c * c).sqrt() / 2.0);
}

#[test]
fn capsule_follows_its_formulas() {
    let (r, l) = (0.6_f64, 2.5);
    let shape = Shape::capsule(r, l).unwrap();
    let [barrel, ball] = [PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3)];
    assert_near(shape.mass().volume, barrel + ball);
    let about_axis = barrel * r * r / 2.0 + ball * 0.4 * r * r;
    let across = barrel * (l * l / 12.0 + r * r / 4.0)
        + ball * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
    assert_diagonal(shape.mass().inertia, DVec3::new(across, about_axis, across));
}

#[test]
fn needle_has_the_digits_of_a_cube() {
    let (a, b) = (1e-6_f64, 1.0);
    let volume = a * a * b;
    let squares = DVec3::new(a * a + b * b, a * a + b * b, 2.0 * a * a);
    let inertia = Shape::cuboid(DVec3::new(a, a, b)).unwrap().mass().inertia;
    for (found, square) in inertia_diagonal(inertia).into_iter().zip(squares.to_array()) {
        assert!((found / (volume * square / 12.0) - 1.0).abs() < 1e-12, "{inertia}");
    }
}

fn inertia_diagonal(inertia: glam::DMat3) -> [f64; 3] {
    [inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z]
}

#[test]
fn tetrahedron_follows_its_formulas() {
    let s = 1.3_f64;
    let shape = Shape::tetrahedron(s).unwrap();
    let volume = s.powi(3) / (6.0 * 2.0_f64.sqrt());
    assert_near(shape.mass().volume, volume);
    assert_diagonal(shape.mass().inertia, DVec3::splat(volume * s * s / 20.0));
    assert!(shape.center_of_mass().length() < 1e-15);
    assert_near(shape.bounding_radius(), s * (3.0_f64 / 8.0).sqrt());
}

#[test]
fn cone_has_its_centre_at_a_quarter_of_the_height() {
    let shape = Shape::cone(1.0, 2.0, 5).unwrap();
    assert!(shape.center_of_mass().distance(DVec3::Y * -0.5) < 1e-15);
}

#[test]
fn moments_turn_with_a_part_beside_its_origin() {
    for shape in zoo().iter().filter(|shape| shape.is_convex()) {
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
    let vertices = alone.parts()[0].core().vertices();
    let corner_at = |v: DVec3| (v + alone.center_of_mass()).distance(pose.point(DVec3::Y * 0.5));
    let nearest = vertices.iter().map(|&v| corner_at(v)).fold(f64::MAX, f64::min);
    assert!(nearest < 1e-14, "{nearest}");
}
