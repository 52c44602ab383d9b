//! The path of a body in a step, with every bounce off walls, obstacles and static bodies.
//!
//! The path is divided into sub-steps. Of each, the end is moved towards the start until the body is free there:
//! in front of every wall, and separated from everything that never moves by a plane that separates them at the
//! start too. So every pose of a path is free, and nothing is passed, not even by a corner that rotates into a wall or body
//! and out again. What overlaps at the start of a scene is no obstacle: a body behind a wall goes no further, and parts that
//! overlap a body are left alone by it.

use super::super::forces::BodyForces;
use super::super::motion::Surroundings;
use super::super::response::layer_of;
use super::fixtures::{Fixtures, Plane, walls_near};
use super::impulse::{allowed, damp, leaving};
use super::mover::{CONTACT_WORK, Legs, MAX_HALVINGS, Mover, Scratch, Work};
use super::path::Path;
use super::rules::Rules;
use super::solid::{BodyState, Solid};
use super::supports::{Edge, Support};
use super::touch::{RESOLUTION, approaching_point, margin, max_level, quiet, touching_points};
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

/// Pieces that a body may meet in a sub-step, and scratch. Memory is reused from body to body.
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

/// The motion of a body in a step, other bodies aside.
pub(super) struct Trip<'a> {
    pub(super) flight: &'a Flight<'a>,
    pub(super) mover: Mover<'a>,
    pub(super) state: &'a mut BodyState,
    pub(super) path: &'a mut Path,
    pub(super) near: &'a mut Near,
}

/// A body at the start of a sub-step, and what counts as a contact in it.
struct Substep<'a> {
    flight: &'a Flight<'a>,
    mover: &'a Mover<'a>,
    start: &'a BodyState,
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
        path.waits = !Trip { flight: self, mover, state, path, near }.bounce_along();
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
}

impl Trip<'_> {
    /// Moves the body until it is at the end of the step, rests or waits. Returns false if it waits.
    #[must_use]
    fn bounce_along(&mut self) -> bool {
        loop {
            let before = self.path.remaining;
            let contact = self.fly(self.mover.solid.substeps(self.state, before));
            if self.path.remaining > 0.0 && self.mover.is_spent() {
                return false;
            }
            let Some(contact) = contact else {
                if 0.0 < self.path.remaining && self.path.remaining < before {
                    continue;
                }
                // At the end; or it is not free further on, though it does not approach what it touches.
                return self.path.remaining <= 0.0;
            };
            let Some(gain) = self.bounce(&contact) else { return false };
            let Self { flight: Flight { fixtures, .. }, mover, state, path, near } = self;
            mover.work.add(CONTACT_WORK);
            path.gained += gain;
            let contact = (contact.fixture, [contact.point, contact.normal]);
            let others = near.supports.iter().filter(|support| support.is_met());
            let others = others.map(|support| (support.fixture, [support.point, support.normal]));
            for (fixture, place) in once(contact).chain(others.filter(|(f, _)| *f != contact.0)) {
                if let Some(index) = fixture
                    && let Some(fixed) = fixtures.all[index].object()
                {
                    let centres = [state.position, fixtures.all[index].state.position];
                    path.meet([mover.object as u32, fixed], place, centres);
                }
            }
        }
    }

    /// Finds what the body may meet in `time` seconds.
    fn gather(&mut self, time: f64) {
        let Self { flight, mover: Mover { object, solid, .. }, state, near, .. } = self;
        near.walls.clear();
        near.fixed.clear();
        if solid.is_kinematic {
            return;
        }
        let margin = margin(solid, state);
        let path = state.velocity * time;
        let reach = solid.radius + path.length() + 2.0 * margin;
        let home = flight.homes[*object];
        let walls = walls_near(flight.surroundings, home, state.position, reach);
        // A flat body does not move across the walls at its sides.
        near.walls.extend(walls.filter(|wall| allowed(solid, wall.normal).is_some()));
        let radius = DVec3::splat(solid.radius + 2.0 * margin);
        let end = state.position + path;
        let around = [state.position.min(end) - radius, state.position.max(end) + radius];
        flight.fixtures.near(around, layer_of(flight.rules.layers, *object), &mut near.fixed);
    }

    /// Moves the body through equal sub-steps to the first contact, or to the end of the step.
    fn fly(&mut self, substeps: u32) -> Option<Contact> {
        let length = self.path.remaining / f64::from(substeps);
        for _ in 0..substeps {
            self.gather(length);
            if self.mover.is_spent() {
                return None;
            }
            let End { time, contact } = self.free_end(length);
            if time > 0.0 {
                self.path.push(*self.state, time, false);
            }
            *self.state = self.mover.moved(self.state, time);
            self.path.remaining -= time;
            if contact.is_some() || time < length {
                return contact;
            }
        }
        self.path.remaining = 0.0;
        None
    }

    /// The furthest pose of a sub-step that was found to be free, and the contact that ends it there.
    fn free_end(&mut self, length: f64) -> End {
        let mut end = End { time: length, contact: None };
        let Self { flight, mover, state: start, near: Near { walls, fixed, scratch, .. }, .. } =
            self;
        if walls.is_empty() && fixed.is_empty() {
            return end;
        }
        let solid = mover.solid;
        let substep = Substep {
            flight,
            mover,
            start,
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
                substep.cut_at_wall(wall, &mut end);
            }
            for index in fixed.iter() {
                if end.time > 0.0 {
                    substep.cut_at_fixture(*index, scratch, &mut end);
                }
            }
            if end.time == before {
                return end;
            }
        }
        End { time: 0.0, contact: None }
    }
}

impl Substep<'_> {
    /// Moves the end of the sub-step to where the body is in front of a fixture. Parts that overlap at the start are a contact
    /// there if they approach, and are left alone otherwise.
    fn cut_at_fixture(&self, fixture: usize, scratch: &mut Scratch, end: &mut End) {
        let Self { flight, mover, start, margin, quiet, curvature } = *self;
        let (solid, fixed) = (mover.solid, &flight.fixtures.all[fixture]);
        let shape = fixed.body(flight.catalogue).shape;
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

    /// Moves the end of the sub-step to where the body is in front of a wall.
    fn cut_at_wall(&self, wall: &Plane, end: &mut End) {
        let Self { mover, start, margin, quiet, curvature, .. } = *self;
        let contact_at = |state: &BodyState| {
            let (leaving, body) = (leaving(mover.solid, state, wall.normal), mover.body(state));
            let points = wall.lowest_points(&body);
            let point = approaching_point(points, |point| leaving(point) + quiet);
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
        if let Some((behind, last)) = dip(&above, [0.0, end.time], ends, (curvature, MAX_HALVINGS))
        {
            let time = crossing(above, [0.0, behind], [above(0.0), last], 0.5 * margin);
            *end = End { time, contact: contact_at(&mover.moved(start, time)) };
        }
    }
}
