//! Group 10: loading and saving scenes.

use crate::panel::command::Command;
use crate::panel::number_field::NumberField;
use crate::panel::status::Status;
use crate::panel::widgets::named;
use crate::platform::Question;
use crate::simulation::Snapshot;
use egui::{Button, ComboBox, Key, TextEdit, Ui};
use measure::BoxesSpec;
use sim::{DEFAULT_SEED, GeneratedKind, GeneratedSpec};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most boxes that can be typed; memory sets a bound of its own.
const MAX_BOXES: u32 = 10_000_000;

/// The typed path, and the chosen boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    generated: Generated,
    path: String,
    /// The scene whose path the box first held.
    of_scene: Option<Arc<str>>,
}

/// Boxes to generate.
#[derive(Clone, Debug)]
struct Generated {
    kind: GeneratedKind,
    number: u32,
}

impl Default for Generated {
    fn default() -> Self {
        Self { kind: GeneratedKind::Gas, number: 10_000 }
    }
}

pub(super) fn show(
    ui: &mut Ui,
    files: &mut Files,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    if files.of_scene.as_ref() != Some(&snapshot.input.label) {
        let is_generated =
            snapshot.motion.recording.is_some_and(|recording| recording.frames.is_none());
        // The name of generated boxes is no path.
        files.path = if is_generated { String::new() } else { snapshot.input.label.to_string() };
        files.of_scene = Some(snapshot.input.label.clone());
    }
    let path = TextEdit::singleline(&mut files.path).hint_text("Path of a scene or trace");
    let path = ui.add(path.desired_width(f32::INFINITY));
    let path = named(path, "Scene file");
    let entered = path.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    path.on_hover_text("Path of a scene or a trace, to load (Enter), or of a scene to save into");
    if entered && !files.path.trim().is_empty() {
        commands.push(Command::Load(PathBuf::from(files.path.trim())));
    }
    let typed = files.path.trim();
    let path = || PathBuf::from(typed);
    let no_path = typed.is_empty().then_some("No path is typed");
    let asking = status.asking.then_some("A file dialog is open");
    let no_scene = snapshot.motion.recording.map(|_| "A recording is no scene");
    ui.horizontal(|ui| {
        let mut offer = |label: &str, reason: Option<&str>, meaning: &str, command: Command| {
            let button = ui.add_enabled(reason.is_none(), Button::new(label));
            let button = button.on_hover_text(meaning);
            if button.on_disabled_hover_text(reason.unwrap_or_default()).clicked() {
                commands.push(command);
            }
        };
        offer("Load", no_path, "Start the scene or trace in this file", Command::Load(path()));
        let save = "Write the scene, with all edits, into this file";
        offer("Save", no_scene.or(no_path), save, Command::Save(path()));
        let open = "Ask for a scene or a trace, and start it";
        offer("Open...", asking, open, Command::Ask(Question::Load));
        let save_as = "Ask where to write the scene, with all edits";
        offer("Save as...", no_scene.or(asking), save_as, Command::Ask(Question::Save));
    });
    generated(ui, files, commands);
    scenes(ui, "Shipped", status.shipped_scenes, commands);
    scenes(ui, "Recent", status.recent_scenes, commands);
    ui.weak("A scene or a trace may also be dropped on the window.");
}

/// Boxes to generate instead of reading a file.
fn generated(ui: &mut Ui, files: &mut Files, commands: &mut Vec<Command>) {
    let Generated { kind, number } = &mut files.generated;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let combo = ComboBox::from_id_salt("generated").width(84.0).selected_text(kind.name());
        let combo = combo.show_ui(ui, |ui| {
            for &one in GeneratedKind::ALL {
                ui.selectable_value(kind, one, one.name());
            }
        });
        named(combo.response, "Kind of boxes")
            .on_hover_text("Boxes that move by themselves, as by --boxes NAME:N");
        let field = NumberField::new("Number of boxes", number, 1..=MAX_BOXES);
        NumberField { speed: 100.0, ..field }.show(ui);
        if ui.button("Generate boxes").clicked() {
            let spec = GeneratedSpec {
                kind: *kind,
                objects: *number,
                seed: DEFAULT_SEED,
                moving: kind.usual_moving(),
            };
            commands.push(Command::PlayBoxes(BoxesSpec::Generated(spec)));
        }
    });
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
            // Files of the same name differ in their folders.
            let is_same = |other: &&PathBuf| other.file_stem() == path.file_stem();
            let folder = path.parent().filter(|_| paths.iter().filter(is_same).count() > 1);
            let folder = folder.and_then(Path::file_name).map(|name| name.display());
            let name = path.file_stem().unwrap_or(path.as_os_str()).display();
            let text = folder.map_or(name.to_string(), |folder| format!("{folder}/{name}"));
            let button = ui.add(Button::new(text).small().truncate());
            let button = named(button, &format!("{kind} scene {}", path.display()));
            if button.on_hover_text(path.display().to_string()).clicked() {
                commands.push(Command::Load(path.clone()));
            }
        }
    });
}
