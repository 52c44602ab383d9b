//! The test of another library, for comparison.

use glam::{DMat3, DQuat, DVec3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::details::{
    intersection_test_cuboid_cuboid, intersection_test_point_query_ball,
    intersection_test_support_map_support_map, local_point_projection_on_support_map,
};
use parry3d_f64::query::gjk::VoronoiSimplex;
use parry3d_f64::query::{PointProjection, PointQuery};
use parry3d_f64::shape::{Ball, Capsule, Cuboid, FeatureId, SupportMap};

use super::sat::Cuboid as CuboidCore;
use super::{PartAnswer, test_parts};
use crate::pair::{PartPair, highest};
use crate::{Answer, Body, NarrowCounters, NarrowPhase, PairCache, Part, Pose};

/// `parry`: the functions that `parry3d_f64::query::intersection_test` calls for a ball, a capsule,
/// a cuboid and a convex polyhedron, sharp or rounded.
///
/// Its tolerances are absolute. So it sees each pair in a unit in which the pair is about as large as 1: a power of two,
/// which costs no digit.
///
/// Balls, capsules and cuboids are a few numbers, and a polyhedron borrows the vertices of the
/// shape. So nothing is kept, and a scaled body needs no shape of its own. The type is chosen once
/// a part, in a few nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Parry {
    counters: NarrowCounters,
}

impl Parry {
    /// An instance without state.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl NarrowPhase for Parry {
    fn test(&mut self, a: &Body, b: &Body, cache: &mut PairCache) -> Answer {
        test_parts([a, b], cache, &mut self.counters, |pair, _, counters| {
            counters.steps += 1;
            if touches(&pair) { PartAnswer::Touching(None) } else { PartAnswer::Separated(None) }
        })
    }

    fn counters(&self) -> NarrowCounters {
        self.counters
    }
}

/// Whether two parts touch.
pub(crate) fn touches(pair: &PartPair) -> bool {
    let (pose, a, b) = converted(pair, 1.0 / power_of_two(pair.frame.size()));
    match (&a, &b) {
        (Converted::Cuboid(a), Converted::Cuboid(b)) => {
            intersection_test_cuboid_cuboid(&pose, a, b)
        }
        (_, Converted::Ball(ball)) => {
            intersection_test_point_query_ball(&pose, a.point_query(), ball).intersecting
        }
        (Converted::Ball(ball), _) => {
            let pose = pose.inverse();
            intersection_test_point_query_ball(&pose, b.point_query(), ball).intersecting
        }
        _ => intersection_test_support_map_support_map(&pose, a.support_map(), b.support_map()),
    }
}

/// The greatest power of two that is at most `size`, which is a normal number.
pub(crate) fn power_of_two(size: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(size.to_bits() & EXPONENT)
}

/// The pose of the second part in the frame of the first, and both, with lengths times `factor`.
fn converted<'a>(pair: &PartPair<'a>, factor: f64) -> (ParryPose, Converted<'a>, Converted<'a>) {
    let [(pose_a, a), (pose_b, b)] = Converted::of_pair(pair, factor);
    let frame = pair.frame;
    let pose_b = Pose {
        position: frame.relative.position * factor + frame.relative.rotation * pose_b.position,
        rotation: frame.relative.rotation * pose_b.rotation,
    };
    (to_parry(&pose_b.relative_to(&pose_a)), a, b)
}

/// A part as a shape of the library.
pub(crate) enum Converted<'a> {
    /// A point with a radius.
    Ball(Ball),
    /// A segment with a radius.
    Capsule(Capsule),
    /// A sharp box.
    Cuboid(Cuboid),
    /// Everything else.
    Hull(Hull<'a>),
}

impl<'a> Converted<'a> {
    /// Both parts, with their poses in their bodies' frames and lengths times `factor`.
    pub(crate) fn of_pair(pair: &PartPair<'a>, factor: f64) -> [(Pose, Self); 2] {
        let (a, b) = (pair.frame.scale_a * factor, pair.frame.scale_b * factor);
        [Self::of(pair.a, a), Self::of(pair.b, b)]
    }

    fn of(part: &'a Part, scale: f64) -> (Pose, Self) {
        let (core, radius) = (part.core(), part.radius() * scale);
        match core.vertices() {
            [centre] => {
                let pose = Pose { position: *centre * scale, ..Pose::IDENTITY };
                return (pose, Self::Ball(Ball::new(radius)));
            }
            [from, to] => {
                let capsule = Capsule::new(vector(*from * scale), vector(*to * scale), radius);
                return (Pose::IDENTITY, Self::Capsule(capsule));
            }
            _ => {}
        }
        if radius == 0.0
            && let Some(cuboid) = CuboidCore::of(core)
        {
            let (rotation, half) = rotation_of(&cuboid);
            let pose = Pose { position: cuboid.centre * scale, rotation };
            return (pose, Self::Cuboid(Cuboid::new(vector(half * scale))));
        }
        (Pose::IDENTITY, Self::Hull(Hull { vertices: core.vertices(), scale, radius }))
    }

    /// As a convex shape.
    pub(crate) fn support_map(&self) -> &dyn SupportMap {
        match self {
            Self::Ball(ball) => ball,
            Self::Capsule(capsule) => capsule,
            Self::Cuboid(cuboid) => cuboid,
            Self::Hull(hull) => hull,
        }
    }

    fn point_query(&self) -> &dyn PointQuery {
        match self {
            Self::Ball(ball) => ball,
            Self::Capsule(capsule) => capsule,
            Self::Cuboid(cuboid) => cuboid,
            Self::Hull(hull) => hull,
        }
    }
}

/// The rotation of a cuboid's axes, and half its edges along them.
fn rotation_of(cuboid: &CuboidCore) -> (DQuat, DVec3) {
    if cuboid.is_aligned {
        return (DQuat::IDENTITY, cuboid.half);
    }
    let DMat3 { x_axis, y_axis, .. } = cuboid.axes;
    let right_handed = DMat3::from_cols(x_axis, y_axis, x_axis.cross(y_axis));
    (DQuat::from_mat3(&right_handed), cuboid.half)
}

/// A convex polyhedron that borrows its vertices. The library's own type finds its support as this
/// one does, by comparing all vertices, and projects points by the same functions.
pub(crate) struct Hull<'a> {
    /// Of the core, in the shape's lengths.
    pub(crate) vertices: &'a [DVec3],
    /// Factor of the vertices.
    pub(crate) scale: f64,
    /// The rounding radius.
    pub(crate) radius: f64,
}

impl SupportMap for Hull<'_> {
    fn local_support_point(&self, direction: Vector) -> Vector {
        if self.radius == 0.0 {
            self.local_support_point_toward(direction)
        } else {
            self.local_support_point_toward(direction.normalize())
        }
    }

    fn local_support_point_toward(&self, direction: Vector) -> Vector {
        let along = DVec3::from_array(direction.to_array());
        let (i, _) = highest(self.vertices, along);
        vector(self.vertices[i] * self.scale + along * self.radius)
    }
}

impl PointQuery for Hull<'_> {
    fn project_local_point(&self, point: Vector, solid: bool) -> PointProjection {
        local_point_projection_on_support_map(self, &mut VoronoiSimplex::new(), point, solid)
    }

    fn project_local_point_and_get_feature(&self, point: Vector) -> (PointProjection, FeatureId) {
        (self.project_local_point(point, false), FeatureId::Unknown)
    }
}

/// The library has another version of the vector types.
pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

/// The same pose.
pub(crate) fn to_parry(pose: &Pose) -> ParryPose {
    let rotation = Rotation::from_array(pose.rotation.to_array());
    ParryPose::from_parts(vector(pose.position), rotation)
}
