//! Times or tests of the last steps as lines.

use super::rows::Row;
use crate::format::{compact, counted, milliseconds_from};
use crate::panel::plot::{self, Axis, Plot, Scale, top};
use crate::session::FrameFigures;
use egui::{Stroke, Ui};
use std::iter::repeat_n;

/// One of this many values may be cut off.
const CUT_OFF: usize = 20;

/// Width of the axis, and distance to a line within which the pointer is at it, in points.
const AXIS_WIDTH: f32 = 60.0;
const REACH: f32 = 12.0;

/// More lines than this hide each other with the values of single steps: then they have means of this many steps.
const MAX_EXACT: usize = 6;
const MEAN_OF: u64 = 10;

/// The values of a line: those of its steps, or means of `group` steps, which begin at the same steps in all lines.
fn values(times: &[FrameFigures], of_tests: bool, group: u64) -> Vec<u64> {
    let value = |time: &FrameFigures| if of_tests { time.tests } else { time.search.total_ns() };
    let groups = times.chunk_by(|a, b| a.step / group == b.step / group);
    let means = groups.flat_map(|group| {
        let sum: u64 = group.iter().map(value).sum();
        repeat_n(sum / group.len() as u64, group.len())
    });
    means.collect()
}

/// Shows a line for each row that takes part, of its tests or of its times.
pub(super) fn show(ui: &mut Ui, rows: &[Row<'_>], shortest_ns: u64, scale: Scale, of_tests: bool) {
    let of_times = plot::milliseconds_from(shortest_ns);
    let axis_words = |value| if of_tests { compact(value) } else { of_times(value) };
    let in_words = |value: u64| match of_tests {
        true => counted(value as usize, "test"),
        false => format!("{} ms", milliseconds_from(shortest_ns, value as f64)),
    };
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| row.takes_part()).collect();
    let group = if rows.len() > MAX_EXACT { MEAN_OF } else { 1 };
    let values: Vec<Vec<u64>> = rows.iter().map(|row| values(row.times, of_tests, group)).collect();
    let all = values.concat();
    let (top, is_cut_off) = top(&all, CUT_OFF);
    let (least, peak) = (all.iter().min().unwrap_or(&1), all.iter().max().unwrap_or(&0));
    if group > 1 {
        ui.weak(format!("Means of {group} steps"));
    }
    if is_cut_off {
        ui.weak(format!("Triangles: cut off, up to {}", in_words(*peak)));
    }
    let height = ui.available_height();
    let axis = Axis::new(scale, *least as f64, top);
    let (plot, response) = Plot::new(ui, height, axis, AXIS_WIDTH, axis_words);
    let lines: Vec<_> = values.iter().map(|values| plot.points(values)).collect();
    for ((row, values), points) in rows.iter().zip(&values).zip(&lines) {
        let width = if row.drives { 2.5 } else { 1.5 };
        plot.line(points, values, row.dash, Stroke::new(width, row.color));
    }
    let Some(at) = response.hover_pos() else { return };
    let near = lines.iter().enumerate().flat_map(|(line, points)| {
        points.iter().enumerate().map(move |(step, point)| (point.distance(at), line, step))
    });
    let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, line, step)) = nearest.filter(|(distance, ..)| *distance <= REACH) {
        let value = in_words(values[line][step]);
        let ago = counted(values[line].len() - 1 - step, "step");
        let name = rows[line].algorithm.name;
        response.on_hover_text_at_pointer(format!("{name}: {value}, {ago} ago"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_lines_have_means_of_the_same_steps() {
        let time = |step| FrameFigures { step, tests: step, ..FrameFigures::default() };
        let times: Vec<_> = (8..22).map(time).collect();
        assert_eq!(values(&times, true, 1), Vec::from_iter(8..22));
        let means = values(&times, true, 10);
        assert_eq!((means.len(), &means[..3], means[12]), (14, &[8, 8, 14][..], 20));
        assert_eq!(values(&times[2..], true, 10), means[2..]);
    }
}
