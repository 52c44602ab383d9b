//! Lists of objects that touch: the pairs of this step, and the contacts of bodies that began and ended.

use super::bodies::scientific;
use super::command::Command;
use super::format::{capitalised, counted};
use super::state::PanelState;
use super::widgets::{named, small_figure};
use crate::session::{ContactEvent, TouchingPair};
use crate::simulation::{MAX_LISTED, Snapshot};
use crate::view::View;
use broadphase::Pair;
use egui::{Id, Pos2, Rect, RichText, ScrollArea, TextStyle, Ui, Window, vec2};

/// Width, and height of a list at first, in points.
const SIZE: [f32; 2] = [260.0, 220.0];

/// Shows the lists that are open.
pub(super) fn show(
    ui: &Ui,
    scene: Rect,
    state: &mut PanelState,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    let View { picked, touching, contact_events, .. } = &mut state.view;
    let corner = scene.left_top() + vec2(236.0, 8.0);
    window(ui, "Touching pairs", corner, touching, |ui| pairs(ui, picked, snapshot));
    window(ui, "Contact events", corner + vec2(0.0, 52.0), contact_events, |ui| {
        events(ui, picked, snapshot, commands);
    });
}

fn window(ui: &Ui, title: &str, corner: Pos2, is_open: &mut bool, contents: impl FnOnce(&mut Ui)) {
    let window = Window::new(title).id(Id::unique(title)).open(is_open);
    window.default_pos(corner).default_size(SIZE).show(ui.ctx(), contents);
}

fn pairs(ui: &mut Ui, picked: &mut Option<u32>, snapshot: &Snapshot) {
    if snapshot.motion.recording.is_some() {
        ui.label("A recording has boxes alone: nothing in them touches.");
        return;
    }
    if !snapshot.search.searched {
        ui.label("The pairs of this step are not known yet.");
        return;
    }
    let pairs = &snapshot.touching;
    ui.weak(format!("{}, each with its depth in units", counted(pairs.len(), "pair")))
        .on_hover_text("The candidates of this step that touch. Hits of bodies also count bounces off static ones within the step");
    rows(ui, pairs, |ui, TouchingPair { pair, depth }| {
        links(ui, *pair, picked, snapshot);
        ui.label(small_figure(scientific(*depth)).weak());
    });
}

fn events(ui: &mut Ui, picked: &mut Option<u32>, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let events = &snapshot.contact_events;
    ui.horizontal(|ui| {
        let number = match events.len() {
            MAX_LISTED => format!("the last {MAX_LISTED} events"),
            number => counted(number, "event"),
        };
        ui.weak(number).on_hover_text(
            "Contacts that began or ended up to this step, the last one first: bodies touch at the end of a step, or met \
             within it",
        );
        let export = ui.small_button("Export");
        if export.on_hover_text("Write all events to results/ as events.csv").clicked() {
            commands.push(Command::ExportEvents);
        }
    });
    rows(ui, events, |ui, ContactEvent { step, pair, begins }| {
        ui.label(small_figure(format!("{step:>6}")));
        let word = if *begins { "begin" } else { "end" };
        ui.label(RichText::new(format!("{word:<5}")).small().monospace());
        links(ui, *pair, picked, snapshot);
    });
}

/// A row for each of some things, as high as its text.
fn rows<T>(ui: &mut Ui, of: &[T], mut row: impl FnMut(&mut Ui, &T)) {
    ui.spacing_mut().interact_size.y = 0.0;
    let height = ui.text_style_height(&TextStyle::Small);
    let all = ScrollArea::vertical().auto_shrink([false, false]);
    all.show_rows(ui, height, of.len(), |ui, rows| {
        for one in &of[rows] {
            ui.horizontal(|ui| row(ui, one));
        }
    });
}

/// The names of two objects that touch; a click picks one.
fn links(ui: &mut Ui, pair: Pair, picked: &mut Option<u32>, snapshot: &Snapshot) {
    for (object, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
        let link = ui.link(RichText::new(name(object, snapshot)).small());
        if named(link, &format!("Pick {object}, which touches {other}")).clicked() {
            *picked = Some(object);
        }
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
