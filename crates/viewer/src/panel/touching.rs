//! The list of pairs that touch.

use super::bodies::scientific;
use super::format::{capitalised, counted};
use super::state::PanelState;
use super::widgets::{named, small_figure};
use crate::session::TouchingPair;
use crate::simulation::Snapshot;
use egui::{Id, Rect, RichText, ScrollArea, TextStyle, Ui, Window, vec2};

/// Width in points.
const WIDTH: f32 = 250.0;

/// Height of the list in points, at first.
const HEIGHT: f32 = 220.0;

pub(super) fn show(ui: &Ui, scene: Rect, state: &mut PanelState, snapshot: &Snapshot) {
    if !state.view.touching {
        return;
    }
    let picked = &mut state.view.picked;
    Window::new("Touching pairs")
        .id(Id::unique("touching"))
        .open(&mut state.view.touching)
        // Between the picked object and the legend.
        .default_pos(scene.left_top() + vec2(236.0, 8.0))
        .default_size([WIDTH, HEIGHT])
        .show(ui.ctx(), |ui| list(ui, picked, snapshot));
}

fn list(ui: &mut Ui, picked: &mut Option<u32>, snapshot: &Snapshot) {
    if snapshot.motion.recording.is_some() {
        ui.label("A recording has boxes alone: nothing in them touches.");
    } else if !snapshot.search.searched {
        ui.label("The pairs of this step are not known yet.");
    } else {
        let pairs = &snapshot.touching;
        ui.weak(format!("{}, each with its depth in units", counted(pairs.len(), "pair")))
            .on_hover_text("The candidates of this step that touch. Hits of bodies also count bounces off static ones within the step");
        // Rows are as high as their text.
        ui.spacing_mut().interact_size.y = 0.0;
        let height = ui.text_style_height(&TextStyle::Small);
        let all = ScrollArea::vertical().auto_shrink([false, false]);
        all.show_rows(ui, height, pairs.len(), |ui, rows| {
            for touching in &pairs[rows] {
                ui.horizontal(|ui| row(ui, touching, picked, snapshot));
            }
        });
    }
}

/// Links to both objects, and their penetration depth.
fn row(ui: &mut Ui, touching: &TouchingPair, picked: &mut Option<u32>, snapshot: &Snapshot) {
    let TouchingPair { pair, depth } = *touching;
    link(ui, pair.a, pair.b, picked, snapshot);
    link(ui, pair.b, pair.a, picked, snapshot);
    ui.label(small_figure(scientific(depth)).weak());
}

/// The name of an object that touches another one; a click picks it.
pub(super) fn link(
    ui: &mut Ui,
    object: u32,
    other: u32,
    picked: &mut Option<u32>,
    snapshot: &Snapshot,
) {
    let link = ui.link(RichText::new(name(object, snapshot)).small());
    let link = named(link, &format!("Pick {object}, which touches {other}"));
    if link.clicked() {
        *picked = Some(object);
    }
}

/// Name and number of an object: "Sphere 7". A body has the name of its shape.
pub(super) fn name(object: u32, snapshot: &Snapshot) -> String {
    let shape = snapshot.objects.bodies.as_ref().and_then(|bodies| {
        let shape = *bodies.shape_of.get(object as usize)? as usize;
        Some(bodies.catalogue.shapes().get(shape)?.name.as_str())
    });
    format!("{} {object}", capitalised(shape.unwrap_or(snapshot.kind())))
}
