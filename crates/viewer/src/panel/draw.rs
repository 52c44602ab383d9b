//! Group 3: what is drawn, and what its colours tell.

use crate::composer::DrawOptions;
use crate::simulation::{ColorBy, Snapshot};
use egui::{ComboBox, Slider, Ui};
use sim::scene::Triangles;

pub(super) fn show(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.objects, "Objects");
        ui.checkbox(&mut options.sources, "Sources");
        ui.checkbox(&mut options.obstacles, "Obstacles");
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.shading, "Shading");
        ui.checkbox(&mut options.hits, "Glow after a hit");
        let mut fine = options.triangles == Triangles::Eighty;
        if ui.checkbox(&mut fine, "Fine").on_hover_text("80 triangles per sphere, or 20").changed()
        {
            options.triangles = if fine { Triangles::Eighty } else { Triangles::Twenty };
        }
    });
    let row = snapshot.algorithm;
    let trees = ui.add_enabled_ui(row.has_planes, |ui| {
        ui.horizontal(|ui| {
            ui.checkbox(&mut options.planes, "Planes")
                .on_hover_text("The tree's planes: y-z red, x-z green, x-y blue");
            // All of it in one row of the panel's width.
            (ui.spacing_mut().item_spacing.x, ui.spacing_mut().slider_width) = (4.0, 34.0);
            // Another tree may be deeper: what is not in this one is only not asked for.
            let deepest = snapshot.counters.depth.saturating_sub(1).max(options.plane_depth);
            let depth = Slider::new(&mut options.plane_depth, 0..=deepest);
            ui.add_enabled(options.planes, depth.text("deepest"))
                .on_hover_text("Planes down to this depth; the root's has depth 0");
            let opacity = Slider::new(&mut options.plane_opacity, 0.02..=0.9).show_value(false);
            ui.add_enabled(options.planes, opacity.text("opacity"))
                .on_hover_text("How much the planes hide");
        });
    });
    trees.response.on_disabled_hover_text(format!("{} has no planes", row.name));
    ui.horizontal(|ui| {
        let label = ui.label("Colour by");
        ComboBox::from_id_salt("color")
            .selected_text(options.color.name())
            .width(120.0)
            .show_ui(ui, |ui| {
                for color in ColorBy::ALL {
                    ui.selectable_value(&mut options.color, color, color.name())
                        .on_hover_text(color.meaning());
                }
            })
            .response
            .labelled_by(label.id)
            .on_hover_text(options.color.meaning());
        ui.add_enabled(row.has_planes, egui::Checkbox::new(&mut options.regions, "Show leaves"))
            .on_hover_text("The leaves, brighter the more objects stand in them")
            .on_disabled_hover_text(format!("{} has no leaves", row.name));
    });
}
