//! Initial state of a window.

use super::scene_file::Opened;
use crate::session::Session;
use crate::settings::Settings;
use crate::simulation::Notice;
use crate::view::ViewOptions;
use broadphase::registry::Algorithm;
use std::path::PathBuf;

/// The initial state of a window.
pub struct Start {
    /// The input's file.
    pub opened: Opened,
    /// The input in motion.
    pub session: Session,
    /// Whether neither algorithms nor view were chosen: the window begins with the structure in view, and suggests things
    /// to try.
    pub first: bool,
    /// The view at first.
    pub view: ViewOptions,
    /// The file with the keys that drive bodies, which are in the scene that was opened.
    pub drive: Option<PathBuf>,
    /// Algorithms that are compared at first.
    pub compared: Vec<&'static Algorithm>,
    /// Where exports go: a folder `results` within it.
    pub folder: PathBuf,
    /// The settings of the last run.
    pub settings: Settings,
    /// Where the settings are written; `None` writes them nowhere.
    pub settings_path: Option<PathBuf>,
    /// The folder where windows keep unsaved edits; `None` keeps none.
    pub unsaved: Option<PathBuf>,
    /// Messages to show at once.
    pub notices: Vec<Notice>,
}
