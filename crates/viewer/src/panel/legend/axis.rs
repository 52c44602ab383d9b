//! A sorted list laid flat: the intervals of few objects on one axis, and the two ends that changed places.

use super::marks::line;
use crate::composer::beside;
use crate::panel::widgets::LEAST_TEXT;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{Interval, Snapshot};
use broadphase::inspect::Exchange;
use egui::{Align2, Color32, FontId, Pos2, Sense, Stroke, Ui, vec2};

/// Width in points, and that of the numbers of the objects within it.
const WIDTH: f32 = 224.0;
const NUMBERS: f32 = 18.0;

/// Height of an interval in points.
const ROW: f32 = 11.0;

/// Most objects that are drawn: of more, the list would be longer than the legend.
const MOST: usize = 12;

/// The axis of an exchange, a row for each object by its lower end, with both exchanged ends marked.
pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, exchange: &Exchange, theme: &Theme) {
    let lists = &snapshot.structure.lists;
    let of_axis = lists.kept.iter().filter(|interval| interval.axis == exchange.axis);
    let mut rows: Vec<&Interval> = of_axis.collect();
    if rows.len() > MOST || rows.len() < snapshot.present {
        return;
    }
    rows.sort_by(|a, b| a.low.total_cmp(&b.low));
    let low = rows.iter().fold(f32::INFINITY, |low, row| low.min(row.low));
    let high = rows.iter().fold(f32::NEG_INFINITY, |high, row| high.max(row.high));
    // Infinite boxes have no place in a picture, and nothing has where all are one point.
    let per_unit = (WIDTH - NUMBERS - ROW) / (high - low);
    if !per_unit.is_finite() || !(high - low).is_finite() {
        return;
    }
    line(ui, format!("The list on {}, an object a row, by where it begins:", exchange.axis.name()));
    let size = vec2(WIDTH, ROW * rows.len() as f32);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let at = |end: f32, row: usize| {
        let x = area.left() + NUMBERS + (end - low) * per_unit;
        Pos2::new(x, area.top() + ROW * (row as f32 + 0.5))
    };
    let painter = ui.painter();
    let ink = ui.visuals().strong_text_color();
    let own = snapshot.picked.as_ref().and_then(|picked| {
        let own = rows.iter().find(|row| row.object == picked.object);
        Some((picked, **own?))
    });
    let mut exchanged = Vec::new();
    for (place, interval) in rows.iter().enumerate() {
        let Interval { object, low, high, .. } = **interval;
        let number = Pos2::new(area.left() + 0.5 * NUMBERS, at(low, place).y);
        let font = FontId::proportional(LEAST_TEXT);
        painter.text(number, Align2::CENTER_CENTER, object.to_string(), font, ink);
        let (color, strength) = match &own {
            Some((picked, own)) => {
                let (_, color, strength) = beside(interval, Some(own), picked, theme);
                (color, strength.max(0.4))
            }
            None => (theme.sphere(object as usize), 1.0),
        };
        let ends = [at(low, place), at(high, place)];
        painter.line_segment(ends, Stroke::new(4.0, solid(color).gamma_multiply(strength)));
        exchanged.extend((object == exchange.lower).then_some(ends[0]));
        exchanged.extend((object == exchange.upper).then_some(ends[1]));
    }
    let mark = solid(theme.mark);
    if let [one, other] = exchanged[..] {
        painter.line_segment([one, other], Stroke::new(1.5, mark));
    }
    for end in exchanged {
        painter.circle(end, 4.0, Color32::TRANSPARENT, (1.5, mark));
    }
}

fn solid([r, g, b, _]: Color) -> Color32 {
    Color32::from_rgb(r, g, b)
}
