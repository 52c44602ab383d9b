//! A folder of numbered pictures, as programs that make videos read them.

use crate::offscreen::{OffscreenError, Picture};
use crate::platform::Files;
use std::path::{Path, PathBuf};

/// Writes pictures as `000001.png`, `000002.png` and so on.
pub(crate) struct PictureFolder {
    folder: PathBuf,
    written: u32,
    files: &'static dyn Files,
}

impl PictureFolder {
    /// Takes a new or an empty folder.
    ///
    /// # Errors
    ///
    /// A message of one line if it holds something.
    pub(crate) fn new(files: &'static dyn Files, folder: &Path) -> Result<Self, String> {
        if !files.names(folder).is_empty() {
            let shown = folder.display();
            return Err(format!("{shown} is not empty: choose a new or empty folder for pictures"));
        }
        Ok(Self { folder: folder.to_owned(), written: 0, files })
    }

    /// Writes the next picture, whole or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the error names it.
    pub(crate) fn add(&mut self, picture: &Picture) -> Result<(), OffscreenError> {
        let path = self.folder.join(format!("{:06}.png", self.written + 1));
        let written = picture.png().and_then(|bytes| self.files.write(&path, &bytes));
        written.map_err(|source| OffscreenError::Write { path, source })?;
        self.written += 1;
        Ok(())
    }

    /// The number of pictures in it.
    pub(crate) fn written(&self) -> u32 {
        self.written
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}
