//! Group 7: rectangles that objects bounce off.

use super::elements::{self, Change, Element, ListSelection};
use super::form;
use crate::panel::number_field::{ANY, LENGTH, rounded};
use crate::panel::widgets::named;
use crate::simulation::Snapshot;
use broadphase::Axis;
use egui::{Button, Ui};
use glam::Vec3;
use sim::Edit;
use sim::scene::Obstacle;

/// The place in the scene's list of the obstacle of a number, which counts from 1.
pub(super) fn index(number: u32) -> usize {
    number as usize - 1
}

impl Element for Obstacle {
    const NAME: &'static str = "obstacle";

    fn edit(change: Change<Self>) -> Edit {
        match change {
            Change::New(obstacle) => Edit::NewObstacle(obstacle),
            Change::Set(of, obstacle) => Edit::SetObstacle { index: index(of), obstacle },
            Change::Delete(of) => Edit::DeleteObstacle { index: index(of) },
        }
    }

    fn row(&self, number: u32) -> String {
        let sides = Axis::ALL.into_iter().filter(|axis| *axis != self.normal);
        let sides: Vec<String> = sides.map(|axis| rounded(self.size[axis.index()])).collect();
        let (plane, corner) = (plane(self.normal), form::numbers((&self.corner, ", ")));
        format!("{number}   {plane}   {} at {corner}", sides.join(" × "))
    }
}

pub(super) fn show(
    ui: &mut Ui,
    selection: &mut ListSelection,
    snapshot: &Snapshot,
) -> Option<Edit> {
    let list: Vec<_> = (1..).zip(snapshot.input.scene.obstacles.iter().copied()).collect();
    selection.end_if_shorter(list.len());
    if list.is_empty() {
        ui.weak("The scene has none.");
    }
    let speed = form::drag_speed(&snapshot.input.scene);
    let fields = |ui: &mut Ui, _, obstacle: &mut Obstacle| fields(ui, obstacle, speed);
    elements::show(ui, selection, &list, None, fields, || {
        let bounds = snapshot.input.recipe.bounds();
        let side = 0.25 * bounds.size().max_element();
        let size = Vec3::new(side, side, 0.0);
        Obstacle { corner: bounds.center() - 0.5 * size, size, normal: Axis::Z }
    })
}

/// The form of an obstacle.
fn fields(ui: &mut Ui, obstacle: &mut Obstacle, speed: f64) {
    let flat = Some((obstacle.normal.index(), "0: an obstacle has no thickness"));
    form::vector(ui, "Position", "Obstacle", &mut obstacle.corner, (ANY, speed), None);
    form::vector(ui, "Sides", "Obstacle", &mut obstacle.size, (LENGTH, speed), flat);
    form::labelled(ui, "Plane", |ui| {
        for normal in Axis::ALL {
            let button = ui.add(Button::selectable(obstacle.normal == normal, plane(normal)));
            let button = named(button, &format!("Obstacle in a {} plane", plane(normal)));
            if button.clicked() {
                reorient(obstacle, normal);
            }
        }
    });
}

fn plane(normal: Axis) -> &'static str {
    match normal {
        Axis::X => "y-z",
        Axis::Y => "x-z",
        Axis::Z => "x-y",
    }
}

/// Moves an obstacle into another plane; its sides keep their lengths.
fn reorient(obstacle: &mut Obstacle, normal: Axis) {
    let mut size = obstacle.size.to_array();
    size.swap(obstacle.normal.index(), normal.index());
    (obstacle.size, obstacle.normal) = (Vec3::from(size), normal);
}
