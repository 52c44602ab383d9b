//! Bounding circles of bodies that stay in their x-z plane and rotate about y only.
//!
//! A circle encloses, or is inside of, the silhouette that is seen along y. Two such bodies touch only where their
//! silhouettes overlap, at whatever y they are. So a circle is to a flat scene what a sphere is to space: of a square of
//! side a, the radii are a sqrt(2) / 2, a / 2 and their mean (004).

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec2, DVec3, Vec3Swizzles};

use super::oriented_box::convex_polygon;
use super::smallest_ball::{Ball, smallest_ball};
use super::sphere::{Spheres, vertex_balls};
use super::{Outline, Placed, SLACK, Volume};
use crate::{Part, Shape};

/// Corners of a circle that is drawn.
const CORNERS: usize = 64;

/// The largest part of a unit quaternion about x and z that is rounding.
const TILT: f64 = 1e-9;

/// A circle for each shape. Numbers of a placed one: x and z of its centre, its radius, and the length of the cylinder that
/// it stands for. A body that is rotated about another axis than y has the circle of its sphere.
pub(super) struct Circles {
    fitted: Vec<Fitted>,
    spheres: Spheres,
}

struct Fitted {
    center: DVec2,
    radius: f64,
    /// The extent along y.
    length: f64,
    slack: f64,
}

impl Circles {
    /// The smallest circle around each silhouette.
    pub(super) fn smallest(shapes: &[Shape]) -> Self {
        Self::around(shapes, Spheres::smallest(shapes), |shape| {
            let in_plane = |ball: Ball| Ball { center: ball.center * FLAT, ..ball };
            let balls: Vec<Ball> = vertex_balls(shape).into_iter().map(in_plane).collect();
            let ball = smallest_ball(&balls);
            (ball.center.xz(), ball.radius)
        })
    }

    /// The circle about the mean of the vertices.
    pub(super) fn about_mean(shapes: &[Shape]) -> Self {
        Self::around(shapes, Spheres::about_mean(shapes), |shape| {
            let vertices = shape.parts().iter().flat_map(|part| part.core().vertices());
            let center = vertices.clone().sum::<DVec3>().xz() / vertices.count() as f64;
            (center, reach_from(center, shape))
        })
    }

    /// The largest circle about the centre of mass that is inside the silhouette of one part. Without radius where the
    /// centre is in none.
    pub(super) fn inscribed(shapes: &[Shape]) -> Self {
        let fit = |shape: &Shape| (DVec2::ZERO, inscribed_radius(shape));
        Self { fitted: fitted(shapes, 0.0, fit), spheres: Spheres::inscribed(shapes) }
    }

    /// The mean of the inscribed and the circumscribed radius, both about the centre of mass.
    pub(super) fn between(shapes: &[Shape]) -> Self {
        let fit = |shape: &Shape| {
            (DVec2::ZERO, (inscribed_radius(shape) + reach_from(DVec2::ZERO, shape)) / 2.0)
        };
        Self { fitted: fitted(shapes, 0.0, fit), spheres: Spheres::between(shapes) }
    }

    fn around(shapes: &[Shape], spheres: Spheres, fit: impl Fn(&Shape) -> (DVec2, f64)) -> Self {
        Self { fitted: fitted(shapes, SLACK, fit), spheres }
    }
}

/// Removes y.
const FLAT: DVec3 = DVec3::new(1.0, 0.0, 1.0);

fn fitted(shapes: &[Shape], slack: f64, fit: impl Fn(&Shape) -> (DVec2, f64)) -> Vec<Fitted> {
    let fit = |shape: &Shape| {
        let (center, radius) = fit(shape);
        let ends = vertex_balls(shape)
            .into_iter()
            .flat_map(|ball| [ball.center.y - ball.radius, ball.center.y + ball.radius]);
        let (low, high) =
            ends.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
        Fitted { center, radius, length: high - low, slack: slack * shape.bounding_radius() }
    };
    shapes.iter().map(fit).collect()
}

/// The largest distance of a point of the silhouette.
fn reach_from(center: DVec2, shape: &Shape) -> f64 {
    let reach = |ball: &Ball| ball.center.xz().distance(center) + ball.radius;
    vertex_balls(shape).iter().map(reach).fold(0.0, f64::max)
}

fn inscribed_radius(shape: &Shape) -> f64 {
    shape.parts().iter().map(depth_of_origin).fold(0.0, f64::max)
}

/// The distance from the origin to the edge of a part's silhouette; negative outside of it.
fn depth_of_origin(part: &Part) -> f64 {
    let vertices = part.core().vertices().iter();
    // Vertices above each other may differ by rounding and give two corners. The short edge between them is on the outline,
    // so the inside is on its left too.
    let corners = convex_polygon(vertices.map(|vertex| vertex.xz()).collect());
    let depth = match corners[..] {
        [point] => -point.length(),
        [from, to] => {
            let along = to - from;
            let nearest = (-from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            -from.lerp(to, nearest).length()
        }
        _ => {
            let edges = corners.iter().zip(corners.iter().cycle().skip(1));
            // Counterclockwise: the inside is to the left.
            let inside = edges.map(|(from, to)| (to - from).perp_dot(-*from) / from.distance(*to));
            inside.fold(f64::MAX, f64::min)
        }
    };
    depth + part.radius()
}

impl Volume for Circles {
    fn width(&self) -> usize {
        4
    }

    fn place(&self, shape: usize, scale: f64, rotation: DQuat, numbers: &mut [f64]) {
        if rotation.x.abs().max(rotation.z.abs()) > TILT {
            self.spheres.place(shape, scale, rotation, numbers);
            let [x, _, z, radius] = [0, 1, 2, 3].map(|at| numbers[at]);
            // A cylinder of this length has the volume of the sphere.
            numbers[..4].copy_from_slice(&[x, z, radius, 4.0 / 3.0 * radius]);
            return;
        }
        let Fitted { center, radius, length, slack } = &self.fitted[shape];
        let center = rotation * (DVec3::new(center.x, 0.0, center.y) * scale);
        numbers[..4].copy_from_slice(&[
            center.x,
            center.z,
            (radius + slack) * scale,
            length * scale,
        ]);
    }

    fn overlap(&self, a: &Placed, b: &Placed) -> bool {
        let [x_a, z_a, radius_a, _] = *a.numbers::<4>();
        let [x_b, z_b, radius_b, _] = *b.numbers::<4>();
        let line = (b.position - a.position).xz() + DVec2::new(x_b - x_a, z_b - z_a);
        let radii = radius_a + radius_b;
        line.length_squared() <= radii * radii
    }

    /// That of the cylinder, so that its ratio to a prism's is the ratio of the areas.
    fn volume(&self, placed: &Placed) -> Option<f64> {
        let [_, _, radius, length] = *placed.numbers::<4>();
        Some(PI * radius * radius * length)
    }

    /// A disc, as a polygon seen from both sides.
    fn outline(&self, placed: &Placed) -> Outline {
        let (center, radius) = circle_of(placed);
        let corner = |index: usize| {
            let (sin, cos) = libm::sincos(TAU * index as f64 / CORNERS as f64);
            center + DVec3::new(cos, 0.0, -sin) * radius
        };
        let front: Vec<DVec3> = (0..CORNERS).map(corner).collect();
        let back = front.iter().rev().copied().collect();
        Outline::Faces(vec![front, back])
    }

    fn ball(&self, placed: &Placed) -> Option<(DVec3, f64)> {
        Some(circle_of(placed))
    }
}

fn circle_of(placed: &Placed) -> (DVec3, f64) {
    let [x, z, radius, _] = *placed.numbers::<4>();
    (placed.position + DVec3::new(x, 0.0, z), radius)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{VOLUMES, find};
    use super::*;
    use crate::Pose;

    fn shapes() -> Vec<Shape> {
        let square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        let triangle = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]];
        let [square, triangle] =
            [&square[..], &triangle[..]].map(|corners| Shape::polygon(0.6, corners).unwrap().shape);
        let aside =
            Pose { position: DVec3::new(1.0, 0.2, -0.5), rotation: DQuat::from_rotation_y(0.3) };
        let lying = Pose { position: DVec3::ZERO, rotation: DQuat::from_rotation_z(1.2) };
        let capsule = Shape::capsule(0.2, 2.0).unwrap();
        vec![
            Shape::compound(&[(&square, aside), (&capsule, lying)]).unwrap(),
            square,
            triangle,
            capsule,
            Shape::cylinder(0.5, 0.3, 64).unwrap(),
            Shape::cuboid(DVec3::new(3.0, 0.5, 1.0)).unwrap(),
        ]
    }

    /// The radius of a placed circle of one shape.
    fn radius(id: &str, shape: usize, rotation: DQuat) -> f64 {
        let circles = find(id).unwrap().fit_to(&shapes(), true);
        let mut numbers = vec![0.0; circles.width()];
        circles.place(shape, 2.0, rotation, &mut numbers);
        let placed = Placed { shape, position: DVec3::ONE, numbers: &numbers };
        circles.ball(&placed).unwrap().1
    }

    #[test]
    fn radii_of_squares_and_rectangles_are_those_of_the_plane() {
        let rotation = DQuat::from_rotation_y(0.7);
        // A square of side a = 2 has a / 2, a sqrt(2) / 2 and their mean.
        let outside = 2f64.sqrt();
        // Half of the diagonal of a rectangle of 6 by 2.
        let diagonal = 10f64.sqrt();
        for (id, shape, expected) in [
            ("sphere-inside", 1, 1.0),
            ("sphere", 1, outside),
            ("sphere-mean", 1, outside),
            ("sphere-between", 1, (1.0 + outside) / 2.0),
            ("sphere-inside", 5, 1.0),
            ("sphere", 5, diagonal),
            ("sphere-between", 5, (1.0 + diagonal) / 2.0),
            ("sphere", 4, 1.0),
            ("sphere-inside", 4, libm::cos(PI / 64.0)),
            // Seen from its tip, a capsule is a disc.
            ("sphere", 3, 0.4),
            ("sphere-inside", 3, 0.4),
            // The smallest circle of a right triangle is that of its longest side.
            ("sphere", 2, 5f64.sqrt()),
        ] {
            let found = radius(id, shape, rotation);
            assert!((found - expected).abs() < 1e-10, "{id} {shape}: {found}");
        }
        let ball = radius("sphere-inside", 1, DQuat::from_rotation_x(0.7));
        assert!((ball - 0.6).abs() < 1e-10, "the inscribed sphere of a tilted body: {ball}");
    }

    #[test]
    fn volume_ratio_of_a_prism_is_that_of_the_areas() {
        let shapes = shapes();
        let circles = find("sphere").unwrap().fit_to(&shapes, true);
        let mut numbers = vec![0.0; circles.width()];
        circles.place(1, 1.0, DQuat::IDENTITY, &mut numbers);
        let placed = Placed { shape: 1, position: DVec3::ZERO, numbers: &numbers };
        let ratio = circles.volume(&placed).unwrap() / shapes[1].mass().volume;
        assert!((ratio - PI / 2.0).abs() < 1e-10, "{ratio}");
    }

    #[test]
    fn volumes_without_circles_are_those_of_space() {
        let cube = [Shape::cuboid(DVec3::ONE).unwrap()];
        for kind in VOLUMES {
            let radii = [false, true].map(|is_flat| {
                let volume = kind.fit_to(&cube, is_flat);
                let mut numbers = vec![0.0; volume.width()];
                volume.place(0, 1.0, DQuat::IDENTITY, &mut numbers);
                let placed = Placed { shape: 0, position: DVec3::ZERO, numbers: &numbers };
                volume.ball(&placed).map(|(_, radius)| radius)
            });
            // The inscribed radius of a cube is that of a square.
            let is_same = !kind.id.starts_with("sphere") || kind.id == "sphere-inside";
            assert_eq!(radii[0] == radii[1], is_same, "{}", kind.id);
            assert_eq!(radii[0].is_some(), kind.id.starts_with("sphere"), "{}", kind.id);
        }
    }

    /// A point of a part of a shape, given by weights of its vertices and a direction of its rounding.
    fn point_of(shape: &Shape, part: usize, weights: &[f64], direction: DVec3) -> DVec3 {
        let part = &shape.parts()[part % shape.parts().len()];
        let vertices = part.core().vertices();
        let weighted = vertices.iter().zip(weights.iter().cycle());
        let sum: f64 = weighted.clone().map(|(_, weight)| weight).sum();
        let inside = weighted.map(|(vertex, weight)| *vertex * (weight / sum)).sum::<DVec3>();
        inside + direction.normalize_or_zero() * part.radius()
    }

    proptest! {
        #[test]
        fn exact_circles_never_separate_bodies_with_a_common_point(
            shapes_of in (0_usize..6, 0_usize..6, 0_usize..2, 0_usize..2),
            turns in (0.0..TAU, 0.0..TAU),
            tilt in prop_oneof![3 => Just(0.0), 1 => 0.0..TAU],
            scales in (0.1..10.0, 0.1..10.0),
            weights in prop::collection::vec(prop_oneof![3 => Just(1e-30), 1 => 0.1..1.0], 7),
            direction in [-1.0..1.0, -1.0..1.0, -1.0..1.0],
        ) {
            let shapes = shapes();
            let direction = DVec3::from(direction);
            let rotations = [
                DQuat::from_rotation_y(turns.0) * DQuat::from_rotation_x(tilt),
                DQuat::from_rotation_y(turns.1),
            ];
            let [one, other] = [
                rotations[0] * point_of(&shapes[shapes_of.0], shapes_of.2, &weights, direction) * scales.0,
                rotations[1] * point_of(&shapes[shapes_of.1], shapes_of.3, &weights[2..], -direction) * scales.1,
            ];
            for kind in VOLUMES.iter().filter(|kind| kind.exact && kind.fit_flat.is_some()) {
                let circles = kind.fit_to(&shapes, true);
                let mut numbers = [[0.0; 4]; 2];
                circles.place(shapes_of.0, scales.0, rotations[0], &mut numbers[0]);
                circles.place(shapes_of.1, scales.1, rotations[1], &mut numbers[1]);
                let a = Placed { shape: shapes_of.0, position: DVec3::X, numbers: &numbers[0] };
                let position = DVec3::X + (one - other);
                let b = Placed { shape: shapes_of.1, position, numbers: &numbers[1] };
                prop_assert!(circles.overlap(&a, &b), "{}", kind.id);
            }
        }
    }
}
