//! Bounding spheres, and bounding circles of bodies that stay in their x-z plane and rotate about y only.
//!
//! A circle is the sphere of the silhouette that is seen along y, and distances in its plane are without y. Two such bodies
//! touch only where their silhouettes overlap, at whatever y they are. So a circle is to a flat scene what a sphere is to
//! space: of a square of side a, the radii are a sqrt(2) / 2, a / 2 and their mean (004).

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3, Vec3Swizzles};

use super::oriented_box::convex_polygon;
use super::smallest_ball::{Ball, smallest_ball};
use super::{Outline, Placed, Volume};
use crate::narrow::share_on_segment;
use crate::pair::ROUNDING;
use crate::shape::{Part, Shape};

/// Corners of a circle that is drawn.
const CORNERS: usize = 64;

/// The largest part of a unit quaternion about x and z that is rounding.
const TILT: f64 = 1e-9;

/// Removes y.
const FLAT: DVec3 = DVec3::new(1.0, 0.0, 1.0);

/// A sphere for each shape, in a flat scene a circle too. Numbers of a placed one: centre and radius. A circle has the length
/// of the cylinder that it stands for in the place of y.
///
/// In a flat scene a body that is rotated about another axis than y has the circle of its sphere.
pub(super) struct Spheres {
    fitted: Vec<Fitted>,
    circles: Option<Vec<Fitted>>,
}

struct Fitted {
    ball: Ball,
    slack: f64,
    /// The extent along y.
    length: f64,
}

/// Fits a ball to balls whose hulls are a shape, given the radius of its inscribed ball.
type FitBall = fn(&[Ball], f64) -> Ball;

impl Spheres {
    /// The smallest sphere around each shape.
    pub(super) fn smallest(shapes: &[Shape], is_flat: bool) -> Box<dyn Volume> {
        Self::boxed(shapes, is_flat, ROUNDING, |balls, _| smallest_ball(balls))
    }

    /// The sphere about the mean of the vertices.
    pub(super) fn about_mean(shapes: &[Shape], is_flat: bool) -> Box<dyn Volume> {
        Self::boxed(shapes, is_flat, ROUNDING, |balls, _| {
            let sum: DVec3 = balls.iter().map(|ball| ball.center).sum();
            let center = sum / balls.len() as f64;
            Ball { center, radius: reach_from(center, balls) }
        })
    }

    /// The largest sphere about the centre of mass that is inside one part. Without radius where
    /// the centre is in none.
    pub(super) fn inscribed(shapes: &[Shape], is_flat: bool) -> Box<dyn Volume> {
        let fit: FitBall = |_, inscribed| Ball { center: DVec3::ZERO, radius: inscribed };
        Self::boxed(shapes, is_flat, 0.0, fit)
    }

    /// The mean of the inscribed and the circumscribed radius, both about the centre of mass.
    pub(super) fn between(shapes: &[Shape], is_flat: bool) -> Box<dyn Volume> {
        Self::boxed(shapes, is_flat, 0.0, |balls, inscribed| {
            let radius = (inscribed + reach_from(DVec3::ZERO, balls)) / 2.0;
            Ball { center: DVec3::ZERO, radius }
        })
    }

    fn boxed(shapes: &[Shape], is_flat: bool, slack: f64, fit: FitBall) -> Box<dyn Volume> {
        let fitted = |is_flat| {
            let of_shape = |shape: &Shape| Fitted::new(shape, is_flat, slack, fit);
            shapes.iter().map(of_shape).collect()
        };
        Box::new(Self { fitted: fitted(false), circles: is_flat.then(|| fitted(true)) })
    }
}

impl Fitted {
    fn new(shape: &Shape, is_flat: bool, slack: f64, fit: FitBall) -> Self {
        let mut balls = vertex_balls(shape);
        let ends =
            balls.iter().flat_map(|ball| [-ball.radius, ball.radius].map(|r| ball.center.y + r));
        let (low, high) =
            ends.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
        let depth = if is_flat { depth_in_plane } else { depth_in_space };
        let inscribed = shape.parts().iter().map(depth).fold(0.0, f64::max);
        if is_flat {
            balls.iter_mut().for_each(|ball| ball.center *= FLAT);
        }
        let ball = fit(&balls, inscribed);
        Self { ball, slack: slack * shape.bounding_radius(), length: high - low }
    }
}

/// A ball for each vertex: their convex hulls, part by part, are the shape.
pub(super) fn vertex_balls(shape: &Shape) -> Vec<Ball> {
    let of_part = |part: &Part| {
        let radius = part.radius();
        part.core().vertices().iter().map(|&center| Ball { center, radius }).collect::<Vec<_>>()
    };
    shape.parts().iter().flat_map(of_part).collect()
}

/// The largest distance of a point of the shape.
fn reach_from(center: DVec3, balls: &[Ball]) -> f64 {
    balls.iter().map(|ball| ball.reach_from(center)).fold(0.0, f64::max)
}

/// The distance from the origin to the surface of a part; negative outside of it.
fn depth_in_space(part: &Part) -> f64 {
    let faces = part.core().faces().iter().map(|face| face.offset);
    depth_of_origin(part, part.core().vertices(), faces)
}

/// The distance from the origin to the edge of a part's silhouette; negative outside of it.
fn depth_in_plane(part: &Part) -> f64 {
    let vertices = part.core().vertices().iter();
    // Vertices above each other may differ by rounding and give two corners. The short edge between them is on the outline,
    // so the inside is on its left too.
    let corners = convex_polygon(vertices.map(|vertex| vertex.xz()).collect());
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    // Counterclockwise: the inside is to the left.
    let inside = edges.map(|(from, to)| (to - from).perp_dot(-*from) / from.distance(*to));
    let corners: Vec<DVec3> = corners.iter().map(|p| DVec3::new(p.x, 0.0, p.y)).collect();
    depth_of_origin(part, &corners, inside)
}

/// The depth in a core of these corners, whose sides are at `depths`, and the rounding radius.
fn depth_of_origin(part: &Part, corners: &[DVec3], depths: impl Iterator<Item = f64>) -> f64 {
    let depth = match *corners {
        [point] => -point.length(),
        [from, to] => -from.lerp(to, share_on_segment(from, to)).length(),
        _ => depths.fold(f64::MAX, f64::min),
    };
    depth + part.radius()
}

impl Volume for Spheres {
    fn width(&self) -> usize {
        4
    }

    fn place(&self, shape: usize, scale: f64, rotation: DQuat, numbers: &mut [f64]) {
        let is_tilted = rotation.x.abs().max(rotation.z.abs()) > TILT;
        let circle = self.circles.as_ref().filter(|_| !is_tilted).map(|circles| &circles[shape]);
        let Fitted { ball, slack, length } = circle.unwrap_or(&self.fitted[shape]);
        let DVec3 { x, y, z } = rotation * (ball.center * scale);
        let radius = (ball.radius + slack) * scale;
        let second = match &self.circles {
            None => y,
            // A cylinder of this length has the volume of the sphere.
            Some(_) if is_tilted => 4.0 / 3.0 * radius,
            Some(_) => length * scale,
        };
        numbers[..4].copy_from_slice(&[x, second, z, radius]);
    }

    fn overlap(&self, a: &Placed, b: &Placed) -> bool {
        let ([center_a, center_b], radii) =
            ([a, b].map(numbers_of), a.numbers::<4>()[3] + b.numbers::<4>()[3]);
        let mut between = b.position - a.position + (center_b - center_a);
        if self.circles.is_some() {
            between.y = 0.0;
        }
        between.length_squared() <= radii * radii
    }

    /// That of a circle is the cylinder's, so that its ratio to a prism's is the ratio of the areas.
    fn volume(&self, placed: &Placed) -> Option<f64> {
        let [_, length, _, radius] = *placed.numbers::<4>();
        Some(match self.circles {
            None => 4.0 / 3.0 * PI * radius * radius * radius,
            Some(_) => PI * radius * radius * length,
        })
    }

    /// A circle is a disc, as a polygon seen from both sides.
    fn outline(&self, placed: &Placed) -> Outline {
        let (center, radius) = self.center_and_radius(placed);
        if self.circles.is_none() {
            return Outline::Sphere { center, radius };
        }
        let corner = |index: usize| {
            let (sin, cos) = libm::sincos(TAU * index as f64 / CORNERS as f64);
            center + DVec3::new(cos, 0.0, -sin) * radius
        };
        let front: Vec<DVec3> = (0..CORNERS).map(corner).collect();
        let back = front.iter().rev().copied().collect();
        Outline::Faces(vec![front, back])
    }

    fn ball(&self, placed: &Placed) -> Option<(DVec3, f64)> {
        Some(self.center_and_radius(placed))
    }
}

impl Spheres {
    /// In the world; of a circle in the plane of its body.
    fn center_and_radius(&self, placed: &Placed) -> (DVec3, f64) {
        let center = numbers_of(placed) * if self.circles.is_some() { FLAT } else { DVec3::ONE };
        (placed.position + center, placed.numbers::<4>()[3])
    }
}

fn numbers_of(placed: &Placed) -> DVec3 {
    DVec3::from_slice(placed.numbers::<4>())
}
