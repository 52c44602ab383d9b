//! The ways in which a step could have been answered, with bars of their predicted costs.

use super::marks::line;
use broadphase::inspect::Alternative;
use egui::{Grid, Rect, RichText, Sense, Ui, vec2};

/// Width of the longest bar in points: between a name of 14 letters and `not estimated` it fits in the legend.
const WIDTH: f32 = 44.0;

/// Costs above this many full searches have the longest bar, and stand beside it.
const MOST: f64 = 2.0;

pub(super) fn show(ui: &mut Ui, alternatives: &[Alternative]) {
    if alternatives.is_empty() {
        return;
    }
    line(ui, "Predicted time of a step. 1.00: a full search by a grid of sweeps.");
    Grid::new("alternatives").num_columns(3).spacing([6.0, 1.0]).show(ui, |ui| {
        for Alternative { name, cost, is_chosen } in alternatives {
            let name = RichText::new(*name).small();
            ui.label(if *is_chosen { name.strong() } else { name });
            let (row, _) = ui.allocate_exact_size(vec2(WIDTH, 10.0), Sense::hover());
            let length = row.width() * (cost.unwrap_or(0.0) / MOST).clamp(0.0, 1.0) as f32;
            let bar = Rect::from_min_size(row.min, vec2(length, row.height()));
            let visuals = ui.visuals();
            let color = match is_chosen {
                true => visuals.selection.bg_fill,
                false => visuals.widgets.inactive.bg_fill,
            };
            ui.painter().rect_filled(row, 1.0, visuals.extreme_bg_color);
            ui.painter().rect_filled(bar, 1.0, color);
            let figure = cost.map_or("not estimated".to_owned(), |cost| format!("{cost:.2}"));
            let chosen = if *is_chosen { " chosen" } else { "" };
            ui.label(RichText::new(figure + chosen).small());
            ui.end_row();
        }
    });
}
