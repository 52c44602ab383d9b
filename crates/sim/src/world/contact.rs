//! When a moving sphere meets a rectangle, or the inside of a wall.

use broadphase::Aabb;
use glam::DVec3;

/// A sphere on a straight path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// Centre at time 0.
    pub(super) position: DVec3,
    pub(super) velocity: DVec3,
    pub(super) radius: f64,
    /// Seconds of the motion.
    pub(super) duration: f64,
}

/// The first touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Seconds from the start of the motion.
    pub(super) time: f64,
    /// Unit vector from what is touched to the sphere's centre.
    pub(super) normal: DVec3,
}

/// Most steps of Newton's method. Towards a face the first is exact. Towards an edge or a corner it converges
/// fast, unless the sphere only grazes it; a contact missed then is a grazing one.
const NEWTON_STEPS: usize = 24;

/// Largest gap that counts as touching, as a share of the radius.
const TOLERANCE: f64 = 1e-6;

impl Sweep {
    /// Centre of the sphere after a time.
    pub(super) fn at(&self, time: f64) -> DVec3 {
        self.position + self.velocity * time
    }

    /// The earlier of two contacts.
    pub(super) fn earlier(a: Option<Contact>, b: Option<Contact>) -> Option<Contact> {
        match (a, b) {
            (Some(a), Some(b)) => Some(if b.time < a.time { b } else { a }),
            (a, b) => a.or(b),
        }
    }

    /// The first time at which the sphere, approaching, touches a rectangle (a box without
    /// thickness): its face, its edges or its corners. `normal_axis` is the axis it is normal to.
    ///
    /// The distance from a point on a straight path to a convex body is a convex function of time. Newton's
    /// method, started where the sphere is still outside, therefore approaches the first touch from before
    /// and never steps over it; and a sphere that does not approach now never will. (Not the squared
    /// distance, though it is convex too: from far away a step on it only halves the distance.)
    pub(super) fn rectangle(&self, rectangle: &Aabb, normal_axis: usize) -> Option<Contact> {
        let (min, max) = (rectangle.min.as_dvec3(), rectangle.max.as_dvec3());
        // Rounding error of a position far from the origin, or at the end of a long path.
        let path = self.position.length() + self.velocity.length() * self.duration;
        let tolerance = TOLERANCE * self.radius + 4.0 * f64::EPSILON * path;
        let mut time = 0.0;
        for _ in 0..NEWTON_STEPS {
            let center = self.at(time);
            let offset = center - center.clamp(min, max);
            let distance = offset.length();
            let excess = distance - self.radius;
            if excess <= tolerance {
                return self.touch(time, offset, normal_axis);
            }
            let closing = -offset.dot(self.velocity) / distance;
            if closing <= 0.0 {
                return None;
            }
            time += excess / closing;
            if time > self.duration {
                return None;
            }
        }
        None
    }

    /// The contact of a sphere whose nearest point on the rectangle lies `offset` away, if it
    /// approaches that point.
    fn touch(&self, time: f64, offset: DVec3, normal_axis: usize) -> Option<Contact> {
        let normal = offset.try_normalize().unwrap_or_else(|| {
            // The centre lies in the rectangle: the normal points to the side that the sphere comes from.
            let mut normal = DVec3::ZERO;
            normal[normal_axis] = if self.velocity[normal_axis] > 0.0 { -1.0 } else { 1.0 };
            normal
        });
        (self.velocity.dot(normal) < 0.0).then_some(Contact { time, normal })
    }

    /// The first touch of a container's walls from inside; `floor` says whether it has one at its
    /// lowest z.
    ///
    /// A sphere that is outside, or too large to be inside, and moves outwards touches at once: it is
    /// reflected.
    pub(super) fn container(&self, container: &Aabb, floor: bool) -> Option<Contact> {
        let mut first: Option<Contact> = None;
        for axis in 0..3 {
            let (position, velocity) = (self.position[axis], self.velocity[axis]);
            let (wall, inwards) = if velocity > 0.0 {
                (f64::from(container.max[axis]) - self.radius, -1.0)
            } else if velocity < 0.0 && (axis < 2 || floor) {
                (f64::from(container.min[axis]) + self.radius, 1.0)
            } else {
                continue;
            };
            let time = ((wall - position) / velocity).max(0.0);
            if time <= self.duration && first.is_none_or(|f| time < f.time) {
                let mut normal = DVec3::ZERO;
                normal[axis] = inwards;
                first = Some(Contact { time, normal });
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// The unit square in the x-y plane, corner at the origin.
    fn square() -> Aabb {
        Aabb::new(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0))
    }

    fn sweep(position: [f64; 3], velocity: [f64; 3]) -> Sweep {
        let (position, velocity) = (position.into(), velocity.into());
        Sweep { position, velocity, radius: 0.25, duration: 10.0 }
    }

    fn touch(position: [f64; 3], velocity: [f64; 3]) -> Option<(f64, DVec3)> {
        sweep(position, velocity).rectangle(&square(), 2).map(|c| (c.time, c.normal))
    }

    #[test]
    fn face_edge_and_corner_are_hit_along_the_line_to_them() {
        // Beside the square, at the height at which the edge is hit at 45 degrees.
        let (h, back) = (0.25 / 2f64.sqrt(), 1.0 + 0.25 / 2f64.sqrt());
        for (position, velocity, time, normal) in [
            ([0.5, 0.5, 2.0], [0.0, 0.0, -1.0], 1.75, [0.0, 0.0, 1.0]),
            ([0.5, 0.5, -2.0], [0.0, 0.0, 1.0], 1.75, [0.0, 0.0, -1.0]),
            ([-1.0 - h, 0.5, h], [1.0, 0.0, 0.0], 1.0, [-1.0, 0.0, 1.0]),
            ([-back, -back, 0.0], [1.0, 1.0, 0.0], 1.0, [-1.0, -1.0, 0.0]),
            // It touches already, and goes on.
            ([0.5, 0.5, 0.1], [0.0, 0.0, -1.0], 0.0, [0.0, 0.0, 1.0]),
            ([0.5, 0.5, 0.0], [0.0, 0.0, -1.0], 0.0, [0.0, 0.0, 1.0]),
        ] {
            let (found, direction) = touch(position, velocity).expect("no contact");
            assert!((found - time).abs() < 1e-5, "at {found}, not {time}");
            let normal = DVec3::from(normal).normalize();
            assert!((direction - normal).length() < 1e-4, "{direction}, not {normal}");
        }
    }

    #[test]
    fn a_rectangle_left_behind_or_out_of_reach_is_not_hit() {
        assert!(touch([0.5, 0.5, 0.2], [0.0, 0.0, 1.0]).is_none());
        assert!(touch([0.5, 0.5, 2.0], [0.0, 0.0, -0.17]).is_none());
        assert!(touch([0.5, 0.5, 2.0], [0.0, 0.0, 0.0]).is_none());
        // By a hair.
        assert!(touch([-0.2501, -2.0, 0.0], [0.0, 1.0, 0.0]).is_none());
        assert!(touch([-0.2499, -2.0, 0.0], [0.0, 1.0, 0.0]).is_some());
    }

    #[test]
    fn however_far_and_fast_a_sphere_does_not_tunnel() {
        let cases = [
            (1e-7, 60.0, 1.0 / 60.0),
            (1e-5, 1e3, 0.1),
            (1e-3, 1e6, 1.0 / 60.0),
            (0.02, 1e12, 1.0),
        ];
        for (radius, speed, duration) in cases {
            for direction in [DVec3::NEG_Z, DVec3::new(1e-4, -1e-5, -1.0)] {
                let velocity = direction * speed;
                let position = DVec3::new(0.4, 0.6, 0.0) - velocity * (0.5 * duration);
                let bullet = Sweep { position, velocity, radius, duration };
                let contact = bullet.rectangle(&square(), 2);
                let time = contact.expect("tunnelled").time;
                assert!((time / duration - 0.5).abs() < 0.01, "{radius} {speed}: at {time}");
            }
        }
    }

    #[test]
    fn walls_hold_from_inside_and_turn_back_what_is_outside() {
        let cube = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let (inside, outside) = ([0.5, 0.5, 0.5], [5.0, 0.5, 0.5]);
        for (position, velocity, floor, expected) in [
            (inside, [1.0, 0.125, 0.0], true, Some((0.25, DVec3::NEG_X))),
            (inside, [0.0, 0.0, -1.0], true, Some((0.25, DVec3::Z))),
            (inside, [0.0, 0.0, -1.0], false, None),
            (outside, [1.0, 0.0, 0.0], true, Some((0.0, DVec3::NEG_X))),
            (outside, [-0.125, 0.0, 0.0], true, None),
        ] {
            let contact = sweep(position, velocity).container(&cube, floor);
            assert_eq!(contact.map(|c| (c.time, c.normal)), expected, "{position:?} {velocity:?}");
        }
    }
}
