//! Errors of reading and writing a trace.

use super::format::{BOX_BYTES, HEADER_BYTES};
use broadphase::BoxError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a trace could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The system failed, or the path is not a regular file.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The trace.
        path: PathBuf,
        /// The attempted action.
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The header is not that of a trace.
    #[error("{}: byte {byte}: expected {expected}, found {found}", path.display())]
    Header {
        /// The trace.
        path: PathBuf,
        /// Offset of the field in the file.
        byte: u64,
        /// The expected value.
        expected: &'static str,
        /// The value found.
        found: String,
    },
    /// The file is shorter or longer than its header says.
    #[error(
        "{}: expected {expected} bytes for {frames} frames of {objects} boxes, found {found}: {}",
        path.display(),
        where_it_ends(*expected, *found, *objects)
    )]
    Length {
        /// The trace.
        path: PathBuf,
        /// Boxes per frame, as the header says.
        objects: u32,
        /// Frames, as the header says.
        frames: u32,
        /// 24 + frames × objects × 24.
        expected: u128,
        /// The length of the file in bytes.
        found: u64,
    },
    /// A box that no algorithm may be given.
    #[error(
        "{}: frame {frame}, {fault}{}", 
        path.display(),
        byte.map_or_else(String::new, |byte| format!(" (at byte {byte})"))
    )]
    BadBox {
        /// The trace.
        path: PathBuf,
        /// The frame, from 0.
        frame: u32,
        /// Offset of the box in the file; `None` for a box that was refused by the writer.
        byte: Option<u64>,
        /// The object, from 0, and what is wrong with its box.
        fault: BoxError,
    },
    /// What was to be written is not a valid trace.
    #[error("{}: {message}", path.display())]
    Refused {
        /// The trace.
        path: PathBuf,
        /// The reason.
        message: String,
    },
}

impl TraceError {
    /// For `map_err`.
    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), action, source }
    }

    pub(super) fn refused(path: &Path, message: impl Into<String>) -> Self {
        Self::Refused { path: path.to_owned(), message: message.into() }
    }
}

/// Where a file of `found` bytes departs from the length that it should have.
fn where_it_ends(expected: u128, found: u64, objects: u32) -> String {
    let found = u128::from(found);
    if found > expected {
        return format!("{} bytes too many, from byte {expected} on", found - expected);
    }
    let bytes_per_frame = u128::from(objects) * u128::from(BOX_BYTES);
    let frame = found.saturating_sub(HEADER_BYTES.into()) / bytes_per_frame.max(1);
    format!("it ends before frame {frame} is complete")
}
