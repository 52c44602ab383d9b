//! Group 3: what is drawn, and what its colours tell.

use crate::composer::DrawOptions;
use crate::simulation::{ColorBy, Snapshot};
use egui::{ComboBox, DragValue, Ui};

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
    let row = snapshot.algorithm;
    let trees = ui.add_enabled_ui(row.shows(broadphase::Overlay::Planes), |ui| {
        ui.horizontal(|ui| {
            ui.checkbox(&mut options.planes, "Planes")
                .on_hover_text("The tree's planes: y-z red, x-z green, x-y blue");
            // Another tree may be deeper: what is not in this one is only not asked for.
            let deepest = snapshot.counters.depth.saturating_sub(1).max(options.plane_depth);
            let label = ui.label("deepest");
            let depth = DragValue::new(&mut options.plane_depth).range(0..=deepest).speed(0.1);
            ui.add_enabled(options.planes, depth)
                .labelled_by(label.id)
                .on_hover_text("Planes down to this depth; the root's has depth 0");
            let label = ui.label("opaque");
            let mut percent = options.plane_opacity * 100.0;
            let opacity =
                DragValue::new(&mut percent).range(2.0..=90.0).suffix(" %").max_decimals(0);
            let changed = ui
                .add_enabled(options.planes, opacity)
                .labelled_by(label.id)
                .on_hover_text("How much the root's plane hides; deeper ones hide less")
                .changed();
            if changed {
                options.plane_opacity = percent / 100.0;
            }
        });
    });
    trees.response.on_disabled_hover_text(format!("{} has no planes", row.name));
    ui.horizontal(|ui| {
        let label = ui.label("Colour by");
        ComboBox::from_id_salt("color")
            .selected_text(options.color.name())
            .width(108.0)
            .truncate()
            .show_ui(ui, |ui| {
                for color in ColorBy::ALL {
                    let offered =
                        color != ColorBy::Region || row.shows(broadphase::Overlay::Regions);
                    ui.add_enabled_ui(offered, |ui| {
                        ui.selectable_value(&mut options.color, color, color.name())
                            .on_hover_text(color.meaning())
                            .on_disabled_hover_text(format!("{} has no leaves", row.name));
                    });
                }
            })
            .response
            .labelled_by(label.id)
            .on_hover_text(options.color.meaning());
        ui.add_enabled(
            row.shows(broadphase::Overlay::Regions),
            egui::Checkbox::new(&mut options.regions, "Show leaves"),
        )
        .on_hover_text("The leaves, brighter the more objects stand in them")
        .on_disabled_hover_text(format!("{} has no leaves", row.name));
    });
}
