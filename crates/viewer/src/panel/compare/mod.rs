//! Other algorithms on the same boxes: a table and a plot of the last steps, or a table of the whole input.

mod lines;
mod measured;
mod palette;
mod rows;
mod table;
mod verdict;

use super::command::Command;
use super::plot::Scale;
use crate::measuring::MeasuringState;
use crate::simulation::{Order, Snapshot};
use egui::{Frame, Layout, Panel, RichText, Sense, Ui, vec2};
use rows::{Column, Row};
use std::ops::RangeInclusive;
use verdict::NOTE;

/// Minimum height of the comparison in points.
const MIN_HEIGHT: f32 = 230.0;

/// Its share of the height of a tall window: the list of algorithms is long.
const SHARE_OF_HEIGHT: f32 = 0.36;

/// Height that it leaves to the bar of steps and the scene when its edge is dragged, in points.
const LEFT_ABOVE: f32 = 220.0;

/// Share of the width for the table; the plot takes the rest.
const TABLE_SHARE: f32 = 0.62;

/// Minimum width of a strip whose title and switches are in a line, and of one with table and plot, in points.
const IN_LINE: f32 = 720.0;
const WIDE: f32 = 760.0;

/// Width of the legend of the parts, in points.
const PARTS_WIDTH: f32 = 130.0;

/// An axis becomes logarithmic if one bar is longer than another by this factor: the shorter one could not be read.
const UNEVEN: f64 = 20.0;

/// Settings of the comparison.
#[derive(Clone, Debug, Default)]
pub struct CompareState {
    /// Whether it is shown.
    pub open: bool,
    /// Whether the plot takes the place of the table where both have no room.
    replaces_table: bool,
    /// The axis of bars and lines; `None` until it is chosen, or a bar cannot be read.
    scale: Option<Scale>,
    order: table::Order,
    /// Whether the table shows the whole input, once it is measured.
    pub ranked: bool,
}

impl CompareState {
    /// The axis of these rows: a linear one, until a bar cannot be read.
    fn scale(&mut self, rows: &[Row<'_>]) -> Scale {
        let bars = || rows.iter().filter_map(|row| self.order.bars().of(row));
        let least = bars().fold(f64::INFINITY, f64::min).max(1.0);
        if self.scale.is_none() && bars().any(|bar| bar > UNEVEN * least) {
            self.scale = Some(Scale::Log);
        }
        self.scale.unwrap_or_default()
    }
}

/// Height of the comparison in a window of this height, and the range to which its edge can be dragged, in points.
pub(super) fn heights(window: f32) -> (f32, RangeInclusive<f32>) {
    let height = (SHARE_OF_HEIGHT * window).round().max(MIN_HEIGHT);
    (height, MIN_HEIGHT..=(window - LEFT_ABOVE).max(MIN_HEIGHT))
}

pub(super) fn show(
    ui: &mut Ui,
    state: &mut CompareState,
    picked: &mut Option<u32>,
    snapshot: &Snapshot,
    measuring: Option<&MeasuringState>,
    commands: &mut Vec<Command>,
) {
    let dark = ui.visuals().dark_mode;
    let live = rows::live(snapshot, dark);
    let is_wide = ui.available_width() >= WIDE;
    let in_line = ui.available_width() >= IN_LINE;
    let measuring_shown = measuring.filter(|measuring| state.ranked && measuring.has_ranking());
    let ranked = match measuring_shown {
        Some(MeasuringState::Done(ranking)) => Some(rows::ranked(snapshot, ranking, dark)),
        _ => None,
    };
    let rows = ranked.as_ref().unwrap_or(&live);
    let scale = state.scale(rows);
    ui.add_space(4.0);
    let from_right = Layout::right_to_left(egui::Align::Center);
    let mut title = |ui: &mut Ui, state: &mut CompareState| {
        ui.strong("Compare").on_hover_text(NOTE);
        choose_all(ui, &live, commands);
        ui.separator();
        measured::buttons(ui, &mut state.ranked, measuring, commands);
    };
    let may_switch = !is_wide && ranked.is_none();
    let switches = |ui: &mut Ui, state: &mut CompareState| switches(ui, state, scale, may_switch);
    if in_line {
        ui.horizontal(|ui| {
            title(ui, state);
            ui.with_layout(from_right, |ui| switches(ui, state));
        });
    } else {
        ui.horizontal_wrapped(|ui| title(ui, state));
        ui.horizontal(|ui| ui.with_layout(from_right, |ui| switches(ui, state)));
    }
    match measuring_shown {
        Some(MeasuringState::Running(running)) => {
            return measured::progress(ui, running, snapshot);
        }
        Some(MeasuringState::Done(ranking)) => {
            measured::heading(ui, ranking);
            return table::show(ui, rows, &mut state.order, scale, commands);
        }
        _ => {}
    }
    // Below the rows, which would move under the pointer where a sentence is added.
    let below = Panel::bottom("verdict").frame(Frame::NONE).show_separator_line(false);
    below.show(ui, |ui| verdict::show(ui, snapshot, rows, picked));
    if !is_wide {
        return match state.replaces_table {
            true => lines::show(ui, rows, scale),
            false => table::show(ui, rows, &mut state.order, scale, commands),
        };
    }
    ui.horizontal_top(|ui| {
        let size = vec2(TABLE_SHARE * ui.available_width(), ui.available_height());
        ui.allocate_ui(size, |ui| {
            ui.set_width(size.x);
            table::show(ui, rows, &mut state.order, scale, commands);
        });
        ui.separator();
        lines::show(ui, rows, scale);
    });
}

/// The buttons that compare all families, their variants too, or none.
fn choose_all(ui: &mut Ui, rows: &[Row<'_>], commands: &mut Vec<Command>) {
    let others = || rows.iter().filter(|row| !row.drives);
    let available = |row: &&Row<'_>| row.algorithm.unavailable.is_none();
    let families = |row: &&Row<'_>| available(row) && row.algorithm.variant.is_none();
    type Chosen<'a> = &'a dyn Fn(&&Row<'_>) -> bool;
    let all: [(&str, &str, Chosen<'_>); 3] = [
        ("All", "Compare an algorithm of each family", &families),
        ("+ variants", "Compare all algorithms, the variants of each family too", &available),
        ("None", "Compare no algorithm", &|_| false),
    ];
    for (name, meaning, is_chosen) in all {
        let is_so = others().all(|row| row.is_compared == is_chosen(&row));
        let button = ui.add_enabled(!is_so, egui::Button::new(name));
        if button.on_hover_text(meaning).clicked() {
            let chosen = others().filter(|row| is_chosen(row));
            commands.push(Order::Compare(chosen.map(|row| row.algorithm).collect()).into());
        }
    }
}

/// The switches of the axis, and between table and plot, from right to left.
fn switches(ui: &mut Ui, state: &mut CompareState, scale: Scale, may_switch: bool) {
    for (name, choice) in [("Log", Scale::Log), ("Linear", Scale::Linear)] {
        if ui.selectable_label(scale == choice, name).clicked() {
            state.scale = Some(choice);
        }
    }
    if may_switch {
        ui.separator();
        for (name, is_plot) in [("Lines", true), ("Table", false)] {
            if ui.selectable_label(state.replaces_table == is_plot, name).clicked() {
                state.replaces_table = is_plot;
            }
        }
    }
    let has_parts = scale == Scale::Linear && state.order.bars() == Column::Median;
    if has_parts && ui.available_width() >= PARTS_WIDTH {
        parts_legend(ui);
    }
}

/// The meaning of the pale and the full part of bars, from right to left.
fn parts_legend(ui: &mut Ui) {
    let gray = ui.visuals().text_color();
    for (name, color) in [("pairs", gray), ("update", gray.gamma_multiply(0.45))] {
        ui.label(RichText::new(name).small());
        let (mark, _) = ui.allocate_exact_size(vec2(12.0, 8.0), Sense::hover());
        ui.painter().rect_filled(mark, 1.0, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rows::tests::compared;

    #[test]
    fn axis_of_uneven_bars_is_logarithmic_unless_chosen() {
        let rows = |longest: u64| compared([("bsp", &[1_000_000]), ("auto", &[longest])]);
        let mut state = CompareState::default();
        assert_eq!(state.scale(&rows(20_000_000)), Scale::Linear);
        assert_eq!(state.scale(&rows(21_000_000)), Scale::Log);
        assert_eq!(state.scale(&rows(2_000_000)), Scale::Log, "it stays");
        state.scale = Some(Scale::Linear);
        assert_eq!(state.scale(&rows(21_000_000)), Scale::Linear);
    }
}
