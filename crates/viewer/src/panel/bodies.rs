//! Panels of bodies alone: how they are tested, their energy, and a picked one.

use super::command::Command;
use super::figures::pair;
use super::first_contacts;
use super::format::capitalised;
use super::inspector::{MAX_LINKS, and_more};
use super::state::PanelState;
use super::touching;
use super::widgets::{named, small_figure};
use crate::session::Methods;
use crate::simulation::{Contact, Neighbour, Order, PickedBody, ShownBodies, Snapshot};
use egui::{ComboBox, Grid, RichText, Ui};
use glam::DVec3;
use narrowphase::BoxKind;
use narrowphase::contact::Extent;
use narrowphase::narrow::NARROW_PHASES;
use narrowphase::volume::VOLUMES;
use sim::scene::{Driving, MoveRule};
use sim::{Refusal, RefusedBy, Scene};

/// Width of the lists of methods in points.
const METHOD_WIDTH: f32 = 160.0;

/// Height of an open list in points: all volumes without scrolling.
const METHODS_HEIGHT: f32 = 320.0;

/// Group *Bodies*: how the boxes for the broad phase are computed, and how its candidates are tested. A wrong answer
/// is offered as a scene.
pub(super) fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    bodies: &ShownBodies,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        ui.label("AABB").on_hover_text(
            "Axis-aligned bounding boxes: how the boxes for the broad phase are computed. The motion does not depend on it",
        );
        for kind in BoxKind::ALL {
            let choice = ui.selectable_label(bodies.box_kind == kind, kind.id());
            let choice = named(choice, &format!("AABB: {}", kind.id()));
            if choice.on_hover_text(kind.summary()).clicked() && bodies.box_kind != kind {
                commands.push(Order::BoxKind(kind).into());
            }
        }
    });
    first_contacts::continuous(ui, snapshot, commands);
    Grid::new("methods").num_columns(2).spacing([6.0, 3.0]).show(ui, |ui| {
        methods(ui, bodies.methods, &snapshot.input.recipe, commands);
    });
    driven(ui, state, bodies, snapshot);
}

/// A card for each driven body, and the switch that lets letters drive.
fn driven(ui: &mut Ui, state: &mut PanelState, bodies: &ShownBodies, snapshot: &Snapshot) {
    if bodies.driven.is_empty() {
        return;
    }
    ui.checkbox(&mut state.drive, "Drive").on_hover_text(
        "Arrow keys drive in any case. While this is ticked, W, A, S and D drive too: then Space starts and stops, and S does \
         not. J jumps",
    );
    for body in &bodies.driven {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            let object = body.object;
            let link = ui.link(RichText::new(touching::name(object, snapshot)).small());
            if named(link, &format!("Pick {object}, which is driven")).clicked() {
                state.view.picked = Some(object);
            }
            let text = small_figure(format!("{} units/s", scientific(body.speed)));
            ui.label(text);
            if let Some(refusal) = &body.refusal {
                ui.label(small_figure(refusal_words(refusal, snapshot))).on_hover_text(
                    "Its bounding volume would collide in a step, so that it stays: the gap between the bodies themselves \
                     where it stays, or how deep the volume let it in",
                );
            }
        });
    }
}

/// By how much a volume stopped its body early, or let it in: "stopped 0.1200 early by its circle, before Pillar 3".
fn refusal_words(Refusal { by, gap, .. }: &Refusal, snapshot: &Snapshot) -> String {
    let scene = &snapshot.input.scene;
    let other = match by {
        RefusedBy::Object(other) => touching::name(*other, snapshot),
        RefusedBy::Obstacle(index) => format!("obstacle {}", index + 1),
        RefusedBy::Wall => "a wall".to_owned(),
    };
    if *gap <= 0.0 {
        return format!("stopped, entered {other} by {}", scientific(-gap));
    }
    let volume = match scene.driving.rule.volume() {
        Some(kind) if scene.flat => kind.name.to_lowercase().replace("sphere", "circle"),
        Some(kind) => kind.name.to_lowercase(),
        None => "volume".to_owned(),
    };
    format!("stopped {} early by its {volume}, before {other}", scientific(*gap))
}

/// The choice of a bounding volume and of a narrow phase, a row of a grid each.
fn methods(ui: &mut Ui, methods: Methods, recipe: &Scene, commands: &mut Vec<Command>) {
    let chosen = methods.volume;
    let refuses = recipe.driving.rule.volume().is_some();
    let volumes = VOLUMES.iter().map(|kind| {
        let exact = if kind.exact { "" } else { "\nInexact: what it misses is counted." };
        let rule = if refuses {
            "\nIt keeps driven bodies from moving: another one restarts the scene."
        } else {
            ""
        };
        (kind.name, kind.id, format!("{}{exact}{rule}\n{}", kind.summary, kind.source), kind)
    });
    if let Some(volume) = choice(ui, "Bounding volume", chosen.id, volumes) {
        if refuses {
            let driving = Driving { rule: MoveRule::Refuse(volume.id), ..recipe.driving };
            commands.push(Order::Generate(Box::new(Scene { driving, ..recipe.clone() })).into());
        }
        commands.push(Order::Methods(Methods { volume, ..methods }).into());
    }
    let chosen = methods.narrow;
    let narrow = NARROW_PHASES.iter().map(|kind| {
        (kind.name, kind.id, format!("{}.\n{}", capitalised(kind.summary), kind.source), kind)
    });
    if let Some(narrow) = choice(ui, "Narrow phase", chosen.id, narrow) {
        commands.push(Order::Methods(Methods { narrow, ..methods }).into());
    }
}

/// A list of methods: name, id, description. Returns another one than the present, if it is chosen.
pub(super) fn choice<T>(
    ui: &mut Ui,
    label: &str,
    present: &str,
    all: impl Iterator<Item = (&'static str, &'static str, String, &'static T)>,
) -> Option<&'static T> {
    let mut chosen = None;
    let all: Vec<_> = all.collect();
    let now = all.iter().find(|(_, id, ..)| *id == present);
    let (text, meaning) = now.map_or((present, ""), |(name, _, meaning, _)| (name, meaning));
    ui.label(label);
    let combo = ComboBox::from_id_salt(label)
        .width(METHOD_WIDTH)
        .height(METHODS_HEIGHT)
        .truncate()
        .selected_text(text);
    let combo = combo.show_ui(ui, |ui| {
        for (name, id, meaning, kind) in &all {
            let entry = ui.selectable_label(*id == present, *name);
            let entry = entry.on_hover_text(format!("{meaning}\n{id}"));
            if entry.clicked() && *id != present {
                chosen = Some(*kind);
            }
        }
    });
    named(combo.response, label).on_hover_text(format!("{meaning}\n{present}"));
    ui.end_row();
    chosen
}

/// Energy and momentum, in the group *Figures*.
pub(super) fn figures(ui: &mut Ui, bodies: &ShownBodies) {
    ui.horizontal(|ui| {
        let energy = "Kinetic energy of all moving bodies, of translation and rotation; a ball of radius 1 has mass 1. \
                      Collisions are elastic: it is constant without gravity and the line";
        pair(ui, "Energy", &scientific(bodies.energy), energy);
        let momentum = "Length of the momentum of all moving bodies. Walls, obstacles, static bodies, gravity and the line \
                        change it";
        pair(ui, "Momentum", &scientific(bodies.momentum.length()), momentum);
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
        ("Spin", vector(body.spin), "Its angular velocity along x, y and z in rad/s"),
    ]
}

/// Links to the bodies near a picked one, with their gaps.
pub(super) fn neighbours(ui: &mut Ui, body: &PickedBody, picked: &mut Option<u32>) {
    let (hits, near) = body.neighbours.split_at(body.hits);
    let depth =
        "Penetration depth, and the axis along which it is least, from this body to that one";
    let gap = "Distance, and the separating axis along it, from this body to that one; of compounds \
               that of the nearest parts";
    for (name, list, meaning) in [("Touches, depth", hits, depth), ("Near, gap", near, gap)] {
        if list.is_empty() {
            continue;
        }
        ui.label(RichText::new(name).small()).on_hover_text(meaning);
        for Neighbour { object, gap, axis, contact } in list.iter().take(MAX_LINKS) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 5.0;
                let link = ui.link(RichText::new(object.to_string()).small());
                if link.clicked() {
                    *picked = Some(*object);
                }
                let text = format!("{} {}", scientific(gap.abs()), vector(*axis));
                ui.label(small_figure(text)).on_hover_text(meaning);
            });
            if let Some(contact) = contact {
                ui.label(RichText::new(contact_words(contact)).small()).on_hover_text(
                    "Contact set: which features meet along that axis, and the length or area of what they have in common",
                );
            }
        }
        and_more(ui, list.len(), MAX_LINKS);
    }
}

/// Kind and extent of a contact set: "edge-face, length 0.3000".
fn contact_words(Contact { kind, extent, sets }: &Contact) -> String {
    let extent = match extent {
        Extent::Point => "a point".to_owned(),
        Extent::Segment { length } => format!("length {}", scientific(*length)),
        Extent::Polygon { area } => format!("area {}", scientific(*area)),
    };
    let of = if *sets > 1 { format!(", the deepest of {sets} sets") } else { String::new() };
    format!("{}, {extent}{of}", kind.id())
}

fn vector(vector: DVec3) -> String {
    // Not -0.00.
    let [x, y, z] = vector.to_array().map(|part| if part.abs() < 0.005 { 0.0 } else { part });
    format!("{x:.2} {y:.2} {z:.2}")
}

/// Below this, sums of a world's bodies are rounding: no scene has so small figures.
const NEGLIGIBLE: f64 = 1e-30;

/// Four digits, with an exponent where the number is small or large.
pub(super) fn scientific(number: f64) -> String {
    if number.abs() < NEGLIGIBLE {
        return "0".to_owned();
    }
    let text = format!("{number:.3e}");
    // Of the rounded number: 9.9996 is 10.00. Infinity has none.
    let exponent = text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok());
    match exponent {
        Some(exponent @ -3..=3) => format!("{number:.*}", (3 - exponent) as usize),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_four_digits() {
        let text = [0.0, 0.012344, -3.5, 12.3456, 1234.56, 1e-7, 56_789.0].map(scientific);
        assert_eq!(text, ["0", "0.01234", "-3.500", "12.35", "1235", "1.000e-7", "5.679e4"]);
        assert_eq!(
            [9.9996, 9999.6, 0.000_999_96].map(scientific),
            ["10.00", "1.000e4", "0.001000"]
        );
        assert_eq!([f64::INFINITY, -0.0, 5e-51].map(scientific), ["inf", "0", "0"]);
    }
}
