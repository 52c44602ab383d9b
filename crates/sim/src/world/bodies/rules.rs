//! Which objects meet, and when a world looks for their contacts.

use super::super::response::layer_of;
use super::Bodies;
use super::solid::Solid;
use crate::scene::Continuous;
use broadphase::Layer;

/// The rules by which two objects meet.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) continuous: Continuous,
    pub(super) solids: &'a [Solid],
    pub(super) layers: &'a [Layer],
}

impl Rules<'_> {
    /// Whether two objects may meet: the layers allow it, and one can be pushed.
    pub(super) fn may_meet(&self, a: usize, b: usize) -> bool {
        let can_move = |object: usize| self.solids[object].inverse_mass > 0.0;
        (can_move(a) || can_move(b)) && layer_of(self.layers, a).meets(layer_of(self.layers, b))
    }

    /// Whether contacts of two objects are found within a step, not at its end.
    pub(super) fn is_within(&self, a: usize, b: usize) -> bool {
        let is_fast = |object: usize| {
            let Solid { is_bullet, is_kinematic, .. } = self.solids[object];
            let is_continuous = self.continuous != Continuous::Off;
            self.is_static(object) || (is_continuous && (is_bullet || is_kinematic))
        };
        self.continuous == Continuous::All || is_fast(a) || is_fast(b)
    }

    /// Whether contacts of two objects that move are found within a step.
    pub(super) fn is_met(&self, a: usize, b: usize) -> bool {
        self.is_within(a, b) && !self.is_static(a) && !self.is_static(b) && self.may_meet(a, b)
    }

    /// Whether an object never moves.
    pub(super) fn is_static(&self, object: usize) -> bool {
        layer_of(self.layers, object).is_static
    }
}

impl Bodies {
    pub(super) fn rules<'a>(&'a self, layers: &'a [Layer]) -> Rules<'a> {
        Rules { continuous: self.continuous, solids: &self.solids, layers }
    }
}
