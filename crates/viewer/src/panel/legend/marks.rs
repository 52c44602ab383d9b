//! Titles, notes and colours of the legend.

use super::{axis, matrix, tree_picture};
use crate::picture::{Entry, Ink};
use crate::scene_renderer::{Color, Theme};
use egui::{Align, Color32, Label, Layout, Rect, RichText, Sense, TextStyle, Ui, vec2};

/// An entry of a drawing's legend.
pub(super) fn show(ui: &mut Ui, entry: &Entry, theme: &Theme) {
    let color = |ink: Ink| ink.color(theme, |object| theme.sphere(object as usize));
    match entry {
        Entry::Rule => drop(ui.separator()),
        Entry::Heading(text) => drop(ui.strong(text)),
        Entry::Figure(text) => drop(ui.label(text)),
        Entry::Line(text) => line(ui, text),
        Entry::Hint(text) => hint(ui, text),
        Entry::Note(text) => note(ui, text),
        Entry::Swatch(ink, meaning) => patch(ui, color(*ink), 1, meaning),
        Entry::Dashes(ink, meaning) => patch(ui, color(*ink), 3, meaning),
        Entry::Scale(low, high) => {
            let colors: [_; 18] = std::array::from_fn(|i| theme.on_scale(i as f32 / 17.0));
            scale(ui, low, &colors, high);
        }
        Entry::Colors(colors, top) => scale(ui, "0", colors, top),
        Entry::Tree(nodes) => tree_picture::draw(ui, nodes, theme),
        Entry::Axis(chart) => axis::draw(ui, chart, theme),
        Entry::Matrix(cells, n, picked) => matrix::draw(ui, cells, *n, *picked, theme),
    }
}

/// A colour of the theme in full strength.
pub(super) fn solid([r, g, b, _]: Color) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// A sentence.
pub(super) fn line(ui: &mut Ui, text: impl Into<String>) {
    ui.label(RichText::new(text).small());
}

/// Something to do, on a bright line of its own.
pub(super) fn hint(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(ui.visuals().strong_text_color()));
}

/// A note on what is not drawn.
fn note(ui: &mut Ui, text: impl Into<String>) {
    ui.label(RichText::new(text).small().color(ui.visuals().warn_fg_color));
}

/// A patch of a colour, in parts if it is dashed, and beside it its meaning, on several lines if it is long.
fn patch(ui: &mut Ui, color: Color, parts: u8, meaning: &str) {
    // As high as the text, which would else be lower.
    let height = ui.text_style_height(&TextStyle::Small);
    let size = vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Min), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (row, _) = ui.allocate_exact_size(vec2(12.0, height), Sense::hover());
        let mark = Rect::from_center_size(row.center(), vec2(12.0, 8.0));
        let part = mark.width() / (2.0 * f32::from(parts) - 1.0);
        for place in 0..parts {
            let from = mark.min + vec2(2.0 * part * f32::from(place), 0.0);
            let patch = Rect::from_min_size(from, vec2(part, mark.height()));
            ui.painter().rect_filled(patch, 1.0, solid(color));
        }
        // In a row, a label would else widen the legend instead.
        ui.add(Label::new(RichText::new(meaning).small()).wrap());
    });
}

/// Colours side by side between two labels.
fn scale(ui: &mut Ui, low: &str, colors: &[[u8; 3]], high: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        line(ui, low);
        let (bar, _) = ui.allocate_exact_size(vec2(108.0, 10.0), Sense::hover());
        let width = bar.width() / colors.len() as f32;
        for (place, [r, g, b]) in colors.iter().enumerate() {
            let left = bar.left() + width * place as f32;
            let part = Rect::from_x_y_ranges(left..=left + width, bar.y_range());
            ui.painter().rect_filled(part, 0.0, Color32::from_rgb(*r, *g, *b));
        }
        line(ui, high);
    });
}
