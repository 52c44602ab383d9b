//! Group 6: the boxes in which objects are generated, and whose walls hold them.

use super::editor::{Editor, Listing};
use super::form::{self, Decision};
use crate::panel::command::Command;
use crate::panel::number_field::{ANY, LENGTH, NumberField, Typed};
use crate::panel::widgets::named;
use crate::simulation::{Order, Snapshot};
use egui::Ui;
use sim::Edit;
use sim::scene::Source;

pub(super) type Sources = Editor<u32, Source>;

impl Listing<u32, Source> for [(u32, Source)] {
    fn get(&self, key: u32) -> Option<Source> {
        self.iter().find(|(number, _)| *number == key).map(|(_, source)| *source)
    }

    fn key_of(&self, value: &Source) -> Option<u32> {
        self.iter().find(|(_, source)| source == value).map(|(number, _)| *number)
    }

    fn last_key(&self) -> Option<u32> {
        self.last().map(|(number, _)| *number)
    }

    /// The share is not compared: the last source gets the rest, whatever was requested.
    fn fulfils(present: &Source, requested: &Source) -> bool {
        Source { percent: present.percent, ..*requested } == *present
    }
}

pub(super) fn show(
    ui: &mut Ui,
    sources: &mut Sources,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    let listed = snapshot.input.sources.as_slice();
    // The last source of the scene gets the rest of the objects, unless an event has removed it.
    let last =
        listed.last().filter(|(_, source)| Some(source) == snapshot.input.recipe.sources.last());
    let last = last.map(|(number, source)| (*number, source.percent));
    let left = last.filter(|(number, _)| sources.key() == Some(*number)).map(|(_, left)| left);
    if let (Some(left), Some((draft, _))) = (left, sources.form()) {
        draft.percent = left;
    }
    sources.follow(listed);

    let selected = sources.key();
    let row = listed.iter().position(|(number, _)| Some(*number) == selected);
    let text = |row: usize| {
        let (number, source) = &listed[row];
        (summary(*number, source), tooltip(*number, source))
    };
    if let Some(clicked) = form::list(ui, "sources", listed.len(), row, text) {
        let (number, source) = listed[clicked];
        if selected == Some(number) { sources.deselect() } else { sources.select(number, source) }
    }
    let is_last = last.is_some_and(|(number, _)| Some(number) == sources.key());
    if let Some((draft, typed)) = sources.form() {
        fields(ui, draft, is_last, form::drag_speed(&snapshot.input.scene), typed);
    }
    let undeletable = match (listed.len(), snapshot.input.recipe.sources.len()) {
        (1, 1) => Some("A scene needs at least one source"),
        (1, _) => {
            Some("It is the only one left: timed events have removed the others until a restart")
        }
        _ => None,
    };
    let create = |like: Option<Source>| like.map_or_else(|| centered(snapshot), shifted);
    let edit = match form::decide(ui, "source", sources, listed, undeletable, create) {
        Some(Decision::Apply(number, source)) => Edit::SetSource { number, source },
        Some(Decision::New(source)) => Edit::NewSource(source),
        Some(Decision::Delete(number)) => Edit::DeleteSource { number },
        None => return,
    };
    commands.push(Order::Edit(edit).into());
}

/// The form of the selected source.
fn fields(ui: &mut Ui, source: &mut Source, is_last: bool, speed: f64, typed: &mut Typed) {
    form::vector(ui, "Corner", "Source", &mut source.corner, (ANY, speed), None, typed);
    form::vector(ui, "Sides", "Source", &mut source.size, (LENGTH, speed), None, typed);
    form::labelled(ui, "Share", |ui| {
        ui.add_enabled_ui(!is_last, |ui| {
            let field =
                NumberField::new("Source share in per cent", &mut source.percent, 0.0..=100.0);
            field
                .suffix(" %")
                .speed(0.2)
                .width(64.0)
                .show(ui, typed)
                .on_hover_text("Percentage of all objects generated in it, at the next start")
                .on_disabled_hover_text("The last source gets the rest");
        });
        ui.add_space(6.0);
        let floor = ui.checkbox(&mut source.floor, "Has a floor");
        named(floor, "Source has a floor")
            .on_hover_text("Without a floor, objects fall out at the bottom");
    });
}

fn summary(number: u32, source: &Source) -> String {
    let Source { corner, size, percent, .. } = source;
    let sides = form::numbers(size.to_array(), " × ");
    let corner = form::numbers(corner.to_array(), ", ");
    format!("{number}   {percent:.0} %   {sides} at {corner}")
}

fn tooltip(number: u32, source: &Source) -> String {
    let Source { corner, size, percent, floor } = source;
    format!(
        "Source {number}: {percent} % of the objects\nCorner {}\nSides {}\n{}",
        form::numbers(corner.to_array(), ", "),
        form::numbers(size.to_array(), ", "),
        if *floor { "With a floor" } else { "Without a floor" },
    )
}

/// A copy, shifted by a tenth of its sides.
fn shifted(source: Source) -> Source {
    Source { corner: source.corner + 0.1 * source.size, ..source }
}

/// A cube in the middle of the scene, a quarter as wide.
fn centered(snapshot: &Snapshot) -> Source {
    let bounds = snapshot.input.recipe.bounds();
    let size = glam::Vec3::splat(0.25 * bounds.size().max_element());
    // As the last source it gets the rest of the objects; its own share is ignored.
    Source { corner: bounds.center() - 0.5 * size, size, percent: 0.0, floor: true }
}
