//! Medians as bars, the fastest algorithm first.

use super::entry::{Entry, Medians};
use egui::{
    Align2, FontId, Rect, Response, Role, ScrollArea, Sense, TextStyle, Ui, WidgetInfo, vec2,
};

/// Height of a bar with the gap below it, in points.
const ROW_HEIGHT: f32 = 19.0;

/// Width of the names and of the figures, in points.
const NAME_WIDTH: f32 = 165.0;
const FIGURE_WIDTH: f32 = 76.0;

pub(super) fn show(ui: &mut Ui, entries: &[Entry]) {
    let mut bars: Vec<(&Entry, Medians)> =
        entries.iter().filter_map(|entry| Some((entry, entry.medians?))).collect();
    bars.sort_by_key(|(_, medians)| medians.total_ns);
    let longest = bars.iter().map(|(_, medians)| medians.update_ns + medians.pairs_ns).max();
    if bars.is_empty() {
        ui.weak("No step has been taken yet.");
    }
    ScrollArea::vertical().id_salt("bars").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (entry, medians) in &bars {
            bar(ui, entry, medians, longest.unwrap_or(0).max(1)).on_hover_text(format!(
                "{}: medians over {} steps: update {:.3} ms, pairs {:.3} ms",
                entry.row.name,
                medians.steps,
                medians.update_ns as f64 / 1e6,
                medians.pairs_ns as f64 / 1e6
            ));
        }
    });
}

fn bar(ui: &mut Ui, entry: &Entry, medians: &Medians, longest: u64) -> Response {
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (row, response) = ui.allocate_exact_size(size, Sense::hover());
    let figure = format!("{:.3} ms", medians.total_ns as f64 / 1e6);
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Label, true, format!("{}: {figure}", entry.row.name))
    });
    let painter = ui.painter().with_clip_rect(row.intersect(ui.clip_rect()));
    let visuals = ui.visuals();
    let text = if entry.drives { visuals.strong_text_color() } else { visuals.text_color() };
    let font = TextStyle::Body.resolve(ui.style());
    let names = Rect::from_min_size(row.min, vec2(NAME_WIDTH.min(0.4 * row.width()), row.height()));
    let name = painter.with_clip_rect(names.intersect(painter.clip_rect()));
    // Names of variants would be cut off before they differ.
    name.text(row.left_center(), Align2::LEFT_CENTER, entry.row.id, font, text);

    let length = (row.right() - FIGURE_WIDTH - names.right()).max(0.0);
    let width = |ns: u64| length * ns as f32 / longest as f32;
    let middle = row.y_range().shrink(3.0);
    let updated = names.right() + width(medians.update_ns);
    let found = updated + width(medians.pairs_ns);
    let update = Rect::from_x_y_ranges(names.right()..=updated, middle);
    let pairs = Rect::from_x_y_ranges(updated..=found, middle);
    painter.rect_filled(update, 0.0, entry.color.gamma_multiply(0.45));
    painter.rect_filled(pairs, 0.0, entry.color);
    let at = egui::pos2(found + 5.0, row.center().y);
    painter.text(at, Align2::LEFT_CENTER, figure, FontId::monospace(11.0), text);
    response
}
