//! Reading a trace, frame by frame.

use super::error::TraceError;
use super::format::{HEADER_BYTES, swap_to_little_endian};
use super::header::Header;
use crate::open_unpacked;
use broadphase::{Aabb, check_boxes};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A trace opened for reading.
#[derive(Debug)]
pub struct TraceReader {
    path: PathBuf,
    // Unbuffered: a frame is read in one piece, straight into its boxes.
    file: File,
    header: Header,
    next_frame: u32,
}

impl TraceReader {
    /// Opens a trace, and checks its header and its length against each other.
    ///
    /// # Errors
    ///
    /// If `path` is no regular file or cannot be read. If the header is not that of a trace with at least one
    /// frame of one object. If the file is longer or shorter than the header says.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let mut file = open_unpacked(path).map_err(TraceError::io(path, "open the trace"))?;
        let length = file.metadata().map_err(TraceError::io(path, "open the trace"))?.len();
        let mut start = Vec::new();
        Read::by_ref(&mut file)
            .take(HEADER_BYTES)
            .read_to_end(&mut start)
            .map_err(TraceError::io(path, "read the header"))?;
        let header = Header::parse(path, &start, length)?;
        Ok(Self { path: path.to_owned(), file, header, next_frame: 0 })
    }

    /// Boxes per frame.
    pub fn objects(&self) -> u32 {
        self.header.objects
    }

    /// Frames in the file.
    pub fn frames(&self) -> u32 {
        self.header.frames
    }

    /// Simulated seconds between two frames.
    pub fn dt(&self) -> f32 {
        self.header.dt
    }

    /// The frame that [`Self::read_frame`] reads next, from 0; [`Self::frames`] at the end.
    pub fn next_frame(&self) -> u32 {
        self.next_frame
    }

    /// Reads the next frame into `boxes`, index = object, whose memory is reused. Returns whether
    /// there was one; `boxes` is empty if not.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the frame has a bad box; `boxes` is empty then. The frame with the bad
    /// box is skipped by the next call.
    pub fn read_frame(&mut self, boxes: &mut Vec<Aabb>) -> Result<bool, TraceError> {
        if self.next_frame == self.header.frames {
            boxes.clear();
            return Ok(false);
        }
        let read = self.read_into(boxes);
        if read.is_err() {
            boxes.clear();
        }
        read.map(|()| true)
    }

    fn read_into(&mut self, boxes: &mut Vec<Aabb>) -> Result<(), TraceError> {
        let frame = self.next_frame;
        // The file is at least this long, yet it may be longer than memory.
        let count = self.header.objects as usize;
        boxes
            .try_reserve_exact(count.saturating_sub(boxes.len()))
            .map_err(|error| TraceError::io(&self.path, "hold a frame in memory")(error.into()))?;
        boxes.resize(count, Aabb::EMPTY);
        self.file
            .read_exact(bytemuck::cast_slice_mut(boxes))
            .or_else(|error| {
                // Only a whole frame counts as read: the next attempt starts at the same place.
                self.file.seek(SeekFrom::Start(self.header.offset(frame, 0)))?;
                Err(error)
            })
            .map_err(|error| {
                // Its length was right when it was opened.
                let is_cut = error.kind() == io::ErrorKind::UnexpectedEof;
                let what =
                    if is_cut { "the file became shorter".to_owned() } else { error.to_string() };
                let at = format!("frame {frame}: {what}");
                TraceError::io(&self.path, "read on")(io::Error::new(error.kind(), at))
            })?;
        self.next_frame += 1;
        swap_to_little_endian(boxes);
        check_boxes(boxes).map_err(|fault| TraceError::BadBox {
            path: self.path.clone(),
            frame,
            byte: Some(self.header.offset(frame, fault.object)),
            fault,
        })
    }

    /// Goes back to the first frame.
    ///
    /// # Errors
    ///
    /// If the system fails.
    pub fn rewind(&mut self) -> Result<(), TraceError> {
        self.go_to(0)
    }

    /// Goes to a frame, from 0, which is read next; beyond the last one, to the end.
    ///
    /// # Errors
    ///
    /// If the system fails.
    pub fn go_to(&mut self, frame: u32) -> Result<(), TraceError> {
        let frame = frame.min(self.header.frames);
        self.file
            .seek(SeekFrom::Start(self.header.offset(frame, 0)))
            .map_err(TraceError::io(&self.path, "go to another frame"))?;
        self.next_frame = frame;
        Ok(())
    }
}
