//! CSV files that only ever hold whole rows.

use super::error::{OutputError, io_error};
use super::whole_file::WholeFile;
use super::written::{Written, content_of};
use crate::input::GrowingHash;
use csv::{Terminator, WriterBuilder};
use serde::Serialize;
use std::io;
use std::path::Path;

/// A CSV file that only ever holds whole rows.
#[derive(Debug)]
pub(super) struct CsvFile {
    file: WholeFile,
    /// The hash of what was written.
    content: GrowingHash,
}

impl CsvFile {
    /// The file with nothing but a header.
    pub(super) fn begin(file: WholeFile, columns: &[&str]) -> Result<Self, OutputError> {
        let mut csv = Self { file: file.emptied()?, content: GrowingHash::default() };
        let header = csv_lines([columns]).map_err(io_error("set rows for", csv.path()))?;
        csv.append(&header)?;
        Ok(csv)
    }

    /// The file of a complete run, to be written on, if it is as it `was` written.
    pub(super) fn go_on(file: WholeFile, was: Written, run_id: &str) -> Result<Self, OutputError> {
        let content = content_of(file.path())?;
        match Written::new(&content, run_id) == was {
            true => Ok(Self { file, content }),
            false => Err(OutputError::Altered(file.path().to_owned())),
        }
    }

    /// Appends whole rows.
    pub(super) fn append(&mut self, lines: &[u8]) -> Result<(), OutputError> {
        self.file.append(lines)?;
        self.content.write(lines);
        Ok(())
    }

    /// Fails unless the path still names this file, with all that was written.
    pub(super) fn check(&self) -> Result<(), OutputError> {
        self.file.check()
    }

    /// Waits until the system has put everything on the disk.
    pub(super) fn sync(&self) -> Result<(), OutputError> {
        self.file.sync()
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(super) fn name(&self) -> String {
        self.path().file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Length and hash of the content.
    pub(super) fn written(&self, run_id: &str) -> Written {
        Written::new(&self.content, run_id)
    }
}

/// Rows as lines of CSV.
pub(super) fn csv_lines<R: Serialize>(rows: impl IntoIterator<Item = R>) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new()
        .has_headers(false)
        .terminator(Terminator::CRLF) // RFC 4180
        .from_writer(Vec::new());
    rows.into_iter().try_for_each(|row| writer.serialize(row))?;
    writer.into_inner().map_err(|error| error.into_error())
}
