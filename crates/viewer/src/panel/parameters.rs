//! The parameters of the algorithm that drives the motion, and the threads of a step.

use super::command::Command;
use super::number_field::NumberField;
use super::widgets::named;
use crate::simulation::{Order, Snapshot};
use broadphase::registry::{Algorithm, Parameter};
use egui::{Button, CollapsingHeader, Grid, Response, RichText, Ui};
use std::fmt::Display;
use std::thread::available_parallelism;

/// Threads of a step unless the user chooses.
const DEFAULT_THREADS: usize = 1;

/// Offers the number of threads, and the parameters of the algorithm. Another value drives the motion from the next
/// step on, by a new structure.
pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let algorithm = snapshot.algorithm;
    let is_changed = |parameter: &&Parameter| algorithm.value(parameter) != parameter.default;
    let changed = algorithm.parameters.iter().filter(is_changed).count()
        + usize::from(snapshot.engine.threads != DEFAULT_THREADS);
    let title = match changed {
        0 => "Parameters".to_owned(),
        count => format!("Parameters ({count} changed)"),
    };
    let header = CollapsingHeader::new(title).id_salt("parameters").show(ui, |ui| {
        Grid::new("parameters").num_columns(3).show(ui, |ui| {
            for parameter in algorithm.parameters {
                if let Some(value) = row(ui, algorithm, parameter) {
                    // A refused value never comes here: the field keeps the old one.
                    let id = algorithm.with(parameter.name, value).map(|e| e.id_with_values());
                    if let Ok(entry) = id.and_then(|id| snapshot.offered.resolve(&id)) {
                        commands.push(Order::Algorithm(entry).into());
                    }
                }
                ui.end_row();
            }
            if let Some(chosen) = threads(ui, snapshot.engine.threads) {
                commands.push(Order::Threads(chosen).into());
            }
            ui.end_row();
        });
    });
    header
        .header_response
        .on_hover_text("Numbers that change the work of a step, and never its pairs");
}

/// A row: name, number, and whether it is the default. Returns a new value.
fn row(ui: &mut Ui, algorithm: &Algorithm, parameter: &'static Parameter) -> Option<f64> {
    let Parameter { name, meaning, default, .. } = *parameter;
    let now = algorithm.value(parameter);
    let meaning = format!("{meaning}: {}, by default {default}", parameter.values());
    ui.label(name).on_hover_text(&meaning);
    let mut value = now;
    // A field of another algorithm is another one, whatever is typed.
    let salt = (algorithm.family, name);
    ui.push_id(salt, |ui| number(ui, parameter, &mut value)).inner.on_hover_text(meaning);
    let is_automatic = parameter.zero_is_automatic && now == 0.0;
    let state = if is_automatic { "automatic" } else { "default" };
    match reset(ui, name, default, state, now != default) {
        true => Some(default),
        false => (value != now).then_some(value),
    }
}

/// The name of a default value, or a button back to it. Returns whether that is clicked.
fn reset(ui: &mut Ui, name: &str, default: impl Display, state: &str, is_changed: bool) -> bool {
    let text = if is_changed { RichText::new("Reset") } else { RichText::new(state).weak() };
    let button = ui.add_enabled(is_changed, Button::new(text).small().frame(is_changed));
    let button = named(button, &format!("Reset {name}"));
    button.on_hover_text(format!("Back to {default}")).clicked()
}

/// Tooltip of the number of threads.
const THREADS: &str = "Threads that a step may use: for motion, tests of bodies, compared algorithms, and searches that use more \
                       than one. Others are at a disadvantage then";

/// The row of the number of threads. Returns another one.
fn threads(ui: &mut Ui, now: usize) -> Option<usize> {
    ui.label("threads").on_hover_text(THREADS);
    let (mut chosen, processors) = (now, available_parallelism().map_or(1, usize::from));
    let field = NumberField::new("threads", &mut chosen, 1..=processors.max(now));
    NumberField { speed: 0.1, held: true, ..field }.show(ui).on_hover_text(THREADS);
    if reset(ui, "threads", DEFAULT_THREADS, "default", now != DEFAULT_THREADS) {
        chosen = DEFAULT_THREADS;
    }
    (chosen != now).then_some(chosen)
}

/// The structure is not rebuilt at every point of a drag.
fn number(ui: &mut Ui, parameter: &Parameter, value: &mut f64) -> Response {
    let [least, most] = parameter.range;
    if !parameter.is_whole {
        let field = NumberField::new(parameter.name, value, least..=most);
        return NumberField { held: true, ..field }.show(ui);
    }
    let mut whole = *value as u32;
    let field = NumberField::new(parameter.name, &mut whole, least as u32..=most as u32);
    let response = NumberField { speed: 0.1, held: true, ..field }.show(ui);
    *value = f64::from(whole);
    response
}
