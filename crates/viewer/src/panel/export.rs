//! Files that can be exported.

use super::command::Command;
use super::format::{compact, counted};
use super::picture;
use super::state::PanelState;
use super::status::Status;
use crate::simulation::Snapshot;
use egui::{Button, Ui};

pub(super) fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let recorded = status.recorded_pictures;
    let frames = snapshot.recorded;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        let mut offer = |name: &str, enabled: bool, meaning: &str, command: Command| {
            let button = ui.add_enabled(enabled, Button::new(name)).on_hover_text(meaning);
            if button.clicked() {
                commands.push(command);
            }
        };
        let frames_meaning = "Write a row for each of the last 1,000 steps and each algorithm to \
                              results/ (key E). Algorithms that are not shown leave no rows";
        offer("Frames", frames > 0, frames_meaning, Command::ExportFrames);
        offer("Picture", true, "Write the view to results/ as PNG (F12)", Command::ExportPicture);
        picture::show(ui, &mut state.picture, recorded, commands);
    });
    if let Some(pictures) = recorded {
        ui.horizontal(|ui| {
            ui.spacing_mut().interact_size.y = 0.0;
            ui.label(counted(pictures as usize, "picture"));
            let stop = ui.small_button("Stop pictures");
            if stop.clicked() {
                commands.push(Command::RecordPictures(false));
            }
        });
        return;
    }
    ui.weak(format!("{} rows recorded (steps x algorithms)", compact(frames as f64)));
}
