//! The file of the window: which input is shown, which are being loaded, and how a scene is saved.

use crate::platform::Files;
use measure::Case;
use sim::{Scene, SceneDocument};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// An input that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The text of a scene, for its comments; `None` for a trace and for generated boxes.
    pub document: Option<SceneDocument>,
    /// The file; `None` for generated boxes.
    pub path: Option<PathBuf>,
    /// Recorded or generated boxes; `None` for a scene.
    pub boxes: Option<Case>,
}

/// The present input, with pending loads and saves.
pub(super) struct SceneFile {
    opened: Opened,
    /// Inputs that were opened, each with the order that begins it, until the simulation has begun or refused them.
    loading: Vec<(u64, Opened)>,
    /// The path of a save that waits until the snapshot shows all edits, and whether the user agreed to replace a file there.
    saving: Option<(PathBuf, bool)>,
    /// An existing file that another save to it replaces.
    replace: Option<PathBuf>,
    files: &'static dyn Files,
}

impl SceneFile {
    pub(super) fn new(opened: Opened, files: &'static dyn Files) -> Self {
        Self { opened, loading: Vec::new(), saving: None, replace: None, files }
    }

    /// The file that is shown; `None` for generated boxes.
    pub(super) fn path(&self) -> Option<&Path> {
        self.opened.path.as_deref()
    }

    /// The recorded or generated boxes that are shown; `None` for a scene.
    pub(super) fn boxes(&self) -> Option<&Case> {
        self.opened.boxes.as_ref()
    }

    /// The text of the scene's file; `None` for other inputs.
    pub(super) fn document(&self) -> Option<&SceneDocument> {
        self.opened.document.as_ref()
    }

    /// Keeps an input until the simulation has carried out the order that begins it.
    pub(super) fn wait_for(&mut self, order: u64, opened: Opened) {
        self.loading.push((order, opened));
    }

    /// Replaces the input by the one that the simulation has begun by `scene_order`, once it has carried out the orders of
    /// all. Refused ones are dropped. Returns whether another one is shown.
    pub(super) fn take_begun(&mut self, orders_done: u64, scene_order: u64) -> bool {
        if self.loading.last().is_none_or(|(last, _)| orders_done < *last) {
            return false;
        }
        let begun = self.loading.drain(..).find(|(order, _)| *order == scene_order);
        begun.map(|(_, opened)| self.opened = opened).is_some()
    }

    /// Saves the scene as soon as the snapshot shows all edits.
    pub(super) fn request_save(&mut self, path: PathBuf, may_replace: bool) {
        self.saving = Some((path, may_replace));
    }

    /// The save to carry out now; none while scenes are being loaded.
    pub(super) fn take_save(&mut self) -> Option<(PathBuf, bool)> {
        if self.loading.is_empty() { self.saving.take() } else { None }
    }

    /// Why a save is refused: it would replace a file that the user may not know. The same request is accepted the second time.
    pub(super) fn objection(&mut self, path: &Path, may_replace: bool) -> Option<String> {
        let is_again = self.replace.take().as_deref() == Some(path);
        let objection = if may_replace || is_again {
            return None;
        } else if self.path() != Some(path) {
            self.files.exists(path).then_some("exists")
        } else {
            self.is_changed().then_some("was changed by another program since it was opened")
        }?;
        self.replace = Some(path.to_owned());
        Some(format!("{} {objection}; save again to replace it", path.display()))
    }

    /// Whether the scene's file differs from what was last read from it or written to it. A file that is gone does not count.
    fn is_changed(&self) -> bool {
        let (Some(document), Some(path)) = (&self.opened.document, self.path()) else {
            return false;
        };
        match self.files.read(path, SceneDocument::MAX_BYTES) {
            Ok(bytes) => bytes != document.to_text().as_bytes(),
            Err(error) => error.kind() != ErrorKind::NotFound,
        }
    }

    /// Writes a scene, with the comments of the file that it comes from.
    pub(super) fn save(&mut self, scene: Scene, path: &Path) -> Result<(), String> {
        let Some(document) = &mut self.opened.document else {
            return Err("a recording cannot be saved as a scene".to_owned());
        };
        // The document stays what the file holds, also where it cannot be written.
        let mut edited = document.clone();
        edited.set_scene(scene).map_err(|e| e.to_string())?;
        self.files
            .write(path, edited.to_text().as_bytes())
            .map_err(|error| format!("cannot save the scene as {}: {error}", path.display()))?;
        *document = edited;
        self.opened.path = Some(path.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::double::Double;

    const TEXT: &[u8] = b"i -1 -1 -1  2 2 2  100 t\n";

    fn opened(path: impl Into<PathBuf>) -> Opened {
        let document = SceneDocument::parse("a.scene", TEXT).unwrap();
        Opened { document: Some(document), path: Some(path.into()), boxes: None }
    }

    #[test]
    fn of_several_scenes_the_one_that_was_begun_is_taken() {
        let taken = |orders_done, scene_order| {
            let mut file = SceneFile::new(opened("first.scene"), Double::leaked());
            for order in [3, 5] {
                file.wait_for(order, opened(format!("{order}.scene")));
            }
            file.take_begun(orders_done, scene_order);
            (file.path().unwrap().to_str().unwrap().to_owned(), file.loading.len())
        };
        let shows = |path: &str, loading| (path.to_owned(), loading);
        assert_eq!(taken(4, 3), shows("first.scene", 2), "the second order is not carried out yet");
        assert_eq!(taken(6, 5), shows("5.scene", 0));
        assert_eq!(taken(6, 3), shows("3.scene", 0), "the second was refused");
        assert_eq!(taken(6, 0), shows("first.scene", 0), "both were refused");
    }

    #[test]
    fn another_file_is_replaced_by_the_second_request_only() {
        let double = Double::leaked();
        for name in ["own.scene", "other.scene"] {
            double.write(Path::new(name), TEXT).unwrap();
        }
        let mut file = SceneFile::new(opened("own.scene"), double);
        assert_eq!(file.objection(Path::new("own.scene"), false), None);
        let other = Path::new("other.scene");
        let objection = "other.scene exists; save again to replace it".to_owned();
        assert_eq!(file.objection(other, false), Some(objection.clone()));
        assert_eq!(file.objection(other, false), None);
        assert_eq!(file.objection(other, false), Some(objection), "each save is confirmed");
        assert_eq!(file.objection(other, true), None);
        assert_eq!(file.objection(Path::new("free.scene"), false), None);
    }

    #[test]
    fn scene_that_cannot_be_written_stays_that_of_its_file() {
        let double = Double::leaked();
        let mut file = SceneFile::new(opened("own.scene"), double);
        let scene = file.document().unwrap().scene().clone();
        let edited = Scene { strict: true, ..scene.clone() };
        *double.read_only.lock().unwrap() = Some("locked".into());
        let path = Path::new("locked/a.scene");
        let problem = file.save(edited.clone(), path).unwrap_err();
        assert!(problem.starts_with("cannot save the scene as locked/a.scene: "), "{problem}");
        let shown = |file: &SceneFile| {
            (file.document().unwrap().scene().clone(), file.path().unwrap().to_owned())
        };
        assert_eq!(shown(&file), (scene, "own.scene".into()));
        file.save(edited.clone(), Path::new("b.scene")).unwrap();
        assert_eq!(shown(&file), (edited, "b.scene".into()));
        assert!(double.text("b.scene").unwrap().contains("\ns 1"));
    }
}
