//! Group 8: gravity, the line, and the delay of collision responses.

use super::form::{self, labelled};
use crate::panel::command::{Command, MAX_RESPONSE_DELAY};
use crate::panel::first_contacts;
use crate::panel::number_field::{ANY, NumberField, Typed};
use crate::panel::widgets::named;
use crate::simulation::{Order, Snapshot};
use egui::{Button, Slider, Ui};
use sim::Edit;
use sim::scene::Gravity;
use std::time::Duration;

/// Dragged and typed values that are not applied yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Forces {
    line: [f32; 2],
    /// Start of a drag, or of a move that is ordered but not yet done.
    moved_from: Option<[f32; 2]>,
    typed: Typed,
}

impl Forces {
    /// Where the line is shown: during a drag, at its new place.
    pub(super) fn line(&self) -> [f32; 2] {
        self.line
    }
}

pub(super) fn show(
    ui: &mut Ui,
    forces: &mut Forces,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    gravity(ui, snapshot, commands);
    if snapshot.objects.bodies.is_none() {
        first_contacts::continuous(ui, snapshot, commands);
    }
    line(ui, forces, snapshot, commands);
    ui.weak(
        "While P is held the line attracts all objects, while O is held it repels them, as \
         strongly as strong gravity.",
    );
    delay(ui, forces, snapshot, commands);
    forces.typed.show_refusal(ui);
}

fn gravity(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let present = snapshot.input.scene.gravity;
    labelled(ui, "Gravity", |ui| {
        for gravity in Gravity::ALL {
            let pull = format!("{} units/s² downwards, along -z", gravity.acceleration());
            let button = ui.add(Button::selectable(gravity == present, gravity.to_string()));
            let button = named(button, &format!("Gravity {gravity}")).on_hover_text(pull);
            if button.clicked() && gravity != present {
                commands.push(Order::Edit(Edit::Gravity(gravity)).into());
            }
        }
    });
    ui.weak(format!("It pulls downwards with {} units/s².", present.acceleration()));
}

/// A drag moves the line once, at its end, so that one undo takes it back.
fn line(ui: &mut Ui, forces: &mut Forces, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let present = snapshot.input.scene.line;
    if forces.moved_from != Some(present) {
        (forces.line, forces.moved_from) = (present, None);
    }
    let speed = form::drag_speed(&snapshot.input.scene);
    let Forces { line, moved_from, typed } = forces;
    let mut done = false;
    labelled(ui, "Line", |ui| {
        for (value, (name, prefix)) in line.iter_mut().zip([("Line x", "x "), ("Line y", "y ")]) {
            let field = NumberField::new(name, value, ANY).prefix(prefix).speed(speed).when_left();
            let field = field.width(70.0).show(ui, typed);
            let field = field.on_hover_text("Where the vertical line stands, in units");
            if field.changed() {
                *moved_from = Some(present);
            }
            done |= field.drag_stopped() || (field.changed() && !field.dragged());
        }
        ui.weak("units");
    });
    if done && *line == present {
        *moved_from = None;
    } else if done {
        commands.push(Order::Edit(Edit::Line(*line)).into());
    }
}

fn delay(ui: &mut Ui, forces: &mut Forces, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let present = snapshot.input.response_delay.as_millis() as u32;
    let mut delay = present;
    let most = MAX_RESPONSE_DELAY.as_millis() as u32;
    let meaning = "Added to the response of each collision, to compare algorithms where responses \
                   are costly (keys - and +)";
    labelled(ui, "Delay", |ui| {
        ui.spacing_mut().slider_width = 120.0;
        let slider = ui.add(Slider::new(&mut delay, 0..=most).show_value(false));
        named(slider, "Response delay").on_hover_text(meaning);
        let field = NumberField::new("Response delay in ms", &mut delay, 0..=most);
        let field = field.suffix(" ms").speed(0.5).width(52.0).when_left();
        field.show(ui, &mut forces.typed).on_hover_text(meaning);
    });
    if delay != present {
        commands.push(Order::ResponseDelay(Duration::from_millis(delay.into())).into());
    }
}
