//! The help sheet.

use super::command::Command;
use super::guide::INTRODUCTION;
use super::state::PanelState;
use egui::{Align2, Grid, ScrollArea, Ui, Window};

/// Keys and mouse actions with their effects.
const KEYS: [(&str, &str); 26] = [
    ("S, Space", "start, stop"),
    (".", "one step"),
    (",", "one step back"),
    ("R", "restart the scene"),
    ("1 to 6", "a group of algorithms; again: the next one of the group"),
    ("0", "auto"),
    ("P, O", "hold to attract objects to, or repel them from, the vertical line"),
    ("Arrow keys", "drive the driven bodies; J: jump; W, A, S, D too while Drive is ticked"),
    ("- and +", "decrease, increase the delay of each collision response"),
    ("F", "fit the whole scene in view"),
    ("Z", "zoom to the picked object"),
    ("Tab", "hide the panels"),
    ("F5", "projector mode: large text, no side panel"),
    ("E", "export the recorded frames"),
    ("F12", "save a picture of the view"),
    ("F1", "this sheet"),
    ("Ctrl+Z", "undo the last drag, edit or Generate objects"),
    ("Ctrl+plus, Ctrl+minus", "larger, smaller text"),
    ("Ctrl+Q", "close the window"),
    ("Esc", "deselect the picked object"),
    ("Left drag", "orbit the camera"),
    ("Right drag", "pan it"),
    ("Wheel", "zoom"),
    (
        "Click a tip of the axes (x red, y green, z blue)",
        "view along that axis; again: from the other side",
    ),
    ("Click an object", "show its figures and neighbours"),
    ("Left drag of that object", "move it; it pushes others, and time passes meanwhile"),
];

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
        for (key, meaning) in KEYS {
            ui.strong(key);
            ui.label(meaning);
            ui.end_row();
        }
    });
}
