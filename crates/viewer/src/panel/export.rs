//! Files that can be exported.

use super::command::Command;
use super::format::counted;
use super::keys;
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
        let mut offer = |name: &str, enabled: bool, meaning: &str, key: &str, command: Command| {
            let button = ui.add_enabled(enabled, Button::new(name));
            let button = button.on_hover_text(format!("{meaning}{}", keys::hint(key)));
            if button.clicked() {
                commands.push(command);
            }
        };
        let frames_meaning = "Write a row for each of the last 1,000 steps, of a loop those of its \
                              last turn, and each algorithm to results/. Algorithms that are not shown leave no rows";
        offer("Frames", frames > 0, frames_meaning, keys::EXPORT, Command::ExportFrames);
        let meaning = "Write the view to results/ as PNG";
        offer("Picture", true, meaning, keys::PICTURE, Command::ExportPicture);
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
    ui.weak(format!("{} recorded (steps x algorithms)", counted(frames, "row")));
}
