//! The first contact of two bodies on their paths within a step.

use super::continuous::Moving;
use super::impulse::{line_of_push, parting};
use super::mover::{Legs, MAX_HALVINGS, Mover, Scratch, Work};
use super::path::PathPiece;
use super::touch::{RESOLUTION, approaching_point, margin, touching_points};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::impact::bilateral::Span;
use std::cmp::Ordering;

/// Two bodies touch for the first time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Seconds since the step began.
    pub(super) time: f64,
    pub(super) pair: Pair,
    /// The pieces of their paths.
    pub(super) pieces: [usize; 2],
    /// A point and the unit vector from the first to the second; `None` where no later time was found to be free.
    pub(super) contact: Option<[DVec3; 2]>,
    /// Which paths of theirs.
    pub(super) versions: [u32; 2],
}

impl Ord for Meeting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.pair.cmp(&other.pair))
    }
}

impl PartialOrd for Meeting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Meeting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Meeting {}

/// Results and scratch of a search, from pair to pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Finder {
    scratch: Scratch,
    pub(super) found: Vec<Meeting>,
    /// Pairs that overlap and do not approach.
    pub(super) overlaps: Vec<Pair>,
}

/// The relative motion of two centres: a line and its change in a second.
#[derive(Clone, Copy)]
struct Approach {
    line: DVec3,
    velocity: DVec3,
}

impl Approach {
    /// The times between 0 and `length` at which the distance is at most `reach`.
    fn window(&self, reach: f64, length: f64) -> Option<[f64; 2]> {
        let Self { line, velocity } = *self;
        let (speed, approach) = (velocity.length_squared(), line.dot(velocity));
        let excess = line.length_squared() - reach * reach;
        if excess > 0.0 && approach >= 0.0 {
            return None;
        }
        // Without the difference of two large squares.
        let root = (speed * reach * reach - line.cross(velocity).length_squared()).max(0.0).sqrt();
        if root == 0.0 && excess > 0.0 {
            return None;
        }
        let enter = if excess > 0.0 { excess / (root - approach) } else { 0.0 };
        let leave = if speed > 0.0 { (root - approach) / speed } else { length };
        (enter <= length).then_some([enter, leave.min(length)])
    }
}

impl Moving<'_> {
    /// The first contact of two bodies from a time on.
    pub(super) fn first(&self, pair: Pair, from: f64, finder: &mut Finder) -> Option<Meeting> {
        let dt = self.flight.dt();
        let paths = [pair.a, pair.b].map(|object| &self.paths[object as usize]);
        let mut pieces = paths.map(|path| path.piece_at(from));
        let mut time = from;
        while time < dt {
            let ends = [0, 1].map(|i| paths[i].end_of(pieces[i], dt));
            let end = ends[0].min(ends[1]);
            if end > time {
                let meeting = self.within(pair, pieces, [time, end], finder);
                if meeting.is_some() {
                    return meeting;
                }
            }
            for i in 0..2 {
                pieces[i] += usize::from(ends[i] <= end && end < dt);
            }
            time = end;
        }
        None
    }

    /// The first contact within a piece of each path.
    fn within(
        &self,
        pair: Pair,
        pieces: [usize; 2],
        [from, to]: [f64; 2],
        finder: &mut Finder,
    ) -> Option<Meeting> {
        let objects = [pair.a, pair.b].map(|object| object as usize);
        let own = [0, 1].map(|i| &self.paths[objects[i]].pieces()[pieces[i]]);
        let solids = objects.map(|object| &self.flight.rules.solids[object]);
        let [(a, velocity_a), (b, velocity_b)] = own.map(|piece| piece.center_at(from));
        let approach = Approach { line: b - a, velocity: velocity_b - velocity_a };
        let versions = objects.map(|object| self.paths[object].version);
        let meeting = |time: f64, contact: Option<[DVec3; 2]>| {
            Some(Meeting { time: (from + time).min(to), pair, pieces, contact, versions })
        };
        if solids[0].is_ball && solids[1].is_ball {
            let reach = solids[0].radius + solids[1].radius;
            let [time, _] = approach.window(reach, to - from)?;
            if time == 0.0 && approach.line.dot(approach.velocity) >= 0.0 {
                finder.overlaps.push(pair);
                return None;
            }
            let line = approach.line + approach.velocity * time;
            let (center, normal) = (a + velocity_a * time, line.try_normalize()?);
            let point = center + normal * (solids[0].radius + 0.5 * (line.length() - reach));
            return meeting(time, Some([point, normal]));
        }
        let margins = margin(solids[0], &own[0].state) + margin(solids[1], &own[1].state);
        let reach = solids[0].radius + solids[1].radius;
        let margin = margins + 2.0 * RESOLUTION * reach;
        let [enter, leave] = approach.window(reach + margin, to - from)?;
        let states = own.map(PathPiece::moving_state);
        let shapes = solids.map(|solid| &self.flight.catalogue.shapes()[solid.shape].shape);
        let work = Work::new(0, self.flight.surroundings.stop);
        let mover = |i: usize| Mover {
            object: objects[i],
            solid: solids[i],
            shape: shapes[i],
            work: &work,
        };
        let movers = [mover(0), mover(1)];
        let offsets = own.map(|piece| from - piece.start + enter);
        let legs = Legs::new(movers, states, offsets);
        let (time, contact) = search(pair, legs, leave - enter, margin, finder)?;
        meeting(enter + time, contact)
    }
}

/// The first contact of two bodies in a time: where, or `None` where no later time was found to be free. Each round adds work,
/// so that its bound ends the search.
fn search(
    pair: Pair,
    mut legs: Legs<'_>,
    mut length: f64,
    margin: f64,
    finder: &mut Finder,
) -> Option<(f64, Option<[DVec3; 2]>)> {
    let Finder { scratch: Scratch { advancement, contacts, .. }, overlaps, .. } = finder;
    let Legs { movers, states, .. } = &legs;
    let turns = [0, 1].map(|i| {
        let Mover { solid, .. } = movers[i];
        let spin = solid.rotor(&states[i]).speed_bound(states[i].rotation);
        (spin * solid.radius, solid.curvature(spin))
    });
    let speed = (states[1].velocity - states[0].velocity).length() + turns[0].0 + turns[1].0;
    let curvature = turns[0].1 + turns[1].1;
    let (mut passed, mut is_overlapping) = (0.0, false);
    loop {
        let (end, level, halvings) = (length, Some(margin), MAX_HALVINGS);
        let span = Span { end, margin, level, speed, curvature, halvings };
        let touch = advancement.first_touch(&legs, &span, |_, bodies, verdict| {
            is_overlapping |= verdict.gap < -margin;
            let solids = [0, 1].map(|i| legs.movers[i].solid);
            let normal = verdict.axis;
            let states = [0, 1].map(|i| legs.states[i].at(bodies[i].pose));
            let states = [&states[0], &states[1]];
            let parting = parting(solids, states, line_of_push(solids[0], states, normal)?);
            let points = touching_points(contacts, [&bodies[0], &bodies[1]], verdict);
            let point = approaching_point(points, &parting)?;
            Some((-parting(point), [point, normal]))
        });
        match touch {
            None => {
                if is_overlapping {
                    overlaps.push(pair);
                }
                return None;
            }
            Some((time, None)) if time > 0.0 => {
                passed += time;
                length -= time;
                legs = legs.after(time);
            }
            Some((time, contact)) => return Some((passed + time, contact)),
        }
    }
}
