//! The search of the world as one of the methods.

use super::bilateral::{Advancement, Paths, Span};
use super::{Impact, ImpactCounters, Motion, TimeOfImpact};
use crate::oracle::{BAND, size_of_pair};
use crate::{Body, PairCache};
use std::cell::Cell;

/// Largest angle, in radians, that a body rotates by while one set of planes is followed.
const LARGEST_ANGLE: f64 = 0.25;

/// Most pieces that a motion is divided into.
const MAX_PIECES: f64 = 65_536.0;

/// Most contacts without progress; then the method gives up.
const MAX_RESTARTS: usize = 64;

/// `bilateral`: the method of the world, as one of several.
#[derive(Clone, Debug, Default)]
pub struct Bilateral {
    search: Advancement,
    counters: ImpactCounters,
}

/// Two bodies at constant velocities, from a time on.
struct Flights<'a, 'm> {
    bodies: [Body<'a>; 2],
    motions: [&'m Motion; 2],
    from: f64,
    planes: Cell<u64>,
}

impl<'a> Paths<'a> for Flights<'a, '_> {
    fn bodies(&self, time: f64) -> [Body<'a>; 2] {
        [0, 1].map(|i| self.motions[i].body_after(&self.bodies[i], self.from + time))
    }

    fn compares(&self) {
        self.planes.set(self.planes.get() + 1);
    }
}

impl TimeOfImpact for Bilateral {
    fn find(
        &mut self,
        a: (&Body, &Motion),
        b: (&Body, &Motion),
        limit: f64,
        _cache: &mut PairCache,
    ) -> Impact {
        self.counters.tests += 1;
        let is_valid = limit > 0.0 && limit.is_finite() && a.1.is_finite() && b.1.is_finite();
        let impact = if is_valid { self.search(a, b, limit) } else { Impact::Failed };
        self.counters.failures += u64::from(impact == Impact::Failed);
        impact
    }

    fn counters(&self) -> ImpactCounters {
        self.counters
    }
}

impl Bilateral {
    fn search(&mut self, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> Impact {
        let spins = [a, b].map(|(_, motion)| motion.spin.length());
        let pieces = (spins[0].max(spins[1]) * limit / LARGEST_ANGLE).ceil().max(1.0);
        let size = size_of_pair(a.0, b.0);
        if pieces > MAX_PIECES || !size.is_finite() {
            return Impact::Failed;
        }
        let speed = (a.1.velocity - b.1.velocity).length();
        let [turn_a, turn_b] = [a.0, b.0].map(Body::bounding_radius);
        let mut span = Span {
            end: 0.0,
            margin: 0.5 * BAND * size,
            speed: speed + spins[0] * turn_a + spins[1] * turn_b,
            curvature: spins[0] * spins[0] * turn_a + spins[1] * spins[1] * turn_b,
        };
        let (bodies, motions) = ([*a.0, *b.0], [a.1, b.1]);
        let mut flights = Flights { bodies, motions, from: 0.0, planes: Cell::new(0) };
        let (mut piece, mut restarts) = (1.0, 0);
        let impact = loop {
            let end = if piece == pieces { limit } else { limit * (piece / pieces) };
            span.end = end - flights.from;
            let touch = self.search.first_touch(&flights, &span, |_, _, touch| Some(touch.axis));
            match touch {
                None if piece == pieces => break Impact::Never,
                None => {
                    flights.from = end;
                    piece += 1.0;
                }
                Some((time, Some(axis))) => {
                    let first = flights.from + time;
                    let is_at_start = first == 0.0;
                    let at = Impact::At { first, last: first, axis };
                    break if is_at_start { Impact::Overlapping } else { at };
                }
                Some((time, None)) if time > 0.0 && restarts < MAX_RESTARTS => {
                    flights.from += time;
                    restarts += 1;
                }
                Some((_, None)) => break Impact::Failed,
            }
        };
        let planes = flights.planes.get();
        self.counters.steps += planes;
        self.counters.part_tests +=
            planes * (a.0.shape.parts().len() * b.0.shape.parts().len()) as u64;
        impact
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, Shape};
    use glam::DVec3;

    #[test]
    fn end_of_a_rod_that_passes_a_wall_within_the_motion_is_met() {
        // It points aside at both ends of the motion, and at the box in between.
        let rod = Shape::cuboid(DVec3::new(2.0, 0.1, 0.1)).unwrap();
        let wall = Shape::cuboid(DVec3::splat(1.0)).unwrap();
        let angle = 0.12;
        let spinning = Motion { velocity: DVec3::ZERO, spin: DVec3::Z };
        for (distance, is_met) in [(1.4985, true), (1.5015, true), (1.5026, false)] {
            let turned = Pose { rotation: glam::DQuat::from_rotation_z(-angle), ..Pose::IDENTITY };
            let at = Pose { position: DVec3::X * distance, ..Pose::IDENTITY };
            let (rod, wall) = (Body::new(&rod, turned), Body::new(&wall, at));
            let mut method = Bilateral::default();
            let find = |method: &mut Bilateral, limit: f64| {
                let cache = &mut PairCache::default();
                method.find((&rod, &spinning), (&wall, &Motion::NONE), limit, cache)
            };
            let impact = find(&mut method, 2.0 * angle);
            let first = match impact {
                Impact::At { first, .. } => Some(first),
                _ => None,
            };
            assert_eq!(first.is_some(), is_met, "{distance}: {impact:?}");
            // The corner is at (1, 0.05), turned.
            let corner = |time: f64| {
                let turned = glam::DQuat::from_rotation_z(time - angle);
                (turned * DVec3::new(1.0, 0.05, 0.0))
                    .x
                    .max((turned * DVec3::new(1.0, -0.05, 0.0)).x)
            };
            if let Some(first) = first {
                assert!((corner(first) - (distance - 0.5)).abs() < 1e-8, "{distance}: {first}");
            }
        }
    }
}
