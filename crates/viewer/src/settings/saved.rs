//! Cameras and bookmarks, which the settings keep for a scene.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A camera or a bookmark, with the scene that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfScene<T> {
    scene: PathBuf,
    #[serde(flatten)]
    pub(super) kept: T,
}

impl<T> OfScene<T> {
    pub(super) fn new(scene: &Path, kept: T) -> Self {
        Self { scene: scene.to_owned(), kept }
    }

    pub(super) fn is_of(&self, scene: &Path) -> bool {
        self.scene == scene
    }
}
