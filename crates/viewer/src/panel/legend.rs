//! What colours and leaves mean, over a corner of the scene.

use super::compact;
use crate::composer::{DrawOptions, Legend, legend};
use crate::simulation::Snapshot;
use egui::{Align2, Area, Color32, Frame, Id, Rect, Sense, Ui, vec2};

pub(super) fn show(ui: &Ui, scene: Rect, snapshot: &Snapshot, options: &DrawOptions) {
    let legend = legend(snapshot, options.color);
    let leaves = if options.regions { leaves(snapshot) } else { None };
    if legend == Legend::None && leaves.is_none() {
        return;
    }
    Area::new(Id::unique("legend"))
        .fixed_pos(scene.right_top() + vec2(-8.0, 8.0))
        .pivot(Align2::RIGHT_TOP)
        .constrain(false)
        .interactable(false)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                colors(ui, legend);
                for line in leaves.iter().flatten() {
                    ui.label(line);
                }
            });
        });
}

/// How full the leaves or cells are that are drawn.
fn leaves(snapshot: &Snapshot) -> Option<[String; 3]> {
    let number = snapshot.regions.len();
    let most = snapshot.regions.iter().map(|region| region.objects).max()?;
    let listed: u64 = snapshot.regions.iter().map(|region| u64::from(region.objects)).sum();
    let name =
        if snapshot.algorithm.shows(broadphase::Overlay::Planes) { "leaves" } else { "cells" };
    Some([
        format!("{} {name}", compact(number as f64)),
        format!("objects: mean {:.1}, most {most}", listed as f64 / number as f64),
        format!("{} stand in several", compact(snapshot.counters.straddlers as f64)),
    ])
}

fn colors(ui: &mut Ui, legend: Legend) {
    match legend {
        Legend::None => {}
        Legend::Kinds { name, number } => {
            ui.label(format!("Colour: {name} ({number})"));
        }
        Legend::Scale { name, top, colors } => {
            ui.label(format!("Colour: {name}"));
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.label("0");
                let size = vec2(108.0, 10.0);
                let (bar, _) = ui.allocate_exact_size(size, Sense::hover());
                let width = bar.width() / colors.len() as f32;
                for (place, [r, g, b]) in colors.into_iter().enumerate() {
                    let left = bar.left() + width * place as f32;
                    let part = Rect::from_x_y_ranges(left..=left + width, bar.y_range());
                    ui.painter().rect_filled(part, 0.0, Color32::from_rgb(r, g, b));
                }
                ui.label(short(top));
            });
        }
    }
}

/// Three digits at the most.
fn short(number: f32) -> String {
    if number >= 100.0 {
        compact(f64::from(number))
    } else if number >= 10.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}
