//! Group 6: the boxes in which objects are generated, and whose walls hold them.

use super::elements::{self, Change, Element, ListSelection};
use super::form;
use crate::panel::number_field::{ANY, LENGTH, NumberField, rounded};
use crate::panel::widgets::named;
use crate::simulation::Snapshot;
use egui::Ui;
use sim::Edit;
use sim::scene::Source;

impl Element for Source {
    const NAME: &'static str = "source";

    fn edit(change: Change<Self>) -> Edit {
        match change {
            Change::New(source) => Edit::NewSource(source),
            Change::Set(number, source) => Edit::SetSource { number, source },
            Change::Delete(number) => Edit::DeleteSource { number },
        }
    }

    fn row(&self, number: u32) -> String {
        let Source { corner, size, percent, floor } = self;
        let [corner, sides] = [(corner, ", "), (size, " × ")].map(form::numbers);
        let floor = if *floor { "" } else { ", no floor" };
        let percent = rounded(*percent);
        format!("{number}   {percent} %   {sides} at {corner}{floor}")
    }
}

pub(super) fn show(
    ui: &mut Ui,
    selection: &mut ListSelection,
    snapshot: &Snapshot,
) -> Option<Edit> {
    let (listed, recipe) = (snapshot.input.sources.as_slice(), &snapshot.input.recipe);
    // The last source of the scene gets the rest of the objects, unless an event has removed it.
    let last = listed.last().filter(|(_, source)| Some(source) == recipe.sources.last());
    let undeletable = match (listed.len(), recipe.sources.len()) {
        (1, 1) => Some("A scene needs at least one source"),
        (1, _) => {
            Some("It is the only one left: timed events have removed the others until a restart")
        }
        _ => None,
    };
    let fields = |ui: &mut Ui, number, source: &mut Source| {
        fields(
            ui,
            source,
            last.is_some_and(|(of, _)| *of == number),
            form::drag_speed(&snapshot.input.scene),
        );
    };
    elements::show(ui, selection, listed, undeletable, fields, || {
        let bounds = recipe.bounds();
        let size = glam::Vec3::splat(0.25 * bounds.size().max_element());
        // As the last source it gets the rest of the objects; its own share is ignored.
        Source { corner: bounds.center() - 0.5 * size, size, percent: 0.0, floor: true }
    })
}

/// The form of a source.
fn fields(ui: &mut Ui, source: &mut Source, is_last: bool, speed: f64) {
    form::vector(ui, "Corner", "Source", &mut source.corner, (ANY, speed), None);
    form::vector(ui, "Sides", "Source", &mut source.size, (LENGTH, speed), None);
    form::labelled(ui, "Share", |ui| {
        ui.add_enabled_ui(!is_last, |ui| {
            let name = "Source share in per cent";
            let share = NumberField::new(name, &mut source.percent, 0.0..=100.0);
            NumberField { suffix: " %", speed: 0.2, held: true, ..share }
                .show(ui)
                .on_hover_text("Percentage of all objects generated in it, at the next start")
                .on_disabled_hover_text("The last source gets the rest");
        });
        ui.add_space(6.0);
        let floor = ui.checkbox(&mut source.floor, "Has a floor");
        named(floor, "Source has a floor")
            .on_hover_text("Without a floor, objects fall out at the bottom");
    });
}
