//! A shape: convex parts about a centre of mass.

use glam::DVec3;

use super::{Core, Part};

/// One convex part, or a compound of several. The origin is the centre of mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    parts: Vec<Part>,
    bounding_radius: f64,
}

impl Shape {
    /// Parts whose coordinates have the centre of mass as origin.
    pub(crate) fn from_parts(parts: Vec<Part>) -> Self {
        let reach = |part: &Part| {
            let vertices = part.core().vertices().iter();
            vertices.map(|v| v.length()).fold(0.0, f64::max) + part.radius()
        };
        let bounding_radius = parts.iter().map(reach).fold(0.0, f64::max);
        Self { parts, bounding_radius }
    }

    /// A ball of radius `radius`.
    #[must_use]
    pub fn sphere(radius: f64) -> Self {
        Self::from_parts(vec![Part::new(Core::point(DVec3::ZERO), radius)])
    }

    /// The convex parts, at least one.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether it is a single convex part.
    #[must_use]
    pub fn is_convex(&self) -> bool {
        self.parts.len() == 1
    }

    /// Radius of the smallest sphere about the centre of mass that encloses the shape.
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }
}
