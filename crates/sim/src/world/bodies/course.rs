//! One step of one body, other moving bodies aside: what forces do to it, and how its path begins, goes on and ends.

use super::super::homes::FREE;
use super::super::motion::Surroundings;
use super::super::response::layer_of;
use super::super::waiting::count;
use super::flight::{Flight, Near, Region};
use super::impulse::damp;
use super::mover::Work;
use super::path::{Bounces, Ending, Manner, Path};
use super::solid::{BodyState, Solid};
use crate::scene::Source;
use glam::DVec3;

/// The rest of a body's motion in a step.
pub(super) struct Course<'p> {
    /// The sum of all forces.
    pub(super) acceleration: DVec3,
    /// Seconds.
    pub(super) remaining: f64,
    pub(super) bounces: Bounces,
    /// Where pieces are appended; `None` unless the world is continuous.
    pub(super) path: Option<&'p mut Path>,
}

/// Whether a body fell out of the open bottom of its source.
fn is_below(source: &Source, state: &BodyState) -> bool {
    !source.floor && state.position.z < f64::from(source.corner.z)
}

impl Course<'_> {
    /// Adds a bounce, and the energy that it gave.
    pub(super) fn add(&mut self, gain: f64) {
        self.bounces.number += 1;
        self.bounces.gained += gain;
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
            Ending::Whole | Ending::Contacts | Ending::Search | Ending::Stopped => {}
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

    /// Lets a body wait from the end of its path to the end of the step. `ending` is the reason.
    pub(super) fn wait(
        &self,
        solid: &Solid,
        state: &mut BodyState,
        bounces: Bounces,
        path: &mut Path,
        ending: Ending,
    ) {
        let (acceleration, dt) = (path.acceleration, f64::from(self.surroundings.dt));
        let remaining = (dt - path.end()).max(0.0);
        self.finish(
            solid,
            state,
            &mut Course { acceleration, remaining, bounces, path: Some(path) },
        );
        path.ending = ending;
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
}
