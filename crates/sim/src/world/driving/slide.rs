//! The rules by which a body moves along what it meets.

use super::DriveInput;
use super::planes::{Planes, skin};
use crate::world::bodies::Bodies;
use glam::DVec3;
use std::sync::atomic::Ordering;

/// A body stands on what it touches if the normal is at most this steep: the cosine of 45 degrees.
const STEEPEST: f64 = 0.7;

/// Height of a jump, in bounding radii.
const JUMP: f64 = 1.0;

/// How far below a body it looks for something to stand on, in skins.
const FOOTING: f64 = 3.0;

/// The velocity of a body that wants to move, and moves along what it meets.
pub(super) fn slide(
    planes: &mut Planes,
    bodies: &Bodies,
    object: usize,
    wanted: DVec3,
    step: &DriveInput<'_>,
) -> DVec3 {
    let wanted = wanted * bodies.directions();
    planes.gather(bodies, object, wanted, step);
    if planes.is_spent() {
        step.surroundings.waiting.fetch_add(1, Ordering::Relaxed);
    }
    planes.nearest_velocity(bodies, object, wanted, step)
}

/// As [`slide`], for a body that falls, stands, and jumps from where it stands. `fall` is its speed along z from falling and
/// jumping, or that of the ground: walking up a ramp does not count, so that the body leaves the ramp's top without it.
pub(super) fn walk(
    planes: &mut Planes,
    bodies: &Bodies,
    object: usize,
    wanted: DVec3,
    fall: &mut f64,
    step: &DriveInput<'_>,
) -> DVec3 {
    let dt = f64::from(step.surroundings.dt);
    let position = bodies.states()[object].position;
    let gravity = step.surroundings.forces.acceleration(position).z.min(0.0);
    let ground = ground(planes, bodies, object, *fall, step);
    let vertical = match ground {
        None => *fall + gravity * dt,
        Some(_) if step.keys.jump => {
            (-2.0 * gravity * JUMP * bodies.body(object).bounding_radius()).sqrt()
        }
        // Along the ground, at its speed.
        Some((normal, speed)) => (speed - wanted.dot(normal)) / normal.z,
    };
    let velocity = slide(planes, bodies, object, wanted + DVec3::Z * vertical, step);
    *fall = match ground {
        Some((normal, speed)) if !step.keys.jump => speed / normal.z,
        // The body may have been stopped.
        _ => velocity.z.clamp(vertical.min(0.0), vertical.max(0.0)),
    };
    velocity
}

/// The ground that a body stands on: its normal and its speed along it. A body that leaves it has jumped.
fn ground(
    planes: &mut Planes,
    bodies: &Bodies,
    object: usize,
    fall: f64,
    step: &DriveInput<'_>,
) -> Option<(DVec3, f64)> {
    let dt = f64::from(step.surroundings.dt);
    let footing = FOOTING * skin(&bodies.body(object));
    planes.gather(bodies, object, DVec3::NEG_Z * (footing / dt), step);
    let below = planes.all.iter().filter(|plane| plane.normal.z >= STEEPEST);
    let below = below.map(|plane| (plane.gap / plane.normal.z, plane));
    let (distance, ground) = below.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let stays = fall * ground.normal.z <= ground.speed + footing / dt;
    (distance <= footing && stays).then_some((ground.normal, ground.speed))
}
