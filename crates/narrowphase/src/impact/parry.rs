//! The shape casts of another library, for comparison.

use super::method::Search;
use super::moving_pair::MovingPair;
use super::{Impact, ImpactCounters};
use crate::Pose;
use crate::narrow::{Converted, power_of_two, to_parry, touches, vector};
use crate::pair::{Frame, PartPair};
use glam::{DQuat, DVec3};
use parry3d_f64::query::details::{
    NonlinearShapeCastMode, ShapeCastOptions, cast_shapes_ball_ball,
    cast_shapes_nonlinear_support_map_support_map, cast_shapes_support_map_support_map,
};
use parry3d_f64::query::{DefaultQueryDispatcher, NonlinearRigidMotion};
use parry3d_f64::shape::{ConvexPolyhedron, RoundShape, Shape};

/// `parry`: the functions that `parry3d_f64::query::cast_shapes` calls for two convex shapes, and where bodies rotate that
/// of `cast_shapes_nonlinear`.
///
/// As for the static test, each pair is seen in a unit in which it is about as large as 1, and the first cast borrows the
/// shape's vertices. It allocates where bodies overlap at the start. The second one needs shapes of the library, which are
/// built for each pair; there is none for a flat polygon.
#[derive(Clone, Debug, Default)]
pub(super) struct ParryCast;

/// A contact: its time or distance, and its axis in the world.
type Hit = (f64, DVec3);

impl Search for ParryCast {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let rotates = moving.spins().iter().any(|spin| *spin != DVec3::ZERO);
        let (a, b) = (moving.a(), moving.b());
        let frame = Frame::new(a, b);
        let mut earliest: Option<Hit> = None;
        for one in a.shape.parts() {
            for other in b.shape.parts() {
                counters.part_tests += 1;
                counters.steps += 1;
                let pair = frame.parts(one, other);
                let hit = if rotates {
                    let Some(hit) = nonlinear(moving, &pair) else { return Impact::Failed };
                    hit
                } else {
                    linear(moving, &pair)
                };
                if let Some(hit) = hit
                    && earliest.is_none_or(|earliest| hit.0 < earliest.0)
                {
                    earliest = Some(hit);
                }
            }
        }
        match earliest {
            None => Impact::Never,
            Some((first, _)) if first <= 0.0 => Impact::Overlapping,
            Some((first, _)) if first > moving.limit() => Impact::Never,
            Some((first, axis)) => Impact::At { first, last: first, axis },
        }
    }
}

/// In units of length, since its tolerances of a direction are absolute, too.
fn linear(moving: &MovingPair, pair: &PartPair) -> Option<Hit> {
    let rotation = moving.a().pose.rotation;
    if moving.speed() == 0.0 {
        return touches(pair).then_some((0.0, DVec3::X));
    }
    let factor = 1.0 / power_of_two(pair.frame.size());
    let [(pose_a, a), (pose_b, b)] = Converted::of_pair(pair, factor);
    let frame = pair.frame;
    let pose_b = Pose {
        position: frame.relative.position * factor + frame.relative.rotation * pose_b.position,
        rotation: frame.relative.rotation * pose_b.rotation,
    };
    let pose = to_parry(&pose_b.relative_to(&pose_a));
    let turned: DQuat = rotation * pose_a.rotation;
    let direction = vector(turned.conjugate() * moving.direction());
    let options = ShapeCastOptions {
        max_time_of_impact: moving.limit() * moving.speed() * factor,
        target_distance: 0.0,
        stop_at_penetration: true,
        compute_impact_geometry_on_penetration: false,
    };
    let hit = match (&a, &b) {
        (Converted::Ball(a), Converted::Ball(b)) => {
            cast_shapes_ball_ball(&pose, direction, a, b, options)
        }
        _ => {
            let (a, b) = (a.support_map(), b.support_map());
            cast_shapes_support_map_support_map(&pose, direction, a, b, options)
        }
    }?;
    let time = hit.time_of_impact / factor / moving.speed();
    Some((time, turned * DVec3::from_array(hit.normal1.to_array())))
}

/// With the step as the unit of time. `None` where the library has no shape for a part, as for flat polygons.
#[allow(clippy::option_option, reason = "no answer is not the answer never")]
fn nonlinear(moving: &MovingPair, pair: &PartPair) -> Option<Option<Hit>> {
    let factor = 1.0 / power_of_two(pair.frame.size());
    let limit = moving.limit();
    let [(pose_a, a), (pose_b, b)] = Converted::of_pair(pair, factor);
    let [spin_a, spin_b] = moving.spins();
    let origin = moving.a().pose.position;
    let motion = |pose: &Pose, local: &Pose, velocity: DVec3, spin: DVec3| {
        let start = Pose {
            position: (pose.position - origin) * factor + pose.rotation * local.position,
            rotation: pose.rotation * local.rotation,
        };
        let centre = local.rotation.conjugate() * -local.position;
        let (velocity, spin) = (vector(velocity * (factor * limit)), vector(spin * limit));
        NonlinearRigidMotion::new(to_parry(&start), vector(centre), velocity, spin)
    };
    let one = motion(&moving.a().pose, &pose_a, DVec3::ZERO, spin_a);
    let other = motion(&moving.b().pose, &pose_b, moving.velocity(), spin_b);
    let (a, b) = (built(&a)?, built(&b)?);
    let (map_a, map_b) = (a.as_support_map()?, b.as_support_map()?);
    let hit = cast_shapes_nonlinear_support_map_support_map(
        &DefaultQueryDispatcher,
        &one,
        map_a,
        &*a,
        &other,
        map_b,
        &*b,
        0.0,
        1.0,
        NonlinearShapeCastMode::StopAtPenetration,
    );
    Some(hit.map(|hit| {
        let turned = one.position_at_time(hit.time_of_impact).rotation;
        let axis = (turned * hit.normal1).to_array();
        (hit.time_of_impact * limit, DVec3::from_array(axis))
    }))
}

/// A shape of the library that owns its vertices.
fn built(converted: &Converted) -> Option<Box<dyn Shape>> {
    Some(match converted {
        Converted::Ball(ball) => Box::new(*ball),
        Converted::Capsule(capsule) => Box::new(*capsule),
        Converted::Cuboid(cuboid) => Box::new(*cuboid),
        Converted::Hull(hull) => {
            let points: Vec<_> = hull.vertices.iter().map(|v| vector(*v * hull.scale)).collect();
            let inner_shape = ConvexPolyhedron::from_convex_hull(&points)?;
            if hull.radius == 0.0 {
                Box::new(inner_shape)
            } else {
                Box::new(RoundShape { inner_shape, border_radius: hull.radius })
            }
        }
    })
}
