//! Reading a trace, frame by frame.

use super::error::TraceError;
use super::header::{HEADER_BYTES, Header, swap_to_little_endian};
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
        let opened = open_unpacked(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (length, file) = opened.map_err(TraceError::io(path, "open the trace"))?;
        let mut start = Vec::new();
        let read = (&file).take(HEADER_BYTES).read_to_end(&mut start);
        read.map_err(TraceError::io(path, "read the header"))?;
        let header = Header::parse(&start, length).map_err(TraceError::refused(path))?;
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

    /// Goes to a frame, from 0, which is read next; beyond the last one, to the end.
    pub fn go_to(&mut self, frame: u32) {
        self.next_frame = frame.min(self.header.frames);
    }

    /// Reads the next frame into `boxes`, index = object, whose memory is reused. Returns whether
    /// there was one; `boxes` is empty if not.
    ///
    /// # Errors
    ///
    /// If the file cannot be read: the next call tries again. If the frame has a bad box: the next call skips the frame.
    /// `boxes` is empty then.
    pub fn read_frame(&mut self, boxes: &mut Vec<Aabb>) -> Result<bool, TraceError> {
        let has_frame = self.next_frame < self.header.frames;
        let read = if has_frame { self.read_into(boxes) } else { Ok(()) };
        if !has_frame || read.is_err() {
            boxes.clear();
        }
        read.map(|()| has_frame)
    }

    fn read_into(&mut self, boxes: &mut Vec<Aabb>) -> Result<(), TraceError> {
        let Self { path, file, header, next_frame } = self;
        let frame = *next_frame;
        // The file is at least this long, yet it may be longer than memory.
        let count = header.objects as usize;
        boxes
            .try_reserve_exact(count.saturating_sub(boxes.len()))
            .map_err(|error| TraceError::io(path, "hold a frame in memory")(error.into()))?;
        boxes.resize(count, Aabb::EMPTY);
        // An attempt that failed may have read part of the frame.
        file.seek(SeekFrom::Start(header.offset(frame, 0)))
            .and_then(|_| file.read_exact(bytemuck::cast_slice_mut(boxes)))
            .map_err(|error| match error.kind() {
                // Its length was right when it was opened.
                kind @ io::ErrorKind::UnexpectedEof => {
                    io::Error::new(kind, format!("frame {frame}: the file became shorter"))
                }
                kind => io::Error::new(kind, format!("frame {frame}: {error}")),
            })
            .map_err(TraceError::io(path, "read on"))?;
        *next_frame += 1;
        swap_to_little_endian(boxes);
        check_boxes(boxes).map_err(|fault| {
            let byte = header.offset(frame, fault.object);
            TraceError::refused(path)(format!("frame {frame}, {fault} (at byte {byte})"))
        })
    }
}
