//! Errors of drawing without a window.

use std::io;
use std::path::PathBuf;

/// Why a picture cannot be drawn or saved.
#[derive(Debug, thiserror::Error)]
pub enum OffscreenError {
    /// The picture would have no pixels, or more than the adapter supports.
    #[error(
        "a picture of {width} x {height} pixels cannot be drawn: this adapter does 1 to {limit} a side"
    )]
    Size {
        /// The requested width.
        width: u32,
        /// The requested height.
        height: u32,
        /// The longest side of a texture.
        limit: u32,
    },
    /// The device reported a fault, now or earlier.
    #[error("{0}")]
    Gpu(String),
    /// The file cannot be written.
    #[error("cannot write the picture {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}
