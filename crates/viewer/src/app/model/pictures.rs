//! Pictures of one step after another, for a video. The motion is stopped, and each picture orders the next step.

use super::Model;
use crate::offscreen::Picture;
use crate::picture_folder::PictureFolder;
use crate::simulation::{EngineState, Notice, Order};
use std::path::Path;

/// A sequence that is being recorded.
pub(super) struct PictureSequence {
    folder: PictureFolder,
    /// The input of the pictures, by the order that began it.
    scene_order: u64,
    /// Epoch and step of the last picture.
    last: Option<(u64, u64)>,
}

impl Model {
    /// Number of pictures in the present sequence; `None` without one.
    pub(super) fn recorded_pictures(&self) -> Option<u32> {
        self.sequence.as_ref().map(|sequence| sequence.folder.written())
    }

    /// Whether a sequence is being recorded.
    pub(in crate::app) fn records_pictures(&self) -> bool {
        self.sequence.is_some()
    }

    /// Writes the picture that the user exports.
    pub(in crate::app) fn write_picture(&mut self, path: &Path, picture: Result<Picture, String>) {
        let files = self.platform.files;
        let written = picture.and_then(|picture| {
            let written = picture.png().and_then(|bytes| files.write(path, &bytes));
            written.map_err(|error| format!("cannot write the picture {}: {error}", path.display()))
        });
        self.written("picture", path, written);
    }

    /// Begins a sequence in a new folder, or ends the present one.
    pub(super) fn record_pictures(&mut self, record: bool) {
        self.end_pictures();
        if !record || self.refuses_work() {
            return;
        }
        let folder = self.export_path("-pictures");
        match PictureFolder::create(self.platform.files, &folder) {
            Ok(folder) => {
                let scene_order = self.snapshot.engine.scene_order;
                self.sequence = Some(PictureSequence { folder, scene_order, last: None });
                self.simulation.order(Order::Run(false));
            }
            Err(problem) => self.report(problem),
        }
    }

    pub(super) fn end_pictures(&mut self) {
        let Some(PictureSequence { folder, .. }) = self.sequence.take() else { return };
        let (number, path) = (folder.written(), folder.path().display());
        let text = match number {
            1 => format!("1 picture is in {path}"),
            _ => format!("{number} pictures are in {path}"),
        };
        self.notify(Notice::Done(text));
    }

    /// Whether the snapshot shows a step that the sequence lacks. A motion that goes on by itself, or cannot go on, ends
    /// the sequence.
    pub(in crate::app) fn is_picture_due(&mut self) -> bool {
        let Some(sequence) = &self.sequence else { return false };
        let EngineState { orders_done, scene_order, running, disagreement, fault, failed, .. } =
            &self.snapshot.engine;
        if *orders_done < self.simulation.orders_sent() {
            return false;
        }
        let is_stuck = disagreement.is_some() || fault.is_some() || *failed;
        if *running || *scene_order != sequence.scene_order || is_stuck {
            self.end_pictures();
            return false;
        }
        self.snapshot.search.searched && sequence.last != Some(self.place())
    }

    /// Adds the picture of the present step, and orders the next one.
    pub(in crate::app) fn add_picture(&mut self, picture: Result<Picture, String>) {
        let place = self.place();
        let Some(sequence) = &mut self.sequence else { return };
        let added =
            picture.and_then(|picture| sequence.folder.add(&picture).map_err(|e| e.to_string()));
        sequence.last = Some(place);
        if let Err(problem) = added {
            self.report(problem);
            self.end_pictures();
        } else if self.snapshot.motion.recording.is_some_and(|recording| recording.at_end) {
            self.end_pictures();
        } else {
            self.simulation.order(Order::Step);
        }
    }

    fn place(&self) -> (u64, u64) {
        (self.snapshot.motion.epoch, self.snapshot.motion.steps)
    }
}
