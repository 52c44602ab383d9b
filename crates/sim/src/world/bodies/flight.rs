//! The path of a body in a step, with every bounce off walls, obstacles and static bodies.
//!
//! The path is divided into sub-steps. Of each, the end is moved towards the start until the body is free there:
//! in front of every wall, and separated from everything that never moves by a plane that separates them at the
//! start too. So every pose at which a sub-step ends is free, and nothing is passed but by a corner that rotates into a
//! wall or body and out again; in a continuous world not even by that. What overlaps at the start of a scene is no
//! obstacle: a body behind a wall goes no further, and parts that overlap a body are left alone by it.

use super::super::motion::Surroundings;
use super::BodyContact;
use super::body_forces::BodyForces;
use super::course::Course;
use super::fixtures::Fixtures;
use super::impulse::allowed;
use super::mover::{Mover, Work};
use super::obstruction::{Obstruction, Scratch};
use super::path::{Ending, Manner};
use super::solid::{BodyState, Solid};
use super::supports::{Edge, Support};
use super::touch::{margin, quiet};
use super::walls::{Plane, walls_near};
use crate::scene::{Catalogue, Source};
use broadphase::{Layer, Pair};
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
    pub(super) fixtures: &'a Fixtures,
    pub(super) catalogue: &'a Catalogue,
    pub(super) layers: &'a [Layer],
    pub(super) body_forces: &'a BodyForces,
}

/// What a body may meet in a sub-step, the static bodies that bodies met in the whole step, and scratch. Memory is
/// reused from body to body.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    pub(super) walls: Vec<Plane>,
    pub(super) fixed: Vec<usize>,
    pub(super) scratch: Scratch,
    pub(super) supports: Vec<Support>,
    /// Fixtures that the body touches at an edge.
    pub(super) edges: Vec<Edge>,
    /// One contact at most for each pair of bodies.
    pub(super) met: Vec<BodyContact>,
    /// The largest work of a body in the step.
    pub(super) largest_work: u32,
}

/// Notes the contact of a mover with a static body, unless it met the same one since `first`.
fn meet(
    met: &mut Vec<BodyContact>,
    first: usize,
    mover: u32,
    object: u32,
    [point, normal]: [DVec3; 2],
) {
    let pair = Pair::new(mover, object);
    if met[first..].iter().all(|met| met.pair != pair) {
        let normal = if mover == pair.b { normal } else { -normal };
        met.push(BodyContact { pair, point, normal, depth: 0.0, points: 1 });
    }
}

/// What decides whom a body meets.
#[derive(Clone, Copy)]
pub(super) struct Region<'a> {
    /// The source whose walls hold it.
    pub(super) source: Option<&'a Source>,
    pub(super) layer: Layer,
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
    /// Moves a body until it is at the end of its course, rests or waits.
    #[expect(clippy::too_many_arguments, reason = "all that belongs to a body")]
    pub(super) fn bounce_along(
        &self,
        object: usize,
        solid: &Solid,
        region: Region<'_>,
        state: &mut BodyState,
        course: &mut Course<'_>,
        near: &mut Near,
        work: &Work<'_>,
    ) -> Ending {
        let (first, dt) = (near.met.len(), f64::from(self.surroundings.dt));
        for _ in 0..MAX_FLIGHTS {
            if course.bounces.number >= MAX_BOUNCES {
                return Ending::Bounces;
            }
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
            let Some(contact) = contact else {
                if 0.0 < course.remaining && course.remaining < before {
                    continue;
                }
                // At the end; or it is not free further on, though it does not approach what it touches.
                return if course.remaining > 0.0 { Ending::Work } else { Ending::Whole };
            };
            let Some(gain) = self.bounce(&mover, state, course, &contact, near) else {
                return Ending::Work;
            };
            course.add(gain);
            let rests = near.supports.iter().any(Support::rests);
            let is_stalled = rests && before - course.remaining < STALL * dt;
            course.bounces.stalls = if is_stalled { course.bounces.stalls + 1 } else { 0 };
            if course.bounces.stalls >= MAX_STALLS {
                return Ending::Work;
            }
            let Near { supports, met, .. } = near;
            for support in supports.iter().filter(|support| support.is_met()) {
                let fixed = support.fixture.and_then(|index| self.fixtures.object(index));
                let Some(fixed) = fixed else { continue };
                let (object, place) = (object as u32, [support.point, support.normal]);
                match &mut course.path {
                    Some(path) => path.meet(object, fixed, place, state.position, self.fixtures),
                    None => meet(met, first, object, fixed, place),
                }
            }
        }
        Ending::Work
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
            let is_continuous = course.path.is_some();
            let End { time, contact } = self.free_end(mover, state, length, is_continuous, near);
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
    fn free_end(
        &self,
        mover: &Mover<'_>,
        start: &BodyState,
        length: f64,
        is_continuous: bool,
        near: &mut Near,
    ) -> End {
        let mut end = End { time: length, contact: None };
        let Near { walls, fixed, scratch, .. } = near;
        if walls.is_empty() && fixed.is_empty() {
            return end;
        }
        let limits = [margin(mover.solid, start), quiet(mover.solid, start, length)];
        let curvature = if is_continuous {
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
    let above = |time: f64| gap(time) - floor;
    let ends = [first - floor, above(end.time)];
    if let Some((behind, last)) = dip(&above, [0.0, end.time], ends, curvature) {
        let time = crossing(above, [0.0, behind], [above(0.0), last], 0.5 * margin);
        *end = End { time, contact: contact_at(&mover.moved(start, time)) };
    }
}
