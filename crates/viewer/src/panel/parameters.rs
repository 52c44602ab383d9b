//! The parameters of the algorithm that drives the motion.

use super::command::Command;
use super::number_field::{NumberField, Typed};
use super::widgets::named;
use crate::simulation::Order;
use broadphase::registry::{Algorithm, Parameter, resolve};
use egui::{Button, CollapsingHeader, Grid, Response, RichText, Ui};

/// Width of a number in points.
const NUMBER_WIDTH: f32 = 64.0;

/// Editing state of the parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParametersForm {
    /// The algorithm that it was filled in for, without values.
    of: &'static str,
    typed: Typed,
    /// A number that is being dragged: the structure is not rebuilt at every point of the way.
    dragged: Option<(&'static str, f64)>,
}

/// Offers the parameters of an algorithm, if it has any. Another value drives the motion from the next step on,
/// by a new structure.
pub(super) fn show(
    ui: &mut Ui,
    form: &mut ParametersForm,
    algorithm: &'static Algorithm,
    commands: &mut Vec<Command>,
) {
    if algorithm.parameters.is_empty() {
        return;
    }
    let of = algorithm.id.split_once('@').map_or(algorithm.id, |(id, _)| id);
    if form.of != of {
        *form = ParametersForm { of, ..ParametersForm::default() };
    }
    let is_changed = |parameter: &&Parameter| algorithm.value(parameter) != parameter.default;
    let changed = algorithm.parameters.iter().filter(is_changed).count();
    let title = match changed {
        0 => "Parameters".to_owned(),
        count => format!("Parameters ({count} changed)"),
    };
    let header = CollapsingHeader::new(title).id_salt("parameters").show(ui, |ui| {
        Grid::new("parameters").num_columns(3).show(ui, |ui| {
            for parameter in algorithm.parameters {
                if let Some(value) = row(ui, form, algorithm, parameter) {
                    // A refused value never comes here: the field keeps the old one.
                    let id = algorithm.with(parameter.name, value).map(|e| e.id_with_values());
                    if let Ok(entry) = id.and_then(|id| resolve(&id)) {
                        commands.push(Order::Algorithm(entry).into());
                    }
                }
                ui.end_row();
            }
        });
        form.typed.show_refusal(ui);
    });
    header
        .header_response
        .on_hover_text("Numbers that change the work of a step, and never its pairs");
}

/// A row: name, number, and whether it is the default. Returns a new value.
fn row(
    ui: &mut Ui,
    form: &mut ParametersForm,
    algorithm: &Algorithm,
    parameter: &'static Parameter,
) -> Option<f64> {
    let Parameter { name, meaning, default, .. } = *parameter;
    let now = algorithm.value(parameter);
    let meaning = format!("{meaning}: {}, by default {default}", parameter.values());
    ui.label(name).on_hover_text(&meaning);

    let dragged = form.dragged.filter(|(dragged, _)| *dragged == name);
    let mut value = dragged.map_or(now, |(_, value)| value);
    let field = number(ui, &mut form.typed, parameter, &mut value).on_hover_text(meaning);
    let is_dragged = field.dragged();
    if is_dragged && field.changed() {
        form.dragged = Some((name, value));
    } else if !is_dragged && dragged.is_some() {
        form.dragged = None;
    }

    let reset = now != default;
    let text = if reset { RichText::new("Reset") } else { RichText::new("default").weak() };
    let reset = ui.add_enabled(reset, Button::new(text).small().frame(reset));
    let reset = named(reset, &format!("Reset {name}")).on_hover_text(format!("Back to {default}"));
    match reset.clicked() {
        true => Some(default),
        false => (!is_dragged && value != now).then_some(value),
    }
}

fn number(ui: &mut Ui, typed: &mut Typed, parameter: &Parameter, value: &mut f64) -> Response {
    let [least, most] = parameter.range;
    if !parameter.is_whole {
        return NumberField::new(parameter.name, value, least..=most)
            .width(NUMBER_WIDTH)
            .when_left()
            .show(ui, typed);
    }
    let mut whole = *value as u32;
    let response = NumberField::new(parameter.name, &mut whole, least as u32..=most as u32)
        .speed(0.1)
        .width(NUMBER_WIDTH)
        .when_left()
        .show(ui, typed);
    *value = f64::from(whole);
    response
}
