//! Bookmarks: a step and a camera to come back to.

use super::command::Command;
use super::format::compact;
use super::status::Status;
use super::widgets::named;
use crate::camera::OrbitCamera;
use crate::simulation::Snapshot;
use egui::{Button, Ui};

/// A step and a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bookmark {
    /// The step.
    pub step: u64,
    /// The camera.
    pub camera: OrbitCamera,
}

/// A menu to add, show and remove bookmarks.
pub(super) fn show(
    ui: &mut Ui,
    bookmarks: &mut Vec<Bookmark>,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let title = match bookmarks.len() {
        0 => "Bookmarks".to_owned(),
        number => format!("Bookmarks ({number})"),
    };
    ui.menu_button(egui::RichText::new(title).small(), |ui| {
        let here = Bookmark { step: snapshot.motion.steps, camera: status.camera };
        let add =
            ui.add_enabled(!bookmarks.contains(&here), Button::new("Add this step and camera"));
        if add.on_disabled_hover_text("It is in the list").clicked() {
            bookmarks.push(here);
            bookmarks.sort_by_key(|bookmark| bookmark.step);
        }
        let mut removed = None;
        for (place, bookmark) in bookmarks.iter().enumerate() {
            ui.horizontal(|ui| {
                let number = place + 1;
                let step = compact(bookmark.step as f64);
                // A scene takes steps up to a later one.
                let is_there = bookmark.step >= *snapshot.motion.kept.start();
                let button =
                    ui.add_enabled(is_there, Button::new(format!("{number}: step {step}")));
                let button = button
                    .on_hover_text("Show this step from there")
                    .on_disabled_hover_text("This step is no longer kept");
                if button.clicked() {
                    commands.push(Command::Show(*bookmark));
                }
                let remove = named(ui.small_button("x"), &format!("Remove bookmark {number}"));
                if remove.on_hover_text("Remove it from the list").clicked() {
                    removed = Some(place);
                }
            });
        }
        if let Some(place) = removed {
            bookmarks.remove(place);
        }
    })
    .response
    .on_hover_text("Steps and cameras to come back to");
}
