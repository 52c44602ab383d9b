//! What the window reads and writes: scenes, pictures, charts, settings.

use super::dialogs::{self, Answer, Question};
use super::{App, News, rescue, theme};
use crate::camera::OrbitCamera;
use crate::offscreen::OffscreenError;
use crate::session::export_path;
use crate::simulation::{Notice, Order, Snapshot};
use sim::SceneDocument;
use std::path::{Path, PathBuf};

/// A scene that was read, and the order that begins it.
pub(super) struct Loading {
    order: u64,
    document: SceneDocument,
    path: PathBuf,
}

impl App {
    pub(super) fn export_path(&self, ending: &str) -> PathBuf {
        export_path(&self.snapshot.label, &self.folder, ending)
    }

    pub(super) fn exported(&mut self, what: &str, path: &Path, outcome: Result<(), String>) {
        self.tell(match outcome {
            Ok(()) => Notice::Done(format!("{what} written to {}", path.display())),
            Err(trouble) => Notice::Trouble(trouble),
        });
    }

    pub(super) fn export_picture(&mut self, path: &Path) -> Result<(), OffscreenError> {
        let Some(screen) = &self.screen else { return Ok(()) };
        let view = self.composer.view(
            &self.snapshot,
            &self.panel.draw,
            self.panel.selection(),
            self.camera,
            theme(self.panel.dark),
            screen.pixels_per_point(),
        );
        let picture = screen.picture(&view)?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| OffscreenError::Write { path: path.to_owned(), source })?;
        }
        picture.save_png(path)
    }

    pub(super) fn ask(&mut self, question: Question) {
        if self.asking {
            return;
        }
        self.asking = true;
        let proxy = self.proxy.clone();
        dialogs::ask(question, &self.path, move |answer| {
            // A window that is closed needs no answer.
            let _ = proxy.send_event(News::Answer(answer));
        });
    }

    pub(super) fn answered(&mut self, answer: Answer) {
        self.asking = false;
        match answer {
            Answer::Chosen(Question::Load, path) => self.load(&path),
            // The dialog has asked whether to replace a file.
            Answer::Chosen(Question::Save, path) => self.saving = Some((path, true)),
            Answer::Cancelled => {}
            Answer::Unavailable => self.tell(Notice::Trouble(
                "the system shows no file dialog; type the path, or drop a file on the window"
                    .to_owned(),
            )),
        }
    }

    /// Begins another scene. One that cannot be read leaves the running one as it is.
    pub(super) fn load(&mut self, path: &Path) {
        let document = match SceneDocument::read(path) {
            Ok(document) => document,
            Err(error) => return self.tell(Notice::Trouble(error.to_string())),
        };
        self.notices.clear();
        for warning in document.warnings() {
            self.tell(Notice::Trouble(warning.to_string()));
        }
        let (label, scene) = (path.display().to_string(), Box::new(document.scene().clone()));
        self.order(Order::Begin { label, scene });
        // Until it has begun, all that is here belongs to the scene before.
        self.loading.push(Loading { order: self.given, document, path: path.to_owned() });
    }

    /// Takes over a scene that the simulation has begun; those that it has refused are forgotten.
    pub(super) fn finish_loading(&mut self) {
        let Snapshot { heard, begun, .. } = *self.snapshot;
        let Some(Loading { document, path, .. }) = take_begun(&mut self.loading, heard, begun)
        else {
            return;
        };
        self.remember_camera();
        self.panel.begin_scene(document.scene());
        self.goal = OrbitCamera::from_pose(document.scene().camera);
        self.document = document;
        self.set_path(path);
    }

    /// Saves what was to be saved, once the snapshot shows all that was done before.
    pub(super) fn finish_saving(&mut self) {
        if self.snapshot.heard >= self.given
            && self.loading.is_empty()
            && let Some((path, may_replace)) = self.saving.take()
        {
            self.write_scene(&path, may_replace);
        }
    }

    /// Writes the scene with all edits, and the view as it is.
    pub(super) fn write_scene(&mut self, path: &Path, may_replace: bool) {
        let own = path == self.path;
        let confirmed = may_replace || own || self.replace.as_deref() == Some(path);
        if !confirmed && path.exists() {
            self.replace = Some(path.to_owned());
            let text = format!("{} exists; save again to replace it", path.display());
            return self.tell(Notice::Trouble(text));
        }
        self.replace = None;
        let mut scene = (*self.snapshot.recipe).clone();
        if self.goal != OrbitCamera::from_pose(scene.camera) {
            scene.camera = self.goal.pose();
        }
        (scene.triangles, scene.shading) = (self.panel.draw.triangles, self.panel.draw.shading);
        let saved = self
            .document
            .set_scene(scene)
            .map_err(|e| e.to_string())
            .and_then(|()| self.document.save(path).map_err(|e| e.to_string()));
        if saved.is_ok() {
            self.set_path(path.to_owned());
            self.order(Order::Rename(path.display().to_string()));
        }
        self.exported("scene", path, saved);
    }

    pub(super) fn remember_camera(&mut self) {
        self.settings.remember_camera(&self.path, &self.goal);
    }

    /// Keeps what lasts.
    pub(super) fn remember(&mut self) {
        if self.simulation.is_none() {
            // There was no window to change anything in.
            return;
        }
        self.remember_camera();
        if let Some(path) = &self.settings_path
            && let Err(trouble) = self.settings.write(path)
        {
            log::warn!("{trouble}");
        }
    }

    /// Saves what would be lost with a window that broke down; tells of it after the fault.
    pub(super) fn rescue(&mut self, fault: String) -> String {
        let frames = self.export_path("-frames.csv");
        if self.snapshot.recorded > 0 {
            self.order(Order::ExportFrames(frames.clone()));
        }
        // It ends when its orders are carried out, or soon.
        self.simulation = None;
        let scene = self.export_path(".scene");
        rescue::rescue(fault, &self.snapshot.recipe, &scene, &frames)
    }
}

/// The scene files in the folder `scenes`, where there is one.
pub(super) fn shipped_scenes(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("scenes")).into_iter().flatten().flatten();
    let mut scenes: Vec<PathBuf> = entries
        .map(|entry| Path::new("scenes").join(entry.file_name()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "scene"))
        .collect();
    scenes.sort();
    scenes
}

/// Which of the scenes that were read the simulation has begun, once it has heard of all of them:
/// `begun` is the order that began the present one.
fn take_begun(loading: &mut Vec<Loading>, heard: u64, begun: u64) -> Option<Loading> {
    if loading.last().is_none_or(|last| heard < last.order) {
        return None;
    }
    loading.drain(..).find(|loading| loading.order == begun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_scenes_the_one_that_was_begun_is_taken_over() {
        let text = b"i -1 -1 -1  2 2 2  100 t\n";
        let read = |order| Loading {
            order,
            document: SceneDocument::parse("a.scene", text).unwrap(),
            path: PathBuf::from(format!("{order}.scene")),
        };
        let taken = |heard, begun| {
            let mut loading = vec![read(3), read(5)];
            let taken = take_begun(&mut loading, heard, begun).map(|loading| loading.order);
            (taken, loading.len())
        };
        assert_eq!(taken(4, 3), (None, 2), "the second is not heard of yet");
        assert_eq!(taken(6, 5), (Some(5), 0));
        assert_eq!(taken(6, 3), (Some(3), 0), "the second was refused");
        assert_eq!(taken(6, 0), (None, 0), "both were refused");
    }
}
