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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::System;
    use crate::platform::double::Double;

    const PICTURE: Picture = Picture { width: 1, height: 1, rgba: Vec::new() };

    fn picture() -> Picture {
        Picture { rgba: vec![9, 9, 9, 255], ..PICTURE }
    }

    #[test]
    fn pictures_are_numbered_from_1_in_a_new_or_empty_folder() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("deep/video");
        PictureFolder::create(&System, &folder).unwrap();
        let mut pictures = PictureFolder::create(&System, &folder).unwrap();
        pictures.add(&picture()).unwrap();
        pictures.add(&picture()).unwrap();
        let mut names = System.names(&folder);
        names.sort();
        assert_eq!(names, ["000001.png", "000002.png"].map(PathBuf::from));
        let refused = PictureFolder::create(&System, &folder).err().unwrap();
        assert!(refused.contains("video is not empty"), "{refused}");
        let file = folder.join("000001.png");
        let refused = PictureFolder::create(&System, &file).err().unwrap();
        assert!(refused.starts_with("cannot create the folder "), "{refused}");
    }

    #[test]
    fn picture_that_cannot_be_written_is_named_and_not_counted() {
        let double = Double::leaked();
        let mut pictures = PictureFolder::create(double, Path::new("video")).unwrap();
        *double.read_only.lock().unwrap() = Some("video".into());
        let problem = pictures.add(&picture()).unwrap_err().to_string();
        assert!(problem.starts_with("cannot write the picture video/000001.png: "), "{problem}");
        *double.read_only.lock().unwrap() = None;
        pictures.add(&picture()).unwrap();
        assert_eq!((pictures.written(), double.files.lock().unwrap().len()), (1, 1));
    }
}
