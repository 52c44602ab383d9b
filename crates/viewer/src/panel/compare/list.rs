//! The list of algorithms: a tick box and figures for each, sorted by any of them.

use super::entry::{Counted, Entry};
use super::palette;
use super::sorting::{Column, Order, Sorting};
use crate::panel::algorithm::variant_name;
use crate::panel::command::Command;
use crate::panel::figures::{self, memory};
use crate::panel::format::{compact, milliseconds, ratio};
use crate::panel::widgets::{named, small_figure};
use crate::simulation;
use broadphase::registry::Algorithm;
use egui::{Align, Button, Checkbox, Grid, Layout, RichText, ScrollArea, Sense, Ui, vec2};

/// Widths of the figures in characters.
const TIME: usize = 7;
const RATIO: usize = 6;
const TESTS: usize = 7;
const WORK: usize = 7;
const MEMORY: usize = 8;

/// Approximate width of all columns but the first and the work, in points, and of the work.
const FIGURES_WIDTH: f32 = 300.0;
const WORK_WIDTH: f32 = 58.0;

/// The column of the work is shown where this width is left for a name, in points.
const NAME_BESIDE_WORK: f32 = 150.0;

/// Bounds of the width of a name, in points.
const MIN_NAME_WIDTH: f32 = 90.0;
const MAX_NAME_WIDTH: f32 = 190.0;

/// Indentation of variants in points.
const INDENT: f32 = 14.0;

/// Tooltip of a dash.
const NOT_YET: &str = "Not yet compared";
const NOT_HERE: &str =
    "It did not search this step: the compared algorithms search those that are taken";

/// Tooltip of a tick box.
const TICK_MEANING: &str = "Let it search the same boxes, to be compared. It is dropped once it takes 100 times \
                            as long as the driving algorithm, and at least 50 ms a step";

pub(super) fn show(
    ui: &mut Ui,
    entries: &[Entry<'_>],
    order: &mut Order,
    commands: &mut Vec<Command>,
) {
    let is_pointed_at = ui.rect_contains_pointer(ui.max_rect());
    let sorted = order.of(entries, is_pointed_at);
    let width = ui.available_width() - FIGURES_WIDTH;
    let shows_work = width - WORK_WIDTH >= NAME_BESIDE_WORK;
    let width = if shows_work { width - WORK_WIDTH } else { width };
    let name_width = width.clamp(MIN_NAME_WIDTH, MAX_NAME_WIDTH);
    ScrollArea::both().id_salt("algorithms").auto_shrink([false, false]).show(ui, |ui| {
        Grid::new("algorithms").num_columns(6).striped(true).spacing([6.0, 2.0]).show(ui, |ui| {
            head(ui, &mut order.sorting, shows_work);
            let mut above = None;
            for entry in sorted {
                let family = entry.algorithm.family;
                let variant = entry.algorithm.variant.filter(|_| above == Some(family));
                name(ui, entry, variant, entries, name_width, commands);
                figures(ui, entry, shows_work);
                ui.end_row();
                above = Some(family);
            }
        });
    });
}

/// The names of the columns: a click sorts.
fn head(ui: &mut Ui, sorting: &mut Sorting, shows_work: bool) {
    for (column, name, width, meaning) in [
        (Column::Algorithm, "algorithm", 0, "The order of the list of algorithms"),
        (
            Column::Time,
            "ms",
            TIME,
            "Median of update and pairs together, over the steps that all have in common, at most \
             the last 300",
        ),
        (Column::Ratio, "ratio", RATIO, "That time divided by that of the driving algorithm"),
        (Column::Tests, "tests", TESTS, "Pairs tested in this step"),
        (
            Column::Work,
            "work",
            WORK,
            "Work in this step that is no test, such as cells of a matrix written: what there is most of",
        ),
        (Column::Memory, "memory", MEMORY, figures::MEMORY),
    ] {
        if column == Column::Work && !shows_work {
            continue;
        }
        sorting.head(ui, column, ["Sort by", name], width, meaning);
    }
    ui.end_row();
}

/// A tick box, a name and a line; a variant below its family is named by its difference.
fn name(
    ui: &mut Ui,
    entry: &Entry<'_>,
    variant: Option<&'static str>,
    entries: &[Entry<'_>],
    width: f32,
    commands: &mut Vec<Command>,
) {
    let Algorithm { id, name, summary, .. } = entry.algorithm;
    // A row keeps its widgets where it moves.
    ui.push_id(id, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let (text, indent) = match variant {
                None => (name.to_string(), 0.0),
                Some(variant) => (format!("+ {}", variant_name(Some(variant))), INDENT),
            };
            ui.add_space(indent);
            let dot = if entry.drives { 12.0 } else { 0.0 };
            let mut ticked = entry.drives || entry.is_compared;
            let fixed = match entry.algorithm.unavailable {
                Some(reason) => Some(format!("Unavailable: {reason}")),
                None => {
                    entry.drives.then(|| "It drives the scene: it always takes part".to_owned())
                }
            };
            let tick = ui.add_enabled(fixed.is_none(), Checkbox::without_text(&mut ticked));
            let tick = named(tick, name)
                .on_hover_text(TICK_MEANING)
                .on_disabled_hover_text(fixed.unwrap_or_default());
            if tick.changed() {
                commands.push(compared(entries, entry, ticked));
            }
            if entry.drives {
                let (place, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
                ui.painter().circle_filled(place.center(), 3.5, ui.visuals().strong_text_color());
            }
            let fastest = entry.summary.is_some_and(|summary| summary.is_fastest);
            let text = RichText::new(text);
            let text = if entry.drives || fastest { text.strong() } else { text };
            let size = vec2(width - indent - dot, ui.spacing().interact_size.y);
            let label = Button::new(text).frame(false).truncate();
            let label =
                ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                    ui.set_width(size.x);
                    ui.add_enabled(entry.algorithm.unavailable.is_none(), label)
                });
            let label = named(label.inner, &format!("Drive with {name}"));
            let drives =
                if entry.drives { "It drives the scene" } else { "Click: it drives the scene" };
            if label.on_hover_text(format!("{name}: {summary}\n{drives}")).clicked()
                && !entry.drives
            {
                commands.push(simulation::Order::Algorithm(entry.algorithm).into());
            }
            let (place, _) = ui.allocate_exact_size(vec2(22.0, 10.0), Sense::hover());
            palette::sample(ui.painter(), place, entry.color, entry.style);
        })
    });
}

/// An order of all ticked algorithms, after one has changed.
fn compared(entries: &[Entry<'_>], changed: &Entry<'_>, ticked: bool) -> Command {
    let is_ticked = |entry: &&Entry<'_>| {
        if entry.algorithm == changed.algorithm { ticked } else { entry.is_compared }
    };
    let rows = entries.iter().filter(is_ticked).map(|entry| entry.algorithm).collect();
    simulation::Order::Compare(rows).into()
}

fn figures(ui: &mut Ui, entry: &Entry<'_>, shows_work: bool) {
    if !entry.takes_part() {
        return;
    }
    let figure = |text: String, width| small_figure(format!("{text:>width$}"));
    let dash = |width| figure("–".to_owned(), width);
    let time = entry.summary.map(|summary| {
        let time = figure(milliseconds(summary.total_ns as f64), TIME);
        if summary.is_fastest { time.strong() } else { time }
    });
    let time = ui.label(time.unwrap_or_else(|| dash(TIME)));
    time.on_hover_text(entry.summary.map_or(NOT_YET.to_owned(), |summary| {
        format!("{}{}", if summary.is_fastest { "The fastest: " } else { "" }, summary.words())
    }));
    let compared = entry.summary.and_then(|summary| Some((summary.ratio?, summary.steps)));
    let shown = compared.map(|(value, _)| figure(ratio(value), RATIO));
    let shown = ui.label(shown.unwrap_or_else(|| dash(RATIO)));
    shown.on_hover_text(
        compared.map_or(NOT_YET.to_owned(), |(ratio, steps)| ratio_in_words(ratio, steps)),
    );
    let Some(counted) = entry.counted else {
        for width in [Some(TESTS), shows_work.then_some(WORK), Some(MEMORY)].into_iter().flatten() {
            ui.label(dash(width)).on_hover_text(NOT_HERE);
        }
        return;
    };
    let words = work_in_words(&counted);
    ui.label(figure(compact(counted.tests as f64), TESTS)).on_hover_text(&words);
    if shows_work {
        let most = counted.most_work().map(|work| compact(work.count as f64));
        ui.label(figure(most.unwrap_or_default(), WORK)).on_hover_text(&words);
    }
    ui.label(figure(memory(counted.bytes), MEMORY)).on_hover_text(figures::MEMORY);
}

/// Tests and all other work, in lines.
fn work_in_words(counted: &Counted<'_>) -> String {
    let mut words = format!("{} pairs tested in this step", compact(counted.tests as f64));
    if let Some(since) = counted.since {
        words += &format!("\nIts structure was new in step {}", compact(since as f64));
    }
    for work in counted.work {
        words += &format!("\n{} {}. {}", compact(work.count as f64), work.name, work.meaning);
    }
    words
}

/// Tooltip of a ratio.
fn ratio_in_words(ratio: f64, steps: usize) -> String {
    let text = match ratio {
        0.995..=1.005 => "As fast as the driving algorithm".to_owned(),
        ..0.995 => format!("{:.2} times as fast as the driving algorithm", 1.0 / ratio),
        _ => format!("Takes {ratio:.2} times as long as the driving algorithm"),
    };
    format!("{text}; medians over {steps} steps")
}
