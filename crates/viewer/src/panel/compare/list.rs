//! The algorithms, to be ticked, and their figures.

use super::super::{Command, compact, megabytes};
use super::entry::{Entry, Medians};
use super::palette;
use crate::simulation::Order;
use egui::{Checkbox, Grid, RichText, ScrollArea, Sense, Ui, vec2};

pub(super) fn show(ui: &mut Ui, entries: &[Entry], commands: &mut Vec<Command>) {
    ScrollArea::both().id_salt("algorithms").auto_shrink([false, false]).show(ui, |ui| {
        Grid::new("algorithms").num_columns(6).striped(true).spacing([8.0, 2.0]).show(ui, |ui| {
            head(ui);
            for entry in entries {
                tick(ui, entry, entries, commands);
                figures(ui, entry);
                ui.end_row();
            }
        });
    });
}

fn head(ui: &mut Ui) {
    ui.weak("algorithm");
    ui.weak("");
    for (name, meaning) in [
        ("ms", "Median of update and pairs together, over the last 300 steps at the most"),
        ("ratio", "That time by the one of the algorithm that runs, over the steps of both"),
        ("tests", "Pairs tested in the last step"),
        ("memory", "What the algorithm holds"),
    ] {
        ui.weak(format!("{name:>9}")).on_hover_text(meaning);
    }
    ui.end_row();
}

/// The tick box pushes the whole list of shadows, as it is wanted now.
fn tick(ui: &mut Ui, entry: &Entry, entries: &[Entry], commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let mut ticked = entry.takes_part();
        let name = RichText::new(entry.row.name);
        let name = if entry.runs { name.strong() } else { name };
        let tick = ui.add_enabled(!entry.runs, Checkbox::new(&mut ticked, name));
        let (place, _) = ui.allocate_exact_size(vec2(26.0, 10.0), Sense::hover());
        palette::sample(ui.painter(), place, entry.color, entry.style);
        let tick = tick.on_hover_text(entry.row.summary).on_disabled_hover_text(format!(
            "{}\nIt moves the spheres, and always takes part",
            entry.row.summary
        ));
        if tick.changed() {
            let is_wanted = |other: &&Entry| {
                if std::ptr::eq(other.row, entry.row) { ticked } else { other.is_shadow }
            };
            let rows = entries.iter().filter(is_wanted).map(|other| other.row).collect();
            commands.push(Order::Shadows(rows).into());
        }
    });
    let fastest = entry.medians.is_some_and(|medians| medians.is_fastest);
    match (entry.runs, fastest) {
        (true, true) => ui.strong("runs, fastest"),
        (true, false) => ui.weak("runs"),
        (false, true) => ui.strong("fastest"),
        (false, false) => ui.label(""),
    };
}

fn figures(ui: &mut Ui, entry: &Entry) {
    let (Some(medians), Some((tests, bytes))) = (entry.medians, entry.work) else {
        return;
    };
    let figure = |text: String| RichText::new(format!("{text:>9}")).monospace().small();
    let time = figure(format!("{:.3}", medians.total_ns as f64 / 1e6));
    let time = if medians.is_fastest { time.strong() } else { time };
    ui.label(time).on_hover_text(format!(
        "update {:.3} ms, pairs {:.3} ms: medians over {} steps",
        medians.update_ns as f64 / 1e6,
        medians.pairs_ns as f64 / 1e6,
        entry.times.len()
    ));
    ui.label(figure(format!("{:.2}", medians.ratio))).on_hover_text(in_words(&medians));
    ui.label(figure(compact(tests as f64)));
    ui.label(figure(megabytes(bytes as f64)));
}

/// What a ratio says.
fn in_words(medians: &Medians) -> String {
    let Medians { ratio, common_steps: steps, .. } = *medians;
    let than = "than the algorithm that runs";
    let text = match ratio {
        _ if steps == 0 => return "Not yet compared".to_owned(),
        0.995..=1.005 => "As fast as the algorithm that runs".to_owned(),
        ..0.995 => format!("{:.2} times as fast: it takes less time {than}", 1.0 / ratio),
        _ => format!("It takes {ratio:.2} times the time of the algorithm that runs"),
    };
    format!("{text}; medians over {steps} steps")
}
