//! Which panels are shown, and how large.

use super::command::Command;
use super::keys;
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

/// A menu of the panels, and the command that shows the same again.
pub(super) fn show(ui: &mut Ui, state: &mut PanelState, commands: &mut Vec<Command>) {
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
            let meaning = "Large text and the legend, without the side panel";
            ui.checkbox(&mut state.projector, "Projector mode")
                .on_hover_text(format!("{meaning}{}", keys::hint(keys::PROJECTOR)));
            let (name, what) = match cfg!(target_family = "wasm") {
                true => ("Copy link", "an address"),
                false => ("Copy command", "a command line"),
            };
            let shows =
                "that shows the same: input, seed, step, algorithm, overlays, colours and camera";
            if ui.button(name).on_hover_text(format!("Copy {what} {shows}")).clicked() {
                commands.push(Command::CopyCommand);
                ui.close();
            }
        })
    });
    let (menu, _) = menu.inner;
    menu.on_hover_text(format!("Which panels are shown, or none{}", keys::hint(keys::HIDE)));
}
