//! Axis-aligned boxes of bodies, for the broad phase.

use glam::DMat3;

use crate::body::Body;
use crate::bounds::Bounds;

/// How the broad phase's box of a body is computed. Every kind contains the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoxKind {
    /// The smallest box, of all vertices.
    #[default]
    Tight,
    /// The box of the rotated local box: eight corners, however many vertices there are.
    Rotated,
    /// The box of the bounding sphere about the centre of mass, which rotation does not change.
    Sphere,
}

impl BoxKind {
    /// All kinds, the smallest box first.
    pub const ALL: [Self; 3] = [Self::Tight, Self::Rotated, Self::Sphere];

    /// Its name on command lines and in tables.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Tight => "tight",
            Self::Rotated => "rotated",
            Self::Sphere => "sphere",
        }
    }

    /// What it is, in one sentence.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Tight => "The smallest box, of all vertices.",
            Self::Rotated => "The box of the rotated local box.",
            Self::Sphere => "The box of the bounding sphere, which rotation does not change.",
        }
    }

    /// The kind with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }
}

impl Body<'_> {
    /// The box of this body for the broad phase.
    ///
    /// It is larger than the exact box by a few roundings, so that it contains the body's points in
    /// whatever order they are computed.
    #[must_use]
    pub fn bounds(&self, kind: BoxKind) -> Bounds {
        let Self { shape, scale, pose } = *self;
        let exact = match kind {
            BoxKind::Tight => Bounds::of_parts(shape.parts(), &pose, scale),
            BoxKind::Rotated => {
                let local = shape.bounds();
                let matrix = DMat3::from_quat(pose.rotation) * scale;
                let center = matrix * local.center() + pose.position;
                let half = matrix.abs() * local.half_size();
                Bounds { min: center - half, max: center + half }
            }
            BoxKind::Sphere => {
                Bounds { min: pose.position, max: pose.position }.grown(self.bounding_radius())
            }
        };
        let reach = pose.position.abs().max_element() + self.bounding_radius();
        exact.grown(16.0 * f64::EPSILON * reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Pose;
    use crate::shape::Shape;
    use glam::{DQuat, DVec3, Vec3};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_box_contains_the_body(
            at in (-1e3..1e3, -1e3..1e3, -1e3..1e3),
            q in (-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0),
            out in (-1.0..1.0, -1.0..1.0, -1.0..1.0),
            scale in 1e-3..1e3,
        ) {
            let rotation = DQuat::from_xyzw(q.0, q.1, q.2, q.3).normalize();
            let pose = Pose { position: at.into(), rotation };
            let out = DVec3::from(out).normalize_or_zero();
            let (cube, capsule) = (Shape::cuboid(DVec3::ONE).unwrap(), Shape::capsule(0.3, 2.0).unwrap());
            let shape = Shape::compound(&[(&cube, pose), (&capsule, Pose::IDENTITY)]).unwrap();
            let body = Body { shape: &shape, scale, pose };
            let boxes = BoxKind::ALL.map(|kind| body.bounds(kind));
            let volumes = boxes.map(|bounds| bounds.half_size().element_product());
            prop_assert!(volumes[0] <= volumes[1] * (1.0 + 1e-9), "{volumes:?}");
            prop_assert!((boxes[2].half_size() / body.bounding_radius() - 1.0).abs().max_element() < 1e-6);
            let mut tight = Bounds::EMPTY;
            for bounds in boxes {
                let [low, high] = bounds.outward().map(Vec3::as_dvec3);
                prop_assert!(low.cmple(bounds.min).all() && bounds.max.cmple(high).all());
                for part in shape.parts() {
                    for vertex in part.core().vertices() {
                        let point = pose.point((*vertex + out * part.radius()) * scale);
                        let Bounds { min, max } = bounds;
                        prop_assert!(min.cmple(point).all() && point.cmple(max).all());
                        let (center, radius) = (pose.point(*vertex * scale), part.radius() * scale);
                        tight.min = tight.min.min(center - radius);
                        tight.max = tight.max.max(center + radius);
                    }
                }
            }
            let excess = (tight.min - boxes[0].min).max(boxes[0].max - tight.max);
            prop_assert!(excess.max_element() < 1e-12 * (1e3 + body.bounding_radius()), "{excess}");
        }

        #[test]
        fn rounding_outward_is_by_less_than_two_steps(x in prop::num::f64::NORMAL) {
            let [low, high] = Bounds { min: DVec3::splat(x), max: DVec3::splat(x) }.outward();
            prop_assert!(f64::from(low.x) <= x && x <= f64::from(high.x));
            prop_assert!(low.x.next_up() >= high.x);
        }
    }
}
