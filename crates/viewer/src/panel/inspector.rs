//! The picked sphere's figures.

use crate::simulation::Snapshot;
use egui::{Rect, Ui};

pub(super) fn show(_ui: &Ui, _scene: Rect, _picked: &mut Option<u32>, _snapshot: &Snapshot) {}
