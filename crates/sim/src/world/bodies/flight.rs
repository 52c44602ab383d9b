//! One step of one body: forces, then its path with every bounce off walls, obstacles and static bodies.
//!
//! The path is divided into sub-steps. Of each, the end is moved towards the start until the body is free there:
//! in front of every wall, and separated from everything that never moves by a plane that separates them at the
//! start too. So nothing is passed, and every pose at which a sub-step ends is free. What overlaps at the start of a
//! scene is no obstacle: a body behind a wall goes no further, and parts that overlap a body are left alone by it.

use super::super::homes::FREE;
use super::super::motion::Surroundings;
use super::super::response::layer_of;
use super::super::waiting::{WaitingCount, count};
use super::BodyContact;
use super::fixtures::Fixtures;
use super::impulse::{allowed, bounce, damp};
use super::obstruction::{Obstruction, Scratch};
use super::solid::{BodyState, Solid};
use super::touch::{crossing, floor, margin};
use super::walls::{Plane, walls_near};
use crate::scene::{Catalogue, Source};
use broadphase::{Layer, Pair};
use glam::DVec3;
use narrowphase::{Body, Shape};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most bounces of a body in one step; then it waits at its last free pose until the next step.
pub(in super::super) const MAX_BOUNCES: usize = 32;

/// Most flights of a body in one step. Each ends with a bounce, or where no longer one was found to be free.
const MAX_FLIGHTS: usize = 2 * MAX_BOUNCES;

/// Most contacts of a body in one step at which it comes to rest; then it rests until the next step. Without it, a body on
/// several points would gain speed from rocking between them.
const MAX_RESTS: usize = 4;

/// Most work of a body in one step, in comparisons of one of its parts with a plane or another part; then it waits at its
/// last free pose until the next step. Measured: the scenes of the project need 5,700 at most, in some tenth of a second for
/// 65,536 of them. A comparison that has begun is completed, so that some thousand more are possible.
pub const MAX_WORK: u32 = 1 << 16;

/// Most times that the end of a sub-step is moved towards its start; then the body stays at the start. A few are
/// enough, one for each thing that is nearer than the last one.
const MAX_CUTS: usize = 64;

/// Everything that a body may meet in a step, other moving bodies aside.
pub(super) struct Flight<'a> {
    pub(super) surroundings: &'a Surroundings<'a>,
    pub(super) fixtures: &'a Fixtures,
    pub(super) catalogue: &'a Catalogue,
    pub(super) layers: &'a [Layer],
}

/// What a body may meet in a sub-step, the static bodies that bodies met in the whole step, and scratch. Memory is
/// reused from body to body.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    walls: Vec<Plane>,
    fixed: Vec<usize>,
    scratch: Scratch,
    /// One contact at most for each pair of bodies.
    pub(super) met: Vec<BodyContact>,
    /// The largest work of a body in the step.
    pub(super) largest_work: u32,
}

impl Near {
    /// Notes the contact of a mover with a static body, unless it met the same one since `first`.
    fn meet(&mut self, first: usize, mover: u32, Contact { point, normal, object }: Contact) {
        let Some(object) = object else { return };
        let pair = Pair::new(mover, object);
        if self.met[first..].iter().all(|met| met.pair != pair) {
            let normal = if mover == pair.b { normal } else { -normal };
            self.met.push(BodyContact { pair, point, normal, depth: 0.0, points: 1 });
        }
    }
}

/// What decides whom a body meets.
#[derive(Clone, Copy)]
struct Region<'a> {
    /// The source whose walls hold it.
    source: Option<&'a Source>,
    layer: Layer,
}

/// Where a body bounces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) point: DVec3,
    /// Unit vector to the body.
    pub(super) normal: DVec3,
    /// The static body that it bounces off; `None` for walls and obstacles.
    pub(super) object: Option<u32>,
}

/// The end of a sub-step.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) time: f64,
    pub(super) contact: Option<Contact>,
}

/// A body that moves, and what is needed to know where it will be.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) solid: &'a Solid,
    pub(super) shape: &'a Shape,
    work: &'a Work<'a>,
}

/// The work of a body in a step so far.
struct Work<'a> {
    done: Cell<u32>,
    stop: &'a AtomicBool,
}

impl Work<'_> {
    fn add(&self, work: usize) {
        self.done.set(self.done.get().saturating_add(work as u32));
    }
}

impl<'a> Mover<'a> {
    /// The state after a sub-step without a bounce.
    pub(super) fn moved(&self, state: &BodyState, time: f64) -> BodyState {
        self.work.add(self.shape.parts().len());
        BodyState {
            position: state.position + state.velocity * time,
            rotation: self.solid.rotor(state).rotated(state.rotation, time),
            ..*state
        }
    }

    /// Counts the comparison of the parts of the body with those of another one.
    pub(super) fn compares(&self, other: &Body<'_>) {
        self.work.add(self.shape.parts().len() * other.shape.parts().len());
    }

    /// Whether the search for free poses has to end here: at the bound of its work, or since the step is stopped.
    pub(super) fn is_spent(&self) -> bool {
        self.work.done.get() >= MAX_WORK || self.work.stop.load(Ordering::Relaxed)
    }

    pub(super) fn body(&self, state: &BodyState) -> Body<'a> {
        Body { shape: self.shape, scale: self.solid.scale, pose: state.pose() }
    }
}

/// The bounces of a body in one step.
#[derive(Default)]
struct Bounces {
    number: usize,
    /// Bounces at which the body came to rest.
    rests: usize,
    /// Energy that these gave the body.
    gained: f64,
}

impl Bounces {
    /// Adds a bounce that gave the body this energy.
    fn add(&mut self, gain: f64) {
        self.number += 1;
        if gain > 0.0 {
            self.gained += gain;
            self.rests += 1;
        }
    }

    /// Whether these were the last ones in this step. At the most bounces, the body counts as waiting.
    fn are_over(&self, waiting: &WaitingCount) -> bool {
        let is_last = self.number == MAX_BOUNCES;
        if is_last {
            count(&waiting.bounces);
        }
        is_last || self.rests == MAX_RESTS
    }
}

/// Whether a body fell out of the open bottom of its source.
fn is_below(source: &Source, state: &BodyState) -> bool {
    !source.floor && state.position.z < f64::from(source.corner.z)
}

impl Flight<'_> {
    /// Moves a body by one step.
    pub(super) fn advance(
        &self,
        object: usize,
        solid: &Solid,
        state: &mut BodyState,
        home: &mut u32,
        near: &mut Near,
    ) {
        let layer = layer_of(self.layers, object);
        if layer.is_static {
            return;
        }
        let Surroundings { forces, dt, waiting, stop, .. } = self.surroundings;
        let dt = f64::from(*dt);
        let mut remaining = dt;
        let acceleration = forces.acceleration(state.position);
        state.velocity += acceleration * remaining * solid.linear;
        let source = self.surroundings.source_of(*home);
        let (met, mut bounces) = (near.met.len(), Bounces::default());
        let work = Work { done: Cell::new(0), stop };
        for _ in 0..MAX_FLIGHTS {
            // Faster rotations are not followed: the body bounces like one that cannot rotate.
            let stiff = solid.stiff();
            let substeps = solid.rotor(state).substeps(state.rotation, remaining);
            let solid = if substeps.is_some() { solid } else { &stiff };
            let shape = &self.catalogue.shapes()[solid.shape].shape;
            let mover = Mover { solid, shape, work: &work };
            let region = Region { source, layer };
            let before = remaining;
            let substeps = substeps.unwrap_or(1);
            let contact = self.fly(&mover, region, state, &mut remaining, substeps, near);
            if remaining > 0.0 && mover.is_spent() {
                count(&waiting.work);
                break;
            }
            let ahead = acceleration * solid.linear * (0.5 * dt - remaining);
            match contact {
                Some(contact) => {
                    let bounced = bounce(solid, state, contact.point, contact.normal, ahead);
                    let Some(gain) = bounced else { break };
                    near.meet(met, object as u32, contact);
                    bounces.add(gain);
                    if bounces.are_over(waiting) {
                        break;
                    }
                }
                None if 0.0 < remaining && remaining < before => {}
                None => break,
            }
        }
        // No force acts on a body that waits.
        state.velocity -= acceleration * remaining * solid.linear;
        if bounces.gained > 0.0 {
            damp(solid, state, acceleration * solid.linear * (0.5 * dt), bounces.gained);
        }
        near.largest_work = near.largest_work.max(work.done.get());
        if source.is_some_and(|source| is_below(source, state)) {
            *home = FREE;
        }
    }

    /// Finds what the body may meet in `time` seconds.
    fn gather(
        &self,
        solid: &Solid,
        region: Region<'_>,
        state: &BodyState,
        time: f64,
        near: &mut Near,
    ) {
        near.walls.clear();
        near.fixed.clear();
        let margin = margin(solid, state);
        let path = state.velocity * time;
        let reach = solid.radius + path.length() + 2.0 * margin;
        let strict = self.surroundings.strict;
        let strict =
            strict.filter(|strict| !region.source.is_some_and(|s| std::ptr::eq(s, *strict)));
        for container in region.source.into_iter().chain(strict) {
            let walls = walls_near(container, state.position, reach);
            // A flat body does not move across the walls at its sides.
            near.walls.extend(walls.filter(|wall| allowed(solid, wall.normal).is_some()));
        }
        let radius = DVec3::splat(solid.radius + 2.0 * margin);
        let end = state.position + path;
        let around = [state.position.min(end) - radius, state.position.max(end) + radius];
        self.fixtures.near(around, region.layer, &mut near.fixed);
    }

    /// Moves a body through equal sub-steps to the first contact, or to the end of `remaining`, which is reduced by the
    /// time that has passed.
    fn fly(
        &self,
        mover: &Mover<'_>,
        region: Region<'_>,
        state: &mut BodyState,
        remaining: &mut f64,
        substeps: u32,
        near: &mut Near,
    ) -> Option<Contact> {
        let length = *remaining / f64::from(substeps);
        for _ in 0..substeps {
            self.gather(mover.solid, region, state, length, near);
            if mover.is_spent() {
                return None;
            }
            let End { time, contact } = self.free_end(mover, state, length, near);
            *state = mover.moved(state, time);
            *remaining -= time;
            if contact.is_some() || time < length {
                return contact;
            }
        }
        *remaining = 0.0;
        None
    }

    /// The furthest pose of a sub-step that was found to be free, and the contact that ends it there.
    fn free_end(&self, mover: &Mover<'_>, start: &BodyState, length: f64, near: &mut Near) -> End {
        let mut end = End { time: length, contact: None };
        let Near { walls, fixed, scratch, .. } = near;
        if walls.is_empty() && fixed.is_empty() {
            return end;
        }
        let margin = margin(mover.solid, start);
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
                cut_at_wall(mover, start, wall, margin, &mut end);
            }
            for index in fixed.iter() {
                let fixed = self.fixtures.body(*index, self.catalogue);
                let object = self.fixtures.object(*index);
                let obstruction = Obstruction::new(*mover, fixed, object, start, margin);
                if end.time > 0.0
                    && let Some(cut) = obstruction.first_touch(start, end.time, scratch)
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

/// Moves the end of a sub-step to where the body is in front of a wall.
fn cut_at_wall(mover: &Mover<'_>, start: &BodyState, wall: &Plane, margin: f64, end: &mut End) {
    let contact_at = |state: &BodyState| {
        let point = wall.approaching_point(mover.solid, state, &mover.body(state));
        point.map(|point| Contact { point, normal: wall.normal, object: None })
    };
    let gap = |time: f64| wall.gap(&mover.body(&mover.moved(start, time)));
    let first = wall.gap(&mover.body(start));
    if first <= margin && end.time > 0.0 {
        let contact = contact_at(start);
        if contact.is_some() {
            *end = End { time: 0.0, contact };
            return;
        }
    }
    let floor = floor(first, margin);
    if gap(end.time) < floor {
        let time = crossing(|time| gap(time) - floor, 0.0, end.time, 0.5 * margin);
        *end = End { time, contact: contact_at(&mover.moved(start, time)) };
    }
}
