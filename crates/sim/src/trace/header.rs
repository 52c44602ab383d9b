//! The first 24 bytes of a trace.

use super::error::TraceError;
use super::format::{BOX_BYTES, HEADER_BYTES};
use crate::open_regular;
use std::io::Read;
use std::path::Path;

const MAGIC: [u8; 8] = *b"BPTRACE1";

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

impl Header {
    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES as usize] {
        let mut bytes = [0; HEADER_BYTES as usize];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.objects.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.frames.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.dt.to_le_bytes());
        // The flags, bytes 20..24, are 0.
        bytes
    }

    /// Reads the header from the first bytes of a file, and checks that `length`, the length of the file, is
    /// what the header requires.
    pub(super) fn parse(path: &Path, start: &[u8], length: u64) -> Result<Self, TraceError> {
        let fault = |byte, expected, found| TraceError::Header {
            path: path.to_owned(),
            byte,
            expected,
            found,
        };
        let magic = &start[..start.len().min(MAGIC.len())];
        if magic != MAGIC {
            let found = format!("`{}`", magic.escape_ascii());
            return Err(fault(0, "the magic `BPTRACE1`", found));
        }
        let Ok(bytes) = <[u8; HEADER_BYTES as usize]>::try_from(start) else {
            let found = String::from("the end of the file");
            return Err(fault(start.len() as u64, "a header of 24 bytes", found));
        };
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let (objects, frames, flags) = (word(8), word(12), word(20));
        let dt = f32::from_bits(word(16));
        if objects == 0 {
            return Err(fault(8, "at least one object", objects.to_string()));
        }
        if frames == 0 {
            return Err(fault(FRAMES_AT, "at least one frame", frames.to_string()));
        }
        if !is_time_step(dt) {
            return Err(fault(16, "a finite time step greater than 0", dt.to_string()));
        }
        if flags != 0 {
            return Err(fault(20, "flags of 0", format!("{flags:#x}")));
        }
        // Two u32 and a small factor cannot overflow 128 bits.
        let boxes = u128::from(frames) * u128::from(objects);
        let expected = u128::from(HEADER_BYTES) + boxes * u128::from(BOX_BYTES);
        if u128::from(length) != expected {
            let path = path.to_owned();
            return Err(TraceError::Length { path, objects, frames, expected, found: length });
        }
        Ok(Self { objects, frames, dt })
    }

    /// Where a box of a file starts. Cannot overflow for boxes of a file whose length was checked.
    pub(super) fn offset(&self, frame: u32, object: usize) -> u64 {
        let boxes = u64::from(frame) * u64::from(self.objects) + object as u64;
        HEADER_BYTES + boxes * BOX_BYTES
    }
}

/// Whether simulated seconds per frame can be `dt`.
pub(super) fn is_time_step(dt: f32) -> bool {
    dt.is_finite() && dt > 0.0
}
