//! Times or tests of the last steps as lines.

use super::rows::Row;
use crate::format::{compact, counted, milliseconds_from};
use crate::panel::plot::{self, Axis, Plot, Scale, top};
use egui::{Stroke, Ui};

/// One of this many values may be cut off.
const CUT_OFF: usize = 20;

/// Width of the axis, and distance to a line within which the pointer is at it, in points.
const AXIS_WIDTH: f32 = 60.0;
const REACH: f32 = 12.0;

/// Shows a line for each row that takes part, of its tests or of its times.
pub(super) fn show(ui: &mut Ui, rows: &[Row<'_>], shortest_ns: u64, scale: Scale, of_tests: bool) {
    let of_times = plot::milliseconds_from(shortest_ns);
    let in_words = |value| if of_tests { compact(value) } else { of_times(value) };
    let time = |ns| format!("{} ms", milliseconds_from(shortest_ns, ns));
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| row.takes_part()).collect();
    let values = |row: &&Row<'_>| -> Vec<u64> {
        let times = row.times.iter();
        times.map(|time| if of_tests { time.tests } else { time.search.total_ns() }).collect()
    };
    let values: Vec<Vec<u64>> = rows.iter().map(values).collect();
    let all = values.concat();
    let (top, is_cut_off) = top(&all, CUT_OFF);
    let least = all.iter().min().copied().unwrap_or(1);
    let axis = Axis::new(scale, least as f64, top);
    let height = ui.available_height();
    let (plot, response) = Plot::new(ui, height, axis, AXIS_WIDTH, in_words);
    let lines: Vec<_> = values.iter().map(|values| plot.points(values)).collect();
    for ((row, values), points) in rows.iter().zip(&values).zip(&lines) {
        let width = if row.drives { 2.5 } else { 1.5 };
        plot.line(points, values, row.dash, Stroke::new(width, row.color));
    }
    if is_cut_off {
        let peak = all.iter().max().copied().unwrap_or(0) as f64;
        let peak = if of_tests { compact(peak) } else { time(peak) };
        plot.note(ui, format!("triangles: cut off, up to {peak}"));
    }
    let Some(at) = response.hover_pos() else { return };
    let near = lines.iter().enumerate().flat_map(|(line, points)| {
        points.iter().enumerate().map(move |(step, point)| (point.distance(at), line, step))
    });
    let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, line, step)) = nearest.filter(|(distance, ..)| *distance <= REACH) {
        let value = values[line][step];
        let value = match of_tests {
            true => counted(value as usize, "test"),
            false => time(value as f64),
        };
        let ago = counted(values[line].len() - 1 - step, "step");
        let name = rows[line].algorithm.name;
        response.on_hover_text_at_pointer(format!("{name}: {value}, {ago} ago"));
    }
}
