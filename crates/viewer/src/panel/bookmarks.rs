//! Bookmarks: a step and a camera to come back to.

use super::command::Command;
use super::format::compact;
use super::status::Status;
use super::widgets::named;
use crate::camera::OrbitCamera;
use crate::simulation::Snapshot;
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, PopupCloseBehavior, RichText, TextEdit, Ui};
use serde::{Deserialize, Serialize};

/// Width of a name in points.
const NAME_WIDTH: f32 = 150.0;

/// A step of a scene and a camera, with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bookmark {
    /// The user's name for it; may be empty.
    pub name: String,
    /// The step.
    pub step: u64,
    /// The scene's number of generated objects: with another one, the step shows something else.
    pub objects: u32,
    /// The scene's seed, as text: TOML has no unsigned numbers of 64 bits.
    pub seed: String,
    /// The camera.
    #[serde(flatten)]
    pub camera: OrbitCamera,
}

impl Bookmark {
    /// Maximum length of a name in characters.
    pub const MAX_NAME: usize = 60;

    /// The step that is shown, from a camera.
    pub fn here(snapshot: &Snapshot, camera: OrbitCamera) -> Self {
        let (step, recipe) = (snapshot.motion.steps, &snapshot.input.recipe);
        let (objects, seed) = (recipe.objects, recipe.seed.to_string());
        Self { name: String::new(), step, objects, seed, camera }
    }

    /// A warning about its step, and whether it can be shown.
    fn state(&self, snapshot: &Snapshot) -> (Option<String>, bool) {
        let recipe = &snapshot.input.recipe;
        if self.objects != recipe.objects || self.seed != recipe.seed.to_string() {
            let objects = compact(f64::from(self.objects));
            return (Some(format!("of {objects} objects, seed {}", self.seed)), false);
        }
        let kept = &snapshot.motion.kept;
        let is_whole = snapshot.motion.recording.is_some_and(|of| of.frames.is_some());
        if self.step < *kept.start() {
            (Some("no longer kept".to_owned()), false)
        } else if self.step > *kept.end() && is_whole {
            (Some("after the end of the recording".to_owned()), false)
        } else if self.step > *kept.end() {
            // The motion takes the steps up to it.
            let ahead = compact((self.step - kept.end()) as f64);
            (Some(format!("not reached yet: {ahead} steps ahead")), true)
        } else {
            (None, true)
        }
    }
}

/// A menu to add, name, show and remove bookmarks.
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
    // Names are edited in it.
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let button = MenuButton::new(RichText::new(title).small()).config(config);
    let (button, _) = button.ui(ui, |ui| list(ui, bookmarks, snapshot, status, commands));
    button.on_hover_text(
        "Steps and cameras to come back to. Those of a file are kept with the settings",
    );
}

fn list(
    ui: &mut Ui,
    bookmarks: &mut Vec<Bookmark>,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    let here = Bookmark::here(snapshot, status.camera);
    let is_new = bookmarks.iter().all(|of| here != Bookmark { name: String::new(), ..of.clone() });
    let add = ui.add_enabled(is_new, Button::new("Add this step and camera"));
    if add.on_disabled_hover_text("It is in the list").clicked() {
        bookmarks.push(here);
        bookmarks.sort_by_key(|bookmark| bookmark.step);
    }
    let mut removed = None;
    for (place, bookmark) in bookmarks.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            if row(ui, place + 1, bookmark, snapshot, commands) {
                removed = Some(place);
            }
        });
    }
    if let Some(place) = removed {
        bookmarks.remove(place);
    }
}

/// The controls of a bookmark. Returns whether it is to be removed.
fn row(
    ui: &mut Ui,
    number: usize,
    bookmark: &mut Bookmark,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) -> bool {
    let (state, can_show) = bookmark.state(snapshot);
    let step = format!("{number}: step {}", compact(bookmark.step as f64));
    let button = ui.add_enabled(can_show, Button::new(step));
    if button.clicked() {
        commands.push(Command::Show(bookmark.clone()));
        ui.close();
    }
    let name = TextEdit::singleline(&mut bookmark.name).hint_text("Name");
    let name = ui.add(name.desired_width(NAME_WIDTH).char_limit(Bookmark::MAX_NAME));
    named(name, &format!("Name of bookmark {number}"));
    let remove = named(ui.small_button("x"), &format!("Remove bookmark {number}"));
    if let Some(state) = state {
        ui.weak(state);
    }
    remove.clicked()
}
