//! Other algorithms on the same boxes, step by step.

use super::Command;
use crate::simulation::Snapshot;
use egui::Ui;

/// Height of the comparison in points.
pub(super) const HEIGHT: f32 = 230.0;

/// What is open and chosen in the comparison.
#[derive(Clone, Debug, Default)]
pub struct CompareState {
    /// Whether it is shown.
    pub open: bool,
}

pub(super) fn show(
    _ui: &mut Ui,
    _state: &mut CompareState,
    _snapshot: &Snapshot,
    _commands: &mut Vec<Command>,
) {
}
