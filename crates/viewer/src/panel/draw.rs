//! Group *Draw*: what is drawn, and the meaning of its colours.

use super::bodies;
use super::command::Command;
use super::format::compact;
use super::status::Status;
use super::structure;
use crate::composer::{DrawOptions, MAX_DRAWN_BY_DEFAULT};
use crate::simulation::{ColorBy, Snapshot};
use broadphase::inspect::Overlay;
use egui::{Checkbox, ComboBox, Ui};

pub(super) fn show(
    ui: &mut Ui,
    options: &mut DrawOptions,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let is_scene = snapshot.motion.recording.is_none();
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
            glow(ui, options, snapshot);
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
    ui.horizontal(|ui| color(ui, options, snapshot));
    if let Some(bodies) = &snapshot.objects.bodies {
        bodies::switches(ui, options, bodies, snapshot.is_continuous());
    }
    structure::show(ui, options, snapshot);
}

/// The choice of the value that the colours show.
fn color(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    let is_scene = snapshot.motion.recording.is_none();
    let algorithm = snapshot.algorithm;
    let label = ui.label("Colour by");
    ComboBox::from_id_salt("color")
        .selected_text(options.color.name())
        .width(108.0)
        .truncate()
        .show_ui(ui, |ui| {
            for of in ColorBy::ALL {
                if !is_scene && of.is_of_scenes() {
                    continue;
                }
                let offered = of != ColorBy::Region || algorithm.shows(Overlay::Regions);
                ui.add_enabled_ui(offered, |ui| {
                    ui.selectable_value(&mut options.color, of, of.name())
                        .on_hover_text(of.meaning())
                        .on_disabled_hover_text(format!(
                            "{} has no leaves, cells or columns",
                            algorithm.name
                        ));
                });
            }
        })
        .response
        .labelled_by(label.id)
        .on_hover_text(options.color.meaning());
}

/// The switch of the glow after a hit, which objects do not have where their colours have a meaning.
fn glow(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    let mut on = options.glows(snapshot.objects.positions.len());
    let is_plain = options.color == ColorBy::Plain;
    let glow = ui.add_enabled(is_plain, Checkbox::new(&mut on, "Glow after a hit"));
    let most = compact(MAX_DRAWN_BY_DEFAULT as f64);
    let glow = glow.on_hover_text(format!(
        "Objects that hit another are orange for a moment, unless one is picked; off by itself above {most} objects"
    ));
    let plain = ColorBy::Plain.name();
    let glow = glow.on_disabled_hover_text(format!(
        "It would hide the colours, which have a meaning now; only with Colour by: {plain}"
    ));
    if glow.changed() {
        options.glow = Some(on);
    }
}
