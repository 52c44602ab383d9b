//! The state of the window that the panels show besides the snapshot.

use crate::camera::OrbitCamera;
use crate::measuring::MeasuringState;
use crate::session::AtWork;
use std::path::PathBuf;

/// The state of the window around the panels.
#[derive(Clone, Copy, Debug)]
pub struct Status<'a> {
    /// Pictures drawn per second; `None` until enough were drawn.
    pub fps: Option<f64>,
    /// The adapter that draws.
    pub adapter: &'a str,
    /// Where the scene is seen from.
    pub camera: OrbitCamera,
    /// The present step or order, once it has taken [noticeably long](super::NOTICEABLE).
    pub at_work: Option<AtWork>,
    /// The measurement of all algorithms over the whole input, once it was requested.
    pub measuring: Option<&'a MeasuringState>,
    /// Whether a dialog of the system is open.
    pub asking: bool,
    /// Number of pictures in the sequence that is being recorded; `None` without one.
    pub recorded_pictures: Option<u32>,
    /// Scene files that come with the program.
    pub shipped_scenes: &'a [PathBuf],
    /// Recently read scene files, the last one first.
    pub recent_scenes: &'a [PathBuf],
}
