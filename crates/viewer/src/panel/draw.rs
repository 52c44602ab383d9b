//! Group 3: what is drawn, and what its colours tell.

use super::structure;
use crate::composer::DrawOptions;
use crate::simulation::{ColorBy, Snapshot};
use broadphase::Overlay;
use egui::{ComboBox, Ui};

pub(super) fn show(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.objects, "Objects");
        ui.checkbox(&mut options.sources, "Sources");
        ui.checkbox(&mut options.obstacles, "Obstacles");
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.shading, "Shading");
        ui.checkbox(&mut options.hits, "Glow after a hit");
    });
    ui.horizontal(|ui| {
        let row = snapshot.algorithm;
        let label = ui.label("Colour by");
        ComboBox::from_id_salt("color")
            .selected_text(options.color.name())
            .width(108.0)
            .truncate()
            .show_ui(ui, |ui| {
                for color in ColorBy::ALL {
                    let offered = color != ColorBy::Region || row.shows(Overlay::Regions);
                    ui.add_enabled_ui(offered, |ui| {
                        ui.selectable_value(&mut options.color, color, color.name())
                            .on_hover_text(color.meaning())
                            .on_disabled_hover_text(format!("{} has no leaves or cells", row.name));
                    });
                }
            })
            .response
            .labelled_by(label.id)
            .on_hover_text(options.color.meaning());
    });
    structure::show(ui, options, snapshot);
}
