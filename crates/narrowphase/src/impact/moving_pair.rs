//! Two moving bodies, as an observer sees them who moves with the first one.

use super::Motion;
use crate::body::Body;
use crate::pair::size_of_pair;
use glam::DVec3;

/// Two bodies and the velocity of the second one relative to the first: V1 - V0, for the second one moves.
///
/// Both have the same gap as in the world, and the numbers stay small where both move fast in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingPair<'a> {
    pub(super) a: Body<'a>,
    pub(super) b: Body<'a>,
    /// Both motions in the world.
    pub(super) motions: [Motion; 2],
    /// Velocity of the second body, as seen from the first.
    pub(super) velocity: DVec3,
    /// Direction of the velocity: a unit vector, or zero.
    pub(super) direction: DVec3,
    pub(super) speed: f64,
    pub(super) limit: f64,
}

impl<'a> MovingPair<'a> {
    /// `None` if a number is not finite, or the limit is not above 0.
    pub(super) fn new(
        (a, motion_a): (&Body<'a>, &Motion),
        (b, motion_b): (&Body<'a>, &Motion),
        limit: f64,
    ) -> Option<Self> {
        let velocity = motion_b.velocity - motion_a.velocity;
        let (direction, speed) = direction_and_speed(velocity);
        let is_valid = limit > 0.0
            && limit.is_finite()
            && speed.is_finite()
            && motion_a.is_finite()
            && motion_b.is_finite()
            && a.pose.rotation.is_finite()
            && b.pose.rotation.is_finite()
            && size_of_pair(a, b).is_finite();
        let motions = [*motion_a, *motion_b];
        is_valid.then_some(Self { a: *a, b: *b, motions, velocity, direction, speed, limit })
    }

    /// Angular velocities of both.
    pub(super) fn spins(&self) -> [DVec3; 2] {
        self.motions.map(|motion| motion.spin)
    }

    /// The length that tolerances and the band refer to.
    pub(super) fn size(&self) -> f64 {
        size_of_pair(&self.a, &self.b)
    }

    /// Both bodies after `time` seconds.
    pub(super) fn at(&self, time: f64) -> [Body<'a>; 2] {
        let [spin_a, spin_b] = self.spins();
        let a = Motion { velocity: DVec3::ZERO, spin: spin_a };
        let b = Motion { velocity: self.velocity, spin: spin_b };
        [a.body_after(&self.a, time), b.body_after(&self.b, time)]
    }

    /// A bound of the speed at which any two points of both approach.
    pub(super) fn speed_bound(&self) -> f64 {
        let [spin_a, spin_b] = self.spins().map(DVec3::length);
        self.speed + spin_a * self.a.bounding_radius() + spin_b * self.b.bounding_radius()
    }

    /// When spheres about both bodies, at most `slack` apart, first touch. `None` if they do not within the limit.
    pub(super) fn spheres_touch(&self, slack: f64) -> Option<f64> {
        let radius = self.a.bounding_radius() + self.b.bounding_radius() + slack;
        let between = self.b.pose.position - self.a.pose.position;
        let [enter, _] = sphere_passage(between, self.direction, radius)?;
        let time = if enter > 0.0 { enter / self.speed } else { 0.0 };
        (time <= self.limit).then_some(time)
    }
}

/// A unit vector and a length, for velocities whose square is not a number, too.
fn direction_and_speed(velocity: DVec3) -> (DVec3, f64) {
    let largest = velocity.abs().max_element();
    if largest == 0.0 {
        return (DVec3::ZERO, 0.0);
    }
    let scaled = velocity / largest;
    let length = scaled.length();
    (scaled / length, length * largest)
}

/// Between which distances along `direction`, a unit vector or zero, a point that begins at `from` is within `radius` of
/// the origin. `None` if it never is, or was only before it begins.
pub(super) fn sphere_passage(from: DVec3, direction: DVec3, radius: f64) -> Option<[f64; 2]> {
    let along = from.dot(direction);
    let aside = (from - direction * along).length();
    if aside > radius {
        return None;
    }
    if direction == DVec3::ZERO {
        return Some([0.0, f64::INFINITY]);
    }
    // Not the difference of the squares, which loses digits.
    let half = ((radius - aside) * (radius + aside)).sqrt();
    let exit = half - along;
    (exit >= 0.0).then_some([-along - half, exit])
}
