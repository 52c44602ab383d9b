//! *More about the scene*: sources, obstacles, forces, rates, files.

mod editor;
mod files;
mod forces;
mod form;
mod obstacles;
mod rates;
mod sources;

use super::command::Command;
use super::status::Status;
use crate::composer::Selection;
use crate::simulation::{Order, Snapshot};
use egui::{CollapsingHeader, Frame, RichText, Ui};
use files::Files;
use forces::Forces;
use obstacles::Obstacles;
use sources::Sources;

/// Open groups, selection and typed text of *More about the scene*.
#[derive(Clone, Debug, Default)]
pub struct MoreState {
    /// Whether it is shown.
    pub open: bool,
    sources: Sources,
    obstacles: Obstacles,
    forces: Forces,
    files: Files,
    /// The open groups: elements selected in them are drawn lighter.
    shown: Shown,
}

#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    sources: bool,
    obstacles: bool,
    forces: bool,
}

impl MoreState {
    /// Drops the selection at the start of another scene.
    pub(super) fn begin_scene(&mut self) {
        self.sources.deselect();
        self.obstacles.deselect();
    }

    /// The selected elements, which are drawn lighter; none while they are not shown.
    pub(super) fn selection(&self) -> Selection {
        let shown = if self.open { self.shown } else { Shown::default() };
        Selection {
            source: self.sources.key().filter(|_| shown.sources),
            obstacle: self.obstacles.key().filter(|_| shown.obstacles),
            line: shown.forces.then(|| self.forces.line()),
        }
    }
}

pub(super) fn show(
    ui: &mut Ui,
    state: &mut MoreState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let MoreState { sources, obstacles, forces, files, shown, .. } = state;
    ui.spacing_mut().item_spacing.y = 3.0;
    if snapshot.motion.recording.is_none() {
        undo(ui, snapshot, commands);
        shown.sources = group(ui, "Sources", |ui| sources::show(ui, sources, snapshot, commands));
        shown.obstacles =
            group(ui, "Obstacles", |ui| obstacles::show(ui, obstacles, snapshot, commands));
        shown.forces = group(ui, "Forces", |ui| forces::show(ui, forces, snapshot, commands));
    } else {
        *shown = Shown::default();
    }
    group(ui, "Rates", |ui| rates::show(ui, snapshot));
    group(ui, "Files", |ui| files::show(ui, files, snapshot, status, commands));
}

fn undo(ui: &mut Ui, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let text = match &snapshot.input.undoable {
        Some(edit) => format!("Undo: {edit}"),
        None => "Undo".to_owned(),
    };
    let button = form::wide_button(ui, &text, snapshot.input.undoable.is_some())
        .on_hover_text("Undo the last edit or Generate objects (Ctrl+Z); the last hundred are kept")
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
