//! Group 8: gravity, the line, and the delay of collision responses.

use super::form::{self, labelled};
use crate::panel::command::{Command, MAX_RESPONSE_DELAY};
use crate::panel::first_contacts;
use crate::panel::keys;
use crate::panel::number_field::{ANY, NumberField};
use crate::panel::widgets::named;
use crate::simulation::{Order, Snapshot};
use egui::{Button, Slider, Ui};
use sim::Edit;
use sim::scene::Gravity;
use std::time::Duration;

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    gravity(ui, snapshot, commands);
    if snapshot.objects.bodies.is_none() {
        first_contacts::continuous(ui, snapshot, commands);
    }
    move_line(ui, snapshot, commands);
    ui.weak(
        "While P is held the line attracts all objects, while O is held it repels them, as \
         strongly as strong gravity.",
    );
    delay(ui, snapshot, commands);
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
}

/// A drag moves the line once, at its end, so that one undo takes it back.
fn move_line(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let mut line = snapshot.input.scene.line;
    let speed = form::drag_speed(&snapshot.input.scene);
    labelled(ui, "Line", |ui| {
        for (place, value) in line.iter_mut().enumerate() {
            let [name, prefix] = [["Line x", "x "], ["Line y", "y "]][place];
            let field = NumberField::new(name, value, ANY);
            NumberField { prefix, speed, width: 70.0, held: true, ..field }.show(ui);
        }
        ui.weak("units");
    });
    if line != snapshot.input.scene.line {
        commands.push(Order::Edit(Edit::Line(line)).into());
    }
}

fn delay(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let present = snapshot.input.response_delay.as_millis() as u32;
    let mut delay = present;
    let most = MAX_RESPONSE_DELAY.as_millis() as u32;
    let meaning =
        "Added to the response of each collision, to compare algorithms where responses are costly";
    labelled(ui, "Delay", |ui| {
        ui.spacing_mut().slider_width = 120.0;
        let slider = ui.add(Slider::new(&mut delay, 0..=most).show_value(false));
        named(slider, "Response delay")
            .on_hover_text(format!("{meaning}{}", keys::hint(keys::SLOWER)));
        ui.label(format!("{delay} ms"));
    });
    if delay != present {
        commands.push(Order::ResponseDelay(Duration::from_millis(delay.into())).into());
    }
}
