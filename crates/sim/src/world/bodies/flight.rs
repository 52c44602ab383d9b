//! The path of a body in a step, with every bounce off walls, obstacles and static bodies.
//!
//! The path is divided into sub-steps. Of each, the end is moved towards the start until the body is free there:
//! in front of every wall, and separated from everything that never moves by a plane that separates them at the
//! start too. So every pose of a path is free, and nothing is passed, not even by a corner that rotates into a wall or body
//! and out again. What overlaps at the start of a scene is no obstacle: a body behind a wall goes no further, and parts that
//! overlap a body are left alone by it.

use super::super::motion::Surroundings;
use super::super::response::layer_of;
use super::body_forces::BodyForces;
use super::fixtures::Fixtures;
use super::impulse::{allowed, damp, leaving};
use super::mover::{CONTACT_WORK, Legs, MAX_HALVINGS, Mover, Scratch, Work};
use super::path::Path;
use super::rules::Rules;
use super::solid::{BodyState, Solid};
use super::supports::{Edge, Support};
use super::touch::{RESOLUTION, approaching_point, margin, max_level, quiet, touching_points};
use super::walls::{Plane, walls_near};
use crate::scene::Catalogue;
use glam::DVec3;
use narrowphase::impact::bilateral::{Span, crossing, dip, floor};
use std::iter::once;

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
}

/// Where a body bounces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) point: DVec3,
    /// Unit vector to the body.
    pub(super) normal: DVec3,
    /// The index of the fixture that it bounces off; `None` for a wall.
    pub(super) fixture: Option<usize>,
}

/// What counts as a contact in a sub-step.
#[derive(Clone, Copy)]
struct Limits {
    /// The largest gap that counts as touching.
    margin: f64,
    /// The greatest speed that is no approach.
    quiet: f64,
    /// The largest acceleration of the body's points by rotation.
    curvature: f64,
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
            path.push(*state, self.dt(), true);
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
        let work = Work::new(path.work, self.surroundings.stop);
        let solid = &self.rules.solids[object];
        let shape = &self.catalogue.shapes()[solid.shape].shape;
        let mover = Mover { object, solid, shape, work: &work };
        path.waits = !self.bounce_along(&mover, state, path, near);
        path.work = work.done();
        self.finish(solid, state, path);
    }

    /// Ends the motion of a body in this step, and takes back what it gained by resting. A body that has time left waits.
    fn finish(&self, solid: &Solid, state: &mut BodyState, path: &mut Path) {
        let (acceleration, remaining) = (path.acceleration, path.remaining);
        if remaining > 0.0 || path.pieces().is_empty() {
            path.push(*state, remaining, true);
        }
        // No force acts on a body that waits.
        state.velocity -= acceleration * remaining * solid.linear;
        if path.gained > 0.0 {
            let ahead = acceleration * solid.linear * (0.5 * self.dt());
            damp(solid, state, ahead, path.gained);
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
        loop {
            let before = path.remaining;
            let substeps = mover.solid.substeps(state, before);
            let contact = self.fly(mover, state, path, substeps, near);
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
            let Some(gain) = self.bounce(mover, state, path, &contact, near) else {
                return false;
            };
            mover.work.add(CONTACT_WORK);
            path.gained += gain;
            let contact = (contact.fixture, [contact.point, contact.normal]);
            let others = near.supports.iter().filter(|support| support.is_met());
            let others = others.map(|support| (support.fixture, [support.point, support.normal]));
            for (fixture, place) in once(contact).chain(others.filter(|(f, _)| *f != contact.0)) {
                if let Some(index) = fixture
                    && let Some(fixed) = self.fixtures.get(index).object()
                {
                    let centres = [state.position, self.fixtures.get(index).state.position];
                    path.meet([mover.object as u32, fixed], place, centres);
                }
            }
        }
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

    /// Moves a body through equal sub-steps to the first contact, or to the end of the step.
    fn fly(
        &self,
        mover: &Mover<'_>,
        state: &mut BodyState,
        path: &mut Path,
        substeps: u32,
        near: &mut Near,
    ) -> Option<Contact> {
        let length = path.remaining / f64::from(substeps);
        for _ in 0..substeps {
            self.gather(mover, state, length, near);
            if mover.is_spent() {
                return None;
            }
            let End { time, contact } = self.free_end(mover, state, length, near);
            if time > 0.0 {
                path.push(*state, time, false);
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
        let solid = mover.solid;
        let limits = Limits {
            margin: margin(solid, start),
            quiet: quiet(solid, start, length),
            curvature: solid.curvature(solid.rotor(start).speed_bound(start.rotation)),
        };
        while !mover.is_spent() {
            let before = end.time;
            for wall in walls.iter() {
                if mover.is_spent() {
                    // The other walls were not compared: no pose but the first is known to be free.
                    return End { time: 0.0, contact: None };
                }
                cut_at_wall(mover, start, wall, limits, &mut end);
            }
            for index in fixed.iter() {
                if end.time > 0.0 {
                    self.cut_at_fixture(mover, start, *index, limits, scratch, &mut end);
                }
            }
            if end.time == before {
                return end;
            }
        }
        End { time: 0.0, contact: None }
    }

    /// Moves the end of a sub-step to where the body is in front of a fixture. Parts that overlap at the start are a contact
    /// there if they approach, and are left alone otherwise.
    fn cut_at_fixture(
        &self,
        mover: &Mover<'_>,
        start: &BodyState,
        fixture: usize,
        Limits { margin, quiet, curvature }: Limits,
        scratch: &mut Scratch,
        end: &mut End,
    ) {
        let (solid, fixed) = (mover.solid, self.fixtures.get(fixture));
        let shape = fixed.body(self.catalogue).shape;
        let distance = start.position.distance(fixed.state.position);
        let size = solid.radius + fixed.solid.radius + distance;
        let span = Span {
            end: end.time,
            margin: margin + RESOLUTION * size,
            level: Some(max_level(solid, start)),
            speed: solid.speed_bound(start),
            curvature,
            halvings: MAX_HALVINGS,
        };
        let movers = [Mover { solid: &fixed.solid, shape, ..*mover }, *mover];
        let legs = Legs::new(movers, [fixed.state, *start], [0.0; 2]);
        let Scratch { advancement, contacts, .. } = scratch;
        let touch = advancement.first_touch(&legs, &span, |_, bodies, verdict| {
            let leaving = leaving(solid, &start.at(bodies[1].pose), verdict.axis);
            let points = touching_points(contacts, [&bodies[0], &bodies[1]], verdict);
            let point = approaching_point(points, |point| leaving(point) + quiet)?;
            let normal = verdict.axis;
            Some((-leaving(point), Contact { point, normal, fixture: Some(fixture) }))
        });
        if let Some((time, contact)) = touch {
            *end = End { time, contact };
        }
    }
}

/// Moves the end of a sub-step to where the body is in front of a wall.
fn cut_at_wall(
    mover: &Mover<'_>,
    start: &BodyState,
    wall: &Plane,
    Limits { margin, quiet, curvature }: Limits,
    end: &mut End,
) {
    let contact_at = |state: &BodyState| {
        let leaving = leaving(mover.solid, state, wall.normal);
        let body = mover.body(state);
        let point = approaching_point(wall.lowest_points(&body), |point| leaving(point) + quiet);
        point.map(|point| Contact { point, normal: wall.normal, fixture: None })
    };
    // No later time is known to be free where the search has to end.
    let gap = |time: f64| {
        if mover.is_spent() {
            return f64::NEG_INFINITY;
        }
        mover.work.add(mover.shape.parts().len() as u32);
        wall.gap(&mover.body(&mover.moved(start, time)))
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
