//! The legend over a corner of the scene: the algorithm in words, its overlays, the colours of the spheres.

mod alternatives;
mod axis;
mod explanation;
mod marks;
mod matrix;
mod squares;
mod tree_picture;
mod tree_places;

use super::state::PanelState;
use super::{LOW, suggestions, triad};
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

/// Height around its contents, in points: the frame and a gap to the scene's edges.
const MARGIN: f32 = 36.0;

/// Height of a scene in points that has room for the folded legend.
const FOLDED: f32 = 60.0;

/// Smallest scene, in points, in which the legend begins with the sentences about the algorithm.
const ROOMY: Vec2 = vec2(560.0, 400.0);

/// The id of its area.
pub(super) fn id() -> Id {
    Id::unique("legend")
}

/// Whether it leaves a part of the scene free, and is high enough. Else it is folded until the user opens it.
pub(super) fn has_room(scene: Rect) -> bool {
    scene.width() >= 2.0 * COVERED && scene.height() >= LOW
}

/// Whether only the algorithm's name is shown.
fn is_folded(scene: Rect, state: &PanelState) -> bool {
    let is_opened = state.explains == Some(true) && state.view.picked.is_none();
    let covers = (is_opened || state.projector) && scene.height() >= LOW;
    !has_room(scene) && !covers
}

pub(super) fn show(ui: &Ui, scene: Rect, state: &mut PanelState, snapshot: &Snapshot) {
    if !state.shows_legend() || scene.height() < FOLDED {
        return;
    }
    let columns = scene.right() - COVERED..=scene.right();
    let below = suggestions::top(ui, scene, state, columns) - triad::height(scene);
    let is_roomy = is_roomy(scene) || state.projector;
    in_corner(ui, scene, |ui| {
        if is_folded(scene, state) {
            return explanation::folded(ui, state, snapshot);
        }
        down_to(ui, scene, below, |ui| {
            explanation::show(ui, is_roomy, state, snapshot);
            contents(ui, &state.view, snapshot);
            explanation::more(ui, is_roomy, state, snapshot);
        });
    });
}

/// The legend of a picture, without buttons.
pub(super) fn show_in_picture(ui: &Ui, scene: Rect, state: &PanelState, snapshot: &Snapshot) {
    in_corner(ui, scene, |ui| {
        down_to(ui, scene, scene.bottom(), |ui| {
            explanation::show_in_picture(ui, is_roomy(scene), state, snapshot);
            contents(ui, &state.view, snapshot);
            explanation::more(ui, is_roomy(scene), state, snapshot);
        });
    });
}

/// Lays out the upper right corner of a scene.
fn in_corner(ui: &Ui, scene: Rect, legend: impl FnOnce(&mut Ui)) {
    Area::new(id())
        .fixed_pos(scene.right_top() + vec2(-8.0, 8.0))
        .pivot(Align2::RIGHT_TOP)
        .constrain(false)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(WIDTH);
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.spacing_mut().interact_size.y = 0.0;
                legend(ui);
            });
        });
}

/// Scrolls what has no room down to a height.
fn down_to(ui: &mut Ui, scene: Rect, below: f32, legend: impl FnOnce(&mut Ui)) {
    let height = (below - scene.top() - MARGIN).max(60.0);
    let all = ScrollArea::vertical().id_salt("legend").max_height(height);
    all.min_scrolled_height(height).show(ui, legend);
}

/// What is drawn, and the colours of the objects.
fn contents(ui: &mut Ui, options: &View, snapshot: &Snapshot) {
    let theme = if ui.visuals().dark_mode { Theme::DARK } else { Theme::LIGHT };
    let colors = legend(snapshot, options);
    for entry in snapshot.drawing.legend(options).into_iter().chain(&colors) {
        marks::show(ui, entry, &theme);
    }
}

/// Whether the sentences about the algorithm leave most of the scene free.
pub(super) fn is_roomy(scene: Rect) -> bool {
    scene.width() >= ROOMY.x && scene.height() >= ROOMY.y
}
