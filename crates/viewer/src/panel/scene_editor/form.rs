//! Parts shared by the forms of the scene.

use crate::panel::number_field::{NumberField, rounded};
use egui::{Button, Response, Ui, vec2};
use glam::Vec3;
use std::ops::RangeInclusive;

/// Width of the labels before fields in points.
const LABEL_WIDTH: f32 = 52.0;

/// A button of the whole width.
pub(super) fn wide_button(ui: &mut Ui, text: &str, enabled: bool) -> Response {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let button = Button::new(text).truncate();
    ui.add_enabled_ui(enabled, |ui| ui.add_sized(size, button)).inner
}

/// A row of three fields under one label. `fixed` is an axis whose field is disabled, with the
/// reason.
pub(super) fn vector(
    ui: &mut Ui,
    label: &str,
    element: &str,
    vector: &mut Vec3,
    (range, speed): (RangeInclusive<f32>, f64),
    fixed: Option<(usize, &str)>,
) {
    labelled(ui, label, |ui| {
        let gaps = 2.0 * ui.spacing().item_spacing.x;
        let width = ((ui.available_width() - gaps) / 3.0).floor();
        for (index, (axis, prefix)) in
            [("x", "x "), ("y", "y "), ("z", "z ")].into_iter().enumerate()
        {
            let name = format!("{element} {} {axis}", label.to_lowercase());
            let reason = fixed.filter(|(axis, _)| *axis == index).map(|(_, reason)| reason);
            ui.add_enabled_ui(reason.is_none(), |ui| {
                let field = NumberField::new(&name, &mut vector[index], range.clone());
                let field = NumberField { prefix, speed, width, held: true, ..field }.show(ui);
                let field = field.on_hover_text("Units: drag, or click and type");
                if let Some(reason) = reason {
                    field.on_disabled_hover_text(reason);
                }
            });
        }
    });
}

/// A row that begins with a label.
pub(super) fn labelled(ui: &mut Ui, label: &str, contents: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let size = vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_size(size);
            ui.label(label);
        });
        contents(ui);
    });
}

/// Units per point of dragging: a scene is some hundred points wide.
pub(super) fn drag_speed(scene: &sim::Scene) -> f64 {
    let widest = scene.bounds().size().max_element();
    if widest > 0.0 { f64::from(widest) / 200.0 } else { 0.01 }
}

/// The short numbers of a vector in a row, with this between them.
pub(super) fn numbers((vector, between): (&Vec3, &str)) -> String {
    vector.to_array().map(rounded).join(between)
}
