//! Titles, notes and colours of the legend.

use super::diagram;
use crate::composer::bounds_objects;
use crate::panel::format::compact;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{Changes, Snapshot};
use broadphase::inspect::{Caption, Overlay};
use egui::{Align, Color32, Label, Layout, Rect, RichText, Sense, TextStyle, Ui, vec2};

pub(super) fn title(ui: &mut Ui, text: &str, meaning: &str) {
    ui.strong(text);
    ui.label(RichText::new(meaning).small());
}

/// The heading of an overlay, with its meaning unless the way of the picked object explains that.
pub(super) fn heading(ui: &mut Ui, caption: &Caption, snapshot: &Snapshot) {
    let is_explained = caption.overlay == Overlay::Planes || bounds_objects(snapshot);
    match is_explained && diagram::is_beside_the_way(snapshot) {
        true => drop(ui.strong(caption.title)),
        false => title(ui, caption.title, caption.meaning),
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
pub(super) fn note(ui: &mut Ui, text: String) {
    ui.label(RichText::new(text).small().color(ui.visuals().warn_fg_color));
}

/// A note where only a part of all things of a kind is drawn.
pub(super) fn part(ui: &mut Ui, drawn: usize, all: usize, things: &str) {
    if drawn < all {
        let [drawn, all] = [drawn, all].map(|number| compact(number as f64));
        note(ui, format!("{drawn} of {all} {things} are drawn"));
    }
}

/// A patch of a colour, and beside it its meaning, on several lines if it is long.
pub(super) fn swatch(ui: &mut Ui, color: Color, meaning: &str) {
    patches(ui, color, 1, meaning);
}

/// A dashed patch of a colour, and its meaning.
pub(super) fn dashes(ui: &mut Ui, color: Color, meaning: &str) {
    patches(ui, color, 3, meaning);
}

/// A patch in parts, and beside it its meaning.
fn patches(ui: &mut Ui, color: Color, parts: u8, meaning: &str) {
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

/// How often something changed lately, with its colour while that is to be seen: a single step is too short.
pub(super) fn recent<T>(ui: &mut Ui, color: Color, what: &str, changes: &Changes<T>) {
    let Changes { fresh, now, lately, steps } = changes;
    let [now, lately] = [now, lately].map(|number| compact(*number as f64));
    let number = match steps {
        0 => "none in this step, whose structure is new".to_owned(),
        1 => format!("{now} in this step"),
        _ => format!("{now} in this step, {lately} in the last {steps} steps"),
    };
    if fresh.is_empty() {
        return line(ui, format!("{what}: {number}"));
    }
    swatch(ui, color, &format!("{what} a moment ago"));
    line(ui, number);
}

/// The colour scale between two labels.
pub(super) fn scale(ui: &mut Ui, theme: &Theme, low: &str, high: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new(low).small());
        bar::<18>(ui, std::array::from_fn(|i| theme.on_scale(i as f32 / 17.0)));
        ui.label(RichText::new(high).small());
    });
}

/// Colours side by side.
pub(super) fn bar<const N: usize>(ui: &mut Ui, colors: [[u8; 3]; N]) {
    let (bar, _) = ui.allocate_exact_size(vec2(108.0, 10.0), Sense::hover());
    let width = bar.width() / N as f32;
    for (place, [r, g, b]) in colors.into_iter().enumerate() {
        let left = bar.left() + width * place as f32;
        let part = Rect::from_x_y_ranges(left..=left + width, bar.y_range());
        ui.painter().rect_filled(part, 0.0, Color32::from_rgb(r, g, b));
    }
}
