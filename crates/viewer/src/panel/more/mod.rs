//! *More about the scene*: sources, obstacles, forces, rates, files.

use super::{Command, PanelState, Status};
use crate::composer::Selection;
use crate::simulation::Snapshot;
use egui::Ui;

/// What is open, selected and typed in *More about the scene*.
#[derive(Clone, Debug, Default)]
pub struct MoreState {
    /// Whether it is shown.
    pub open: bool,
}

impl MoreState {
    /// Another scene begins: nothing of it is selected.
    pub(super) fn begin_scene(&mut self) {}

    /// What is selected, to be drawn lighter; nothing while it is not shown.
    pub(super) fn selection(&self) -> Selection {
        Selection::default()
    }
}

pub(super) fn show(
    _ui: &mut Ui,
    _state: &mut PanelState,
    _snapshot: &Snapshot,
    _status: &Status<'_>,
    _commands: &mut Vec<Command>,
) {
}
