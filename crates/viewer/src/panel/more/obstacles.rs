//! Group 7: rectangles that objects bounce off.

use super::editor::{Editor, Listing};
use super::form::{self, Decision};
use crate::panel::command::Command;
use crate::panel::number_field::{ANY, LENGTH, Typed};
use crate::panel::widgets::named;
use crate::simulation::{Order, Snapshot};
use broadphase::Axis;
use egui::{Button, Ui};
use glam::Vec3;
use sim::Edit;
use sim::scene::Obstacle;

pub(super) type Obstacles = Editor<usize, Obstacle>;

impl Listing<usize, Obstacle> for [Obstacle] {
    fn get(&self, key: usize) -> Option<Obstacle> {
        <[Obstacle]>::get(self, key).copied()
    }

    fn key_of(&self, value: &Obstacle) -> Option<usize> {
        self.iter().position(|obstacle| obstacle == value)
    }

    fn last_key(&self) -> Option<usize> {
        self.len().checked_sub(1)
    }

    fn fulfils(present: &Obstacle, requested: &Obstacle) -> bool {
        present == requested
    }
}

pub(super) fn show(
    ui: &mut Ui,
    obstacles: &mut Obstacles,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    let list = snapshot.input.scene.obstacles.as_slice();
    obstacles.follow(list);
    if list.is_empty() {
        ui.weak("The scene has none.");
    }
    let text = |row: usize| (summary(row, &list[row]), tooltip(row, &list[row]));
    if let Some(clicked) = form::list(ui, "obstacles", list.len(), obstacles.key(), text) {
        if obstacles.key() == Some(clicked) {
            obstacles.deselect();
        } else {
            obstacles.select(clicked, list[clicked]);
        }
    }
    if let Some((draft, typed)) = obstacles.form() {
        fields(ui, draft, form::drag_speed(&snapshot.input.scene), typed);
    }
    let create = |like: Option<Obstacle>| like.map_or_else(|| centered(snapshot), shifted);
    let edit = match form::decide(ui, "obstacle", obstacles, list, None, create) {
        Some(Decision::Apply(index, obstacle)) => Edit::SetObstacle { index, obstacle },
        Some(Decision::New(obstacle)) => Edit::NewObstacle(obstacle),
        Some(Decision::Delete(index)) => Edit::DeleteObstacle { index },
        None => return,
    };
    commands.push(Order::Edit(edit).into());
}

/// The form of the selected obstacle.
fn fields(ui: &mut Ui, obstacle: &mut Obstacle, speed: f64, typed: &mut Typed) {
    let flat = Some((obstacle.normal.index(), "0: an obstacle has no thickness"));
    let (corner, size) = (&mut obstacle.corner, &mut obstacle.size);
    form::vector(ui, "Position", "Obstacle", corner, (ANY, speed), None, typed);
    form::vector(ui, "Sides", "Obstacle", size, (LENGTH, speed), flat, typed);
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

/// Lengths of the two sides.
fn sides(obstacle: &Obstacle, between: &str) -> String {
    let sides = Axis::ALL.into_iter().filter(|axis| *axis != obstacle.normal);
    form::numbers(sides.map(|axis| obstacle.size[axis.index()]), between)
}

/// The obstacle in a row of the list. Its number counts from 1.
fn summary(row: usize, obstacle: &Obstacle) -> String {
    let corner = form::numbers(obstacle.corner.to_array(), ", ");
    format!("{}   {}   {} at {corner}", row + 1, plane(obstacle.normal), sides(obstacle, " × "))
}

fn tooltip(row: usize, obstacle: &Obstacle) -> String {
    let corner = form::numbers(obstacle.corner.to_array(), ", ");
    let (plane, sides) = (plane(obstacle.normal), sides(obstacle, " and "));
    format!("Obstacle {}, in a {plane} plane\nPosition {corner}\nSides {sides}", row + 1)
}

/// A copy, shifted along its normal by a tenth of its longer side.
fn shifted(obstacle: Obstacle) -> Obstacle {
    let mut corner = obstacle.corner;
    corner[obstacle.normal.index()] += 0.1 * obstacle.size.max_element();
    Obstacle { corner, ..obstacle }
}

/// A level square in the middle of the scene, a quarter as wide.
fn centered(snapshot: &Snapshot) -> Obstacle {
    let bounds = snapshot.input.recipe.bounds();
    let side = 0.25 * bounds.size().max_element();
    let size = Vec3::new(side, side, 0.0);
    Obstacle { corner: bounds.center() - 0.5 * size, size, normal: Axis::Z }
}
