//! The path of a body in a step, with every bounce off walls, obstacles and static bodies.
//!
//! The path is divided into sub-steps. Of each, the end is moved towards the start until the body is free there:
//! in front of every wall, and separated from everything that never moves by a plane that separates them at the
//! start too. So every pose at which a sub-step ends is free, and nothing is passed but by a corner that rotates into a
//! wall or body and out again; in a continuous world not even by that. What overlaps at the start of a scene is no
//! obstacle: a body behind a wall goes no further, and parts that overlap a body are left alone by it.

use super::super::motion::Surroundings;
use super::super::response::layer_of;
use super::body_forces::BodyForces;
use super::fixtures::Fixtures;
use super::impulse::{allowed, damp};
use super::mover::{MAX_HALVINGS, Mover, Work};
use super::obstruction::{Obstruction, Scratch};
use super::path::{Manner, Path};
use super::rules::Rules;
use super::solid::{BodyState, Solid};
use super::supports::{Edge, Support};
use super::touch::{margin, quiet};
use super::walls::{Plane, walls_near};
use crate::scene::{Catalogue, Continuous};
use glam::DVec3;
use narrowphase::impact::bilateral::{crossing, dip, floor};

/// Most contacts of a body in one step, with what never moves and, in continuous worlds, with other bodies; then it waits at
/// its last free pose until the next step.
pub(in super::super) const MAX_BOUNCES: u16 = 32;

/// Most flights in a search for a path. Each ends with a bounce, or where the rest was not found to be free.
const MAX_FLIGHTS: u16 = 2 * MAX_BOUNCES;

/// Share of a step in which a body hardly moves on.
const STALL: f64 = 1e-3;

/// Most bounces in a row from which a body that rests hardly moves on; then it waits. A body that tips over an edge needs a new
/// plane at each angle.
const MAX_STALLS: u16 = 4;

/// Most times that the end of a sub-step is moved towards its start; then the body stays at the start. A few are
/// enough, one for each thing that is nearer than the last one.
const MAX_CUTS: usize = 64;

/// Everything that a body may meet in a step, other moving bodies aside.
pub(super) struct Flight<'a> {
    pub(super) surroundings: &'a Surroundings<'a>,
    pub(super) rules: Rules<'a>,
    /// The sources whose walls hold the bodies.
    pub(super) homes: &'a [u32],
    pub(super) fixtures: &'a Fixtures,
    pub(super) catalogue: &'a Catalogue,
    pub(super) body_forces: &'a BodyForces,
}

/// What a body may meet in a sub-step, and scratch. Memory is reused from body to body.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    pub(super) walls: Vec<Plane>,
    pub(super) fixed: Vec<usize>,
    pub(super) scratch: Scratch,
    pub(super) supports: Vec<Support>,
    /// Fixtures that the body touches at an edge.
    pub(super) edges: Vec<Edge>,
    /// The largest work of a body in the step.
    pub(super) largest_work: u32,
}

/// Where a body bounces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) point: DVec3,
    /// Unit vector to the body.
    pub(super) normal: DVec3,
    /// The index of the fixture that it bounces off; `None` for a wall.
    pub(super) fixture: Option<usize>,
    /// Whether another plane separates the bodies, too.
    pub(super) is_edge: bool,
}

/// The end of a sub-step.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) time: f64,
    pub(super) contact: Option<Contact>,
}

impl Flight<'_> {
    pub(super) fn dt(&self) -> f64 {
        f64::from(self.surroundings.dt)
    }

    /// Moves a body by one step, other bodies aside. Its path is filled.
    pub(super) fn plan(
        &self,
        object: usize,
        state: &mut BodyState,
        near: &mut Near,
        path: &mut Path,
    ) {
        if self.rules.is_static(object) {
            path.begin(DVec3::ZERO, self.dt());
            path.push(*state, self.dt(), Manner::Still);
            return;
        }
        path.begin(self.accelerate(object, state), self.dt());
        self.resume(object, state, near, path);
    }

    /// Gives a body the speed of all forces in this step. Returns their acceleration.
    fn accelerate(&self, object: usize, state: &mut BodyState) -> DVec3 {
        let solid = &self.rules.solids[object];
        if solid.is_kinematic {
            return DVec3::ZERO;
        }
        let Surroundings { forces, start, .. } = self.surroundings;
        let mut acceleration = forces.acceleration(state.position);
        if let Some(force) = self.body_forces.force(object, *start, self.dt()) {
            acceleration += force * solid.inverse_mass;
        }
        state.velocity += acceleration * self.dt() * solid.linear;
        acceleration
    }

    /// Moves a body from the end of its path to the end of the step, other bodies aside.
    pub(super) fn resume(
        &self,
        object: usize,
        state: &mut BodyState,
        near: &mut Near,
        path: &mut Path,
    ) {
        let work = Work::new(self.surroundings.stop);
        let solid = &self.rules.solids[object];
        let shape = &self.catalogue.shapes()[solid.shape].shape;
        path.waits =
            !self.bounce_along(&Mover { object, solid, shape, work: &work }, state, path, near);
        near.largest_work = near.largest_work.max(work.done());
        self.finish(solid, state, path);
    }

    /// Ends the motion of a body in this step, and takes back what it gained by resting. A body that has time left waits.
    fn finish(&self, solid: &Solid, state: &mut BodyState, path: &mut Path) {
        let (acceleration, remaining) = (path.acceleration, path.remaining);
        if remaining > 0.0 || path.pieces().is_empty() {
            path.push(*state, remaining, Manner::Still);
        }
        // No force acts on a body that waits.
        state.velocity -= acceleration * remaining * solid.linear;
        if path.bounces.gained > 0.0 {
            let ahead = acceleration * solid.linear * (0.5 * self.dt());
            damp(solid, state, ahead, path.bounces.gained);
        }
    }

    /// Lets a body wait from the end of its path to the end of the step, whatever meets it.
    pub(super) fn hold(&self, object: usize, state: &mut BodyState, path: &mut Path) {
        (path.waits, path.is_held) = (true, true);
        self.finish(&self.rules.solids[object], state, path);
    }

    /// Moves a body until it is at the end of the step, rests or waits. Returns false if it waits.
    #[must_use]
    fn bounce_along(
        &self,
        mover: &Mover<'_>,
        state: &mut BodyState,
        path: &mut Path,
        near: &mut Near,
    ) -> bool {
        for _ in 0..MAX_FLIGHTS {
            if path.bounces.number >= MAX_BOUNCES {
                return false;
            }
            // Faster rotations are not followed: the body bounces like one that cannot rotate.
            let stiff = mover.solid.stiff();
            let substeps = mover.solid.rotor(state).substeps(state.rotation, path.remaining);
            let solid = if substeps.is_some() { mover.solid } else { &stiff };
            let mover = Mover { solid, ..*mover };
            let before = path.remaining;
            let contact = self.fly(&mover, state, path, substeps, near);
            if path.remaining > 0.0 && mover.is_spent() {
                return false;
            }
            let Some(contact) = contact else {
                if 0.0 < path.remaining && path.remaining < before {
                    continue;
                }
                // At the end; or it is not free further on, though it does not approach what it touches.
                return path.remaining <= 0.0;
            };
            let Some(gain) = self.bounce(&mover, state, path, &contact, near) else {
                return false;
            };
            let bounces = &mut path.bounces;
            bounces.number += 1;
            bounces.gained += gain;
            let rests = near.supports.iter().any(Support::rests);
            let is_stalled = rests && before - path.remaining < STALL * self.dt();
            bounces.stalls = if is_stalled { bounces.stalls + 1 } else { 0 };
            if bounces.stalls >= MAX_STALLS {
                return false;
            }
            for support in near.supports.iter().filter(|support| support.is_met()) {
                let fixed = support.fixture.and_then(|index| self.fixtures.object(index));
                if let Some(fixed) = fixed {
                    let place = [support.point, support.normal];
                    let centres = [state.position, self.fixtures.center_of(fixed)];
                    path.meet([mover.object as u32, fixed], place, centres);
                }
            }
        }
        false
    }

    /// Finds what the body may meet in `time` seconds.
    fn gather(&self, mover: &Mover<'_>, state: &BodyState, time: f64, near: &mut Near) {
        let &Mover { object, solid, .. } = mover;
        near.walls.clear();
        near.fixed.clear();
        if solid.is_kinematic {
            return;
        }
        let margin = margin(solid, state);
        let path = state.velocity * time;
        let reach = solid.radius + path.length() + 2.0 * margin;
        let walls = walls_near(self.surroundings, self.homes[object], state.position, reach);
        // A flat body does not move across the walls at its sides.
        near.walls.extend(walls.filter(|wall| allowed(solid, wall.normal).is_some()));
        let radius = DVec3::splat(solid.radius + 2.0 * margin);
        let end = state.position + path;
        let around = [state.position.min(end) - radius, state.position.max(end) + radius];
        self.fixtures.near(around, layer_of(self.rules.layers, object), &mut near.fixed);
    }

    /// Moves a body through equal sub-steps to the first contact, or to the end of the step. `substeps` is `None` where it
    /// rotates too fast to be followed.
    fn fly(
        &self,
        mover: &Mover<'_>,
        state: &mut BodyState,
        path: &mut Path,
        substeps: Option<u32>,
        near: &mut Near,
    ) -> Option<Contact> {
        let manner = if substeps.is_some() { Manner::Free } else { Manner::Stiff };
        let substeps = substeps.unwrap_or(1);
        let length = path.remaining / f64::from(substeps);
        for _ in 0..substeps {
            self.gather(mover, state, length, near);
            if mover.is_spent() {
                return None;
            }
            let End { time, contact } = self.free_end(mover, state, length, near);
            if time > 0.0 {
                path.push(*state, time, manner);
            }
            *state = mover.moved(state, time);
            path.remaining -= time;
            if contact.is_some() || time < length {
                return contact;
            }
        }
        path.remaining = 0.0;
        None
    }

    /// The furthest pose of a sub-step that was found to be free, and the contact that ends it there.
    fn free_end(&self, mover: &Mover<'_>, start: &BodyState, length: f64, near: &mut Near) -> End {
        let mut end = End { time: length, contact: None };
        let Near { walls, fixed, scratch, .. } = near;
        if walls.is_empty() && fixed.is_empty() {
            return end;
        }
        let limits = [margin(mover.solid, start), quiet(mover.solid, start, length)];
        let curvature = if self.rules.continuous != Continuous::Off {
            mover.solid.curvature(mover.solid.rotor(start).speed_bound(start.rotation))
        } else {
            0.0
        };
        for _ in 0..MAX_CUTS {
            if mover.is_spent() {
                break;
            }
            let before = end.time;
            for wall in walls.iter() {
                if mover.is_spent() {
                    // The other walls were not compared: no pose but the first is known to be free.
                    return End { time: 0.0, contact: None };
                }
                cut_at_wall(mover, start, wall, limits, curvature, &mut end);
            }
            for index in fixed.iter() {
                let fixed = self.fixtures.body(*index, self.catalogue);
                let obstruction = Obstruction { mover: *mover, fixed, fixture: *index, curvature };
                if end.time > 0.0
                    && let Some(cut) = obstruction.first_touch(start, end.time, limits, scratch)
                {
                    end = cut;
                }
            }
            if end.time == before {
                return end;
            }
        }
        End { time: 0.0, contact: None }
    }
}

/// Moves the end of a sub-step to where the body is in front of a wall. `curvature` is the largest acceleration of its points
/// by rotation.
fn cut_at_wall(
    mover: &Mover<'_>,
    start: &BodyState,
    wall: &Plane,
    [margin, quiet]: [f64; 2],
    curvature: f64,
    end: &mut End,
) {
    let contact_at = |state: &BodyState| {
        let point = wall.approaching_point(mover.solid, state, &mover.body(state), quiet);
        point.map(|point| Contact { point, normal: wall.normal, fixture: None, is_edge: false })
    };
    // No later time is known to be free where the search has to end.
    let gap = |time: f64| match mover.is_spent() {
        true => f64::NEG_INFINITY,
        false => wall.gap(&mover.body(&mover.moved(start, time))),
    };
    let first = wall.gap(&mover.body(start));
    if first <= margin && end.time > 0.0 {
        let contact = contact_at(start);
        if contact.is_some() {
            *end = End { time: 0.0, contact };
            return;
        }
    }
    let floor = floor(first, margin);
    let above = |time: f64| gap(time) - floor;
    let ends = [first - floor, above(end.time)];
    if let Some((behind, last)) = dip(&above, [0.0, end.time], ends, (curvature, MAX_HALVINGS)) {
        let time = crossing(above, [0.0, behind], [above(0.0), last], 0.5 * margin);
        *end = End { time, contact: contact_at(&mover.moved(start, time)) };
    }
}
