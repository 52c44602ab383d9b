//! A convex part of a shape.

use glam::{DMat3, DVec3};

use super::Core;
use crate::body::Pose;
use crate::bounds::Bounds;

/// A core and all points within `radius` of it. Coordinates are those of the shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    core: Core,
    radius: f64,
    center: DVec3,
    /// Radius of a sphere about `center` that encloses the part.
    extent: f64,
}

impl Part {
    /// `radius` is finite and at least 0, and above 0 for a core without volume: constructors of
    /// [`Shape`](crate::Shape) check this.
    pub(crate) fn new(core: Core, radius: f64) -> Self {
        let center = core.vertices().iter().sum::<DVec3>() / core.vertices().len() as f64;
        let part = Self { core, radius, center, extent: 0.0 };
        Self { extent: part.reach_from(center), ..part }
    }

    /// The point, segment or polyhedron inside.
    #[must_use]
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The rounding radius, 0 for a polyhedron with sharp edges.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The mean of the core's vertices: a point inside.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Radius of a sphere about [`center`](Self::center) that encloses the part.
    pub(crate) fn extent(&self) -> f64 {
        self.extent
    }

    /// The distance of the part's furthest point from `point`.
    #[must_use]
    pub fn reach_from(&self, point: DVec3) -> f64 {
        let vertices = self.core.vertices().iter();
        vertices.map(|vertex| vertex.distance(point)).fold(0.0, f64::max) + self.radius
    }

    /// This part after a rotation and a translation.
    pub(crate) fn moved(&self, pose: &Pose) -> Self {
        Self::new(self.core.moved(pose), self.radius)
    }
}

impl Bounds {
    /// The smallest box of parts at a pose, all their lengths multiplied by `scale`.
    pub(crate) fn of_parts(parts: &[Part], pose: &Pose, scale: f64) -> Self {
        let matrix = DMat3::from_quat(pose.rotation) * scale;
        let mut bounds = Self::EMPTY;
        for part in parts {
            let mut core = Self::EMPTY;
            for &vertex in part.core().vertices() {
                let turned = matrix * vertex;
                core = Self { min: core.min.min(turned), max: core.max.max(turned) };
            }
            let radius = DVec3::splat(part.radius() * scale);
            bounds.min = bounds.min.min(core.min - radius);
            bounds.max = bounds.max.max(core.max + radius);
        }
        Self { min: bounds.min + pose.position, max: bounds.max + pose.position }
    }
}
