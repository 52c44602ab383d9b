//! Intervals of few objects on one axis, laid flat: a sorted list with two ends that changed places, or a sweep.

use super::marks::{line, solid};
use crate::composer::beside;
use crate::panel::widgets::MIN_TEXT;
use crate::scene_renderer::Theme;
use crate::simulation::{Interval, Snapshot};
use broadphase::inspect::Exchange;
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, Ui, vec2};

/// Width in points, and that of the numbers of the objects within it.
const WIDTH: f32 = 224.0;
const NUMBERS: f32 = 18.0;

/// Height of an interval in points.
const ROW: f32 = 11.0;

/// Most objects that are drawn: of more, the list would be longer than the legend.
const MOST: usize = 12;

/// The axis of an exchange, a row for each object by its lower end, with both exchanged ends marked.
pub(super) fn exchange(ui: &mut Ui, snapshot: &Snapshot, exchange: &Exchange, theme: &Theme) {
    let lists = &snapshot.structure.lists;
    let of_axis = lists.kept.iter().filter(|interval| interval.axis == exchange.axis);
    let rows: Vec<&Interval> = of_axis.collect();
    if rows.len() < snapshot.objects.present {
        return;
    }
    let caption = format!("The list on {}, a row for each object:", exchange.axis.name());
    let numbers = |object: u32| object.to_string();
    let Some(chart) = Chart::draw(ui, rows, &caption, &numbers, snapshot, theme) else { return };
    let mut exchanged = Vec::new();
    for (place, interval) in chart.rows.iter().enumerate() {
        let is_lower = interval.object == exchange.lower;
        exchanged.extend(is_lower.then(|| chart.at(interval.low, place)));
        let is_upper = interval.object == exchange.upper;
        exchanged.extend(is_upper.then(|| chart.at(interval.high, place)));
    }
    let mark = solid(theme.mark);
    if let [one, other] = exchanged[..] {
        ui.painter().line_segment([one, other], Stroke::new(1.5, mark));
    }
    for end in exchanged {
        ui.painter().circle(end, 4.0, Color32::TRANSPARENT, (1.5, mark));
    }
}

/// The sweep of the picked object where it is one list and few others, a row for each object, between the two ends of its
/// own interval. Objects of planes have the axis of their plane.
pub(super) fn sweep(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else { return };
    let sweeps = &picked.sweeps;
    let Some(own) = sweeps.intervals.kept.iter().find(|row| row.object == picked.object) else {
        return;
    };
    let rows: Vec<&Interval> =
        sweeps.intervals.kept.iter().filter(|row| row.axis == own.axis).collect();
    if sweeps.own != 1 || rows.len() <= sweeps.outcomes.all() {
        return;
    }
    let name = |object: u32| {
        let plane = snapshot.structure.sweeps.plane_of(object);
        plane.map_or(String::new(), |plane| plane.name().to_owned())
    };
    let caption = match snapshot.algorithm.regions().keeps_straddlers {
        true => "A row for each object; x, y, z: at a plane.",
        false => "A row for each object:",
    };
    let Some(chart) = Chart::draw(ui, rows, caption, &name, snapshot, theme) else { return };
    let last = chart.rows.len() - 1;
    for end in [own.low, own.high] {
        let half = vec2(0.0, 0.5 * ROW);
        let ends = [chart.at(end, 0) - half, chart.at(end, last) + half];
        ui.painter().line_segment(ends, Stroke::new(1.0, solid(theme.picked)));
    }
}

/// Intervals on an axis, from above by their lower ends.
struct Chart<'a> {
    area: Rect,
    low: f32,
    per_unit: f32,
    rows: Vec<&'a Interval>,
}

impl<'a> Chart<'a> {
    /// Draws them below a caption, with names beside them; `None` if they are too many.
    fn draw(
        ui: &mut Ui,
        mut rows: Vec<&'a Interval>,
        caption: &str,
        name: &dyn Fn(u32) -> String,
        snapshot: &Snapshot,
        theme: &Theme,
    ) -> Option<Self> {
        if rows.len() > MOST {
            return None;
        }
        rows.sort_by(|a, b| a.low.total_cmp(&b.low));
        let low = rows.iter().fold(f32::INFINITY, |low, row| low.min(row.low));
        let high = rows.iter().fold(f32::NEG_INFINITY, |high, row| high.max(row.high));
        // Infinite boxes have no place in a picture, and nothing has where all are one point.
        let per_unit = (WIDTH - NUMBERS - ROW) / (high - low);
        if !per_unit.is_finite() || !(high - low).is_finite() {
            return None;
        }
        line(ui, caption);
        let size = vec2(WIDTH, ROW * rows.len() as f32);
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        let chart = Self { area, low, per_unit, rows };
        let painter = ui.painter();
        let ink = ui.visuals().strong_text_color();
        let own = snapshot.picked.as_ref().and_then(|picked| {
            let own = chart.rows.iter().find(|row| row.object == picked.object);
            Some((picked, **own?))
        });
        for (place, interval) in chart.rows.iter().enumerate() {
            let Interval { object, low, high, .. } = **interval;
            let beside_it = Pos2::new(area.left() + 0.5 * NUMBERS, chart.at(low, place).y);
            let font = FontId::proportional(MIN_TEXT);
            painter.text(beside_it, Align2::CENTER_CENTER, name(object), font, ink);
            let (color, strength) = match &own {
                Some((picked, own)) => {
                    let (_, color, strength) = beside(interval, Some(own), picked, theme);
                    (color, strength.max(0.4))
                }
                None => (theme.sphere(object as usize), 1.0),
            };
            let ends = [chart.at(low, place), chart.at(high, place)];
            painter.line_segment(ends, Stroke::new(4.0, solid(color).gamma_multiply(strength)));
        }
        Some(chart)
    }

    fn at(&self, end: f32, row: usize) -> Pos2 {
        let x = self.area.left() + NUMBERS + (end - self.low) * self.per_unit;
        Pos2::new(x, self.area.top() + ROW * (row as f32 + 0.5))
    }
}
