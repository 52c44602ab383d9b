//! What the panels show of bodies alone: their boxes, their energy, and a picked one.

use super::command::Command;
use super::figures::pair;
use super::inspector::{MOST_LINKS, and_more};
use super::widgets::small_figure;
use crate::composer::DrawOptions;
use crate::simulation::{Neighbour, Order, PickedBody, ShownBodies};
use egui::{Grid, RichText, Ui};
use glam::DVec3;
use narrowphase::BoxKind;

/// Group *Bodies*: how the boxes for the broad phase are computed.
pub(super) fn show(ui: &mut Ui, bodies: &ShownBodies, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label("AABB").on_hover_text(
            "How the boxes for the broad phase are computed. The motion does not depend on it",
        );
        for kind in BoxKind::ALL {
            let choice = ui.selectable_label(bodies.box_kind == kind, kind.id());
            if choice.on_hover_text(kind.summary()).clicked() && bodies.box_kind != kind {
                commands.push(Order::BoxKind(kind).into());
            }
        }
    });
}

/// Switches for what is drawn over bodies, in the group *Draw*.
pub(super) fn switches(ui: &mut Ui, options: &mut DrawOptions) {
    ui.horizontal(|ui| {
        ui.checkbox(&mut options.body_boxes, "AABBs")
            .on_hover_text("The boxes that the broad phase has of the bodies");
        ui.checkbox(&mut options.contact_points, "Contact points").on_hover_text(
            "Where bodies touch; brighter where the same features met in the step before",
        );
        ui.checkbox(&mut options.contact_normals, "Normals")
            .on_hover_text("The axis of least penetration at each contact point");
    });
}

/// What elastic collisions keep, in the group *Figures*.
pub(super) fn figures(ui: &mut Ui, bodies: &ShownBodies) {
    let ShownBodies { energy, momentum, angular_momentum, .. } = bodies;
    Grid::new("bodies").num_columns(4).min_col_width(58.0).spacing([6.0, 2.0]).show(ui, |ui| {
        let meaning = "Kinetic energy of all moving bodies, of translation and rotation; a ball of \
                       radius 1 has mass 1";
        pair(ui, "Energy", &scientific(*energy), meaning);
        let meaning = "Length of the momentum of all moving bodies. Walls change it";
        pair(ui, "Momentum", &scientific(momentum.length()), meaning);
        ui.end_row();
        let meaning = "Length of the angular momentum of all moving bodies about the origin. Walls \
                       change it";
        pair(ui, "Spin", &scientific(angular_momentum.length()), meaning);
        ui.end_row();
    });
}

/// Shape, mass and rotation of a picked body, as rows of name, text and meaning.
pub(super) fn facts(body: &PickedBody) -> [(&'static str, String, &'static str); 4] {
    let parts = if body.parts == 1 { "convex".into() } else { format!("{} parts", body.parts) };
    let mass = if body.mass.is_infinite() { "static".into() } else { scientific(body.mass) };
    [
        ("Shape", format!("{}, {parts}", body.shape), "Name of its shape, and its convex parts"),
        ("Volume", scientific(body.volume), "Of all parts, in cubic units"),
        ("Mass", mass, "A ball of radius 1 has mass 1"),
        ("Rotation", vector(body.spin), "Its angular velocity along x, y and z in rad/s"),
    ]
}

/// Links to the bodies near a picked one, with their gaps.
pub(super) fn neighbours(ui: &mut Ui, body: &PickedBody, picked: &mut Option<u32>) {
    let touching = body.neighbours.iter().take_while(|neighbour| neighbour.gap <= 0.0).count();
    let (hits, near) = body.neighbours.split_at(touching);
    let depth =
        "Penetration depth, and the axis along which it is least, from this body to that one";
    let gap = "Distance, and the separating axis along it, from this body to that one; of compounds \
               that of the nearest parts";
    for (name, list, meaning) in [("Touches, depth", hits, depth), ("Near, gap", near, gap)] {
        if list.is_empty() {
            continue;
        }
        ui.label(RichText::new(name).small()).on_hover_text(meaning);
        for Neighbour { object, gap, axis } in list.iter().take(MOST_LINKS) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 5.0;
                let link = ui.link(RichText::new(object.to_string()).small());
                if link.on_hover_text("Pick this body").clicked() {
                    *picked = Some(*object);
                }
                let text = format!("{} {}", scientific(gap.abs()), vector(*axis));
                ui.label(small_figure(text)).on_hover_text(meaning);
            });
        }
        and_more(ui, list.len(), MOST_LINKS);
    }
}

fn vector(vector: DVec3) -> String {
    // Not -0.00.
    let [x, y, z] = vector.to_array().map(|part| if part.abs() < 0.005 { 0.0 } else { part });
    format!("{x:.2} {y:.2} {z:.2}")
}

/// Four digits, with an exponent where the number is small or large.
fn scientific(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        0.001..10.0 => format!("{number:.4}"),
        10.0..10_000.0 => format!("{number:.1}"),
        _ => format!("{number:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_four_digits() {
        let text = [0.0, 0.01234, -3.5, 1234.56, 1e-7].map(scientific);
        assert_eq!(text, ["0", "0.0123", "-3.5000", "1234.6", "1.00e-7"]);
    }
}
