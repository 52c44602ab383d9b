//! Writing a trace, frame by frame.

use super::error::TraceError;
use super::format::swap_to_little_endian;
use super::header::{FRAMES_AT, Header, is_time_step};
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
        if objects == 0 {
            return Err(TraceError::refused(path, "a trace needs at least one object"));
        }
        if !is_time_step(dt) {
            let message = format!("a time step must be finite and greater than 0, not {dt}");
            return Err(TraceError::refused(path, message));
        }
        let header = Header { objects, frames: 0, dt };
        let create = || {
            let mut file = AtomicFile::create(path)?;
            file.write_all(&header.to_bytes())?;
            Ok(file)
        };
        Ok(Self {
            path: path.to_owned(),
            file: create().map_err(TraceError::io(path, "create the trace"))?,
            header,
            frame: Vec::new(),
            failed: false,
        })
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
        self.check_unfailed()?;
        let frame = self.header.frames;
        if boxes.len() != self.header.objects as usize {
            let (expected, found) = (self.header.objects, boxes.len());
            let message = format!("frame {frame}: expected {expected} boxes, found {found}");
            return Err(TraceError::refused(&self.path, message));
        }
        check_boxes(boxes).map_err(|fault| TraceError::BadBox {
            path: self.path.clone(),
            frame,
            byte: None,
            fault,
        })?;
        let Some(frames) = frame.checked_add(1) else {
            let message = format!("a trace holds {frame} frames at most");
            return Err(TraceError::refused(&self.path, message));
        };
        let canonical = boxes.iter().map(|b| if b.is_empty() { Aabb::EMPTY } else { *b });
        self.frame.clear();
        self.frame.extend(canonical);
        swap_to_little_endian(&mut self.frame);
        let written = self.file.write_all(bytemuck::cast_slice(&self.frame));
        self.failed = written.is_err();
        written.map_err(TraceError::io(&self.path, "write a frame"))?;
        self.header.frames = frames;
        Ok(())
    }

    /// Completes the header and renames the file, replacing any file of that name, unless
    /// [`replacing`](Self::replacing) forbids it.
    ///
    /// # Errors
    ///
    /// If no frame was written, a frame failed, or the system fails; nothing is left then, and what
    /// was there before is untouched.
    pub fn finish(mut self) -> Result<(), TraceError> {
        self.check_unfailed()?;
        if self.header.frames == 0 {
            return Err(TraceError::refused(&self.path, "a trace needs at least one frame"));
        }
        let frames = self.header.frames.to_le_bytes();
        self.file
            .patch(FRAMES_AT, &frames)
            .and_then(|()| self.file.commit())
            .map_err(TraceError::io(&self.path, "complete the trace"))
    }

    fn check_unfailed(&self) -> Result<(), TraceError> {
        if self.failed {
            return Err(TraceError::refused(&self.path, "an earlier frame could not be written"));
        }
        Ok(())
    }
}
