//! The meaning of what is drawn over bodies.

use super::marks::{note, swatch, title};
use crate::composer::DrawOptions;
use crate::panel::format::compact;
use crate::panel::funnel::volume_verdict;
use crate::scene_renderer::Theme;
use crate::simulation::{MOST_VOLUMES, ShownBodies, Snapshot};
use egui::Ui;

/// An entry for each overlay of bodies that is switched on.
pub(super) fn show(ui: &mut Ui, options: &DrawOptions, snapshot: &Snapshot, theme: &Theme) {
    let Some(bodies) = &snapshot.bodies else { return };
    if options.body_boxes {
        ui.separator();
        swatch(ui, theme.source, "AABBs of the bodies, for the broad phase");
    }
    if options.volumes {
        ui.separator();
        volumes(ui, bodies, snapshot, theme);
    }
    if options.contact_points || options.contact_normals {
        ui.separator();
        let what = if options.contact_points { "contact point" } else { "contact normal" };
        let [new, kept] = theme.contacts;
        swatch(ui, new, &format!("{what}, new"));
        swatch(ui, kept, &format!("{what}, kept from the step before"));
    }
}

fn volumes(ui: &mut Ui, bodies: &ShownBodies, snapshot: &Snapshot, theme: &Theme) {
    let kind = bodies.methods.volume;
    title(ui, &format!("Bounding volumes: {}", kind.name), kind.summary);
    let drawn = &bodies.volumes;
    if drawn.number > 0 && kind.id != "none" {
        swatch(ui, theme.leaf, "their outlines");
    }
    if let Some(ratio) = drawn.ratio {
        ui.label(format!("volume: {ratio:.2} times the body's, mean"));
    }
    match snapshot.found.and_then(|found| found.stages).map(|stages| stages.volume) {
        None => {}
        Some(tally) => {
            let [passed, tests] = [tally.passed, tally.tests].map(|number| compact(number as f64));
            ui.label(format!("{passed} of {tests} candidates pass"));
            ui.label(volume_verdict(&tally));
        }
    }
    if drawn.number < bodies.shapes.len() && drawn.number > 0 {
        let all = compact(bodies.shapes.len() as f64);
        note(
            ui,
            format!(
                "The first {MOST_VOLUMES} of {all} bodies are outlined and averaged; click one for its neighbours"
            ),
        );
    }
}
