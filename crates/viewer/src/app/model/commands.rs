//! Commands of the panels and of keys, and answers of dialogs.

use super::Model;
use crate::drive_file;
use crate::link::{MAX_TEXT, query_of};
use crate::panel::{Bookmark, Command};
use crate::platform::{Answer, Question};
use crate::reproduction::{Reproduction, in_shell, is_edited};
use crate::session::{RESTART, export_path};
use crate::shipped_scenes;
use crate::simulation::{InputState, Notice, Order};
use sim::{Scene, SceneDocument};
use std::path::PathBuf;

impl Model {
    /// Carries out the commands of the last picture.
    pub(in crate::app) fn obey_all(&mut self) {
        std::mem::take(&mut self.commands).into_iter().for_each(|command| self.obey(command));
    }

    /// Carries out a command. A refusal changes nothing and is reported.
    pub(super) fn obey(&mut self, command: Command) {
        match command {
            Command::Order(order) => self.obey_order(order),
            Command::Suggestions(suggestions) => {
                self.panel.suggestions = suggestions;
                self.settings.suggestions = suggestions;
            }
            Command::FrameAll => self.frame_all(),
            Command::FramePicked => self.frame_picked(),
            Command::LookFrom(side) => self.camera.goal.look_from(side),
            Command::Show(Bookmark { step, camera, .. }) => {
                self.camera.goal = camera;
                self.obey_order(Order::GoTo(step));
            }
            Command::CopyCommand => self.copy_command(),
            Command::Load(path) => self.load(&path),
            Command::PlayBoxes(spec) => self.play_boxes(spec),
            Command::Save(path) => self.scene_file.request_save(path, false),
            Command::MeasureAll => self.measure_all(),
            Command::StopMeasuring => self.stop_measuring(),
            Command::Ask(question) => self.ask(question),
            Command::ExportFrames => {
                let path = self.export_path("-frames.csv");
                self.simulation.order(Order::ExportFrames(path));
            }
            Command::ExportPicture => self.picture_path = Some(self.export_path(".png")),
            Command::ExportReport => self.report_measured(),
            Command::RecordPictures(record) => self.record_pictures(record),
            Command::ExportEvents => {
                let path = self.export_path("-events.csv");
                self.simulation.order(Order::ExportEvents(path));
            }
            Command::OpenEdits(edits) => self.open_edits(edits),
            Command::DiscardEdits(path) => self.discard_edits(&path),
        }
    }

    /// Copies the command line that shows the same, or the address in a page.
    fn copy_command(&mut self) {
        let files = self.platform.files;
        let (drive, carried) = match files.address("") {
            Some(_) => (Ok(None), self.carried_scene()),
            None => (self.keys_as_file(), Ok(None)),
        };
        let document = carried.as_ref().ok().and_then(Option::as_ref);
        let shown = Reproduction {
            path: self.scene_file.path(),
            original: document.or(self.scene_file.document()).map(SceneDocument::scene),
            drive: drive.as_ref().ok().and_then(Option::as_deref),
            snapshot: &self.snapshot,
            view: &self.panel.view,
            compares: self.panel.shows_comparison(),
            camera: self.camera.goal,
        };
        let text = document.map(SceneDocument::to_text);
        let words = shown.arguments();
        let line = files.address(&query_of(&words, text.as_deref())).unwrap_or_else(|| {
            let program = std::env::args().next().unwrap_or_else(|| "viewer".to_owned());
            in_shell(&[vec![program], words].concat())
        });
        let lack = shown.lack();
        let lack = drive.err().or(carried.err()).or_else(|| lack.map(str::to_owned));
        self.notify(Notice::Done(format!("copied: {line}")));
        self.to_copy = Some(line);
        if let Some(lack) = lack {
            self.report(lack);
        }
    }

    /// The scene that a link carries, with all edits and the keys that drove bodies; `None` if it is built in, or boxes are
    /// generated.
    fn carried_scene(&self) -> Result<Option<SceneDocument>, String> {
        let Some(path) = self.scene_file.path() else { return Ok(None) };
        let Some(document) = self.scene_file.document() else {
            return Err("the link does not carry the recording: open its file first".to_owned());
        };
        let InputState { recipe, driven, .. } = &self.snapshot.input;
        let is_edited = is_edited(document.scene(), recipe) || !driven.is_empty();
        if !is_edited && shipped_scenes::has(path, &document.to_text()) {
            return Ok(None);
        }
        let keys = drive_file::text_of(&recipe.drive, driven, recipe.dt);
        let drive = match driven.is_empty() {
            true => recipe.drive.clone(),
            false => drive_file::parse("the keys", &keys)?,
        };
        let mut carried = document.clone();
        let scene = Scene { drive, ..(**recipe).clone() };
        carried.set_scene(scene).map_err(|error| error.to_string())?;
        if carried.to_text().len() > MAX_TEXT {
            return Err("the link does not carry the scene, which has more than 4 kB: save it, and open its file first".to_owned());
        }
        Ok(Some(carried))
    }

    /// The file with the keys that drove bodies up to the present step, which is written if there were any; the one that the
    /// scene was begun with, if it has one.
    fn keys_as_file(&self) -> Result<Option<PathBuf>, String> {
        let runs = &self.snapshot.input.driven;
        if runs.is_empty() {
            return Ok(self.drive_file.clone());
        }
        let (own, dt) = (&self.snapshot.input.recipe.drive, self.snapshot.input.recipe.dt);
        let (path, text) = (self.export_path("-drive.txt"), drive_file::text_of(own, runs, dt));
        let written = self.platform.files.write(&path, text.as_bytes());
        written
            .map_err(|error| format!("cannot write the keys into {}: {error}", path.display()))?;
        Ok(Some(path))
    }

    pub(super) fn obey_order(&mut self, order: Order) {
        if order.traits().is_work && self.refuses_work() {
            return;
        }
        match &order {
            Order::Generate(scene) => {
                self.panel.view.triangles = scene.triangles;
                self.panel.view.picked = None;
            }
            Order::Undo if self.snapshot.input.undoable.as_deref() == Some(RESTART) => {
                self.panel.view.picked = None;
            }
            // Shown at once, though the present step is not stopped for it.
            Order::Pace(pace) => self.snapshot.engine.pace = *pace,
            Order::ResponseDelay(delay) => self.snapshot.input.response_delay = *delay,
            _ => {}
        }
        self.simulation.order(order);
    }

    pub(super) fn export_path(&self, ending: &str) -> PathBuf {
        export_path(self.platform.files, &self.snapshot.input.label, &self.folder, ending)
    }

    /// Opens a file dialog, unless one is open, or the window is closing.
    pub(super) fn ask(&mut self, question: Question) {
        if self.asking || self.closing_until_ns.is_some() {
            return;
        }
        let answer = Box::new(self.reporter(Self::answered));
        match self.platform.dialogs.ask(question, self.scene_file.path(), answer) {
            Ok(()) => self.asking = true,
            Err(error) => self.report(format_args!(
                "no file dialog ({error}); type the path, or drop a file on the window"
            )),
        }
    }

    /// Carries out the answer of a file dialog.
    fn answered(&mut self, answer: Answer) {
        self.asking = false;
        match answer {
            Answer::Chosen(Question::Load, path) => self.load(&path),
            // The dialog has asked whether to replace a file.
            Answer::Chosen(Question::Save, path) => self.scene_file.request_save(path, true),
            Answer::Cancelled => {}
            Answer::Unavailable => self.report(
                "the system shows no file dialog; type the path, or drop a file on the window",
            ),
        }
    }
}
