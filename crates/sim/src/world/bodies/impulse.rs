//! Impulses between two bodies, or a body and something fixed.

use super::super::bounce::{bounce, damping};
use super::solid::{BodyState, Solid};
use super::touch::approaching_point;
use glam::DVec3;

/// A smaller part of a unit normal is rounding.
const MIN_PART: f64 = 1e-6;

/// How the points of a body move.
#[derive(Clone, Copy)]
struct Motion {
    center: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl Motion {
    fn of(solid: &Solid, state: &BodyState) -> Self {
        let spin = solid.angular_velocity(state.rotation, state.angular_momentum);
        Self { center: state.position, velocity: state.velocity, spin }
    }

    /// Velocity of a point of the world that moves with the body.
    fn at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(point - self.center)
    }
}

/// The speed at which a point of a body leaves something fixed, negative where it approaches. `normal` points to the body.
/// It is 0 where the body cannot move along the normal.
pub(super) fn leaving(
    solid: &Solid,
    state: &BodyState,
    normal: DVec3,
) -> impl Fn(DVec3) -> f64 + use<> {
    let (motion, normal) = (Motion::of(solid, state), allowed(solid, normal));
    move |point| normal.map_or(0.0, |normal| motion.at(point).dot(normal))
}

/// Scales the velocities so that the kinetic energy, at `velocity + ahead`, falls by `energy`, or as far as possible.
pub(super) fn damp(solid: &Solid, state: &mut BodyState, ahead: DVec3, energy: f64) {
    let shared = solid.mass() * state.velocity.dot(ahead);
    let factor = damping(solid.kinetic_energy(state), shared, energy);
    state.velocity *= factor;
    state.angular_momentum *= factor;
}

/// [`strike`] at one of the points of a contact at the end of a step.
pub(super) fn collide(
    solids: [&Solid; 2],
    [a, b]: [&mut BodyState; 2],
    points: &[DVec3],
    normal: DVec3,
    ahead: [DVec3; 2],
) -> Option<f64> {
    let line = line_of_push(solids[0], [a, b], normal)?;
    let parting = parting(solids, [a, b], line);
    let point = approaching_point(points.iter().copied(), parting)?;
    strike(solids, [a, b], [point, line], ahead)
}

/// The direction in which two bodies push each other: the normal of their contact. Flat bodies that overlap least along y are
/// pushed along the line of their centres.
pub(super) fn line_of_push(solid: &Solid, [a, b]: [&BodyState; 2], normal: DVec3) -> Option<DVec3> {
    let line = || (b.position - a.position).try_normalize();
    allowed(solid, normal).or_else(|| allowed(solid, line()?))
}

/// The speed at which a point leaves the first of two bodies with the second, negative where they approach. `normal` points
/// from the first to the second.
pub(super) fn parting(
    [solid_a, solid_b]: [&Solid; 2],
    [a, b]: [&BodyState; 2],
    normal: DVec3,
) -> impl Fn(DVec3) -> f64 + use<> {
    let (one, other) = (Motion::of(solid_a, a), Motion::of(solid_b, b));
    move |point| (other.at(point) - one.at(point)).dot(normal)
}

/// Reflects two bodies at a point of their contact, frictionless. `normal` points from the first to the second, `ahead` is the
/// velocity of the parabola of each minus its stored one. Returns the energy that one gains by resting on what cannot be
/// pushed; `None`, and nothing changes, if they do not approach.
pub(super) fn strike(
    solids: [&Solid; 2],
    [a, b]: [&mut BodyState; 2],
    [point, normal]: [DVec3; 2],
    ahead: [DVec3; 2],
) -> Option<f64> {
    let [one, other] = solids;
    let normal = line_of_push(one, [a, b], normal)?;
    let speed = parting(solids, [a, b], normal)(point);
    let compliance = compliance(one, a, point, normal) + compliance(other, b, point, normal);
    if speed >= 0.0 || compliance <= 0.0 {
        return None;
    }
    let restitution = one.restitution.min(other.restitution);
    let bounce = bounce(speed, (ahead[1] - ahead[0]).dot(normal), restitution);
    let impulse = normal * (bounce.change / compliance);
    push(one, a, point, -impulse);
    push(other, b, point, impulse);
    Some(bounce.gain / compliance)
}

/// The part of a unit normal along which a body can move, as a unit vector; `None` if it is too small to have a
/// direction.
pub(super) fn allowed(solid: &Solid, normal: DVec3) -> Option<DVec3> {
    let allowed = normal * solid.linear;
    if allowed == normal {
        // In space the normal stays as it is.
        return Some(normal);
    }
    (allowed.length() > MIN_PART).then(|| allowed.normalize())
}

/// Change of the speed of a point along `normal` by a unit impulse there.
fn compliance(solid: &Solid, state: &BodyState, point: DVec3, normal: DVec3) -> f64 {
    if solid.inverse_mass == 0.0 {
        return 0.0;
    }
    solid.inverse_mass + by_rotation(solid, state, [(point, normal); 2])
}

/// Change of the speed of a point of a body with mass along its normal, by a unit impulse along the normal of another one.
pub(super) fn response(solid: &Solid, state: &BodyState, ends: [(DVec3, DVec3); 2]) -> f64 {
    solid.inverse_mass * ends[0].1.dot(ends[1].1) + by_rotation(solid, state, ends)
}

fn by_rotation(solid: &Solid, state: &BodyState, ends: [(DVec3, DVec3); 2]) -> f64 {
    let [at, by] =
        ends.map(|(point, normal)| (point - state.position).cross(normal) * solid.angular);
    at.dot(solid.angular_velocity(state.rotation, by))
}

pub(super) fn push(solid: &Solid, state: &mut BodyState, point: DVec3, impulse: DVec3) {
    if solid.inverse_mass == 0.0 {
        return;
    }
    state.velocity += impulse * solid.inverse_mass * solid.linear;
    state.angular_momentum += (point - state.position).cross(impulse) * solid.angular;
}
