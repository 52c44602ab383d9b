//! Group *Draw*: what is drawn, and the meaning of its colours.

use super::bodies;
use super::command::Command;
use super::status::Status;
use super::structure;
use crate::composer::DrawOptions;
use crate::simulation::{ColorBy, Snapshot};
use broadphase::inspect::Overlay;
use egui::{ComboBox, Ui};

pub(super) fn show(
    ui: &mut Ui,
    options: &mut DrawOptions,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let is_scene = snapshot.recording.is_none();
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.objects, "Objects");
        if is_scene {
            ui.checkbox(&mut options.sources, "Sources");
            ui.checkbox(&mut options.obstacles, "Obstacles");
        } else {
            ui.checkbox(&mut options.outlines, "Outlines")
                .on_hover_text("Every box as its edges; off: only boxes that would hide others");
        }
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.shading, "Shading");
        if is_scene {
            ui.checkbox(&mut options.hits, "Glow after a hit");
        }
        let mut vsync = status.vsync;
        let meaning = format!(
            "Draw in step with the screen; off: as fast as possible. In force: {}",
            status.present_mode
        );
        if ui.checkbox(&mut vsync, "Vertical sync").on_hover_text(meaning).changed() {
            commands.push(Command::Vsync(vsync));
        }
    });
    ui.horizontal(|ui| {
        let algorithm = snapshot.algorithm;
        let label = ui.label("Colour by");
        ComboBox::from_id_salt("color")
            .selected_text(options.color.name())
            .width(108.0)
            .truncate()
            .show_ui(ui, |ui| {
                for color in ColorBy::ALL {
                    if !is_scene && color.is_of_scenes() {
                        continue;
                    }
                    let offered = color != ColorBy::Region || algorithm.shows(Overlay::Regions);
                    ui.add_enabled_ui(offered, |ui| {
                        ui.selectable_value(&mut options.color, color, color.name())
                            .on_hover_text(color.meaning())
                            .on_disabled_hover_text(format!(
                                "{} has no leaves or cells",
                                algorithm.name
                            ));
                    });
                }
            })
            .response
            .labelled_by(label.id)
            .on_hover_text(options.color.meaning());
    });
    if snapshot.bodies.is_some() {
        bodies::switches(ui, options);
    }
    structure::show(ui, options, snapshot);
}
