//! Reports of the last step: first contacts, and the motion of bodies as it began.

use super::Bodies;
use super::path::Path;
use crate::scene::Continuous;
use broadphase::Pair;
use glam::DVec3;
use narrowphase::Body;
use narrowphase::impact::Motion;

/// A first contact of two bodies within a step, which the world responded to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepImpact {
    /// The objects.
    pub pair: Pair,
    /// Seconds since the step began.
    pub time: f64,
    /// Where they touch, in the world.
    pub point: DVec3,
    /// Unit vector of the world from the first object to the second.
    pub normal: DVec3,
    /// The centres of mass of both at that time.
    pub centres: [DVec3; 2],
}

/// Paths and contacts of the last step.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct StepRecord {
    /// Index = object; empty before the first step.
    pub(super) paths: Vec<Path>,
    pub(super) impacts: Vec<StepImpact>,
    /// Objects that waited, rising.
    pub(super) waiting: Vec<u32>,
}

impl StepRecord {
    /// Copies another one. Of a world that is not continuous, which shows no paths, they are emptied instead. Memory is
    /// reused.
    pub(in super::super) fn copy_from(&mut self, other: &Self, continuous: Continuous) {
        let Self { paths, impacts, waiting } = other;
        match continuous {
            Continuous::Off => self.paths.iter_mut().for_each(|path| path.begin(DVec3::ZERO, 0.0)),
            Continuous::Bullets | Continuous::All => self.paths.clone_from(paths),
        }
        self.impacts.clone_from(impacts);
        self.waiting.clone_from(waiting);
    }

    pub(in super::super) fn heap_bytes(&self) -> usize {
        self.paths.capacity() * size_of::<Path>()
            + self.paths.iter().map(Path::heap_bytes).sum::<usize>()
            + self.impacts.capacity() * size_of::<StepImpact>()
            + self.waiting.capacity() * size_of::<u32>()
    }
}

impl Bodies {
    /// The first contacts of the step that the world responded to last, in their order of time, pairs with equal times in
    /// order. Unless the world is continuous, they are those with static bodies.
    pub fn impacts(&self) -> &[StepImpact] {
        &self.record.impacts
    }

    /// The paths in the last step of a continuous world; empty in others.
    pub(super) fn shown_paths(&self) -> &[Path] {
        if self.continuous == Continuous::Off { &[] } else { &self.record.paths }
    }

    /// A body as the last step began, and its motion then, the step's forces included: up to its first bounce or contact.
    /// `None` unless the world is continuous, and before its first step.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn start_of(&self, object: usize) -> Option<(Body<'_>, Motion)> {
        let path = self.shown_paths().get(object)?;
        let state = path.pieces().first()?.moving_state();
        let (solid, velocity) = (&self.solids[object], state.velocity);
        let spin = solid.angular_velocity(state.rotation, state.angular_momentum);
        let body = Body { pose: state.pose(), ..self.body(object) };
        Some((body, Motion { velocity, spin }))
    }

    /// Objects that waited in the last step at their last free pose, since they, or all objects together, reached a bound of
    /// the step's work. Rising.
    pub fn waiting_objects(&self) -> &[u32] {
        &self.record.waiting
    }
}
