//! Group 1: number, radius and speed of the objects.

use super::command::Command;
use super::format::{compact, counted};
use super::keys;
use super::number_field::NumberField;
use crate::session::Recording;
use crate::simulation::{Order, Snapshot};
use egui::{Grid, Ui};
use sim::Scene;
use sim::scene::{Radius, Triangles};

/// Maximum of the field *Count*; memory sets a bound of its own.
const MAX_OBJECTS: u32 = 10_000_000;

/// The settings that **Generate objects** applies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectsForm {
    /// Number of objects.
    pub count: u32,
    /// Their radius; in a scene with mixed sizes the largest.
    pub radius: f32,
    /// Their speed in units/s.
    pub speed: f32,
    /// Triangles per sphere.
    pub triangles: Triangles,
}

impl ObjectsForm {
    /// The settings of a scene.
    pub fn of_scene(scene: &Scene) -> Self {
        Self {
            count: scene.objects,
            radius: scene.radius.largest(),
            speed: scene.speed,
            triangles: scene.triangles,
        }
    }

    /// The scene with the form applied. Mixed sizes stay mixed unless the largest is edited.
    pub fn apply(&self, scene: &Scene) -> Scene {
        let radius = if self.radius == scene.radius.largest() {
            scene.radius
        } else {
            Radius::Equal(self.radius)
        };
        Scene {
            objects: self.count,
            radius,
            speed: self.speed,
            triangles: self.triangles,
            ..scene.clone()
        }
    }
}

pub(super) fn show(
    ui: &mut Ui,
    typed: &mut Option<ObjectsForm>,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    if let Some(recording) = snapshot.motion.recording {
        return recorded(ui, snapshot, recording);
    }
    let scene = &*snapshot.input.recipe;
    let placed = scene.balls.len() + scene.placed_bodies.len();
    let of_scene = ObjectsForm::of_scene(scene);
    let mut form = typed.unwrap_or(of_scene);
    Grid::new("objects").num_columns(4).show(ui, |ui| {
        // A scene may consist of those placed one by one.
        let least = u32::from(placed == 0);
        ui.label("Count");
        let count = NumberField::new("Count", &mut form.count, least..=MAX_OBJECTS);
        NumberField { speed: 10.0, ..count }.show(ui);
        ui.label("Speed");
        NumberField::new("Speed", &mut form.speed, 0.0..=1e6)
            .show(ui)
            .on_hover_text("Units per second; the cube's side is 2");
        ui.end_row();
        ui.label("Radius");
        let radius = NumberField::new("Radius", &mut form.radius, 1e-6..=1e6);
        NumberField { speed: 0.0005, ..radius }.show(ui).on_hover_text(
            "Of every sphere, or of every body's bounding sphere (the largest of mixed sizes); the cube's side is 2",
        );
        ui.label("Triangles");
        ui.horizontal(|ui| {
            for triangles in [Triangles::Twenty, Triangles::Eighty] {
                // Each is named by its number, since the label would name both.
                let name = triangles.count().to_string();
                ui.selectable_value(&mut form.triangles, triangles, name);
            }
        });
        ui.end_row();
    });
    if placed > 0 {
        let placed = compact(placed as f64);
        ui.weak(format!("and {placed} placed one by one"));
    }
    let generate =
        ui.add_sized([ui.available_width(), 22.0], egui::Button::new("Generate objects"));
    if generate
        .on_hover_text(format!(
            "Restart the scene with these settings. Undo{} returns to the scene as it is now",
            keys::hint(keys::UNDO)
        ))
        .clicked()
    {
        commands.push(Order::Generate(Box::new(form.apply(scene))).into());
    }
    *typed = Some(form).filter(|form| *form != of_scene);
}

/// The played boxes, in place of the form.
fn recorded(ui: &mut Ui, snapshot: &Snapshot, recording: Recording) {
    let boxes = compact(snapshot.objects.boxes.len() as f64);
    let (kind, frames) = match recording.frames {
        Some(frames) => ("recorded", format!(": {}", counted(frames as usize, "frame"))),
        None => ("generated", String::new()),
    };
    ui.label(format!("{boxes} boxes, {kind}{frames}"));
    ui.weak(format!("The motion is {kind}: it is played, not changed."));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_sizes_stay_mixed_until_the_radius_is_edited() {
        let scene = Scene { radius: Radius::Uniform(0.01, 0.03), ..Scene::default() };
        let mut form = ObjectsForm { count: 7, ..ObjectsForm::of_scene(&scene) };
        assert_eq!(form.apply(&scene), Scene { objects: 7, ..scene.clone() });
        form.radius = 0.05;
        assert_eq!(form.apply(&scene).radius, Radius::Equal(0.05));
    }
}
