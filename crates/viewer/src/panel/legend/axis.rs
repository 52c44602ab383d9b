//! Intervals of few objects on one axis, laid flat: a sorted list with two ends that changed places.

use super::marks::solid;
use crate::panel::widgets::MIN_TEXT;
use crate::picture::AxisChart;
use crate::scene_renderer::Theme;
use egui::{Align2, Color32, FontId, Pos2, Sense, Stroke, Ui, vec2};

/// Width in points, and that of the numbers of the objects within it.
const WIDTH: f32 = 224.0;
const NUMBERS: f32 = 18.0;

/// Height of an interval in points.
const ROW: f32 = 11.0;

/// Draws the rows with the numbers of their objects beside them.
pub(super) fn draw(ui: &mut Ui, chart: &AxisChart, theme: &Theme) {
    let AxisChart { rows, circled } = chart;
    let low = rows.iter().fold(f32::INFINITY, |low, (_, ends, ..)| low.min(ends[0]));
    let high = rows.iter().fold(f32::NEG_INFINITY, |high, (_, ends, ..)| high.max(ends[1]));
    let per_unit = (WIDTH - NUMBERS - ROW) / (high - low);
    let (area, _) = ui.allocate_exact_size(vec2(WIDTH, ROW * rows.len() as f32), Sense::hover());
    let at = |end: f32, row: usize| {
        let x = area.left() + NUMBERS + (end - low) * per_unit;
        Pos2::new(x, area.top() + ROW * (row as f32 + 0.5))
    };
    let (painter, ink) = (ui.painter(), ui.visuals().strong_text_color());
    for (row, (object, ends, color, share)) in rows.iter().enumerate() {
        let beside_it = Pos2::new(area.left() + 0.5 * NUMBERS, at(low, row).y);
        let font = FontId::proportional(MIN_TEXT);
        painter.text(beside_it, Align2::CENTER_CENTER, object, font, ink);
        let color = solid(color.color(theme, |object| theme.sphere(object as usize)));
        let stroke = Stroke::new(4.0, color.gamma_multiply(*share));
        painter.line_segment(ends.map(|end| at(end, row)), stroke);
    }
    let mark = solid(theme.mark);
    let circled: Vec<Pos2> = circled.iter().map(|(end, row)| at(*end, *row)).collect();
    if let [one, other] = circled[..] {
        painter.line_segment([one, other], Stroke::new(1.5, mark));
    }
    for end in circled {
        painter.circle(end, 4.0, Color32::TRANSPARENT, (1.5, mark));
    }
}
