//! The first 24 bytes of a trace, and the order of bytes.

use crate::open_regular;
use broadphase::Aabb;
use std::fmt::Display;
use std::io::Read;
use std::path::Path;

const MAGIC: [u8; 8] = *b"BPTRACE1";

/// Bytes of a header.
pub(super) const HEADER_BYTES: u64 = 24;

/// Bytes of a box in a file, and in memory.
const BOX_BYTES: u64 = 24;

/// Offset of the count of frames, which a writer knows last.
pub(super) const FRAMES_AT: u64 = 12;

/// Whether a file begins as a trace does. One that cannot be read does not.
pub fn is_trace(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    open_regular(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == MAGIC
}

/// The fields of a header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Header {
    pub(super) objects: u32,
    pub(super) frames: u32,
    pub(super) dt: f32,
}

/// The error names the offset of the field in the file.
fn expect(is_right: bool, byte: u64, expected: &str, found: impl Display) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(format!("byte {byte}: expected {expected}, found {found}")) }
}

impl Header {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        // The last field, the flags, is 0.
        let fields = [self.objects, self.frames, self.dt.to_bits(), 0];
        [&MAGIC[..], fields.map(u32::to_le_bytes).as_flattened()].concat()
    }

    /// Reads the header from the first bytes of a file, whose `length` must be what it requires. The error names the byte.
    pub(super) fn parse(start: &[u8], length: u64) -> Result<Self, String> {
        let magic = &start[..start.len().min(MAGIC.len())];
        let shown = format_args!("`{}`", magic.escape_ascii());
        expect(magic == MAGIC, 0, "the magic `BPTRACE1`", shown)?;
        let at = start.len() as u64;
        expect(at == HEADER_BYTES, at, "a header of 24 bytes", "the end of the file")?;
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| start[at + byte]));
        let header = Self { objects: word(8), frames: word(12), dt: f32::from_bits(word(16)) };
        header.check()?;
        expect(word(20) == 0, 20, "flags of 0", format_args!("{:#x}", word(20)))?;
        header.check_length(length)?;
        Ok(header)
    }

    /// Whether a trace can have such a header.
    pub(super) fn check(self) -> Result<(), String> {
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
    pub(super) fn offset(self, frame: u32, object: usize) -> u64 {
        HEADER_BYTES + u64::from(frame) * self.frame_bytes() + object as u64 * BOX_BYTES
    }
}

/// Swaps the bytes of boxes between the file's order and the machine's. They are the same on
/// little-endian machines.
pub(super) fn swap_to_little_endian(boxes: &mut [Aabb]) {
    for word in bytemuck::cast_slice_mut::<_, u32>(boxes) {
        *word = word.to_le();
    }
}
