//! The list of algorithms: a tick box and figures for each.

use super::entry::Entry;
use super::palette;
use crate::panel::command::Command;
use crate::panel::format::{compact, megabytes};
use crate::panel::widgets::{named, small_figure};
use crate::simulation::Order;
use broadphase::registry::Algorithm;
use egui::{Checkbox, Grid, RichText, ScrollArea, Sense, Ui, vec2};

/// Widths of the figures in characters.
const TIME: usize = 8;
const RATIO: usize = 6;
const TESTS: usize = 8;
const MEMORY: usize = 8;

/// Indentation of variants in points.
const INDENT: f32 = 14.0;

/// Tooltip of a dash.
const NOT_YET: &str = "Not yet compared";

pub(super) fn show(ui: &mut Ui, entries: &[Entry], commands: &mut Vec<Command>) {
    ScrollArea::both().id_salt("algorithms").auto_shrink([false, false]).show(ui, |ui| {
        Grid::new("algorithms").num_columns(6).striped(true).spacing([6.0, 2.0]).show(ui, |ui| {
            head(ui);
            let mut above = None;
            for entry in entries {
                let family = entry.row.family;
                let variant = entry.row.variant.filter(|_| above == Some(family));
                name(ui, entry, variant, entries, commands);
                figures(ui, entry);
                ui.end_row();
                above = Some(family);
            }
        });
    });
}

fn head(ui: &mut Ui) {
    ui.weak("algorithm");
    ui.weak("");
    for (name, width, meaning) in [
        (
            "ms",
            TIME,
            "Median of update and pairs together, over the steps that all have in common, at most \
             the last 300",
        ),
        ("ratio", RATIO, "That time divided by that of the driving algorithm"),
        ("tests", TESTS, "Pairs tested in the last step"),
        ("memory", MEMORY, "Heap memory of the algorithm"),
    ] {
        ui.label(small_figure(format!("{name:>width$}")).weak()).on_hover_text(meaning);
    }
    ui.end_row();
}

/// A tick box, a name and a line; a variant below its family is named by its difference.
fn name(
    ui: &mut Ui,
    entry: &Entry,
    variant: Option<&str>,
    entries: &[Entry],
    commands: &mut Vec<Command>,
) {
    let Algorithm { name, summary, .. } = entry.row;
    ui.horizontal(|ui| {
        let (text, meaning) = match variant {
            None => (name.to_string(), summary.to_string()),
            Some(variant) => {
                ui.add_space(INDENT);
                (format!("+ {variant}"), format!("{name}: {summary}"))
            }
        };
        if entry.drives {
            // As near to its name as in a checkbox with text.
            let gap = std::mem::take(&mut ui.spacing_mut().item_spacing.x);
            let tick = ui.add_enabled(false, Checkbox::without_text(&mut true));
            ui.spacing_mut().item_spacing.x = gap;
            ui.strong(text).on_hover_text(meaning);
            named(tick, name)
                .on_disabled_hover_text("Its pairs move the spheres: it always takes part");
        } else {
            let mut ticked = entry.is_compared;
            let tick = named(ui.checkbox(&mut ticked, text), name).on_hover_text(meaning);
            if tick.changed() {
                commands.push(compared(entries, entry, ticked));
            }
        }
        let (place, _) = ui.allocate_exact_size(vec2(22.0, 10.0), Sense::hover());
        palette::sample(ui.painter(), place, entry.color, entry.style);
    });
    let fastest = entry.medians.is_some_and(|medians| medians.is_fastest);
    let mark = match (entry.drives, fastest) {
        (true, true) => RichText::new("drives, fastest").strong(),
        (true, false) => RichText::new("drives"),
        (false, true) => RichText::new("fastest").strong(),
        (false, false) => RichText::new(""),
    };
    ui.label(mark.small()).on_hover_text("The pairs of the algorithm that drives move the spheres");
}

/// An order of all ticked algorithms, after one has changed.
fn compared(entries: &[Entry], changed: &Entry, ticked: bool) -> Command {
    let is_ticked = |entry: &&Entry| {
        if std::ptr::eq(entry.row, changed.row) { ticked } else { entry.is_compared }
    };
    let rows = entries.iter().filter(is_ticked).map(|entry| entry.row).collect();
    Order::Compare(rows).into()
}

fn figures(ui: &mut Ui, entry: &Entry) {
    let Some((tests, bytes)) = entry.work else { return };
    let figure = |text: String, width| small_figure(format!("{text:>width$}"));
    let dash = |width| figure("–".to_owned(), width);
    let time = entry.medians.map(|medians| {
        let time = figure(format!("{:.3}", medians.total_ns as f64 / 1e6), TIME);
        if medians.is_fastest { time.strong() } else { time }
    });
    let time = ui.label(time.unwrap_or_else(|| dash(TIME)));
    time.on_hover_text(entry.medians.map_or(NOT_YET.to_owned(), |medians| {
        format!(
            "update {:.3} ms, pairs {:.3} ms: medians over {} steps",
            medians.update_ns as f64 / 1e6,
            medians.pairs_ns as f64 / 1e6,
            medians.steps
        )
    }));
    let compared = entry.medians.and_then(|medians| Some((medians.ratio?, medians.steps)));
    let ratio = compared.map(|(ratio, _)| figure(format!("{ratio:.2}"), RATIO));
    let ratio = ui.label(ratio.unwrap_or_else(|| dash(RATIO)));
    ratio.on_hover_text(
        compared.map_or(NOT_YET.to_owned(), |(ratio, steps)| ratio_in_words(ratio, steps)),
    );
    ui.label(figure(compact(tests as f64), TESTS));
    ui.label(figure(megabytes(bytes as f64), MEMORY));
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
