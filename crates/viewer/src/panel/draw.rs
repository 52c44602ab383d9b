//! Group 3: what is drawn.

use crate::composer::DrawOptions;
use crate::session::Session;
use egui::{Slider, Ui};

pub(super) fn show(ui: &mut Ui, options: &mut DrawOptions, session: &Session) {
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.objects, "Objects");
        ui.checkbox(&mut options.sources, "Sources");
        ui.checkbox(&mut options.obstacles, "Obstacles");
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.shading, "Shading");
        ui.checkbox(&mut options.hits, "Glow after a hit");
    });
    let row = session.algorithm();
    let planes = ui.add_enabled_ui(row.has_planes, |ui| {
        ui.horizontal(|ui| {
            ui.checkbox(&mut options.planes, "Planes")
                .on_hover_text("The tree's planes: y-z red, x-z green, x-y blue");
            // Another tree may be deeper: what is not in this one is only not asked for.
            let deepest = session.counters().depth.saturating_sub(1).max(options.plane_depth);
            let depth = Slider::new(&mut options.plane_depth, 0..=deepest);
            ui.add_enabled(options.planes, depth.text("deepest"))
                .on_hover_text("Planes down to this depth; the root's has depth 0");
        });
    });
    planes.response.on_disabled_hover_text(format!("{} has no planes", row.name));
}
