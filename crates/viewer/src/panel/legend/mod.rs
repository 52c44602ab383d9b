//! The legend over a corner of the scene: the algorithm in words, its overlays, the colours of the spheres.

mod alternatives;
mod axis;
mod explanation;
mod marks;
mod matrix;
mod tree_picture;

use super::state::PanelState;
use crate::composer::legend;
use crate::scene_renderer::Theme;
use crate::simulation::Snapshot;
use crate::view::View;
use egui::{Align2, Area, Frame, Id, Rect, ScrollArea, Ui, Vec2, vec2};
pub(super) use explanation::sentences;

/// Width in points.
const WIDTH: f32 = 232.0;

/// Width of the scene that it covers, in points: with its frame, and a gap to the scene's edge.
pub(super) const COVERED: f32 = WIDTH + 22.0;

/// Height around its contents in a picture, in points: the frame and a gap to the edges.
const MARGIN: f32 = 36.0;

/// Smallest picture, in points, in which the legend begins with the sentences about the algorithm.
const ROOMY: Vec2 = vec2(560.0, 400.0);

/// Shows the legend. Until the user chooses, it has the sentences about the algorithm if it `is_roomy`.
pub(super) fn show(ui: &mut Ui, is_roomy: bool, state: &mut PanelState, snapshot: &Snapshot) {
    (ui.spacing_mut().item_spacing.y, ui.spacing_mut().interact_size.y) = (2.0, 0.0);
    let explains = state.explains.unwrap_or(is_roomy);
    explanation::title(ui, explains, state, snapshot);
    contents(ui, explains, &state.view, snapshot);
}

/// The legend in the upper right corner of a picture, without buttons.
pub(super) fn show_in_picture(ui: &Ui, scene: Rect, state: &PanelState, snapshot: &Snapshot) {
    let is_roomy = scene.width() >= ROOMY.x && scene.height() >= ROOMY.y;
    Area::new(Id::unique("legend"))
        .fixed_pos(scene.right_top() + vec2(-8.0, 8.0))
        .pivot(Align2::RIGHT_TOP)
        .constrain(false)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(WIDTH);
                (ui.spacing_mut().item_spacing.y, ui.spacing_mut().interact_size.y) = (2.0, 0.0);
                let height = (scene.height() - MARGIN).max(60.0);
                let all = ScrollArea::vertical().id_salt("legend").max_height(height);
                all.min_scrolled_height(height).show(ui, |ui| {
                    ui.strong(snapshot.algorithm.name);
                    contents(ui, state.explains.unwrap_or(is_roomy), &state.view, snapshot);
                });
            });
        });
}

/// The legend of the drawing and the colours of the objects, with the algorithm in words if it `explains`.
fn contents(ui: &mut Ui, explains: bool, view: &View, snapshot: &Snapshot) {
    // Words about a structure that is not drawn come last.
    let draws_structure = snapshot.shows_structure(view);
    if explains && draws_structure {
        explanation::idea(ui, snapshot);
    }
    let theme = if ui.visuals().dark_mode { Theme::DARK } else { Theme::LIGHT };
    let colors = legend(snapshot, view);
    for entry in snapshot.drawing.legend(view).into_iter().chain(&colors) {
        marks::show(ui, entry, &theme);
    }
    if explains && !draws_structure {
        ui.separator();
        explanation::idea(ui, snapshot);
    }
    if explains {
        explanation::more(ui, snapshot);
    }
}
