//! The help sheet.

use super::command::Command;
use super::guide::INTRODUCTION;
use super::keys::KEYS;
use super::state::PanelState;
use egui::{Align2, Grid, ScrollArea, Ui, Window};

pub(super) fn show(ui: &Ui, state: &mut PanelState, commands: &mut Vec<Command>) {
    let (mut suggestions, mut open) = (state.suggestions, state.help);
    Window::new("Keys and mouse")
        .open(&mut open)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false)
        .show(ui.ctx(), |ui| {
            let height = ui.ctx().content_rect().height() - 120.0;
            ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, keys);
            ui.toggle_value(&mut state.introduction, INTRODUCTION);
            let meaning = "Three buttons over the scene, each for something worth seeing";
            let switch = ui.checkbox(&mut suggestions, "Suggest things to try");
            if switch.on_hover_text(meaning).changed() {
                commands.push(Command::Suggestions(suggestions));
            }
        });
    state.help = open;
}

fn keys(ui: &mut Ui) {
    Grid::new("keys").num_columns(2).striped(true).spacing([18.0, 4.0]).show(ui, |ui| {
        for row in &KEYS {
            ui.strong(row.name());
            ui.label(row.words);
            ui.end_row();
        }
    });
}
