//! Group *Draw*: what is drawn, and the meaning of its colours.

use super::format::capitalised;
use super::number_field::NumberField;
use super::state::PanelState;
use super::status::Status;
use super::widgets::named;
use crate::picture::MAX_ROWS;
use crate::simulation::Snapshot;
use crate::view::{ColorBy, PLANE_OPACITIES, Row, View};
use broadphase::inspect::Overlay;
use egui::{Checkbox, ComboBox, Slider, Ui};

pub(super) fn show(ui: &mut Ui, state: &mut PanelState, snapshot: &Snapshot, status: &Status<'_>) {
    let (objects, light) = Row::SWITCHES.split_at(5);
    let view = &mut state.view;
    ui.horizontal(|ui| rows(ui, view, snapshot, objects));
    ui.horizontal(|ui| {
        rows(ui, view, snapshot, light);
        let meaning =
            "Draw in step with the screen; off: as fast as possible, if the screen allows it";
        ui.checkbox(&mut state.vsync, "Vertical sync").on_hover_text(meaning);
    });
    ui.horizontal(|ui| color(ui, view, snapshot));
    if snapshot.objects.bodies.is_some() {
        for line in [
            &[Row::Aabbs, Row::Volumes, Row::Parts][..],
            &[Row::Impacts, Row::Paths, Row::Waiting],
            &[Row::Contacts, Row::Normals],
        ] {
            ui.horizontal(|ui| rows(ui, view, snapshot, line));
        }
        let is_drawn = |row| snapshot.drawing.groups(view).any(|of| of.rows.contains(&row));
        let waits = |row| view.shows(row) && snapshot.offers(row) && !is_drawn(row);
        if status.at_work.is_some() && Row::OF_BODIES.into_iter().any(waits) {
            ui.weak("They are drawn after this search.");
        }
    }
    structure(ui, view, snapshot);
}

/// A check box for each row that has an effect.
fn rows(ui: &mut Ui, view: &mut View, snapshot: &Snapshot, rows: &[Row]) {
    for row in rows.iter().copied().filter(|row| snapshot.offers(*row)) {
        let (name, meaning) = in_words(row, snapshot);
        let mut on = match row {
            Row::Glow => view.glows(snapshot.objects.positions.len()),
            _ => view.shows(row),
        };
        let is_free = row != Row::Glow || view.color == ColorBy::Plain;
        let mut switch = ui.add_enabled(is_free, Checkbox::new(&mut on, name));
        if !meaning.is_empty() {
            switch = switch.on_hover_text(meaning);
        }
        let plain = ColorBy::Plain.name();
        let switch = switch.on_disabled_hover_text(format!(
            "It would hide the colours, which have a meaning now; only with Colour by: {plain}"
        ));
        if switch.changed() {
            view.set(row, on);
        }
    }
}

/// The name of a row, and its meaning.
fn in_words(row: Row, snapshot: &Snapshot) -> (String, String) {
    let [_, name, meaning] = row.names();
    match row {
        Row::Structure(Overlay::Regions) => {
            let [_, regions] = snapshot.algorithm.regions().noun;
            (capitalised(regions), format!("The {regions}, {meaning}"))
        }
        Row::Structure(Overlay::Matrix) if snapshot.objects.positions.len() > MAX_ROWS => {
            let drawn = format!("It has no picture now: it is drawn up to {MAX_ROWS} objects");
            (name.to_owned(), format!("{meaning}. {drawn}"))
        }
        _ => (name.to_owned(), meaning.to_owned()),
    }
}

/// The choice of the value that the colours show.
fn color(ui: &mut Ui, view: &mut View, snapshot: &Snapshot) {
    let is_scene = snapshot.motion.recording.is_none();
    let algorithm = snapshot.algorithm;
    let label = ui.label("Colour by");
    ComboBox::from_id_salt("color")
        .selected_text(view.color.name())
        .width(108.0)
        .truncate()
        .show_ui(ui, |ui| {
            for of in ColorBy::ALL {
                if !is_scene && of.is_of_scenes() {
                    continue;
                }
                let offered = of != ColorBy::Region || algorithm.shows(Overlay::Regions);
                ui.add_enabled_ui(offered, |ui| {
                    ui.selectable_value(&mut view.color, of, of.name())
                        .on_hover_text(of.names()[2])
                        .on_disabled_hover_text(format!(
                            "{} has no leaves, cells or columns",
                            algorithm.name
                        ));
                });
            }
        })
        .response
        .labelled_by(label.id)
        .on_hover_text(view.color.names()[2]);
}

/// Overlays of the algorithm's structure.
fn structure(ui: &mut Ui, view: &mut View, snapshot: &Snapshot) {
    let algorithm = snapshot.algorithm;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label("Structure");
        if algorithm.tests_all_pairs() {
            ui.weak("none: all pairs are tested");
        }
        rows(ui, view, snapshot, &Row::of_structures().collect::<Vec<_>>());
    });
    if snapshot.draws(view, Overlay::Planes) {
        planes(ui, view, snapshot);
    }
    if snapshot.draws(view, Overlay::TreeBoxes) {
        levels(ui, view, snapshot);
    }
}

/// Greatest depth of the drawn planes, and their opacity.
fn planes(ui: &mut Ui, view: &mut View, snapshot: &Snapshot) {
    // The setting may be deeper than this tree: it then applies to a deeper one.
    let deepest = snapshot.search.counters.depth.saturating_sub(1).max(view.plane_depth);
    ui.horizontal(|ui| {
        let (name, range) = ("Planes down to depth", 0..=deepest);
        ui.label(name);
        let depth = NumberField::new(name, &mut view.plane_depth, range);
        let depth = NumberField { speed: 0.1, width: 40.0, ..depth }.show(ui);
        depth.on_hover_text("The root's plane has depth 0");
        ui.label("opacity");
        let mut percent = (view.plane_opacity * 100.0).round();
        let shown = percent;
        let [least, most] = [PLANE_OPACITIES.start(), PLANE_OPACITIES.end()].map(|of| 100.0 * of);
        let opacity = NumberField::new("opacity", &mut percent, least..=most);
        let opacity = NumberField { suffix: " %", speed: 1.0, width: 40.0, ..opacity }.show(ui);
        opacity.on_hover_text("Opacity of the root's plane; deeper ones are more transparent");
        if percent != shown {
            view.plane_opacity = percent / 100.0;
        }
    });
}

/// Depths of the drawn boxes of a tree.
fn levels(ui: &mut Ui, view: &mut View, snapshot: &Snapshot) {
    ui.horizontal(|ui| {
        let tree = snapshot.algorithm.caption(Overlay::TreeBoxes);
        let from_leaves = tree.is_some_and(|tree| tree.from_leaves);
        ui.label(if from_leaves { "Height" } else { "Depth" });
        let levels = &mut view.tree_levels;
        for (only, name) in [(false, "up to"), (true, "only")] {
            ui.selectable_value(&mut levels.only, only, name);
        }
        ui.spacing_mut().slider_width = 50.0;
        let deepest = snapshot.drawing.deepest.max(levels.depth);
        let slider = ui.add(Slider::new(&mut levels.depth, 0..=deepest));
        let (name, meaning) = match from_leaves {
            true => ("height", "Steps from the leaves, which have height 0"),
            false => ("depth", "Steps from the root, which has depth 0"),
        };
        named(slider, name).on_hover_text(meaning);
    });
}
