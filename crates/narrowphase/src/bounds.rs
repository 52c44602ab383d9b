//! Axis-aligned boxes.

use glam::{DMat3, DVec3, Vec3};

use crate::body::Body;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest corner.
    pub min: DVec3,
    /// The highest corner.
    pub max: DVec3,
}

impl Bounds {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// Its centre.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }

    /// Half of its lengths.
    #[must_use]
    pub fn half_size(&self) -> DVec3 {
        (self.max - self.min) / 2.0
    }

    /// Whether the boxes have a common point.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// This box, larger by `margin` on every side.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// Lowest and highest corner in `f32`, rounded outward: the result contains the box.
    #[must_use]
    pub fn outward(&self) -> [Vec3; 2] {
        let down = |x: f64| {
            let near = x as f32;
            if f64::from(near) > x { near.next_down() } else { near }
        };
        [self.min.to_array().map(down).into(), (-self.max).to_array().map(|x| -down(x)).into()]
    }
}

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

    /// Its description, in one sentence.
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
    use glam::{DQuat, DVec3};
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
            prop_assert!((boxes[1].grown(1e-9).half_size() - boxes[0].half_size()).min_element() >= 0.0);
            prop_assert!((boxes[2].half_size() / body.bounding_radius() - 1.0).abs().max_element() < 1e-6);
            let mut tight = Bounds::EMPTY;
            for bounds in boxes {
                let [low, high] = bounds.outward();
                for axis in 0..3 {
                    let is_rounded_down = |low: f32, exact: f64| {
                        (f64::from(low)..=f64::from(low.next_up())).contains(&exact)
                    };
                    prop_assert!(is_rounded_down(low[axis], bounds.min[axis]), "{bounds:?}");
                    prop_assert!(is_rounded_down(-high[axis], -bounds.max[axis]), "{bounds:?}");
                }
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
    }
}
