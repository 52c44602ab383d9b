//! The rules by which a body moves along what it meets.

use super::Driven;
use super::planes::{Planes, skin};
use glam::DVec3;
use std::sync::atomic::Ordering;

/// A body stands on what it touches if the normal is at most this steep: the cosine of 45 degrees.
const STEEPEST: f64 = 0.7;

/// Height of a jump, in bounding radii.
const JUMP: f64 = 1.0;

/// How far below a body it looks for something to stand on, in skins.
const FOOTING: f64 = 3.0;

impl Planes {
    /// The velocity of a body that wants to move, and moves along what it meets.
    pub(super) fn slide(&mut self, of: Driven<'_>, wanted: DVec3) -> DVec3 {
        let wanted = wanted * of.directions();
        self.gather(of, wanted);
        if self.is_spent() {
            of.step.surroundings.waiting.fetch_add(1, Ordering::Relaxed);
        }
        self.nearest_velocity(of, wanted)
    }

    /// As [`slide`](Self::slide), for a body that falls, stands, and jumps from where it stands. `fall` is its speed along z
    /// from falling and jumping, or that of the ground: walking up a ramp does not count, so that the body leaves the ramp's
    /// top without it.
    pub(super) fn walk(&mut self, of: Driven<'_>, wanted: DVec3, fall: &mut f64) -> DVec3 {
        let Driven { bodies, object, step } = of;
        let position = bodies.states()[object].position;
        let gravity = step.surroundings.forces.acceleration(position).z.min(0.0);
        let ground = self.ground(of, *fall);
        let vertical = match ground {
            None => *fall + gravity * of.dt(),
            Some(_) if step.keys.jump => {
                (-2.0 * gravity * JUMP * of.body().bounding_radius()).sqrt()
            }
            // Along the ground, at its speed.
            Some((normal, speed)) => (speed - wanted.dot(normal)) / normal.z,
        };
        let velocity = self.slide(of, wanted + DVec3::Z * vertical);
        *fall = match ground {
            Some((normal, speed)) if !step.keys.jump => speed / normal.z,
            // The body may have been stopped.
            _ => velocity.z.clamp(vertical.min(0.0), vertical.max(0.0)),
        };
        velocity
    }

    /// The ground that a body stands on: its normal and its speed along it. A body that leaves it has jumped.
    fn ground(&mut self, of: Driven<'_>, fall: f64) -> Option<(DVec3, f64)> {
        let (footing, dt) = (FOOTING * skin(&of.body()), of.dt());
        self.gather(of, DVec3::NEG_Z * (footing / dt));
        let below = self.all.iter().filter(|plane| plane.normal.z >= STEEPEST);
        let below = below.map(|plane| (plane.gap / plane.normal.z, plane));
        let (distance, ground) = below.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
        let stays = fall * ground.normal.z <= ground.speed + footing / dt;
        (distance <= footing && stays).then_some((ground.normal, ground.speed))
    }
}
