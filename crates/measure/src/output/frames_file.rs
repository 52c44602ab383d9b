//! A single table, as the viewer exports its frames.

use super::csv_lines::csv_writer;
use super::error::{OutputError, io_error};
use crate::rows::columns;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sim::AtomicFile;
use std::path::{Path, PathBuf};

/// A CSV table that appears under its name only when it is whole.
#[derive(Debug)]
pub struct FramesFile {
    path: PathBuf,
    file: AtomicFile,
}

impl FramesFile {
    /// Makes sure that the file can be written, before there is anything to write; missing folders
    /// are made.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let file = AtomicFile::create_with_folder(path).map_err(io_error("write", path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Makes [`write`](Self::write) fail where there is a file by then, unless `replaces`.
    pub fn replacing(self, replaces: bool) -> Self {
        Self { file: self.file.replacing(replaces), ..self }
    }

    /// Writes the header and all rows, and gives the file its name.
    ///
    /// # Errors
    ///
    /// Where the system refuses; then no file is left, and one that was there before is as it was.
    pub fn write<R: Serialize + DeserializeOwned>(
        self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<PathBuf, OutputError> {
        let Self { path, mut file } = self;
        let write = || {
            let mut writer = csv_writer(&mut file);
            writer.write_record(columns::<R>())?;
            rows.into_iter().try_for_each(|row| writer.serialize(row))?;
            writer.flush()?;
            drop(writer);
            file.commit()
        };
        write().map_err(io_error("write", &path))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::FrameRow;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/frames.csv");
        let file = FramesFile::create(&path).unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
        FramesFile::create(&path).unwrap().write::<FrameRow>([]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, columns::<FrameRow>().join(",") + "\r\n");
    }
}
