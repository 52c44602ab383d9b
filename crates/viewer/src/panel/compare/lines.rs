//! The times of the last steps as lines.

use super::rows::Row;
use crate::format::{counted, milliseconds};
use crate::panel::plot::{Axis, LineStyle, Plot, Scale, top};
use egui::{Stroke, Ui};
use measure::SearchPhase;

/// Above this number of algorithms, lines are running medians: single peaks would cover each other.
const MAX_WITH_PEAKS: usize = 8;

/// Steps of a running median.
const MEDIAN_STEPS: usize = 15;

/// One time in so many may be cut off.
const CUT_OFF: usize = 20;

/// Width of the axis, and distance to a line within which the pointer is at it, in points.
const AXIS_WIDTH: f32 = 60.0;
const REACH: f32 = 12.0;

/// Shows a line for each row that takes part. That under the pointer has its update filled, else that of the driving
/// algorithm.
pub(super) fn show(ui: &mut Ui, rows: &[Row<'_>], scale: Scale) {
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| row.takes_part()).collect();
    let totals: Vec<Vec<u64>> = rows.iter().map(|row| totals(row, rows.len())).collect();
    let all = totals.concat();
    let (top_ns, peak) = top(&all, CUT_OFF);
    let least = all.iter().min().copied().unwrap_or(1_000_000);
    let axis = Axis::new(scale, least as f64, top_ns);
    let height = ui.available_height();
    let (plot, response) = Plot::new(ui, height, axis, AXIS_WIDTH);
    let lines: Vec<_> = totals.iter().map(|totals| plot.points(totals)).collect();
    let hovered = response.hover_pos().and_then(|at| {
        let near = lines.iter().enumerate().flat_map(|(line, points)| {
            points.iter().enumerate().map(move |(step, point)| (point.distance(at), line, step))
        });
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.filter(|(distance, ..)| *distance <= REACH).map(|(_, line, step)| (line, step))
    });
    for (number, (row, points)) in rows.iter().zip(lines).enumerate() {
        // One area at most: those of many algorithms cover each other.
        if hovered.map_or(row.drives, |(line, _)| line == number) {
            let update = |time: &crate::session::SearchTime| time.phases[SearchPhase::Update];
            let updates: Vec<u64> = row.times.iter().map(update).collect();
            plot.fill(&vec![0; updates.len()], &updates, row.color.gamma_multiply(0.14));
        }
        let width = match row.style {
            LineStyle::Dotted(_) => 1.0,
            _ if row.drives => 2.5,
            _ => 1.5,
        };
        plot.line(points, row.style, Stroke::new(width, row.color));
    }
    if let Some((_, ns)) = peak {
        plot.note(ui, true, format!("cut off: up to {} ms", milliseconds(ns as f64)));
    }
    if let Some((line, step)) = hovered {
        let ms = milliseconds(totals[line][step] as f64);
        let ago = counted(totals[line].len() - 1 - step, "step");
        let name = rows[line].algorithm.name;
        response.on_hover_text_at_pointer(format!("{name}: {ms} ms, {ago} ago"));
    }
}

/// The times of one of several algorithms in ns, or their running median.
fn totals(row: &Row<'_>, algorithms: usize) -> Vec<u64> {
    let totals: Vec<u64> = row.times.iter().map(|time| time.phases.total_ns()).collect();
    if algorithms <= MAX_WITH_PEAKS {
        return totals;
    }
    let median = |end: usize| {
        let mut last = totals[(end + 1).saturating_sub(MEDIAN_STEPS)..=end].to_vec();
        measure::median(&mut last).unwrap_or_default()
    };
    (0..totals.len()).map(median).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::timed;
    use super::*;

    #[test]
    fn many_lines_are_running_medians() {
        let row = timed("bsp", [1, 9, 1, 1, 7, 1].map(|ms| ms * 1_000_000));
        assert_eq!(totals(&row, MAX_WITH_PEAKS)[1], 9_000_000);
        assert_eq!(totals(&row, MAX_WITH_PEAKS + 1)[2..], [1_000_000; 4]);
        assert!(totals(&timed("bsp", []), 99).is_empty());
    }
}
