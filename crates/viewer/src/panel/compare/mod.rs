//! Other algorithms on the same boxes, step by step.

mod bars;
mod columns;
mod entry;
mod fastest;
mod lines;
mod list;
mod palette;
mod ranking;
mod scale;
mod sorting;
mod verdict;

use super::command::Command;
use crate::measuring::MeasuringState;
use crate::session::Disagreement;
use crate::simulation::{Order, Snapshot};
use broadphase::Pair;
use egui::{Frame, Layout, Panel, RichText, Sense, Ui, vec2};
use egui_plot::ItemId;
use entry::Entry;
use std::ops::RangeInclusive;
use verdict::NOTE;

pub use scale::Scale;

/// Minimum height of the comparison in points.
const MIN_HEIGHT: f32 = 230.0;

/// Its share of the height of a tall window: the list of algorithms is long.
const SHARE_OF_HEIGHT: f32 = 0.36;

/// Height that it leaves to the bar of steps and the scene when its edge is dragged, in points.
const LEFT_ABOVE: f32 = 220.0;

/// Width of the list of algorithms in points, in a wide strip.
const LIST_WIDTH: f32 = 524.0;

/// Maximum share of the width for the list; the chart takes the rest.
const LIST_SHARE: f32 = 0.56;

/// Width of the legend of the parts, in points.
const PARTS_WIDTH: f32 = 130.0;

/// Above this number of algorithms the comparison opens with bars: more lines cannot be distinguished.
const MAX_LINES: usize = 8;

/// Minimum width of a strip whose title and switches are in a line, in points.
const IN_LINE: f32 = 720.0;

/// Minimum width of a strip with list and chart, in points.
const WIDE: f32 = 760.0;

/// Settings of the comparison.
#[derive(Clone, Debug, Default)]
pub struct CompareState {
    /// Whether it is shown.
    pub open: bool,
    /// The chosen chart; `None` leaves the choice to the number of algorithms.
    pub view: Option<View>,
    /// Whether the chart takes the place of the list where both have no room.
    replaces_list: bool,
    /// The chosen axis of its charts; `None` leaves the choice to the lengths of bars.
    pub scale: Option<Scale>,
    has_uneven_bars: bool,
    order: sorting::Order,
    /// Whether the ranking over the whole input is shown, once there is one.
    pub ranked: bool,
    ranking: columns::Sorting<ranking::Column>,
    /// The line under the pointer.
    hovered: Option<ItemId>,
    /// Step and pair of the last disagreement seen.
    seen: Option<(u64, Pair)>,
}

/// The chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Times of the last steps.
    Lines,
    /// Medians, the fastest first.
    Bars,
    /// Tests of the present step, the fewest first.
    Tests,
}

impl CompareState {
    /// The chart that opens, by the number of algorithms.
    fn view(&self, algorithms: usize) -> View {
        let fitting = if algorithms > MAX_LINES { View::Bars } else { View::Lines };
        self.view.unwrap_or(fitting)
    }

    /// The axis of a chart: the chosen one, or a logarithmic one where a bar is much longer than another.
    fn scale(&self, view: View, entries: &[Entry<'_>]) -> Scale {
        let is_log = view != View::Lines && bars::are_uneven(view, entries, self.has_uneven_bars);
        self.scale.unwrap_or(if is_log { Scale::Log } else { Scale::Linear })
    }

    /// The first object of a disagreement, once when it is new: another may be picked afterwards.
    pub(super) fn object_to_pick(&mut self, disagreement: Option<&Disagreement>) -> Option<u32> {
        let now = disagreement.map(|found| (found.step, found.pair()));
        let is_new = now != self.seen;
        self.seen = now;
        now.filter(|_| is_new).map(|(_, pair)| pair.a)
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
    let entries = entry::entries(snapshot, ui.visuals().dark_mode);
    let view = state.view(1 + snapshot.compared.len());
    state.has_uneven_bars = bars::are_uneven(view, &entries, state.has_uneven_bars);
    let scale = state.scale(view, &entries);
    let is_wide = ui.available_width() >= WIDE;
    let in_line = ui.available_width() >= IN_LINE;
    let chart = if is_wide || state.replaces_list { Some(view) } else { None };
    let measured = measuring.filter(|measuring| state.ranked && measuring.has_ranking());
    ui.add_space(4.0);
    let from_right = Layout::right_to_left(egui::Align::Center);
    let mut title = |ui: &mut Ui, state: &mut CompareState| {
        ui.strong("Compare").on_hover_text(NOTE);
        choose_all(ui, &entries, commands);
        ui.separator();
        ranking::buttons(ui, &mut state.ranked, measuring, commands);
    };
    if in_line {
        ui.horizontal(|ui| {
            title(ui, state);
            if measured.is_none() {
                ui.with_layout(from_right, |ui| views(ui, state, chart, scale, is_wide));
            }
        });
    } else {
        ui.horizontal_wrapped(|ui| title(ui, state));
    }
    if let Some(measuring) = measured {
        return ranking::show(ui, &mut state.ranking, measuring, snapshot);
    }
    if !in_line {
        ui.horizontal(|ui| {
            ui.with_layout(from_right, |ui| views(ui, state, chart, scale, is_wide))
        });
    }
    // Below the rows, which would move under the pointer where a sentence is added.
    let below = Panel::bottom("verdict").frame(Frame::NONE).show_separator_line(false);
    below.show(ui, |ui| {
        verdict::show(ui, snapshot, picked);
        fastest::show(ui, &entries);
    });
    let Some(view) = chart else {
        return list::show(ui, &entries, &mut state.order, commands);
    };
    if !is_wide {
        return show_chart(ui, state, &entries, view, scale);
    }
    list_beside_chart(ui, state, &entries, view, scale, commands);
}

fn list_beside_chart(
    ui: &mut Ui,
    state: &mut CompareState,
    entries: &[Entry<'_>],
    view: View,
    scale: Scale,
    commands: &mut Vec<Command>,
) {
    ui.horizontal_top(|ui| {
        let height = ui.available_height();
        let width = LIST_WIDTH.min(LIST_SHARE * ui.available_width());
        ui.allocate_ui(vec2(width, height), |ui| {
            ui.set_width(width);
            list::show(ui, entries, &mut state.order, commands);
        });
        ui.separator();
        ui.vertical(|ui| show_chart(ui, state, entries, view, scale));
    });
}

/// Shows the chart.
fn show_chart(
    ui: &mut Ui,
    state: &mut CompareState,
    entries: &[Entry<'_>],
    view: View,
    scale: Scale,
) {
    match view {
        View::Lines => lines::show(ui, entries, scale, &mut state.hovered),
        View::Bars => bars::show_times(ui, entries, scale),
        View::Tests => bars::show_tests(ui, entries, scale),
    }
}

/// The buttons that compare all families, their variants too, or none.
fn choose_all(ui: &mut Ui, entries: &[Entry<'_>], commands: &mut Vec<Command>) {
    let others = || entries.iter().filter(|entry| !entry.drives);
    let available = |entry: &&Entry<'_>| entry.algorithm.unavailable.is_none();
    let families = |entry: &&Entry<'_>| available(entry) && entry.algorithm.variant.is_none();
    type Chosen<'a> = &'a dyn Fn(&&Entry<'_>) -> bool;
    let all: [(&str, &str, Chosen<'_>); 3] = [
        ("All", "Compare an algorithm of each family", &families),
        ("+ variants", "Compare all algorithms, the variants of each family too", &available),
        ("None", "Compare no algorithm", &|_| false),
    ];
    for (name, meaning, is_chosen) in all {
        let is_so = others().all(|entry| entry.is_compared == is_chosen(&entry));
        let button = ui.add_enabled(!is_so, egui::Button::new(name));
        if button.on_hover_text(meaning).clicked() {
            let chosen = others().filter(|entry| is_chosen(entry));
            commands.push(Order::Compare(chosen.map(|entry| entry.algorithm).collect()).into());
        }
    }
}

/// The switches of the chart, from right to left. `view` is the chart that is shown, `None` the list in its place.
fn views(ui: &mut Ui, state: &mut CompareState, view: Option<View>, scale: Scale, is_wide: bool) {
    for (name, choice, meaning) in [
        (
            "Log",
            Scale::Log,
            "Equal distances are equal ratios. Chosen automatically if one bar is over 20 times as long as another",
        ),
        ("Linear", Scale::Linear, "Equal distances are equal differences"),
    ] {
        if ui.selectable_label(scale == choice, name).on_hover_text(meaning).clicked() {
            state.scale = Some(choice);
        }
    }
    ui.separator();
    for (name, choice, meaning) in [
        ("Tests", View::Tests, "Pairs tested in this step, the fewest first"),
        ("Bars", View::Bars, "Medians of the last steps, the fastest algorithm first"),
        (
            "Lines",
            View::Lines,
            "The times of the last 300 steps; rare peaks are cut off. Of more than eight algorithms \
             their running medians. The area is the update of the line under the pointer",
        ),
    ] {
        if ui.selectable_label(view == Some(choice), name).on_hover_text(meaning).clicked() {
            state.view = Some(choice);
            state.replaces_list = true;
        }
    }
    if !is_wide {
        let list = ui.selectable_label(view.is_none(), "List");
        let meaning =
            "The algorithms with their figures; list and chart have no room together here";
        if list.on_hover_text(meaning).clicked() {
            state.replaces_list = false;
        }
    }
    let has_parts = match view {
        Some(View::Lines) => true,
        Some(View::Bars) => scale == Scale::Linear,
        Some(View::Tests) | None => false,
    };
    if has_parts && ui.available_width() >= PARTS_WIDTH {
        parts_legend(ui);
    }
}

/// The meaning of the pale and the full part of bars and areas.
fn parts_legend(ui: &mut Ui) {
    let gray = ui.visuals().text_color();
    // From right to left.
    for (name, color) in [("pairs", gray), ("update", gray.gamma_multiply(0.45))] {
        ui.label(RichText::new(name).small());
        let (mark, _) = ui.allocate_exact_size(vec2(12.0, 8.0), Sense::hover());
        ui.painter().rect_filled(mark, 1.0, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::benchmark::PairFault;

    #[test]
    fn axis_of_uneven_bars_is_logarithmic_unless_chosen() {
        let mut state = CompareState::default();
        let mut entries = [1_000_000, 20_000_000].map(|ns| entry::tests::timed([ns]));
        let mut scale = |longest, chosen| {
            entries[1].times = entry::tests::timed([longest]).times;
            entry::tests::compare_for_tests(&mut entries);
            state.scale = chosen;
            state.has_uneven_bars = bars::are_uneven(View::Bars, &entries, state.has_uneven_bars);
            state.scale(View::Bars, &entries)
        };
        // Once logarithmic, it stays so for a ratio of 16.
        for (ms, expected) in
            [(20, Scale::Linear), (21, Scale::Log), (16, Scale::Log), (15, Scale::Linear)]
        {
            assert_eq!(scale(ms * 1_000_000, None), expected, "{ms} to 1");
        }
        assert_eq!(scale(21_000_000, Some(Scale::Linear)), Scale::Linear);
        assert_eq!(CompareState::default().scale(View::Lines, &entries), Scale::Linear);
    }

    #[test]
    fn a_disagreement_picks_its_object_once() {
        let [right, wrong] = ["bsp", "kd-tree"].map(|id| broadphase::registry::find(id).unwrap());
        let fault = PairFault::Missing(Pair::new(3, 7));
        let found = Disagreement { step: 5, wrong, other: right, fault };
        let mut state = CompareState::default();
        assert_eq!(state.object_to_pick(None), None);
        assert_eq!(state.object_to_pick(Some(&found)), Some(3));
        assert_eq!(
            state.object_to_pick(Some(&found)),
            None,
            "another object may be picked meanwhile"
        );
        let next = Disagreement { step: 6, ..found };
        assert_eq!(state.object_to_pick(Some(&next)), Some(3));
        assert_eq!(state.object_to_pick(None), None);
        assert_eq!(state.object_to_pick(Some(&next)), Some(3));
    }
}
