//! One step of one body: forces, then its path with every bounce off walls, obstacles and static bodies.
//!
//! The path is divided into sub-steps. Of each, the end is moved towards the start until the body is free there:
//! in front of every wall, and separated from everything that never moves by a plane that separates them at the
//! start too. So nothing is passed, and every pose at which a sub-step ends is free. What overlaps at the start of a
//! scene is no obstacle: a body behind a wall goes no further, and parts that overlap a body are left alone by it.

use super::super::homes::FREE;
use super::super::motion::Surroundings;
use super::super::response::layer_of;
use super::super::bounce::Bounce;
use super::super::waiting::count;
use super::BodyContact;
use super::body_forces::BodyForces;
use super::fixtures::Fixtures;
use super::impulse::{allowed, bounce, damp};
use super::mover::{Mover, Work};
use super::obstruction::{Obstruction, Scratch};
use super::path::{Bounces, Ending, Manner, Path};
use super::solid::{BodyState, Solid};
use super::touch::margin;
use super::walls::{Plane, walls_near};
use crate::scene::{Catalogue, Source};
use broadphase::{Layer, Pair};
use glam::DVec3;
use narrowphase::impact::bilateral::{crossing, floor};

/// Most bounces of a body in one step; then it waits at its last free pose until the next step.
pub(in super::super) const MAX_BOUNCES: usize = 32;

/// Most flights of a body in one step. Each ends with a bounce, or where no longer one was found to be free.
const MAX_FLIGHTS: usize = 2 * MAX_BOUNCES;

/// Most contacts of a body in one step at which it comes to rest; then it rests until the next step. Without it, a body on
/// several points would gain speed from rocking between them.
const MAX_RESTS: u16 = 4;

/// Most times that the end of a sub-step is moved towards its start; then the body stays at the start. A few are
/// enough, one for each thing that is nearer than the last one.
const MAX_CUTS: usize = 64;

/// Everything that a body may meet in a step, other moving bodies aside.
pub(super) struct Flight<'a> {
    pub(super) surroundings: &'a Surroundings<'a>,
    pub(super) fixtures: &'a Fixtures,
    pub(super) catalogue: &'a Catalogue,
    pub(super) layers: &'a [Layer],
    pub(super) body_forces: &'a BodyForces,
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
    fn meet(&mut self, first: usize, mover: u32, Contact { point, normal, object, .. }: Contact) {
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
    /// The restitution of what it bounces off.
    pub(super) restitution: f64,
}

/// The end of a sub-step.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) time: f64,
    pub(super) contact: Option<Contact>,
}

/// What is left of a body's motion in a step.
struct Course<'p> {
    /// Of all forces.
    acceleration: DVec3,
    /// Seconds.
    remaining: f64,
    bounces: Bounces,
    /// Where pieces are appended; `None` unless the world is continuous.
    path: Option<&'p mut Path>,
}

/// Whether a body fell out of the open bottom of its source.
fn is_below(source: &Source, state: &BodyState) -> bool {
    !source.floor && state.position.z < f64::from(source.corner.z)
}

impl Course<'_> {
    /// Adds a bounce.
    fn add(&mut self, Bounce { gain, rests, .. }: &Bounce) {
        self.bounces.number += 1;
        self.bounces.gained += gain;
        self.bounces.rests += u16::from(*rests);
    }
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
        if layer_of(self.layers, object).is_static {
            return;
        }
        let source = self.surroundings.source_of(*home);
        let acceleration = self.accelerate(object, solid, state);
        let remaining = f64::from(self.surroundings.dt);
        let bounces = Bounces::default();
        let mut course = Course { acceleration, remaining, bounces, path: None };
        let waiting = &self.surroundings.waiting;
        match self.travel(object, solid, source, state, &mut course, near) {
            Ending::Bounces => count(&waiting.bounces),
            Ending::Work => count(&waiting.work),
            Ending::Whole | Ending::Contacts => {}
        }
        if source.is_some_and(|source| is_below(source, state)) {
            *home = FREE;
        }
    }

    /// Moves a body by one step of a continuous world, other bodies aside. Its path is filled.
    pub(super) fn plan(
        &self,
        object: usize,
        solid: &Solid,
        state: &mut BodyState,
        home: &mut u32,
        near: &mut Near,
        path: &mut Path,
    ) {
        if layer_of(self.layers, object).is_static {
            path.begin(DVec3::ZERO);
            let dt = f64::from(self.surroundings.dt);
            path.push(*state, dt, Manner::Still, Bounces::default());
            return;
        }
        // A step later than in other worlds: the path may be found again within the step.
        if self.surroundings.source_of(*home).is_some_and(|source| is_below(source, state)) {
            *home = FREE;
        }
        path.begin(self.accelerate(object, solid, state));
        self.resume(object, solid, state, *home, Bounces::default(), near, path);
    }

    /// Moves a body from the end of its path to the end of the step, other bodies aside.
    #[expect(clippy::too_many_arguments, reason = "all that belongs to a body")]
    pub(super) fn resume(
        &self,
        object: usize,
        solid: &Solid,
        state: &mut BodyState,
        home: u32,
        bounces: Bounces,
        near: &mut Near,
        path: &mut Path,
    ) {
        let (acceleration, dt) = (path.acceleration, f64::from(self.surroundings.dt));
        let remaining = (dt - path.end()).max(0.0);
        let mut course = Course { acceleration, remaining, bounces, path: Some(path) };
        let source = self.surroundings.source_of(home);
        let ending = self.travel(object, solid, source, state, &mut course, near);
        path.ending = ending;
    }

    /// Gives a body the speed of all forces in this step. Returns their acceleration.
    fn accelerate(&self, object: usize, solid: &Solid, state: &mut BodyState) -> DVec3 {
        if solid.is_kinematic {
            return DVec3::ZERO;
        }
        let Surroundings { forces, dt, start, .. } = self.surroundings;
        let mut acceleration = forces.acceleration(state.position);
        if let Some(force) = self.body_forces.force(object, *start, f64::from(*dt)) {
            acceleration += force * solid.inverse_mass;
        }
        state.velocity += acceleration * f64::from(*dt) * solid.linear;
        acceleration
    }

    /// Moves a body along its course.
    fn travel(
        &self,
        object: usize,
        solid: &Solid,
        source: Option<&Source>,
        state: &mut BodyState,
        course: &mut Course<'_>,
        near: &mut Near,
    ) -> Ending {
        let work = Work::new(self.surroundings.stop);
        let region = Region { source, layer: layer_of(self.layers, object) };
        let ending = self.bounce_along(object, solid, region, state, course, near, &work);
        near.largest_work = near.largest_work.max(work.done());
        self.finish(solid, state, course);
        ending
    }

    /// Lets a body wait from the end of its path to the end of the step.
    pub(super) fn wait(
        &self,
        solid: &Solid,
        state: &mut BodyState,
        bounces: Bounces,
        path: &mut Path,
    ) {
        let (acceleration, dt) = (path.acceleration, f64::from(self.surroundings.dt));
        let remaining = (dt - path.end()).max(0.0);
        self.finish(solid, state, &mut Course { acceleration, remaining, bounces, path: Some(path) });
        path.ending = Ending::Contacts;
    }

    /// Ends the motion of a body in this step, and takes back what it gained by resting.
    fn finish(&self, solid: &Solid, state: &mut BodyState, course: &mut Course<'_>) {
        let Course { acceleration, remaining, bounces, path } = course;
        if let Some(path) = path
            && (*remaining > 0.0 || path.pieces().is_empty())
        {
            path.push(*state, *remaining, Manner::Still, *bounces);
        }
        // No force acts on a body that waits.
        state.velocity -= *acceleration * *remaining * solid.linear;
        if bounces.gained > 0.0 {
            let half_step = 0.5 * f64::from(self.surroundings.dt);
            damp(solid, state, *acceleration * solid.linear * half_step, bounces.gained);
        }
    }

    /// Moves a body until it is at the end of its course, rests or waits.
    #[expect(clippy::too_many_arguments, reason = "all that belongs to a body")]
    fn bounce_along(
        &self,
        object: usize,
        solid: &Solid,
        region: Region<'_>,
        state: &mut BodyState,
        course: &mut Course<'_>,
        near: &mut Near,
        work: &Work<'_>,
    ) -> Ending {
        let dt = f64::from(self.surroundings.dt);
        let met = near.met.len();
        for _ in 0..MAX_FLIGHTS {
            // Faster rotations are not followed: the body bounces like one that cannot rotate.
            let stiff = solid.stiff();
            let substeps = solid.rotor(state).substeps(state.rotation, course.remaining);
            let solid = if substeps.is_some() { solid } else { &stiff };
            let shape = &self.catalogue.shapes()[solid.shape].shape;
            let mover = Mover { solid, shape, work };
            let before = course.remaining;
            let contact = self.fly(&mover, region, state, course, substeps, near);
            if course.remaining > 0.0 && mover.is_spent() {
                return Ending::Work;
            }
            let ahead = course.acceleration * solid.linear * (0.5 * dt - course.remaining);
            match contact {
                Some(contact) => {
                    let center = state.position;
                    let Some(bounce) = bounce(solid, state, &contact, ahead) else { break };
                    match &mut course.path {
                        Some(path) => path.meet(object as u32, contact, center, self.fixtures),
                        None => near.meet(met, object as u32, contact),
                    }
                    course.add(&bounce);
                    if usize::from(course.bounces.number) >= MAX_BOUNCES {
                        return Ending::Bounces;
                    }
                    if course.bounces.rests >= MAX_RESTS {
                        break;
                    }
                }
                None if 0.0 < course.remaining && course.remaining < before => {}
                None => break,
            }
        }
        Ending::Whole
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
        if solid.is_kinematic {
            return;
        }
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

    /// Moves a body through equal sub-steps to the first contact, or to the end of its course, whose remaining time is reduced
    /// by what has passed. `substeps` is `None` where it rotates too fast to be followed.
    fn fly(
        &self,
        mover: &Mover<'_>,
        region: Region<'_>,
        state: &mut BodyState,
        course: &mut Course<'_>,
        substeps: Option<u32>,
        near: &mut Near,
    ) -> Option<Contact> {
        let manner = if substeps.is_some() { Manner::Free } else { Manner::Stiff };
        let substeps = substeps.unwrap_or(1);
        let length = course.remaining / f64::from(substeps);
        for _ in 0..substeps {
            self.gather(mover.solid, region, state, length, near);
            if mover.is_spent() {
                return None;
            }
            let End { time, contact } = self.free_end(mover, state, length, near);
            if let Some(path) = &mut course.path
                && time > 0.0
            {
                path.push(*state, time, manner, course.bounces);
            }
            *state = mover.moved(state, time);
            course.remaining -= time;
            if contact.is_some() || time < length {
                return contact;
            }
        }
        course.remaining = 0.0;
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
                let restitution = self.fixtures.restitution(*index);
                let obstruction = Obstruction { mover: *mover, fixed, object, restitution };
                if end.time > 0.0
                    && let Some(cut) = obstruction.first_touch(start, end.time, margin, scratch)
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
        point.map(|point| Contact { point, normal: wall.normal, object: None, restitution: 1.0 })
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
