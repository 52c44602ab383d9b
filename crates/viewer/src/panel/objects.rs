//! Group 1: how many objects, how large, how fast.

use super::Command;
use crate::simulation::{Order, Snapshot};
use egui::{DragValue, Grid, Ui};
use sim::Scene;
use sim::scene::{Radius, Triangles};

/// Objects that can be typed in; memory sets a bound of its own.
const MOST_OBJECTS: u32 = 10_000_000;

/// What **Generate objects** will apply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectsForm {
    /// Number of objects.
    pub count: u32,
    /// Their radius; of a scene with mixed sizes the largest.
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

    /// The scene with the form applied. Mixed sizes stay mixed while their largest is not edited.
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

/// What was typed, if it is a number: `nan` and `inf` would be taken for one too.
fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

pub(super) fn show(
    ui: &mut Ui,
    form: &mut ObjectsForm,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    let scene = &*snapshot.recipe;
    Grid::new("objects").num_columns(4).show(ui, |ui| {
        // Balls alone make a scene too.
        let least = u32::from(scene.balls.is_empty());
        let count = DragValue::new(&mut form.count).range(least..=MOST_OBJECTS).speed(10);
        let label = ui.label("Count");
        ui.add(count).labelled_by(label.id).on_hover_text("Number of spheres");
        let speed =
            DragValue::new(&mut form.speed).range(0.0..=1e6).speed(0.01).custom_parser(finite);
        let label = ui.label("Speed");
        ui.add(speed).labelled_by(label.id).on_hover_text("Units per second; the cube's side is 2");
        ui.end_row();
        let radius = DragValue::new(&mut form.radius)
            .range(1e-6..=1e6)
            .speed(0.0005)
            .max_decimals(6)
            .custom_parser(finite);
        let label = ui.label("Radius");
        ui.add(radius)
            .labelled_by(label.id)
            .on_hover_text("Of every sphere (of mixed sizes: the largest); the cube's side is 2");
        ui.label("Triangles");
        ui.horizontal(|ui| {
            for triangles in [Triangles::Twenty, Triangles::Eighty] {
                let count = triangles.count();
                // Named by its number: named by the label, both would have the same name.
                ui.selectable_value(&mut form.triangles, triangles, count.to_string())
                    .on_hover_text(format!("{count} triangles per sphere"));
            }
        });
        ui.end_row();
    });
    let generate =
        ui.add_sized([ui.available_width(), 22.0], egui::Button::new("Generate objects"));
    if generate.on_hover_text("Begin anew with these settings").clicked() {
        commands.push(Order::Generate(Box::new(form.apply(scene))).into());
    }
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
