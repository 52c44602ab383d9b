//! First contacts of the candidates of a step.

use super::motion::Motion;
use super::stages::Candidates;
use broadphase::Pair;
use sim::Bodies;

/// First contacts within a step of a continuous world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImpactFigures {
    /// First contacts that the world responded to.
    pub responded: u64,
    /// Objects that waited at their last free pose.
    pub waiting: u64,
}

impl<'a> Candidates<'a> {
    /// The candidates of the step that a motion shows.
    pub(super) fn of(motion: &Motion, bodies: &'a Bodies, pairs: &'a [Pair]) -> Self {
        let at = (motion.epoch(), motion.steps());
        let have_impacts = motion.is_continuous() && motion.steps() >= motion.first_step();
        Self { bodies, pairs, at, have_impacts }
    }

    /// The first contacts of the step; `None` unless the world is continuous.
    pub(super) fn impacts(&self) -> Option<ImpactFigures> {
        self.have_impacts.then(|| ImpactFigures {
            responded: self.bodies.impacts().len() as u64,
            waiting: self.bodies.waiting_objects().len() as u64,
        })
    }
}
