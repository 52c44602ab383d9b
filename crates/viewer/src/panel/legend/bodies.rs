//! The meaning of what is drawn over bodies.

use super::marks::{line, note, part, scale, swatch, title};
use crate::composer::{contact_colors, figures};
use crate::panel::format::compact;
use crate::panel::funnel::volume_verdict;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{MAX_BOXES, MAX_VOLUMES, ShownBodies, ShownImpact, Snapshot};
use crate::view::{Row, View};
use egui::Ui;

/// An entry for each overlay of bodies that is switched on.
pub(super) fn show(ui: &mut Ui, options: &View, snapshot: &Snapshot, theme: &Theme) {
    let Some(bodies) = &snapshot.objects.bodies else { return };
    if options.shows(Row::Aabbs) {
        ui.separator();
        let swept = "Swept AABBs of the bodies, over all of the step, for the broad phase";
        let at_end = "AABBs of the bodies, for the broad phase";
        swatch(ui, theme.source, if snapshot.is_continuous() { swept } else { at_end });
        let all = bodies.boxes.len();
        part(ui, all.min(MAX_BOXES), all, "AABBs");
    }
    if snapshot.is_continuous() {
        impacts(ui, options, &bodies.impacts.contacts, theme);
    }
    if options.shows(Row::Waiting) {
        ui.separator();
        let waiting = compact(bodies.impacts.waiting.len() as f64);
        let text = format!("{waiting} bodies waited: they had too many contacts");
        swatch(ui, theme.rotated, &text);
    }
    if options.shows(Row::Parts) {
        ui.separator();
        swatch(ui, theme.cached[1], "AABB of each part of a body");
        if figures(snapshot).next().is_some() {
            swatch(ui, theme.picked, "the figure that the parts stand for");
        }
    }
    if options.shows(Row::Volumes) {
        ui.separator();
        volumes(ui, bodies, snapshot, theme);
    }
    if options.shows(Row::Contacts) || options.shows(Row::Normals) {
        ui.separator();
        let what = if options.shows(Row::Contacts) { "contact point" } else { "contact normal" };
        contacts(ui, bodies, what, contact_colors(options.color, theme));
    }
}

/// First contacts, and the paths of their bodies.
fn impacts(ui: &mut Ui, options: &View, contacts: &[ShownImpact], theme: &Theme) {
    if options.shows(Row::Impacts) {
        ui.separator();
        let meaning = "Where and when bodies first touch in the step; the line is the normal.";
        title(ui, &format!("First contacts: {}", compact(contacts.len() as f64)), meaning);
        scale(ui, theme, "start", "end of the step");
    }
    if options.shows(Row::Paths) {
        ui.separator();
        ui.strong("Paths of the bodies that met");
        swatch(ui, theme.overlap, "from the start of the step to the last contact");
        swatch(ui, theme.hit, "from there to the end of the step");
    }
    if options.shows(Row::Impacts) || options.shows(Row::Paths) {
        part(ui, contacts.len().min(MAX_BOXES), contacts.len(), "first contacts");
    }
}

/// The number of new and of kept points, or of all where this is unknown.
fn contacts(ui: &mut Ui, bodies: &ShownBodies, what: &str, colors: [Color; 3]) {
    let count = |is_kept| bodies.contacts.iter().filter(|of| of.is_kept == is_kept).count();
    let [new, kept, unknown] = [Some(false), Some(true), None].map(count);
    let [new_color, kept_color, unknown_color] = colors;
    let figure = |number: usize| compact(number as f64);
    if unknown > 0 {
        let text = format!("{} {what}s; the step before was not seen", figure(unknown));
        swatch(ui, unknown_color, &text);
    } else {
        swatch(ui, new_color, &format!("{} {what}s, new", figure(new)));
        swatch(ui, kept_color, &format!("{} {what}s, kept from the step before", figure(kept)));
    }
    let all = bodies.contacts.len();
    part(ui, all.min(MAX_BOXES), all, "contact points");
}

fn volumes(ui: &mut Ui, bodies: &ShownBodies, snapshot: &Snapshot, theme: &Theme) {
    let kind = bodies.methods.volume;
    title(ui, &format!("Bounding volumes: {}", kind.name), kind.summary);
    let drawn = &bodies.volumes;
    if drawn.number > 0 && kind.id != "none" {
        swatch(ui, theme.leaf, "their outlines");
    }
    if let Some(ratio) = drawn.ratio {
        let of = if drawn.number < bodies.shape_of.len() {
            format!(" of {}", drawn.number)
        } else {
            String::new()
        };
        ui.label(format!("volume: {ratio:.2} times the body's, mean{of}"));
        let parts = |shape: &u32| bodies.catalogue.shapes()[*shape as usize].shape.parts().len();
        if bodies.shape_of.iter().any(|shape| parts(shape) > 1) {
            line(ui, "Where parts of a body overlap, its volume counts twice.");
        }
    }
    match snapshot.search.found.and_then(|found| found.stages).map(|stages| stages.volume) {
        None => {}
        Some(tally) if tally.tests == 0 => {
            ui.label("no candidates in this step");
        }
        Some(tally) => {
            let [passed, tests] = [tally.passed, tally.tests].map(|number| compact(number as f64));
            ui.label(format!("{passed} of {tests} candidates pass"));
            ui.label(volume_verdict(&tally));
        }
    }
    if drawn.number < bodies.shape_of.len() && drawn.number > 0 {
        let all = compact(bodies.shape_of.len() as f64);
        note(
            ui,
            format!(
                "The first {MAX_VOLUMES} of {all} bodies are outlined; click one for its neighbours"
            ),
        );
    }
}
