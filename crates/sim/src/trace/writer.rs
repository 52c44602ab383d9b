//! Writing a trace, frame by frame.

use super::error::TraceError;
use super::header::{FRAMES_AT, Header, swap_to_little_endian};
use crate::atomic_file::AtomicFile;
use broadphase::{Aabb, check_boxes};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A trace that is being written, under a temporary name beside its own. [`finish`](Self::finish) renames it;
/// a writer that is dropped earlier leaves no file.
#[derive(Debug)]
pub struct TraceWriter {
    path: PathBuf,
    file: AtomicFile,
    /// Its count of frames is that of the frames written so far.
    header: Header,
    /// The frame in the form of the file.
    frame: Vec<Aabb>,
    /// Set when part of a frame may have been written.
    failed: bool,
}

impl TraceWriter {
    /// Begins a trace of `objects` boxes a frame, `dt` simulated seconds from frame to frame.
    ///
    /// # Errors
    ///
    /// If `objects` is 0, `dt` is not finite or not greater than 0, or the file cannot be made.
    pub fn create(path: &Path, objects: u32, dt: f32) -> Result<Self, TraceError> {
        let header = Header { objects, frames: 0, dt };
        Header { frames: 1, ..header }.check().map_err(TraceError::refused(path))?;
        let mut file =
            AtomicFile::create(path).map_err(TraceError::io(path, "create the trace"))?;
        file.write_all(&header.to_bytes()).map_err(TraceError::io(path, "create the trace"))?;
        Ok(Self { path: path.to_owned(), file, header, frame: Vec::new(), failed: false })
    }

    /// Makes [`finish`](Self::finish) fail where there is a file by then, unless `replaces`.
    pub fn replacing(self, replaces: bool) -> Self {
        Self { file: self.file.replacing(replaces), ..self }
    }

    /// Appends a frame, index = object. Empty boxes are written in their canonical form,
    /// [`Aabb::EMPTY`].
    ///
    /// # Errors
    ///
    /// If `boxes` are not as many as the trace has objects, or one of them is bad: nothing is
    /// written then, and the writer can go on. If the system fails, it cannot.
    pub fn write_frame(&mut self, boxes: &[Aabb]) -> Result<(), TraceError> {
        let frames = self.check_frame(boxes).map_err(TraceError::refused(&self.path))?;
        let canonical = boxes.iter().map(|b| if b.is_empty() { Aabb::EMPTY } else { *b });
        self.frame.clear();
        self.frame.extend(canonical);
        swap_to_little_endian(&mut self.frame);
        let written = self.file.write_all(bytemuck::cast_slice(&self.frame));
        self.failed = written.is_err();
        self.header.frames = frames;
        written.map_err(TraceError::io(&self.path, "write a frame"))
    }

    /// The count of frames with the next one.
    fn check_frame(&self, boxes: &[Aabb]) -> Result<u32, String> {
        self.check_unfailed()?;
        let Header { objects, frames, .. } = self.header;
        if boxes.len() != objects as usize {
            return Err(format!("frame {frames}: expected {objects} boxes, found {}", boxes.len()));
        }
        check_boxes(boxes).map_err(|fault| format!("frame {frames}, {fault}"))?;
        frames.checked_add(1).ok_or_else(|| format!("a trace holds {frames} frames at most"))
    }

    fn check_unfailed(&self) -> Result<(), String> {
        if self.failed { Err("an earlier frame could not be written".to_owned()) } else { Ok(()) }
    }

    /// Completes the header and renames the file, replacing any file of that name, unless
    /// [`replacing`](Self::replacing) forbids it.
    ///
    /// # Errors
    ///
    /// If no frame was written, a frame failed, or the system fails; nothing is left then, and what
    /// was there before is untouched.
    pub fn finish(mut self) -> Result<(), TraceError> {
        let is_whole = self.check_unfailed().and_then(|()| self.header.check());
        is_whole.map_err(TraceError::refused(&self.path))?;
        let patched = self.file.patch(FRAMES_AT, &self.header.frames.to_le_bytes());
        let committed = patched.and_then(|()| self.file.commit());
        committed.map_err(TraceError::io(&self.path, "complete the trace"))
    }
}
