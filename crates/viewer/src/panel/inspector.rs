//! The card of the picked object: its figures, and links to objects near it.

use super::bodies;
use super::command::Command;
use super::format::{capitalised, compact};
use super::keys;
use super::state::PanelState;
use super::widgets::small_figure;
use crate::simulation::{Picked, Snapshot};
use egui::{Align, Grid, Layout, RichText, ScrollArea, Ui};

/// Maximum of other objects in a list.
pub(super) const MAX_LINKS: usize = 12;

pub(super) fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    let picked = &mut state.view.picked;
    let Some(inspected) = snapshot.picked.as_ref().filter(|_| picked.is_some()) else { return };
    ui.spacing_mut().item_spacing.y = 2.0;
    title(ui, inspected, snapshot, picked, commands);
    ScrollArea::vertical().id_salt("object").auto_shrink([false, true]).show(ui, |ui| {
        figures(ui, inspected, snapshot);
        match &inspected.body {
            Some(body) => bodies::neighbours(ui, body, picked),
            None => others(ui, inspected, picked, snapshot),
        }
    });
}

/// The number of the object, with the buttons of its card.
fn title(
    ui: &mut Ui,
    inspected: &Picked,
    snapshot: &Snapshot,
    picked: &mut Option<u32>,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        ui.strong(capitalised(&format!("{} {}", snapshot.kind(), inspected.object)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui
                .small_button("Close")
                .on_hover_text(format!("Deselect it{}", keys::hint(keys::DESELECT)))
                .clicked()
            {
                *picked = None;
            }
            let meaning = "Zoom to it and the objects whose boxes overlap its box";
            let meaning = format!("{meaning}{}", keys::hint(keys::FRAME_PICKED));
            if ui.small_button("Zoom").on_hover_text(meaning).clicked() {
                commands.push(Command::FramePicked);
            }
        });
    });
}

fn figures(ui: &mut Ui, inspected: &Picked, snapshot: &Snapshot) {
    // Text needs less height than controls.
    ui.spacing_mut().interact_size.y = 0.0;
    Grid::new("object").num_columns(2).spacing([8.0, 1.0]).show(ui, |ui| {
        let mut figure = |name: &str, text: String, meaning: &str| {
            ui.label(RichText::new(name).small()).on_hover_text(meaning);
            ui.label(small_figure(text)).on_hover_text(meaning);
            ui.end_row();
        };
        let vector = |vector: glam::Vec3| {
            let [x, y, z] = vector.to_array().map(short_length);
            format!("{x} {y} {z}")
        };
        if inspected.bounds.is_empty() {
            return figure("Absent", "in this frame".to_owned(), "It has no box in this frame");
        }
        for (name, text, meaning) in inspected.body.iter().flat_map(bodies::facts) {
            figure(name, text, meaning);
        }
        figure("Centre", vector(inspected.center), "x, y and z of its centre");
        let speed = inspected.velocity.map(|velocity| format!("{:.3}", velocity.length()));
        let meaning = "Units per second; unknown of an object that was absent in the frame before";
        figure("Speed", speed.unwrap_or_else(|| "unknown".to_owned()), meaning);
        match inspected.radius {
            Some(radius) => {
                let meaning = "Of a body, that of its bounding sphere about the centre of mass";
                figure("Radius", format!("{radius:.4}"), meaning);
                let source = match (inspected.source, inspected.origin) {
                    (Some(source), _) => source.to_string(),
                    (None, Some(origin)) => format!("free, from {origin}"),
                    (None, None) => "free".to_owned(),
                };
                let meaning =
                    "Number of the source whose walls hold it, or that it started in and left";
                figure("Source", source, meaning);
            }
            None => figure("Size", vector(inspected.bounds.size()), "Its sides along x, y and z"),
        }
        let others = compact((snapshot.objects.present - 1) as f64);
        let tests = format!("{} of {others}", compact(f64::from(inspected.tests)));
        let meaning = "Pairs with it that the algorithm tested in the last step, of all other \
                       objects; a pair that is tested in several leaves counts each time";
        figure("Tests", tests, meaning);
        let number = |of: &[u32]| compact(of.len() as f64);
        figure("Candidates", number(&inspected.candidates), "Objects whose boxes overlap its box");
        if inspected.radius.is_some() {
            figure("Hits", number(&inspected.hits), "Candidates that touch it");
        }
        if !inspected.regions.is_empty() {
            let lists = inspected.regions.iter().map(|region| compact(f64::from(region.objects)));
            let noun = snapshot.algorithm.regions().noun(inspected.regions.len());
            let meaning = "Objects in each list that has it";
            let lists = lists.take(MAX_LINKS).collect::<Vec<_>>().join(", ");
            figure(&format!("Its {noun}"), lists, meaning);
        }
    });
}

/// Links to the objects near it, by number.
fn others(ui: &mut Ui, inspected: &Picked, picked: &mut Option<u32>, snapshot: &Snapshot) {
    let near = inspected.candidates.iter().copied().filter(|other| !inspected.touches(*other));
    let near: Vec<u32> = near.collect();
    // Boxes of a recording have no spheres in them that touch.
    let overlaps =
        if snapshot.motion.recording.is_some() { "Overlaps" } else { "Only the boxes overlap" };
    for (name, numbers) in [("Touches", &inspected.hits), (overlaps, &near)] {
        if numbers.is_empty() {
            continue;
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            ui.label(RichText::new(name).small());
            for number in numbers.iter().take(MAX_LINKS) {
                let link = ui.link(RichText::new(number.to_string()).small());
                if link.clicked() {
                    *picked = Some(*number);
                }
            }
            and_more(ui, numbers.len(), MAX_LINKS);
        });
    }
}

pub(super) fn and_more(ui: &mut Ui, number: usize, shown: usize) {
    if let Some(more @ 1..) = number.checked_sub(shown) {
        ui.weak(RichText::new(format!("and {more} more")).small());
    }
}

/// A coordinate with three decimals, or fewer where it is large.
fn short_length(length: f32) -> String {
    match length.abs() {
        ..99.9995 => format!("{length:.3}"),
        ..9999.95 => format!("{length:.1}"),
        _ => format!("{length:.3e}"),
    }
}
