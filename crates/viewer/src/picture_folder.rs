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
    /// Creates the folder, or takes an empty one.
    ///
    /// # Errors
    ///
    /// A message of one line if it holds something, or cannot be created.
    pub(crate) fn create(files: &'static dyn Files, folder: &Path) -> Result<Self, String> {
        let shown = folder.display();
        if !files.names(folder).is_empty() {
            return Err(format!("{shown} is not empty: choose a new or empty folder for pictures"));
        }
        let created = files.create_folder(folder);
        created.map_err(|e| format!("cannot create the folder {shown} for pictures: {e}"))?;
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
