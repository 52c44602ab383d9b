//! *More about the scene*: sources, obstacles, forces, rates, files.

mod elements;
mod files;
mod forces;
mod form;
mod obstacles;
mod sources;

use super::command::Command;
use super::draft::Draft;
use super::figures::{pair, rate};
use super::keys;
use super::status::Status;
use crate::composer::Selection;
use crate::simulation::{Order, Snapshot};
use egui::{CollapsingHeader, Frame, Grid, RichText, Ui};
use elements::ListSelection;
use files::Files;
use sim::scene::{Obstacle, Source};

/// Open groups, selections and typed text of *More about the scene*.
#[derive(Clone, Debug, Default)]
pub struct SceneEditor {
    /// Whether it is shown.
    pub open: bool,
    sources: ListSelection<Source>,
    obstacles: ListSelection<Obstacle>,
    /// Where the line is; during a drag, its new place.
    line: Draft<[f32; 2]>,
    files: Files,
    /// Whether the groups of sources, obstacles and forces are open: what is selected in them is drawn lighter.
    shown: [bool; 3],
}

impl SceneEditor {
    /// Drops what was selected and typed at the start of another scene.
    pub(super) fn begin_scene(&mut self) {
        self.line.typed = self.line.known;
        (self.sources, self.obstacles) = (ListSelection::default(), ListSelection::default());
    }

    /// The selected elements, which are drawn lighter; none while they are not shown.
    pub(super) fn selection(&self) -> Selection {
        let [sources, obstacles, forces] = self.shown.map(|shown| shown && self.open);
        Selection {
            source: self.sources.number().filter(|_| sources),
            obstacle: self.obstacles.number().filter(|_| obstacles).map(obstacles::index),
            line: forces.then_some(self.line.typed),
        }
    }
}

pub(super) fn show(
    ui: &mut Ui,
    editor: &mut SceneEditor,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let SceneEditor { sources, obstacles, line, files, shown, .. } = editor;
    ui.spacing_mut().item_spacing.y = 3.0;
    *shown = [false; 3];
    if snapshot.motion.recording.is_none() {
        undo(ui, snapshot, commands);
        let mut edits = [None, None];
        shown[0] = group(ui, "Sources", |ui| edits[0] = sources::show(ui, sources, snapshot));
        shown[1] = group(ui, "Obstacles", |ui| edits[1] = obstacles::show(ui, obstacles, snapshot));
        commands.extend(edits.into_iter().flatten().map(|edit| Order::Edit(edit).into()));
        shown[2] = group(ui, "Forces", |ui| forces::show(ui, line, snapshot, commands));
    }
    group(ui, "Rates", |ui| rates(ui, snapshot));
    group(ui, "Files", |ui| files::show(ui, files, snapshot, status, commands));
}

fn undo(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let text = match &snapshot.input.undoable {
        Some(edit) => format!("Undo: {edit}"),
        None => "Undo".to_owned(),
    };
    let button = form::wide_button(ui, &text, snapshot.input.undoable.is_some())
        .on_hover_text(format!("The last hundred can be undone{}", keys::hint(keys::UNDO)))
        .on_disabled_hover_text("There is no edit to undo");
    if button.clicked() {
        commands.push(Order::Undo.into());
    }
}

/// Group 9: the algorithm's work per second.
fn rates(ui: &mut Ui, snapshot: &Snapshot) {
    let rates = snapshot.history.rates.as_ref();
    Grid::new("rates").num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        let meaning = "Pairs of boxes compared, over the last second";
        pair(ui, "Pairs tested per second", &rate(rates, |rates| rates.tests), meaning);
        ui.end_row();
        // Boxes that are played do not collide.
        if snapshot.motion.recording.is_none() {
            let meaning = "Pairs of objects that touched, over the last second";
            pair(ui, "Real collisions per second", &rate(rates, |rates| rates.hits), meaning);
            ui.end_row();
        }
    });
}

/// A group that can be closed. Returns whether it is open.
fn group(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) -> bool {
    let frame = Frame::group(ui.style()).inner_margin(6.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let header = CollapsingHeader::new(RichText::new(title).strong()).default_open(true);
        header.show_unindented(ui, contents).body_returned.is_some()
    });
    frame.inner
}
