//! Other algorithms on the same boxes: a table and a plot of the last steps, or a table of the whole input.

mod lines;
mod measured;
mod palette;
mod rows;
mod table;
mod verdict;

use super::SCRUBBER_HEIGHT;
use super::command::Command;
use super::figures;
use super::plot::Scale;
use crate::measuring::MeasuringState;
use crate::simulation::{Order, Snapshot};
use egui::{Frame, Panel, Ui, vec2};
use rows::Row;
use std::ops::RangeInclusive;
use verdict::NOTE;

/// Height of the comparison in points, where the window has room for it.
const HEIGHT: f32 = 230.0;

/// Its share of the height of a tall window: the list of algorithms is long.
const SHARE_OF_HEIGHT: f32 = 0.36;

/// The scene keeps at least this share of the height.
const SHARE_OF_SCENE: f32 = 0.4;

/// Share of the width for the table; the plot takes the rest.
const TABLE_SHARE: f32 = 0.62;

/// Minimum width of a strip with table and plot, in points.
const WIDE: f32 = 760.0;

/// An axis becomes logarithmic if one bar is longer than another by this factor: the shorter one could not be read.
const UNEVEN: f64 = 20.0;

/// Settings of the comparison.
#[derive(Clone, Debug, Default)]
pub struct CompareState {
    /// Whether it is shown.
    pub open: bool,
    shown: Part,
    /// The axis of bars and lines; `None` until it is chosen, or a bar cannot be read.
    scale: Option<Scale>,
    order: table::Order,
    /// Whether the table shows the whole input, once it is measured.
    pub ranked: bool,
}

/// The part that a narrow strip shows, and the values of a plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Table,
    Times,
    Tests,
}

impl CompareState {
    /// The axis of these rows: a linear one, until a bar cannot be read.
    fn scale(&mut self, rows: &[Row<'_>]) -> Scale {
        let bars = || rows.iter().filter_map(|row| row.figures[self.order.bars()]);
        let least = bars().fold(f64::INFINITY, f64::min).max(1.0);
        if self.scale.is_none() && bars().any(|bar| bar > UNEVEN * least) {
            self.scale = Some(Scale::Log);
        }
        self.scale.unwrap_or_default()
    }
}

/// Height of the comparison in a window of this height, and the range to which its edge can be dragged, in points.
pub(super) fn heights(window: f32) -> (f32, RangeInclusive<f32>) {
    let most = ((1.0 - SHARE_OF_SCENE) * window - SCRUBBER_HEIGHT).max(0.0);
    let least = HEIGHT.min(most);
    ((SHARE_OF_HEIGHT * window).round().clamp(least, most), least..=most)
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
    let measuring_shown = measuring.filter(|measuring| state.ranked && measuring.has_ranking());
    let ranked = match measuring_shown {
        Some(MeasuringState::Done(ranking)) => Some(rows::ranked(snapshot, ranking, dark)),
        _ => None,
    };
    let rows = ranked.as_ref().unwrap_or(&live);
    let scale = state.scale(rows);
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        ui.strong("Compare").on_hover_text(NOTE);
        choose_all(ui, &live, commands);
        ui.separator();
        measured::buttons(ui, &mut state.ranked, measuring, commands);
        ui.separator();
        if ranked.is_none() {
            parts(ui, &mut state.shown, is_wide);
        }
        for (name, choice) in [("Linear", Scale::Linear), ("Log", Scale::Log)] {
            if ui.selectable_label(scale == choice, name).clicked() {
                state.scale = Some(choice);
            }
        }
        figures::in_browser(ui, snapshot);
    });
    match measuring_shown {
        Some(MeasuringState::Running(running)) => {
            return measured::progress(ui, running, snapshot);
        }
        Some(MeasuringState::Done(ranking)) => {
            measured::heading(ui, ranking);
            if let Some(recommendation) = verdict::recommendation(rows, true) {
                ui.label(recommendation);
            }
            return table::show(ui, rows, &mut state.order, scale, commands);
        }
        _ => {}
    }
    // Below the rows, which would move under the pointer where a sentence is added.
    let below = Panel::bottom("verdict").frame(Frame::NONE).show_separator_line(false);
    below.show(ui, |ui| verdict::show(ui, snapshot, rows, picked));
    let (of_tests, shortest_ns) = (state.shown == Part::Tests, snapshot.engine.shortest_ns);
    if !is_wide {
        return match state.shown {
            Part::Table => table::show(ui, rows, &mut state.order, scale, commands),
            _ => lines::show(ui, rows, shortest_ns, scale, of_tests),
        };
    }
    ui.horizontal_top(|ui| {
        let size = vec2(TABLE_SHARE * ui.available_width(), ui.available_height());
        ui.allocate_ui(size, |ui| {
            ui.set_width(size.x);
            table::show(ui, rows, &mut state.order, scale, commands);
        });
        ui.separator();
        ui.vertical(|ui| lines::show(ui, rows, shortest_ns, scale, of_tests));
    });
}

/// The choice between the table, where both have no room, and a plot of times or tests.
fn parts(ui: &mut Ui, shown: &mut Part, is_wide: bool) {
    for (name, part) in [("Table", Part::Table), ("Times", Part::Times), ("Tests", Part::Tests)] {
        let is_plotted = is_wide && part == Part::Times && *shown == Part::Table;
        if is_wide && part == Part::Table {
            continue;
        }
        if ui.selectable_label(*shown == part || is_plotted, name).clicked() {
            *shown = part;
        }
    }
    ui.separator();
}

/// The buttons that compare all families, their variants too, or none.
fn choose_all(ui: &mut Ui, rows: &[Row<'_>], commands: &mut Vec<Command>) {
    let others = || rows.iter().filter(|row| !row.drives);
    for (name, meaning, families, variants) in [
        ("All", "Compare an algorithm of each family", true, false),
        ("+ variants", "Compare all algorithms, the variants of each family too", true, true),
        ("None", "Compare no algorithm", false, false),
    ] {
        let is_chosen = |row: &&Row<'_>| {
            let wanted = if row.algorithm.variant.is_none() { families } else { variants };
            wanted && row.algorithm.unavailable.is_none()
        };
        let is_so = others().all(|row| row.is_compared == is_chosen(&row));
        let button = ui.add_enabled(!is_so, egui::Button::new(name));
        if button.on_hover_text(meaning).clicked() {
            let chosen = others().filter(|row| is_chosen(row));
            commands.push(Order::Compare(chosen.map(|row| row.algorithm).collect()).into());
        }
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
