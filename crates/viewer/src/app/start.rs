//! What a window begins with.

use crate::session::Session;
use crate::settings::Settings;
use crate::simulation::Notice;
use sim::SceneDocument;
use std::path::PathBuf;

/// The initial state of a window.
pub struct Start {
    /// The scene file, for its comments and its name when it is saved.
    pub document: SceneDocument,
    /// The path of the scene file.
    pub path: PathBuf,
    /// The scene in motion.
    pub session: Session,
    /// Whether no scene was asked for: the window begins with the planes of a tree, and suggests things to try.
    pub first: bool,
    /// Where exports go: a folder `results` within it.
    pub folder: PathBuf,
    /// The settings of the last run.
    pub settings: Settings,
    /// Where the settings are written; `None` writes them nowhere.
    pub settings_path: Option<PathBuf>,
    /// Messages to show at once.
    pub notices: Vec<Notice>,
}
