//! The ways in which a step could have been answered, with bars of their predicted costs.

use super::marks::line;
use broadphase::inspect::Alternative;
use egui::{Align, Layout, Rect, RichText, Sense, TextStyle, Ui, vec2};

/// Widths of a name of 14 letters and of the longest bar, in points.
const NAME: f32 = 92.0;
const WIDTH: f32 = 44.0;

/// Sets the reason of a cost off from the names.
const BEFORE_WHY: &str = "   ";

/// Costs above this many full searches have the longest bar, and stand beside it.
const MOST: f64 = 2.0;

pub(super) fn show(ui: &mut Ui, alternatives: &[Alternative]) {
    if alternatives.is_empty() {
        return;
    }
    line(
        ui,
        "Time of a step, predicted from the motion of sampled objects. Another is chosen once it is clearly shorter. 1.00: a full search by a grid of sweeps.",
    );
    for Alternative { name, cost, why, is_chosen } in alternatives {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let text = RichText::new(*name).small();
            let text = if *is_chosen { text.strong() } else { text };
            let height = ui.text_style_height(&TextStyle::Small);
            let left = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(vec2(NAME, height), left, |ui| {
                ui.set_min_width(NAME);
                ui.label(text);
            });
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
        });
        line(ui, format!("{BEFORE_WHY}{why}"));
    }
}
