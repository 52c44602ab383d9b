//! *More about the scene*: sources, obstacles, forces, files.

mod elements;
mod files;
mod forces;
mod form;
mod obstacles;
mod sources;

use super::command::Command;
use super::keys;
use super::status::Status;
use crate::composer::Selection;
use crate::simulation::{Order, Snapshot};
use egui::{CollapsingHeader, Frame, RichText, Ui};
use elements::ListSelection;
use files::Files;

/// Open groups, selections and the typed path of *More about the scene*.
#[derive(Clone, Debug, Default)]
pub struct SceneEditor {
    /// Whether it is shown.
    pub open: bool,
    sources: ListSelection,
    obstacles: ListSelection,
    /// Where the line is.
    line: [f32; 2],
    files: Files,
    /// Whether the groups of sources, obstacles and forces are open: what is selected in them is drawn lighter.
    shown: [bool; 3],
}

impl SceneEditor {
    /// Drops what was selected at the start of another scene.
    pub(super) fn begin_scene(&mut self) {
        (self.sources, self.obstacles) = (ListSelection::default(), ListSelection::default());
    }

    /// The selected elements, which are drawn lighter; none while they are not shown.
    pub(super) fn selection(&self) -> Selection {
        let [sources, obstacles, forces] = self.shown.map(|shown| shown && self.open);
        Selection {
            source: self.sources.number.filter(|_| sources),
            obstacle: self.obstacles.number.filter(|_| obstacles).map(obstacles::index),
            line: forces.then_some(self.line),
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
        shown[2] = group(ui, "Forces", |ui| forces::show(ui, snapshot, commands));
        *line = snapshot.input.scene.line;
    }
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

/// A group that can be closed. Returns whether it is open.
fn group(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) -> bool {
    let frame = Frame::group(ui.style()).inner_margin(6.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let header = CollapsingHeader::new(RichText::new(title).strong()).default_open(true);
        header.show_unindented(ui, contents).body_returned.is_some()
    });
    frame.inner
}
