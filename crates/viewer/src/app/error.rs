//! Why there is no window.

use crate::gpu::GpuError;

/// Why a window cannot be opened, or stopped working.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no display.
    #[error(
        "no display: {0}; set DISPLAY or WAYLAND_DISPLAY, or try a virtual one: \
         apt-get install xvfb libxkbcommon-x11-0 && xvfb-run cargo run --release"
    )]
    NoDisplay(String),
    /// The display refuses a window.
    #[error("the display opens no window: {0}")]
    NoWindow(String),
    /// There is no graphics device.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// It failed before it displayed a picture.
    #[error("{0}")]
    AtStart(String),
    /// Drawing failed while the window was open.
    #[error("{0}")]
    Broken(String),
}
