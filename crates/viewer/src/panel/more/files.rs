//! Group 10: loading and saving scenes.

use crate::panel::command::Command;
use crate::panel::status::Status;
use crate::panel::widgets::named;
use crate::simulation::Snapshot;
use egui::{Button, Key, TextEdit, Ui};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The typed path.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    path: String,
    /// The scene whose path the box first held.
    of_scene: Option<Arc<str>>,
}

pub(super) fn show(
    ui: &mut Ui,
    files: &mut Files,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    if files.of_scene.as_ref() != Some(&snapshot.label) {
        files.path = snapshot.label.to_string();
        files.of_scene = Some(snapshot.label.clone());
    }
    let path = TextEdit::singleline(&mut files.path).hint_text("Path of a scene file");
    let path = ui.add(path.desired_width(f32::INFINITY));
    let path = named(path, "Scene file");
    let entered = path.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    path.on_hover_text("Path of a scene file, to load (Enter) or to save into");
    if entered && !files.path.trim().is_empty() {
        commands.push(Command::Load(PathBuf::from(files.path.trim())));
    }
    let typed = files.path.trim();
    let path = || PathBuf::from(typed);
    let no_path = typed.is_empty().then_some("No path is typed");
    let asking = status.asking.then_some("A file dialog is open");
    ui.horizontal(|ui| {
        let mut offer = |label: &str, reason: Option<&str>, meaning: &str, command: Command| {
            let button = ui.add_enabled(reason.is_none(), Button::new(label));
            let button = button.on_hover_text(meaning);
            if button.on_disabled_hover_text(reason.unwrap_or_default()).clicked() {
                commands.push(command);
            }
        };
        offer("Load", no_path, "Start the scene in this file", Command::Load(path()));
        let save = "Write the scene, with all edits, into this file";
        offer("Save", no_path, save, Command::Save(path()));
        offer("Open...", asking, "Ask for a scene file, and start it", Command::AskForScene);
        let save_as = "Ask where to write the scene, with all edits";
        offer("Save as...", asking, save_as, Command::AskWhereToSave);
    });
    scenes(ui, "Shipped", status.shipped_scenes, commands);
    scenes(ui, "Recent", status.recent_scenes, commands);
    ui.weak("A scene file may also be dropped on the window.");
}

/// A button for each of some scene files.
fn scenes(ui: &mut Ui, kind: &str, paths: &[PathBuf], commands: &mut Vec<Command>) {
    if paths.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(kind);
        for path in paths {
            let button = ui.add(Button::new(stem(path)).small().truncate());
            // Files in different folders may have the same stem.
            let button = named(button, &format!("{kind} scene {}", path.display()));
            if button.on_hover_text(path.display().to_string()).clicked() {
                commands.push(Command::Load(path.clone()));
            }
        }
    });
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
