//! Recorded boxes: `.bpt` files.
//!
//! Little-endian, no padding: the 8 bytes `BPTRACE1`, `u32` n, `u32` frames, `f32` dt in seconds,
//! `u32` flags (0), then frames × n boxes of six `f32` each: min x, y, z, max x, y, z. A box with
//! `min > max` stands for an object that is absent in the frame. The length of a file is exactly
//! 24 + frames × n × 24 bytes.
//!
//! Files may be larger than memory: [`TraceReader`] and [`TraceWriter`] hold one frame.

use crate::atomic_file::AtomicFile;
use crate::{open_regular, open_unpacked};
use broadphase::{Aabb, check_boxes};
use std::fmt::{Debug, Display};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"BPTRACE1";

/// Bytes of a header.
const HEADER_BYTES: u64 = 24;

/// Bytes of a box in a file, and in memory.
const BOX_BYTES: u64 = 24;

/// Offset of the count of frames, which a writer knows last.
const FRAMES_AT: u64 = 12;

/// Whether a file begins as a trace does. One that cannot be read does not.
pub fn is_trace(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    open_regular(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && begins_as_trace(&start)
}

/// Whether these are the first bytes of a trace.
pub fn begins_as_trace(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The fields of a header.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Header {
    objects: u32,
    frames: u32,
    dt: f32,
}

/// A wrong field: its offset in the file, and what was expected there and found.
type HeaderFault = (u64, String);

fn expect(
    is_right: bool,
    byte: u64,
    expected: &str,
    found: impl Display,
) -> Result<(), HeaderFault> {
    if is_right { Ok(()) } else { Err((byte, format!("expected {expected}, found {found}"))) }
}

impl Header {
    fn to_bytes(self) -> Vec<u8> {
        // The last field, the flags, is 0.
        let fields = [self.objects, self.frames, self.dt.to_bits(), 0];
        [&MAGIC[..], fields.map(u32::to_le_bytes).as_flattened()].concat()
    }

    /// Reads the header from the first bytes of a file, whose `length` must be what it requires. The error names the byte.
    fn parse(start: &[u8], length: u64) -> Result<Self, String> {
        let header = Self::of_bytes(start);
        let header = header.map_err(|(byte, fault)| format!("byte {byte}: {fault}"))?;
        header.check_length(length)?;
        Ok(header)
    }

    fn of_bytes(start: &[u8]) -> Result<Self, HeaderFault> {
        let magic = &start[..start.len().min(MAGIC.len())];
        let shown = format_args!("`{}`", magic.escape_ascii());
        expect(magic == MAGIC, 0, "the magic `BPTRACE1`", shown)?;
        let at = start.len() as u64;
        expect(at == HEADER_BYTES, at, "a header of 24 bytes", "the end of the file")?;
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| start[at + byte]));
        let header = Self { objects: word(8), frames: word(12), dt: f32::from_bits(word(16)) };
        header.check()?;
        expect(word(20) == 0, 20, "flags of 0", format_args!("{:#x}", word(20)))?;
        Ok(header)
    }

    /// Whether a trace can have such a header.
    fn check(self) -> Result<(), HeaderFault> {
        let Self { objects, frames, dt } = self;
        expect(objects > 0, 8, "at least one object", objects)?;
        expect(frames > 0, FRAMES_AT, "at least one frame", frames)?;
        let is_time_step = dt.is_finite() && dt > 0.0;
        expect(is_time_step, 16, "a finite time step greater than 0", dt)
    }

    fn check_length(self, found: u64) -> Result<(), String> {
        let Self { objects, frames, .. } = self;
        // Two u32 and a small factor cannot overflow 128 bits.
        let [found, header, frame] = [found, HEADER_BYTES, self.frame_bytes()].map(u128::from);
        let expected = header + u128::from(frames) * frame;
        let end = match found.checked_sub(expected) {
            Some(0) => return Ok(()),
            Some(more) => format!("{more} bytes too many, from byte {expected} on"),
            None => {
                format!("it ends before frame {} is complete", found.saturating_sub(header) / frame)
            }
        };
        let whole = format!("expected {expected} bytes for {frames} frames of {objects} boxes");
        Err(format!("{whole}, found {found}: {end}"))
    }

    fn frame_bytes(self) -> u64 {
        u64::from(self.objects) * BOX_BYTES
    }

    /// Where a box of a file starts. Cannot overflow for boxes of a file whose length was checked.
    fn offset(self, frame: u32, object: usize) -> u64 {
        HEADER_BYTES + u64::from(frame) * self.frame_bytes() + object as u64 * BOX_BYTES
    }
}

/// Swaps the bytes of boxes between the file's order and the machine's. They are the same on
/// little-endian machines.
fn swap_to_little_endian(boxes: &mut [Aabb]) {
    for word in bytemuck::cast_slice_mut::<_, u32>(boxes) {
        *word = word.to_le();
    }
}

/// Why a trace could not be read or written: the system failed, the path is not a regular file, the file is no valid trace,
/// or what was to be written is none.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", path.display())]
pub struct TraceError {
    path: PathBuf,
    /// The system's error; else the byte or the frame, what was expected there, and what was found.
    message: String,
}

impl TraceError {
    /// For `map_err`.
    fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::refused(path)(format!("cannot {action}: {error}"))
    }

    /// The refusal of a trace, from its reason; for `map_err`.
    pub fn refused(path: &Path) -> impl FnOnce(String) -> Self {
        move |message| Self { path: path.to_owned(), message }
    }
}

/// A file, or bytes in memory.
trait Stored: Read + Seek + Send + Sync + Debug {}

impl<T: Read + Seek + Send + Sync + Debug> Stored for T {}

/// A trace opened for reading.
#[derive(Debug)]
pub struct TraceReader {
    path: PathBuf,
    // Unbuffered: a frame is read in one piece, straight into its boxes.
    file: Box<dyn Stored>,
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
        let file = open_unpacked(path).map_err(TraceError::io(path, "open the trace"))?;
        Self::of(path, Box::new(file))
    }

    /// Opens a trace that is in memory. Errors call it `path`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), except those of files.
    pub fn of_bytes(path: &Path, bytes: Arc<[u8]>) -> Result<Self, TraceError> {
        Self::of(path, Box::new(Cursor::new(bytes)))
    }

    fn of(path: &Path, mut file: Box<dyn Stored>) -> Result<Self, TraceError> {
        let mut start = Vec::new();
        let read = file.by_ref().take(HEADER_BYTES).read_to_end(&mut start);
        let length = read.and_then(|_| file.seek(SeekFrom::End(0)));
        let length = length.map_err(TraceError::io(path, "read the header"))?;
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

/// Checks a header that no file has yet: faults name no byte.
fn checked(header: Header) -> Result<(), String> {
    header.check().map_err(|(_, fault)| fault)
}

impl TraceWriter {
    /// Begins a trace of `objects` boxes a frame, `dt` simulated seconds from frame to frame.
    ///
    /// # Errors
    ///
    /// If `objects` is 0, `dt` is not finite or not greater than 0, or the file cannot be made.
    pub fn create(path: &Path, objects: u32, dt: f32) -> Result<Self, TraceError> {
        let header = Header { objects, frames: 0, dt };
        checked(Header { frames: 1, ..header }).map_err(TraceError::refused(path))?;
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
        let is_whole = self.check_unfailed().and_then(|()| checked(self.header));
        is_whole.map_err(TraceError::refused(&self.path))?;
        let patched = self.file.patch(FRAMES_AT, &self.header.frames.to_le_bytes());
        let committed = patched.and_then(|()| self.file.commit());
        committed.map_err(TraceError::io(&self.path, "complete the trace"))
    }
}
