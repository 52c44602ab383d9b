//! The list of contacts of bodies that began and ended.

use super::command::Command;
use super::format::counted;
use super::state::PanelState;
use super::touching::link;
use super::widgets::small_figure;
use crate::session::ContactEvent;
use crate::simulation::{MAX_LISTED, Snapshot};
use egui::{Id, Rect, RichText, ScrollArea, TextStyle, Ui, Window, vec2};

/// Width, and height of the list at first, in points.
const WIDTH: f32 = 270.0;
const HEIGHT: f32 = 220.0;

pub(super) fn show(
    ui: &Ui,
    scene: Rect,
    state: &mut PanelState,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    if !state.view.contact_events {
        return;
    }
    let picked = &mut state.view.picked;
    Window::new("Contact events")
        .id(Id::unique("contact events"))
        .open(&mut state.view.contact_events)
        .default_pos(scene.left_top() + vec2(236.0, 60.0))
        .default_size([WIDTH, HEIGHT])
        .show(ui.ctx(), |ui| list(ui, picked, snapshot, commands));
}

fn list(ui: &mut Ui, picked: &mut Option<u32>, snapshot: &Snapshot, commands: &mut Vec<Command>) {
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
    // Rows are as high as their text.
    ui.spacing_mut().interact_size.y = 0.0;
    let height = ui.text_style_height(&TextStyle::Small);
    let all = ScrollArea::vertical().auto_shrink([false, false]);
    all.show_rows(ui, height, events.len(), |ui, rows| {
        for ContactEvent { step, pair, begins } in &events[rows] {
            ui.horizontal(|ui| {
                ui.label(small_figure(format!("{step:>6}")));
                let word = if *begins { "begin" } else { "end" };
                ui.label(RichText::new(format!("{word:<5}")).small().monospace());
                link(ui, pair.a, pair.b, picked, snapshot);
                link(ui, pair.b, pair.a, picked, snapshot);
            });
        }
    });
}
