//! Everything that holds a body at one time, answered at once.
//!
//! A body that rests on several bodies or points is held by all of them. Impulses one after the other never end there: each
//! turns the body towards another support. The impulses here are those of the least change of the velocities, in units of the
//! kinetic energy, after which the body leaves each support as after a bounce. Along the supports it goes on.

use super::super::bounce;
use super::flight::{Contact, Flight, Near, Trip};
use super::impulse::{allowed, leaving, push, response};
use super::mover::{Mover, Scratch};
use super::solid::{BodyState, Solid};
use super::touch::{level, margin, max_level, quiet};
use glam::DVec3;
use narrowphase::contact::Contacts;
use narrowphase::{Body, PartVerdict, face_planes};

/// Most supports with an impulse: a body has six degrees of freedom, so that more are not independent.
const MAX_HOLDING: usize = 6;

/// Most times that a support begins or ceases to hold. Some ten are usual.
const MAX_CHANGES: usize = 64;

/// A body that returns with less of its speed is thought of as resting: the bounce is one of the last ones.
const SOFT: f64 = 1e-3;

/// A gain of energy that is none but for rounding, in units of twice the kinetic energy.
const NO_GAIN: f64 = 1e-12;

/// A response that differs by less, in its own units, is a combination of those of other supports.
const INDEPENDENT: f64 = 1e-10;

/// A point that may hold a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Support {
    pub(super) point: DVec3,
    /// Unit vector to the body, along which the body can move.
    pub(super) normal: DVec3,
    /// The index of the fixture; `None` for a wall.
    pub(super) fixture: Option<usize>,
    /// The speed at which the body leaves it after a bounce; 0 if it did not approach.
    pub(super) target: f64,
    pub(super) rests: bool,
    /// The impulse that it gave.
    pub(super) impulse: f64,
}

impl Support {
    /// Whether the body approached it.
    pub(super) fn is_met(&self) -> bool {
        self.target > 0.0
    }

    /// The speed at which a body leaves it, negative where it approaches.
    fn leaving(&self, solid: &Solid, state: &BodyState) -> f64 {
        leaving(solid, state, self.normal)(self.point)
    }
}

/// A pair of parts that several planes separate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    fixture: usize,
    verdict: PartVerdict,
    /// Whether the body bounces there.
    is_contact: bool,
}

/// A body that touches fixtures.
struct Touching<'a> {
    flight: &'a Flight<'a>,
    mover: &'a Mover<'a>,
    state: BodyState,
    /// The parabola's velocity minus the stored one.
    ahead: DVec3,
}

impl Touching<'_> {
    fn support(&self, point: DVec3, normal: DVec3, fixture: Option<usize>) -> Support {
        let Self { mover: Mover { solid, .. }, state, ahead, .. } = self;
        let speed = leaving(solid, state, normal)(point);
        let fixed = fixture.map(|index| self.flight.fixtures.all[index].solid.restitution);
        // Walls are elastic.
        let restitution = fixed.unwrap_or(1.0).min(solid.restitution);
        let bounce = bounce::bounce(speed.min(0.0), ahead.dot(normal), restitution);
        let (target, rests) =
            if speed < 0.0 { (speed + bounce.change, bounce.rests) } else { (0.0, false) };
        Support { point, normal, fixture, target, rests, impulse: 0.0 }
    }

    /// Appends the points at which the body touches a fixture, with a plane between them.
    fn append(
        &self,
        fixture: usize,
        plane: &PartVerdict,
        contacts: &mut Contacts,
        supports: &mut Vec<Support>,
    ) {
        let Some(normal) = allowed(self.mover.solid, plane.axis) else { return };
        let [fixed, body] = self.bodies(fixture);
        contacts.find(&fixed, &body, &[PartVerdict { gap: plane.gap.min(0.0), ..*plane }]);
        let level = self.level(plane.axis);
        let points = contacts.points().iter().filter(|point| point.depth >= -level);
        supports.extend(points.map(|point| self.support(point.position, normal, Some(fixture))));
    }

    fn level(&self, normal: DVec3) -> f64 {
        level(self.mover.solid, &self.state, normal)
    }

    fn bodies(&self, fixture: usize) -> [Body<'_>; 2] {
        let Flight { fixtures, catalogue, .. } = self.flight;
        [fixtures.all[fixture].body(catalogue), self.mover.body(&self.state)]
    }

    /// Lists the points at which the body touches what is near it, and the edges.
    fn list(&self, contact: &Contact, near: &mut Near) {
        let Near { walls, fixed, scratch, supports, edges, .. } = near;
        let Scratch { contacts, reference, .. } = scratch;
        let (solid, body) = (self.mover.solid, self.mover.body(&self.state));
        let max_level = max_level(solid, &self.state);
        supports.clear();
        edges.clear();
        for wall in walls.iter().filter(|wall| wall.gap(&body) <= self.level(wall.normal)) {
            let Some(normal) = allowed(solid, wall.normal) else { continue };
            let points = wall.lowest_points(&body);
            supports.extend(points.map(|point| self.support(point, normal, None)));
        }
        for &fixture in fixed.iter() {
            let is_contact = contact.fixture == Some(fixture);
            let bodies = self.bodies(fixture);
            self.mover.compares(&bodies[0]);
            for verdict in reference.near(&bodies[0], &bodies[1], max_level) {
                if verdict.gap > self.level(verdict.axis) {
                    continue;
                }
                let first = supports.len();
                self.append(fixture, verdict, contacts, supports);
                let approaches = |support: &Support| support.leaving(solid, &self.state) < 0.0;
                if supports[first..].iter().any(approaches) {
                    let mut is_edge = false;
                    face_planes(&bodies, verdict, -max_level, |plane| {
                        is_edge |= plane.gap >= -self.level(plane.axis);
                    });
                    if is_edge {
                        supports.truncate(first);
                        edges.push(Edge { fixture, verdict: *verdict, is_contact });
                    }
                }
            }
        }
    }

    /// The plane of an edge that a body leaves fastest, and the speed, negative where it approaches.
    fn best_plane(
        &self,
        edge: &Edge,
        state: &BodyState,
        contacts: &mut Contacts,
        scratch: &mut Vec<Support>,
    ) -> (f64, PartVerdict) {
        let solid = self.mover.solid;
        let mut speed = |plane: &PartVerdict| {
            let first = scratch.len();
            self.append(edge.fixture, plane, contacts, scratch);
            let speeds = scratch.drain(first..).map(|support| support.leaving(solid, state));
            speeds.fold(f64::INFINITY, f64::min)
        };
        let mut best = (speed(&edge.verdict), edge.verdict);
        let max_level = max_level(solid, state);
        face_planes(&self.bodies(edge.fixture), &edge.verdict, -max_level, |plane| {
            if plane.gap < -self.level(plane.axis) {
                return;
            }
            let speed = speed(&plane);
            if speed > best.0 {
                best = (speed, plane);
            }
        });
        best
    }

    /// Gives a body the impulses of its supports. Those at edges decide last. Returns its velocities, and how far it is to be
    /// lifted to get over the edge that it met; `None` if it bounces off that alone, or no impulses were found.
    fn settle(&self, near: &mut Near, quiet: f64) -> Option<(BodyState, DVec3)> {
        let (solid, mut state, mut lift) = (self.mover.solid, self.state, DVec3::ZERO);
        let mut is_held = hold(solid, &mut state, &mut near.supports, quiet);
        let sure = near.supports.len();
        for edge in &near.edges {
            let contacts = &mut near.scratch.contacts;
            let (speed, plane) = self.best_plane(edge, &state, contacts, &mut near.supports);
            if speed < -quiet {
                if edge.is_contact && sure == 0 {
                    return None;
                }
                self.append(edge.fixture, &plane, contacts, &mut near.supports);
            } else if edge.is_contact && plane.gap < 0.0 {
                lift = allowed(solid, plane.axis)? * (margin(solid, &state) - plane.gap);
            }
        }
        if near.supports.len() > sure {
            near.supports.iter_mut().for_each(|support| support.impulse = 0.0);
            state = self.state;
            is_held = hold(solid, &mut state, &mut near.supports, quiet);
        }
        if !is_held {
            return None;
        }
        if lift != DVec3::ZERO {
            state.position += lift;
            if !self.is_free(&state, near) {
                return None;
            }
        }
        Some((state, lift))
    }

    /// Whether the body, lifted, overlaps nothing that is near it, but for what it already overlapped as deeply.
    fn is_free(&self, lifted: &BodyState, near: &mut Near) -> bool {
        let (mover, before) = (self.mover, &self.state);
        let (bodies, least) =
            ([before, lifted].map(|at| mover.body(at)), -margin(mover.solid, lifted));
        let reference = &mut near.scratch.reference;
        let mut depth = |fixed: &Body<'_>, body: &Body<'_>| {
            mover.compares(fixed);
            let verdicts = reference.near(fixed, body, 0.0).iter();
            verdicts.map(|verdict| verdict.gap).fold(f64::INFINITY, f64::min)
        };
        let is_free =
            |after: f64, before: &mut dyn FnMut() -> f64| after >= least || after >= before();
        near.walls.iter().all(|wall| is_free(wall.gap(&bodies[1]), &mut || wall.gap(&bodies[0])))
            && near.fixed.iter().all(|index| {
                let [fixed, _] = self.bodies(*index);
                let after = depth(&fixed, &bodies[1]);
                is_free(after, &mut || depth(&fixed, &bodies[0]))
            })
    }

    /// Gives a body the impulse of the contact that it met alone.
    fn bounce_off(
        &self,
        &Contact { point, normal, fixture }: &Contact,
        quiet: f64,
    ) -> Option<(BodyState, Support)> {
        let normal = allowed(self.mover.solid, normal)?;
        let (mut state, mut place) = (self.state, [self.support(point, normal, fixture)]);
        hold(self.mover.solid, &mut state, &mut place, quiet).then_some((state, place[0]))
    }

    /// The energy that a body gained, from its velocities after the impulses: by resting, or where one support pushed it back
    /// to another one that it was leaving.
    fn gain(&self, state: &BodyState, supports: &[Support]) -> f64 {
        let work = |support: &Support| {
            let speeds = [&self.state, state].map(|at| support.leaving(self.mover.solid, at));
            support.impulse * (0.5 * (speeds[0] + speeds[1]) + self.ahead.dot(support.normal))
        };
        let gain: f64 = supports.iter().map(work).sum();
        // Without rest, what rounding makes of nothing is no gain.
        let rests = supports.iter().any(|support| support.rests);
        let least = if rests {
            0.0
        } else {
            NO_GAIN * self.mover.solid.mass() * state.velocity.length_squared()
        };
        if gain > least { gain } else { 0.0 }
    }
}

impl Trip<'_> {
    /// Reflects the body at a contact, and at everything else that it touches and would approach then. `near` lists what it
    /// met. Returns the energy that the body gained; `None`, and nothing changes, if it does not approach.
    pub(super) fn bounce(&mut self, contact: &Contact) -> Option<f64> {
        let Self { flight, mover, state, path, near } = self;
        let solid = mover.solid;
        let ahead = path.acceleration * solid.linear * (0.5 * flight.dt() - path.remaining);
        let touching = Touching { flight, mover, state: **state, ahead };
        let quiet = quiet(solid, state, path.remaining);
        touching.list(contact, near);
        // A body that bounces off one thing alone bounces off one point of it, unless it hardly returns: so a flat side that
        // meets another one does not begin to rotate by rounding.
        let (alone, place) = touching.bounce_off(contact, quiet)?;
        let returns = place.target > SOFT * -place.leaving(solid, state);
        let is_done = |support: &Support| {
            (returns && support.fixture == contact.fixture)
                || support.leaving(solid, &alone) >= -quiet
        };
        let is_alone = near.edges.is_empty() && near.supports.iter().all(is_done);
        let settled = if is_alone { None } else { touching.settle(near, quiet) };
        let (after, lift) = settled.unwrap_or_else(|| {
            near.supports.clear();
            near.supports.push(place);
            (alone, DVec3::ZERO)
        });
        let before = std::mem::replace(*state, after);
        let gain = touching.gain(&BodyState { position: before.position, ..after }, &near.supports);
        // The energy of the lift is to be taken back, too.
        let gain = gain + (-path.acceleration.dot(lift)).max(0.0) * solid.mass();
        (after != before).then_some(gain)
    }
}

/// Gives a body the least impulses at supports after which it approaches none of them faster than `quiet`. False, with
/// impulses that are not all of them, where none were found.
#[must_use]
pub(super) fn hold(
    solid: &Solid,
    state: &mut BodyState,
    supports: &mut [Support],
    quiet: f64,
) -> bool {
    let (mut holding, mut count) = ([0; MAX_HOLDING], 0);
    let mut changes = 0;
    loop {
        let excess = |support: &Support| support.leaving(solid, state) - support.target;
        let speeds = supports.iter().map(excess).enumerate();
        let Some((worst, speed)) = speeds.min_by(|(_, a), (_, b)| a.total_cmp(b)) else {
            return true;
        };
        if speed >= -quiet || holding[..count].contains(&worst) {
            return true;
        }
        let mut left = -speed;
        // The worst support pushes, and those that hold give way so that the body leaves none of them, until it leaves the worst
        // one too, or one that holds would have to pull.
        loop {
            changes += 1;
            if changes > MAX_CHANGES {
                return false;
            }
            let between = |i: usize, j: usize| {
                let ends = [&supports[i], &supports[j]].map(|s| (s.point, s.normal));
                response(solid, state, ends)
            };
            let held = &holding[..count];
            let mut shares = [0.0; MAX_HOLDING];
            solve(
                count,
                |i, j| between(held[i], held[j]),
                |i| -between(held[i], worst),
                &mut shares,
            );
            let own = between(worst, worst);
            let sum: f64 = (0..count).map(|i| shares[i] * between(held[i], worst)).sum();
            let rate = own + sum;
            let is_free = rate > INDEPENDENT * own && count < MAX_HOLDING;
            let whole = if is_free { left / rate } else { f64::INFINITY };
            let until_pull = |i: usize| (supports[held[i]].impulse / -shares[i], i);
            let pulls = (0..count).filter(|i| shares[*i] < 0.0).map(until_pull);
            let first = pulls.min_by(|(a, _), (b, _)| a.total_cmp(b));
            let step = first.map_or(whole, |(step, _)| step.min(whole));
            if !step.is_finite() {
                return false;
            }
            for (support, share) in held.iter().zip(shares).chain([(&worst, 1.0)]) {
                let Support { point, normal, impulse, .. } = &mut supports[*support];
                *impulse += share * step;
                push(solid, state, *point, *normal * (share * step));
            }
            left -= rate * step;
            match first {
                Some((step, i)) if step < whole => {
                    supports[holding[i]].impulse = 0.0;
                    holding.copy_within(i + 1..count, i);
                    count -= 1;
                }
                _ => {
                    holding[count] = worst;
                    count += 1;
                    break;
                }
            }
        }
    }
}

/// Solves the symmetric positive definite equations of some supports, by elimination.
fn solve(
    count: usize,
    matrix: impl Fn(usize, usize) -> f64,
    right: impl Fn(usize) -> f64,
    solution: &mut [f64; MAX_HOLDING],
) {
    let mut rows = [[0.0; MAX_HOLDING + 1]; MAX_HOLDING];
    for (i, row) in rows.iter_mut().enumerate().take(count) {
        (0..count).for_each(|j| row[j] = matrix(i, j));
        row[MAX_HOLDING] = right(i);
    }
    for pivot in 0..count {
        let above = rows[pivot];
        for row in &mut rows[pivot + 1..count] {
            let factor = row[pivot] / above[pivot];
            row.iter_mut().zip(above).for_each(|(value, above)| *value -= factor * above);
        }
    }
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][MAX_HOLDING] - known) / rows[i][i];
    }
}
