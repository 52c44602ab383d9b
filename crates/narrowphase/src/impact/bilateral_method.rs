//! The search of the world as one of the methods.

use super::bilateral::{Advancement, Paths, Span};
use super::method::Search;
use super::moving_pair::MovingPair;
use super::{Impact, ImpactCounters};
use crate::body::Body;
use crate::pair::BAND;
use glam::DVec3;
use std::cell::Cell;

/// Largest angle, in radians, that a body rotates by while one set of planes is followed.
const LARGEST_ANGLE: f64 = 0.25;

/// Most pieces that a motion is divided into.
const MAX_PIECES: f64 = 65_536.0;

/// Most times that a search goes on from the last free time; then the method gives up. Bodies that rotate a hundred times
/// faster than they approach need some tens.
const MAX_RESTARTS: usize = 1024;

/// `bilateral`: the method of the world, as one of several.
#[derive(Clone, Debug, Default)]
pub(super) struct Bilateral(Advancement);

/// Two bodies at constant velocities, from a time on.
struct Flights<'a, 'm> {
    moving: &'m MovingPair<'a>,
    from: f64,
    planes: Cell<u64>,
}

impl<'a> Paths<'a> for Flights<'a, '_> {
    fn bodies(&self, time: f64) -> [Body<'a>; 2] {
        self.moving.at(self.from + time)
    }

    fn compares(&self) {
        self.planes.set(self.planes.get() + 1);
    }
}

impl Search for Bilateral {
    fn search(&mut self, moving: &MovingPair, counters: &mut ImpactCounters) -> Impact {
        let mut flights = Flights { moving, from: 0.0, planes: Cell::new(0) };
        let impact = self.follow(&mut flights);
        let planes = flights.planes.get();
        let parts = [moving.a(), moving.b()].map(|body| body.shape.parts().len() as u64);
        counters.steps += planes;
        counters.part_tests += planes * parts[0] * parts[1];
        impact
    }
}

impl Bilateral {
    fn follow(&mut self, flights: &mut Flights) -> Impact {
        let moving = flights.moving;
        let limit = moving.limit();
        let spins = moving.spins().map(DVec3::length);
        let pieces = (spins[0].max(spins[1]) * limit / LARGEST_ANGLE).ceil().max(1.0);
        if pieces > MAX_PIECES {
            return Impact::Failed;
        }
        let [turn_a, turn_b] = [moving.a(), moving.b()].map(Body::bounding_radius);
        let mut span = Span {
            end: 0.0,
            margin: 0.5 * BAND * moving.size(),
            level: 0.0,
            speed: moving.speed() + spins[0] * turn_a + spins[1] * turn_b,
            curvature: spins[0] * spins[0] * turn_a + spins[1] * spins[1] * turn_b,
        };
        let (mut piece, mut restarts) = (1.0, 0);
        loop {
            let end = if piece == pieces { limit } else { limit * (piece / pieces) };
            span.end = end - flights.from;
            match self.0.first_touch(flights, &span, |_, _, touch| Some((1.0, touch.axis))) {
                None if piece == pieces => return Impact::Never,
                None => {
                    flights.from = end;
                    piece += 1.0;
                }
                Some((time, Some(axis))) => {
                    let first = flights.from + time;
                    let at = Impact::At { first, last: first, axis };
                    return if first == 0.0 { Impact::Overlapping } else { at };
                }
                Some((time, None)) if time > 0.0 && restarts < MAX_RESTARTS => {
                    flights.from += time;
                    restarts += 1;
                }
                Some((_, None)) => return Impact::Failed,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Motion, find};
    use super::*;
    use crate::answer::PairCache;
    use crate::pose::Pose;
    use crate::shape::Shape;

    #[test]
    fn boxes_that_rotate_faster_than_they_approach_are_met() {
        // A plane with a fixed normal allows 0.4 % of the gap: each corner of a face that tilts comes nearer.
        let shape = Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap();
        let body = |position: [f64; 3], [x, y, z, w]: [f64; 4]| {
            let rotation = glam::DQuat::from_xyzw(x, y, z, w).normalize();
            Body::new(&shape, Pose { position: position.into(), rotation })
        };
        let one =
            body([-1.266293, 0.242763, -1.720523], [-0.189979, 0.846004, -0.483977, -0.118114]);
        let other =
            body([1.921228, -0.810790, 0.170574], [0.069802, -0.127584, -0.196202, -0.969718]);
        let motion = |velocity: [f64; 3], spin: [f64; 3]| Motion {
            velocity: DVec3::from(velocity) / 60.0,
            spin: DVec3::from(spin) / 60.0,
        };
        let a = motion([141.351593, -27.098757, 192.055664], [-45.902767, 14.566107, -35.787766]);
        let b = motion([-65.029671, -221.852890, 64.439384], [52.502499, 8.187540, 27.864879]);
        let first = |id: &str| {
            let (mut method, mut cache) = (find(id).unwrap().build(), PairCache::default());
            match method.find((&one, &a), (&other, &b), 1.0, &mut cache) {
                Impact::At { first, .. } => first,
                impact => panic!("{id}: {impact:?}"),
            }
        };
        assert!((first("bilateral") - first("advance")).abs() < 1e-5);
    }

    #[test]
    fn end_of_a_rod_that_passes_a_wall_within_the_motion_is_met() {
        // It points aside at both ends of the motion, and at the box in between.
        let rod = Shape::cuboid(DVec3::new(2.0, 0.1, 0.1)).unwrap();
        let wall = Shape::cuboid(DVec3::splat(1.0)).unwrap();
        let angle = 0.12;
        let spinning = Motion { velocity: DVec3::ZERO, spin: DVec3::Z };
        for (distance, is_met) in [(1.4995, true), (1.501, true), (1.5015, false)] {
            let turned = Pose { rotation: glam::DQuat::from_rotation_z(-angle), ..Pose::IDENTITY };
            let at = Pose { position: DVec3::X * distance, ..Pose::IDENTITY };
            let (rod, wall) = (Body::new(&rod, turned), Body::new(&wall, at));
            let (cache, mut method) =
                (&mut PairCache::default(), find("bilateral").unwrap().build());
            let impact = method.find((&rod, &spinning), (&wall, &Motion::NONE), 2.0 * angle, cache);
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
