//! Switches for the overlays of the algorithm's structure.

use super::format::capitalised;
use super::widgets::named;
use crate::composer::{DrawOptions, PLANE_OPACITIES};
use crate::simulation::{MOST_ROWS, Snapshot, is_built_from_leaves};
use broadphase::algorithms::{kd_sap, octree_loose};
use broadphase::inspect::Overlay;
use broadphase::registry::{Algorithm, Kind};
use egui::{DragValue, Slider, Ui};

/// The word for an algorithm's regions: leaves where planes divide space, columns where each is swept, else cells.
pub(super) fn regions_of(algorithm: &Algorithm, number: usize) -> &'static str {
    let [one, several] = if algorithm.shows(Overlay::Planes) {
        ["leaf", "leaves"]
    } else if algorithm.shows(Overlay::Blocks) {
        ["column", "columns"]
    } else {
        ["cell", "cells"]
    };
    if number == 1 { one } else { several }
}

/// Whether cells are divided into eight.
pub(super) fn is_octree(algorithm: &Algorithm) -> bool {
    algorithm.family == octree_loose::ENTRY.family
}

/// Whether an object that a plane cuts is kept at the plane, in one list, instead of in several leaves.
pub(super) fn keeps_straddlers(algorithm: &Algorithm) -> bool {
    algorithm.family == kd_sap::ENTRY.family
}

pub(super) fn show(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    let algorithm = snapshot.algorithm;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label("Structure").on_hover_text(format!("Overlays of {}", algorithm.name));
        if algorithm.kind == Kind::AllPairs {
            ui.weak("none: all pairs are tested");
        }
        let mut offer = |overlay: Overlay, switch: &mut bool, name: &str, meaning: &str| {
            if algorithm.shows(overlay) {
                ui.checkbox(switch, name).on_hover_text(meaning);
            }
        };
        let meaning = "Planes that divide space: those that cut x red, y green, z blue";
        offer(Overlay::Planes, &mut options.planes, "Planes", meaning);
        let regions = regions_of(algorithm, 2);
        let meaning = format!("The {regions}, brighter the more objects they list");
        offer(Overlay::Regions, &mut options.regions, &capitalised(regions), &meaning);
        let meaning = "The tree of boxes: each bounds the boxes below it";
        offer(Overlay::TreeBoxes, &mut options.tree_boxes, "Boxes", meaning);
        let meaning = "The sorted lists of the endpoints of the objects' boxes";
        offer(Overlay::Endpoints, &mut options.endpoints, "Endpoints", meaning);
        let meaning = "The order of the objects along a space-filling curve";
        offer(Overlay::Curve, &mut options.curve, "Curve", meaning);
        let meaning = "Each object's box within the fat AABB by which it is cached, by its state; \
                       objects that escape flash";
        offer(Overlay::FatBoxes, &mut options.fat_boxes, "Fat AABBs", meaning);
        let meaning = "A line between the objects of each pair that is not searched for";
        offer(Overlay::CachedPairs, &mut options.cached_pairs, "Cached pairs", meaning);
        let meaning = "The order of the sweep in blocks of sixteen boxes, which are compared together; \
                       of a picked object the blocks that it is compared with";
        offer(Overlay::Blocks, &mut options.blocks, "Blocks of 16", meaning);
        let objects = snapshot.structure.matrix.objects.max(snapshot.objects.positions.len());
        let drawn = match objects {
            ..=MOST_ROWS => String::new(),
            _ => format!(". It has no picture now: it is drawn up to {MOST_ROWS} objects"),
        };
        let meaning = format!("The counters of all pairs, in the legend{drawn}");
        offer(Overlay::Matrix, &mut options.matrix, "Matrix", &meaning);
    });
    if options.planes && algorithm.shows(Overlay::Planes) {
        planes(ui, options, snapshot);
    }
    if options.tree_boxes && algorithm.shows(Overlay::TreeBoxes) {
        levels(ui, options, snapshot);
    }
}

/// Greatest depth of the drawn planes, and their opacity.
fn planes(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    // The setting may be deeper than this tree: it then applies to a deeper one.
    let deepest = snapshot.search.counters.depth.saturating_sub(1).max(options.plane_depth);
    ui.horizontal(|ui| {
        let label = ui.label("Planes down to depth");
        let depth = DragValue::new(&mut options.plane_depth).range(0..=deepest).speed(0.1);
        ui.add(depth)
            .labelled_by(label.id)
            .on_hover_text("Planes down to this depth; the root's has depth 0");
        let label = ui.label("opacity");
        let mut percent = options.plane_opacity * 100.0;
        let percents = 100.0 * PLANE_OPACITIES.start()..=100.0 * PLANE_OPACITIES.end();
        let opacity = DragValue::new(&mut percent).range(percents).suffix(" %").max_decimals(0);
        let opacity = ui
            .add(opacity)
            .labelled_by(label.id)
            .on_hover_text("Opacity of the root's plane; deeper ones are more transparent");
        if opacity.changed() {
            options.plane_opacity = percent / 100.0;
        }
    });
}

/// Depths of the drawn boxes of a tree.
fn levels(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    ui.horizontal(|ui| {
        let from_leaves = is_built_from_leaves(snapshot.algorithm);
        ui.label(if from_leaves { "Height" } else { "Depth" });
        let levels = &mut options.tree_levels;
        ui.selectable_value(&mut levels.only, false, "up to").on_hover_text(match from_leaves {
            true => "Boxes from the leaves up to this height",
            false => "Boxes from the root down to this depth",
        });
        ui.selectable_value(&mut levels.only, true, "only").on_hover_text(if from_leaves {
            "Boxes at this height alone"
        } else {
            "Boxes at this depth alone"
        });
        ui.spacing_mut().slider_width = 50.0;
        let deepest = snapshot.structure.tree.deepest().max(levels.depth);
        named(
            ui.add(Slider::new(&mut levels.depth, 0..=deepest)),
            if from_leaves { "height" } else { "depth" },
        )
        .on_hover_text(if from_leaves {
            "Steps from the leaves, which have height 0"
        } else {
            "Steps from the root, which has depth 0"
        });
    });
}
