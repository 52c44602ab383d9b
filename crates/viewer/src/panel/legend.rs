//! What the spheres' colours mean, over a corner of the scene.

use crate::composer::{Legend, legend};
use crate::simulation::{ColorBy, Snapshot};
use egui::{Align2, Area, Color32, Frame, Id, Rect, Sense, Ui, vec2};

pub(super) fn show(ui: &Ui, scene: Rect, snapshot: &Snapshot, color: ColorBy) {
    let legend = legend(snapshot, color);
    if legend == Legend::None {
        return;
    }
    Area::new(Id::unique("legend"))
        .fixed_pos(scene.right_top() + vec2(-8.0, 8.0))
        .pivot(Align2::RIGHT_TOP)
        .constrain(false)
        .interactable(false)
        .show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| match legend {
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
            });
        });
}

/// Three digits at the most.
fn short(number: f32) -> String {
    if number >= 100.0 {
        super::compact(f64::from(number))
    } else if number >= 10.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}
