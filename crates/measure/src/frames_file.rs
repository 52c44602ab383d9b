//! A single file of frame rows, as the viewer exports it.

use crate::{FrameRow, OutputError};
use csv::{Terminator, WriterBuilder};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A `frames.csv` that appears under its name only when it is whole.
#[derive(Debug)]
pub struct FramesFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl FramesFile {
    /// Makes sure that the file can be written, before there is anything to write; missing folders
    /// are made.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let error = |source| OutputError::Io { action: "write", path: path.to_owned(), source };
        if path.is_dir() {
            return Err(error(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        // An empty parent is the folder that the program stands in.
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(error)?;
        let file = NamedTempFile::new_in(folder).map_err(error)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes the header and all rows, and gives the file its name.
    ///
    /// # Errors
    ///
    /// Where the system refuses; then no file is left, and one that was there before is as it was.
    pub fn write(self, rows: impl IntoIterator<Item = FrameRow>) -> Result<PathBuf, OutputError> {
        let Self { path, file } = self;
        let error = |source| OutputError::Io { action: "write", path: path.clone(), source };
        let mut writer = WriterBuilder::new()
            .has_headers(false)
            .terminator(Terminator::CRLF) // RFC 4180
            .from_writer(file);
        let written = || -> csv::Result<NamedTempFile> {
            writer.write_record(FrameRow::COLUMNS)?;
            rows.into_iter().try_for_each(|row| writer.serialize(row))?;
            writer.into_inner().map_err(|e| e.into_error().into())
        };
        let file = written().map_err(|e| error(io::Error::other(e)))?;
        make_readable(&file).map_err(error)?;
        file.persist(&path).map_err(|e| error(e.error))?;
        Ok(path)
    }
}

/// A temporary file is its owner's alone; a result is for everyone that may read its folder.
fn make_readable(file: &NamedTempFile) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/frames.csv");
        let file = FramesFile::create(&path).unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
        FramesFile::create(&path).unwrap().write([]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, FrameRow::COLUMNS.join(",") + "\r\n");
    }

    #[test]
    fn a_folder_in_the_way_is_noticed_before_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = FramesFile::create(folder.path()).unwrap_err().to_string();
        assert!(refusal.starts_with("cannot write "), "{refusal}");
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(FramesFile::create(&file.join("frames.csv")).is_err());
    }
}
