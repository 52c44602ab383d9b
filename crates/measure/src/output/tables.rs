//! Tables as CSV, as RFC 4180 has it, and their content as it was written, by which a changed one is recognised.

use super::error::{OutputError, io_error};
use crate::input::{GrowingHash, hash};
use crate::rows::{Checksum, NumberOrText, RowError, columns};
use csv::{Reader, ReaderBuilder, Terminator, Writer, WriterBuilder};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use sim::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The header of a table of rows `R`, as a line.
pub(super) fn header<R: Serialize + Default>() -> String {
    columns::<R>().join(",") + "\r\n"
}

/// A writer of rows without a header.
pub(super) fn csv_writer<W: Write>(writer: W) -> Writer<W> {
    WriterBuilder::new().has_headers(false).terminator(Terminator::CRLF).from_writer(writer)
}

/// Rows as lines of CSV.
pub(super) fn csv_lines<R: Serialize>(rows: impl IntoIterator<Item = R>) -> io::Result<String> {
    let mut writer = csv_writer(Vec::new());
    rows.into_iter().try_for_each(|row| writer.serialize(row))?;
    let lines = writer.into_inner().map_err(|error| error.into_error())?;
    String::from_utf8(lines).map_err(io::Error::other)
}

/// A reader of rows without a header.
pub(super) fn csv_reader(lines: &str) -> Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).from_reader(lines.as_bytes())
}

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
    pub fn write<R: Serialize + Default>(
        self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<PathBuf, OutputError> {
        let Self { path, mut file } = self;
        let write = || {
            file.write_all(header::<R>().as_bytes())?;
            let mut writer = csv_writer(&mut file);
            rows.into_iter().try_for_each(|row| writer.serialize(row))?;
            writer.flush()?;
            drop(writer);
            file.commit()
        };
        write().map_err(io_error("write", &path))?;
        Ok(path)
    }
}

/// Length and hash of a table that a run wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    bytes: u64,
    /// Hash of the content and of the run's name.
    #[serde(deserialize_with = "text_or_number")]
    hash: Checksum,
}

/// Earlier versions wrote a number, which readers of JSON may round.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Checksum, D::Error> {
    match NumberOrText::deserialize(deserializer)? {
        NumberOrText::Number(number) => Ok(Checksum(number)),
        NumberOrText::Text(text) => text.parse().map_err(D::Error::custom),
    }
}

impl Written {
    pub(super) fn new(content: &GrowingHash, run_id: &str) -> Self {
        Self { bytes: content.bytes(), hash: Checksum(content.value() ^ hash(run_id.as_bytes())) }
    }

    /// A whole file.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn of_file(path: &Path, run_id: &str) -> Result<Self, RowError> {
        let content = GrowingHash::of_file(path).map_err(|e| RowError::unreadable(path, e))?;
        Ok(Self::new(&content, run_id))
    }

    /// Checks a whole file.
    ///
    /// # Errors
    ///
    /// Where the file is not as it was written, or cannot be read.
    pub fn check(self, path: &Path, run_id: &str) -> Result<(), RowError> {
        match Self::of_file(path, run_id)? == self {
            true => Ok(()),
            false => Err(RowError::Altered(path.to_owned())),
        }
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
        assert_eq!(text, header::<FrameRow>());
    }
}
