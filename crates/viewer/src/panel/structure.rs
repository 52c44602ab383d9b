//! Switches for the overlays of the algorithm's structure.

use super::format::capitalised;
use super::widgets::named;
use crate::composer::{DrawOptions, PLANE_OPACITIES};
use crate::simulation::{MAX_ROWS, Snapshot, is_built_from_leaves};
use broadphase::inspect::Overlay;
use egui::{DragValue, Slider, Ui};

pub(super) fn show(ui: &mut Ui, options: &mut DrawOptions, snapshot: &Snapshot) {
    let algorithm = snapshot.algorithm;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label("Structure").on_hover_text(format!("Overlays of {}", algorithm.name));
        if algorithm.tests_all_pairs() {
            ui.weak("none: all pairs are tested");
        }
        for overlay in Overlay::ALL.into_iter().filter(|overlay| algorithm.shows(*overlay)) {
            let (name, meaning) = in_words(overlay, snapshot);
            let mut on = options.shows(overlay);
            ui.checkbox(&mut on, name).on_hover_text(meaning);
            options.overlays.set(overlay, on);
        }
    });
    if options.draws(Overlay::Planes, algorithm) {
        planes(ui, options, snapshot);
    }
    if options.draws(Overlay::TreeBoxes, algorithm) {
        levels(ui, options, snapshot);
    }
}

/// The name of an overlay, and its meaning.
fn in_words(overlay: Overlay, snapshot: &Snapshot) -> (String, String) {
    let (name, meaning) = (overlay.name(), overlay.meaning());
    match overlay {
        Overlay::Regions => {
            let [_, regions] = snapshot.algorithm.regions().noun;
            (capitalised(regions), format!("The {regions}, {meaning}"))
        }
        Overlay::Matrix if snapshot.objects.positions.len() > MAX_ROWS => {
            let drawn = format!("It has no picture now: it is drawn up to {MAX_ROWS} objects");
            (name.to_owned(), format!("{meaning}. {drawn}"))
        }
        _ => (name.to_owned(), meaning.to_owned()),
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
