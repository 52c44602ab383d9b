//! Which panels are shown, and how large.

use super::state::PanelState;
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Context, Id, PopupCloseBehavior, RichText, Ui, UiBuilder};

/// Enlargement of text in projector mode.
const ENLARGED: f32 = 1.5;

/// Follows the switch of projector mode with the size of text. The size from before comes back with it.
pub(super) fn zoom(context: &Context, state: &mut PanelState) {
    match (state.projector, state.zoom_before) {
        (true, None) => {
            let before = context.zoom_factor();
            state.zoom_before = Some(before);
            context.set_zoom_factor(ENLARGED * before);
        }
        (false, Some(before)) => {
            state.zoom_before = None;
            context.set_zoom_factor(before);
        }
        _ => {}
    }
}

/// A menu of the panels. `further` adds to it what has no room of its own.
pub(super) fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    further: impl FnOnce(&mut Ui, &mut PanelState),
) {
    let stays_open = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let button = MenuButton::new(RichText::new("View").small()).config(stays_open);
    // The same menu wherever its button is.
    let scope = UiBuilder::new().scope_id(Id::unique("view"));
    let menu = ui.scope_builder(scope, |ui| {
        button.ui(ui, |ui| {
            ui.add_enabled_ui(!state.projector, |ui| {
                ui.checkbox(&mut state.side, "Side panel");
                ui.checkbox(&mut state.legend, "Legend");
            });
            ui.checkbox(&mut state.compare.open, "Comparison");
            let meaning = "Large text and the legend, without the side panel (key F5)";
            ui.checkbox(&mut state.projector, "Projector mode").on_hover_text(meaning);
            further(ui, state);
        })
    });
    let (menu, _) = menu.inner;
    menu.on_hover_text("Which panels are shown. Tab hides them all");
}
