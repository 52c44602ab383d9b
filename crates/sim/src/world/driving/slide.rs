//! The rules by which a body moves along what it meets.

use super::DriveInput;
use super::cast::{Cast, Course, Stop};
use crate::world::bodies::Bodies;
use crate::world::waiting::count;
use glam::DVec3;

/// Most times that a body turns aside in a step; then it stays there.
const MAX_TURNS: usize = 8;

/// A body stands on what it touches if the normal is at most this steep: the cosine of 45 degrees.
const STEEPEST: f64 = 0.7;

/// Height of a jump, in bounding radii.
const JUMP: f64 = 1.0;

/// How far below a body it looks for something to stand on, in skins.
const FOOTING: f64 = 3.0;

/// The velocity of a body that wants to move, and moves along what it meets.
pub(super) fn slide(
    cast: &mut Cast,
    bodies: &Bodies,
    object: usize,
    wanted: DVec3,
    step: &DriveInput<'_>,
) -> DVec3 {
    let dt = f64::from(step.surroundings.dt);
    cast.gather(bodies, object, wanted.length() * dt, step);
    slid(cast, bodies, object, wanted, step)
}

/// As [`slide`], for a body that falls, stands, and jumps from where it stands. `fall` is its speed along z from falling and
/// jumping, or that of the ground: walking up a ramp does not count, so that the body leaves the ramp's top without it.
pub(super) fn walk(
    cast: &mut Cast,
    bodies: &Bodies,
    object: usize,
    wanted: DVec3,
    fall: &mut f64,
    step: &DriveInput<'_>,
) -> DVec3 {
    let dt = f64::from(step.surroundings.dt);
    let position = bodies.states()[object].position;
    let gravity = step.surroundings.forces.acceleration(position).z.min(0.0);
    let ground = ground(cast, bodies, object, *fall, step);
    let vertical = match ground {
        None => *fall + gravity * dt,
        Some(_) if step.keys.jump => {
            (-2.0 * gravity * JUMP * bodies.body(object).bounding_radius()).sqrt()
        }
        // Along the ground, at its speed.
        Some((normal, speed)) => (speed - wanted.dot(normal)) / normal.z,
    };
    let velocity = slide(cast, bodies, object, wanted + DVec3::Z * vertical, step);
    *fall = match ground {
        Some((normal, speed)) if !step.keys.jump => speed / normal.z,
        // The body may have been stopped.
        _ => velocity.z.clamp(vertical.min(0.0), vertical.max(0.0)),
    };
    velocity
}

/// The ground that a body stands on: its normal and its speed along it. A body that leaves it has jumped.
fn ground(
    cast: &mut Cast,
    bodies: &Bodies,
    object: usize,
    fall: f64,
    step: &DriveInput<'_>,
) -> Option<(DVec3, f64)> {
    let dt = f64::from(step.surroundings.dt);
    let course = Course { bodies, object, way: DVec3::ZERO, elapsed: 0.0 };
    let footing = FOOTING * course.skin();
    cast.gather(bodies, object, footing, step);
    let stop = cast.first_stop(&course, DVec3::NEG_Z * (footing / dt), dt)?;
    let (normal, speed) = stop.contact?;
    (normal.z >= STEEPEST && fall * normal.z <= speed + footing / dt).then_some((normal, speed))
}

/// The mean velocity in a step of a body that turns aside at each stop.
fn slid(
    cast: &mut Cast,
    bodies: &Bodies,
    object: usize,
    wanted: DVec3,
    step: &DriveInput<'_>,
) -> DVec3 {
    let dt = f64::from(step.surroundings.dt);
    let mut course = Course { bodies, object, way: DVec3::ZERO, elapsed: 0.0 };
    let mut velocity = wanted * bodies.directions();
    let mut turns = Turns::of(velocity);
    for _ in 0..MAX_TURNS {
        let remaining = dt - course.elapsed;
        let Some(Stop { time, contact }) = cast.first_stop(&course, velocity, remaining) else {
            if course.elapsed == 0.0 {
                return velocity;
            }
            course.way += velocity * remaining;
            break;
        };
        course.way += velocity * time;
        course.elapsed += time;
        let Some((normal, speed)) = contact else { break };
        velocity = turns.turn(velocity, normal, speed) * bodies.directions();
    }
    if cast.is_spent() {
        count(&step.surroundings.waiting);
    }
    course.way / dt
}

/// The surfaces that a body met in a step.
struct Turns {
    /// The velocity that it began with.
    wanted: DVec3,
    /// The last two: normals and their speeds.
    met: [Option<(DVec3, f64)>; 2],
}

impl Turns {
    fn of(wanted: DVec3) -> Self {
        Self { wanted, met: [None; 2] }
    }

    /// The velocity along a new surface, and along the last two where it would enter one of them again.
    fn turn(&mut self, velocity: DVec3, normal: DVec3, speed: f64) -> DVec3 {
        let along = |velocity: DVec3, normal: DVec3, speed: f64| {
            velocity + normal * (speed - velocity.dot(normal)).max(0.0)
        };
        let mut turned = along(velocity, normal, speed);
        let tolerance = 1e-9 * velocity.length();
        let enters =
            |turned: DVec3, (normal, speed): (DVec3, f64)| turned.dot(normal) < speed - tolerance;
        for met in self.met.into_iter().flatten() {
            if enters(turned, met) {
                // Along the line where both meet, if there is one.
                let crease = normal.cross(met.0).normalize_or_zero();
                turned = crease * velocity.dot(crease);
            }
        }
        // Two surfaces of a wedge would send it back and forth.
        let is_sent_back = speed == 0.0 && turned.dot(self.wanted) < 0.0;
        if is_sent_back || self.met.into_iter().flatten().any(|met| enters(turned, met)) {
            turned = DVec3::ZERO;
        }
        self.met = [Some((normal, speed)), self.met[0]];
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_between_two_walls_moves_along_their_crease() {
        let velocity = DVec3::new(1.0, 2.0, 3.0);
        let mut turns = Turns::of(velocity);
        let first = turns.turn(velocity, DVec3::NEG_X, 0.0);
        assert_eq!(first, DVec3::new(0.0, 2.0, 3.0));
        assert_eq!(turns.turn(first, DVec3::NEG_Y, 0.0), DVec3::new(0.0, 0.0, 3.0));
        assert_eq!(turns.turn(DVec3::Z * 3.0, DVec3::NEG_Z, 0.0), DVec3::ZERO);
    }

    #[test]
    fn body_in_a_wedge_does_not_oscillate() {
        let mut turns = Turns::of(DVec3::NEG_Z);
        let (left, right) = (DVec3::new(0.6, 0.0, 0.8), DVec3::new(-0.6, 0.0, 0.8));
        let first = turns.turn(DVec3::NEG_Z, left, 0.0);
        assert!(first.dot(right) < 0.0);
        assert_eq!(turns.turn(first, right, 0.0), DVec3::ZERO);
    }

    #[test]
    fn surface_that_moves_pushes_the_body() {
        let pushed = Turns::of(DVec3::X).turn(DVec3::X, DVec3::Z, 2.0);
        assert_eq!(pushed, DVec3::new(1.0, 0.0, 2.0));
    }
}
