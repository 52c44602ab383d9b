//! Bounding spheres.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::smallest_ball::{Ball, smallest_ball};
use super::{Outline, Placed, SLACK, Volume};
use crate::{Part, Shape};

/// A sphere for each shape. Numbers of a placed one: centre and radius.
pub(super) struct Spheres {
    fitted: Vec<Fitted>,
}

struct Fitted {
    ball: Ball,
    slack: f64,
}

impl Spheres {
    /// The smallest sphere around each shape.
    pub(super) fn smallest(shapes: &[Shape]) -> Self {
        Self::around(shapes, |shape| smallest_ball(&vertex_balls(shape)))
    }

    /// The sphere about the mean of the vertices.
    pub(super) fn about_mean(shapes: &[Shape]) -> Self {
        Self::around(shapes, |shape| {
            let vertices = shape.parts().iter().flat_map(|part| part.core().vertices());
            let center = vertices.clone().sum::<DVec3>() / vertices.count() as f64;
            let reach = shape.parts().iter().map(|part| part.reach_from(center));
            Ball { center, radius: reach.fold(0.0, f64::max) }
        })
    }

    /// The largest sphere about the centre of mass that is inside one part. Without radius where
    /// the centre is in none.
    pub(super) fn inscribed(shapes: &[Shape]) -> Self {
        let fit = |shape| Ball { center: DVec3::ZERO, radius: inscribed_radius(shape) };
        Self {
            fitted: shapes.iter().map(|shape| Fitted { ball: fit(shape), slack: 0.0 }).collect(),
        }
    }

    /// The mean of the inscribed and the circumscribed radius, both about the centre of mass.
    pub(super) fn between(shapes: &[Shape]) -> Self {
        let fit = |shape: &Shape| {
            let radius = (inscribed_radius(shape) + shape.bounding_radius()) / 2.0;
            Ball { center: DVec3::ZERO, radius }
        };
        Self {
            fitted: shapes.iter().map(|shape| Fitted { ball: fit(shape), slack: 0.0 }).collect(),
        }
    }

    fn around(shapes: &[Shape], fit: impl Fn(&Shape) -> Ball) -> Self {
        let slack = |shape: &Shape| SLACK * shape.bounding_radius();
        let fitted = shapes.iter().map(|shape| Fitted { ball: fit(shape), slack: slack(shape) });
        Self { fitted: fitted.collect() }
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

/// The largest radius of a sphere about the centre of mass that is inside one part.
fn inscribed_radius(shape: &Shape) -> f64 {
    shape.parts().iter().map(depth_of_origin).fold(0.0, f64::max)
}

/// The distance from the origin to the surface of a part; negative outside of it.
fn depth_of_origin(part: &Part) -> f64 {
    let core = part.core();
    let depth = match *core.vertices() {
        [point] => -point.length(),
        [from, to] => {
            let along = to - from;
            let nearest = (-from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            -from.lerp(to, nearest).length()
        }
        _ => core.faces().iter().map(|face| face.offset).fold(f64::MAX, f64::min),
    };
    depth + part.radius()
}

impl Volume for Spheres {
    fn width(&self) -> usize {
        4
    }

    fn place(&self, shape: usize, scale: f64, rotation: DQuat, numbers: &mut [f64]) {
        let Fitted { ball, slack } = &self.fitted[shape];
        let center = rotation * (ball.center * scale);
        let radius = (ball.radius + slack) * scale;
        numbers[..4].copy_from_slice(&[center.x, center.y, center.z, radius]);
    }

    fn overlap(&self, a: &Placed, b: &Placed) -> bool {
        let [center_a, center_b] = [a, b].map(center_of);
        let radii = a.numbers::<4>()[3] + b.numbers::<4>()[3];
        (b.position - a.position + (center_b - center_a)).length_squared() <= radii * radii
    }

    fn volume(&self, placed: &Placed) -> Option<f64> {
        let radius = placed.numbers::<4>()[3];
        Some(4.0 / 3.0 * PI * radius * radius * radius)
    }

    fn outline(&self, placed: &Placed) -> Outline {
        Outline::Sphere {
            center: placed.position + center_of(placed),
            radius: placed.numbers::<4>()[3],
        }
    }

    fn ball(&self, placed: &Placed) -> Option<(DVec3, f64)> {
        Some((placed.position + center_of(placed), placed.numbers::<4>()[3]))
    }
}

fn center_of(placed: &Placed) -> DVec3 {
    let [x, y, z, _] = *placed.numbers::<4>();
    DVec3::new(x, y, z)
}
