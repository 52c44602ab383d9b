//! Mass properties against formulas, and against sums over random points.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::{rotation, zoo};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::{Core, MassProperties, Part, Shape};

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
fn inverse_inertia_is_the_inverse() {
    for shape in zoo() {
        let product = shape.mass().inertia * shape.mass().inverse_inertia;
        assert_diagonal(product, DVec3::ONE);
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

/// The moments that rounding adds, against sums over the points of a grid.
#[test]
fn rounded_cores_agree_with_sums_over_points() {
    let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]].map(|[x, z]| DVec3::new(x, 0.0, z));
    let triangle = Core::polyhedron(corners.to_vec(), &[vec![0, 1, 2], vec![2, 1, 0]]).unwrap();
    let cone = Shape::cone(1.0, 1.0, 5).unwrap().parts()[0].core().clone();
    let segment = Core::segment(DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, 2.0, 1.0));
    for core in [triangle, cone, segment] {
        let part = Part::new(core, 0.7);
        let (mass, center) = MassProperties::of_parts(std::slice::from_ref(&part));
        let (volume, summed_center, inertia) = summed(&part);
        assert!((mass.volume / volume - 1.0).abs() < 0.005, "{} {volume}", mass.volume);
        assert!(center.distance(summed_center) < 0.005, "{center} {summed_center}");
        let scale = mass.inertia.x_axis.length();
        let difference = (mass.inertia - inertia).to_cols_array();
        assert!(difference.iter().all(|x| x.abs() < 0.01 * scale), "{} {inertia}", mass.inertia);
    }
}

/// Volume, centre and inertia of a rounded part, of the points of a grid that are nearer than its
/// radius.
fn summed(part: &Part) -> (f64, DVec3, DMat3) {
    const SIDE: u32 = 48;
    let bounds = Bounds::of_parts(std::slice::from_ref(part), &Pose::IDENTITY, 1.0);
    let size = bounds.max - bounds.min;
    let cells = (0..SIDE.pow(3)).map(|i| [i % SIDE, i / SIDE % SIDE, i / SIDE.pow(2)]);
    let middle = |at: u32| (f64::from(at) + 0.5) / f64::from(SIDE);
    let points = cells.map(|cell| bounds.min + size * DVec3::from_array(cell.map(middle)));
    let inside: Vec<DVec3> =
        points.filter(|point| distance(part.core(), *point) <= part.radius()).collect();
    let cell = size.element_product() / f64::from(SIDE.pow(3));
    let center = inside.iter().sum::<DVec3>() / inside.len() as f64;
    let mut inertia = DMat3::ZERO;
    for point in &inside {
        let p = *point - center;
        let square = DMat3::from_cols(p * p.x, p * p.y, p * p.z);
        inertia += (DMat3::from_diagonal(DVec3::splat(p.length_squared())) - square) * cell;
    }
    (inside.len() as f64 * cell, center, inertia)
}

/// The distance of a point from a core: 0 inside, else that of the nearest face, edge or vertex.
fn distance(core: &Core, point: DVec3) -> f64 {
    let at = |i: u8| core.vertices()[usize::from(i)];
    let faces = core.faces();
    if faces.len() > 2 && faces.iter().all(|face| face.normal.dot(point) <= face.offset) {
        return 0.0;
    }
    let mut nearest = f64::MAX;
    for &[from, to] in core.edges() {
        let along = at(to) - at(from);
        let t = ((point - at(from)).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min(point.distance(at(from) + along * t));
    }
    for face in faces {
        let corners = face.vertices.iter().zip(face.vertices.iter().cycle().skip(1));
        let is_above = corners
            .into_iter()
            .all(|(&a, &b)| face.normal.cross(at(b) - at(a)).dot(point - at(a)) >= 0.0);
        let height = face.normal.dot(point) - face.offset;
        if is_above && height >= 0.0 {
            nearest = nearest.min(height);
        }
    }
    nearest
}
