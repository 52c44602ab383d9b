//! What is drawn of the structure: switches for what the algorithm can show of itself.

use super::{named, regions_of};
use crate::composer::DrawOptions;
use crate::simulation::Snapshot;
use broadphase::Overlay;
use egui::{DragValue, Slider, Ui};

pub(super) fn show(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    let row = snapshot.algorithm;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label("Structure").on_hover_text(format!("What {} shows of itself", row.name));
        if row.overlays.is_empty() {
            ui.weak("nothing to be seen");
        }
        let mut offer = |overlay: Overlay, switch: &mut bool, name: &str, meaning: &str| {
            if row.shows(overlay) {
                ui.checkbox(switch, name).on_hover_text(meaning);
            }
        };
        let meaning = "Planes that divide space: y-z red, x-z green, x-y blue";
        offer(Overlay::Planes, &mut options.planes, "Planes", meaning);
        let regions = regions_of(row, 2);
        let name = if regions == "leaves" { "Leaves" } else { "Cells" };
        let meaning = format!("The {regions}, brighter the more objects stand in them");
        offer(Overlay::Regions, &mut options.regions, name, &meaning);
        let meaning = "The tree of boxes: each bounds the boxes below it";
        offer(Overlay::TreeBoxes, &mut options.tree_boxes, "Boxes", meaning);
        let meaning = "The sorted lists of the ends of the objects' boxes";
        offer(Overlay::Endpoints, &mut options.endpoints, "Endpoints", meaning);
        let meaning = "The order of the objects along a curve that fills space";
        offer(Overlay::Curve, &mut options.curve, "Curve", meaning);
        if options.planes && row.shows(Overlay::Planes) {
            planes(ui, options, snapshot);
        }
    });
    if options.tree_boxes && row.shows(Overlay::TreeBoxes) {
        levels(ui, options, snapshot);
    }
}

/// Down to which depth planes are drawn, and how strongly.
fn planes(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    // Another tree may be deeper: what is not in this one is only not asked for.
    let deepest = snapshot.counters.depth.saturating_sub(1).max(options.plane_depth);
    let depth = DragValue::new(&mut options.plane_depth).range(0..=deepest).speed(0.1);
    named(ui.add(depth.prefix("to ")), "deepest")
        .on_hover_text("Planes down to this depth; the root's has depth 0");
    let mut percent = options.plane_opacity * 100.0;
    let opacity = DragValue::new(&mut percent).range(2.0..=90.0).suffix(" %").max_decimals(0);
    let opacity = named(ui.add(opacity), "opaque")
        .on_hover_text("How much the root's plane hides; deeper ones hide less");
    if opacity.changed() {
        options.plane_opacity = percent / 100.0;
    }
}

/// At which depths the boxes of a tree are drawn.
fn levels(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    ui.horizontal(|ui| {
        ui.label("Depth");
        let levels = &mut options.tree_levels;
        ui.selectable_value(&mut levels.only, false, "up to")
            .on_hover_text("Boxes from the root down to this depth");
        ui.selectable_value(&mut levels.only, true, "only")
            .on_hover_text("Boxes at this depth alone");
        ui.spacing_mut().slider_width = 50.0;
        let deepest = snapshot.structure.tree.deepest().max(levels.depth);
        named(ui.add(Slider::new(&mut levels.depth, 0..=deepest)), "depth")
            .on_hover_text("Steps from the root, which has depth 0");
    });
}
