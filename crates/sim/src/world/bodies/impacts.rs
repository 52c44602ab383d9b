//! What a continuous world reports of the last step: first contacts, and how bodies moved when it began.

use super::{Bodies, BodyState};
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

impl Bodies {
    /// The first contacts of the step that the world responded to last, in their order of time, pairs with equal times in
    /// order. Empty unless the world is continuous.
    pub fn impacts(&self) -> &[StepImpact] {
        &self.impacts
    }

    /// A body as the last step began, and its motion then, the step's forces included. `None` unless the world is
    /// continuous, and before its first step.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn start_of(&self, object: usize) -> Option<(Body<'_>, Motion)> {
        let state: &BodyState = self.starts.get(object)?;
        let solid = &self.solids[object];
        let spin = solid.angular_velocity(state.rotation, state.angular_momentum);
        let body = Body { pose: state.pose(), ..self.body(object) };
        Some((body, Motion { velocity: state.velocity, spin }))
    }

    /// Objects that waited in the last step at their last free pose, since they had the most contacts of a step. Rising.
    pub fn waiting_objects(&self) -> &[u32] {
        &self.waiting
    }
}
