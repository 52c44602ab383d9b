//! A convex part of a shape.

use super::Core;

/// A core and all points within `radius` of it. Coordinates are those of the shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    core: Core,
    radius: f64,
}

impl Part {
    /// `radius` is finite and at least 0, and above 0 for a core without volume: constructors of
    /// [`Shape`](crate::Shape) check this.
    pub(crate) fn new(core: Core, radius: f64) -> Self {
        Self { core, radius }
    }

    /// The point, segment, polygon or polyhedron inside.
    #[must_use]
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The rounding radius, 0 for a polyhedron with sharp edges.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
