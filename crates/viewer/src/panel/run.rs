//! Group 2: the algorithm, start and stop.

use super::{Command, Status};
use crate::session::Session;
use broadphase::ALGORITHMS;
use egui::{ComboBox, Ui};

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let current = session.algorithm();
    ui.horizontal(|ui| {
        let label = ui.label("Algorithm");
        let combo = ComboBox::from_id_salt("algorithm")
            .width(ui.available_width())
            .truncate()
            .selected_text(current.name)
            .show_ui(ui, |ui| {
                for (number, row) in (1..).zip(ALGORITHMS) {
                    let text = format!("{number}  {}", row.name);
                    let chosen = ui.selectable_label(std::ptr::eq(row, current), text);
                    if chosen.on_hover_text(row.summary).clicked() {
                        commands.push(Command::Algorithm(row));
                    }
                }
            });
        combo.response.labelled_by(label.id).on_hover_text(format!(
            "{}\n{}\nKeys 1 to {}",
            current.summary,
            current.source,
            ALGORITHMS.len()
        ));
    });
    ui.horizontal(|ui| {
        let text = if status.running { "Stop" } else { "Start" };
        let toggle = ui.add_sized([70.0, 22.0], egui::Button::new(text));
        if toggle.on_hover_text("Keys S and space").clicked() {
            commands.push(Command::Run(!status.running));
        }
        let step = ui.add_enabled(!status.running, egui::Button::new("Step"));
        if step.on_hover_text("One step (key .)").clicked() {
            commands.push(Command::Step);
        }
        ui.weak(format!("{:.2} s simulated", session.world().time()));
    });
    ui.horizontal(|ui| {
        let mut vsync = status.vsync;
        let vsync_box = ui.checkbox(&mut vsync, "Vertical sync");
        if vsync_box.on_hover_text("Draw in step with the screen; off: as fast as can be").changed()
        {
            commands.push(Command::Vsync(vsync));
        }
        let mut strict = session.world().scene().strict;
        let strict_box = ui.checkbox(&mut strict, "Objects strictly inside");
        if strict_box.on_hover_text("All objects stay inside the first source").changed() {
            commands.push(Command::Strict(strict));
        }
    });
}
