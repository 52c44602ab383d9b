//! The help sheet.

use egui::{Align2, Grid, ScrollArea, Ui, Window};

/// Keys, and what they do.
const KEYS: [(&str, &str); 19] = [
    ("s, Space", "start, stop"),
    (".", "one step"),
    (",", "one step back"),
    ("R", "restart the scene"),
    ("1 to 9", "algorithm"),
    ("p, o", "the line attracts, repels while held"),
    ("- and +", "less, more delay on each collision response"),
    ("F", "see the whole scene"),
    ("Tab", "hide the panels"),
    ("E", "export the recorded frames"),
    ("F12", "picture of the view"),
    ("F1", "this sheet"),
    ("Ctrl+Z", "take the last edit back"),
    ("Ctrl+Q", "close the window"),
    ("Esc", "let the picked sphere go"),
    ("Left drag", "turn the camera"),
    ("Right drag", "shift it"),
    ("Wheel", "nearer, farther"),
    ("Click a sphere", "look at it closely"),
];

pub(super) fn show(ui: &Ui, open: &mut bool) {
    Window::new("Keys and mouse")
        .open(open)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false)
        .show(ui.ctx(), |ui| {
            let height = ui.ctx().content_rect().height() - 70.0;
            ScrollArea::vertical().max_height(height).show(ui, keys);
        });
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
