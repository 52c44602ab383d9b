//! How few of all pairs are tested, and how few of those overlap or touch.

use crate::simulation::Snapshot;
use egui::Ui;

pub(super) fn show(_ui: &mut Ui, _snapshot: &Snapshot) {}
