//! Reading the rows of a CSV file by the names of their columns.

use crate::process::{available_memory, check_fits};
use serde::de::DeserializeOwned;
use sim::{open_regular, open_unpacked};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// A CSV file that cannot be read, or is wrong in a line.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The system refuses.
    #[error("cannot read {}: {problem}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// A line is wrong.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The content is no longer what a run wrote.
    #[error("{} is not as it was written: restore it, or measure again with --force", .0.display())]
    Altered(PathBuf),
}

/// The place of a row in its file.
#[derive(Clone, Debug)]
pub struct RowPlace {
    path: PathBuf,
    /// Bytes before the row, up to the line feed that ends the row before.
    byte: u64,
}

impl RowPlace {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line, from 1.
    ///
    /// It is counted when it is asked for. The CSV reader counts lines too, but is one behind where
    /// they end with CR LF: to it a row begins between the two.
    pub fn line(&self) -> u64 {
        let Ok(file) = open_regular(&self.path) else { return 1 };
        let feeds = BufReader::new(file)
            .bytes()
            .map_while(Result::ok)
            .enumerate()
            .take_while(|&(at, value)| (at as u64) < self.byte || value == b'\n')
            .filter(|&(_, value)| value == b'\n');
        1 + feeds.count() as u64
    }

    /// An error in this row.
    pub fn error(&self, problem: impl Into<String>) -> RowError {
        RowError::Line { path: self.path.clone(), line: self.line(), problem: problem.into() }
    }
}

/// Memory that rows with statistics take when all are kept, in sizes of their file. Measured with `plot` and `report` on
/// 200,000 rows of `summary.csv`: 13, and 29 where the optional columns are empty.
pub const MEMORY_OF_ROWS: u64 = 32;

/// Memory that rows of frames take, of which only times are kept, in sizes of their file. Measured with `plot` on 600,000
/// rows of a cell: 0.4.
pub const MEMORY_OF_FRAMES: u64 = 1;

/// An open CSV file whose header is read.
pub struct RowReader {
    path: PathBuf,
    reader: csv::Reader<File>,
    header: csv::StringRecord,
}

impl RowReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// Where it is no regular file, is compressed, cannot be read, is larger than the memory that can be had, or is not
    /// UTF-8.
    pub fn open(path: &Path) -> Result<Self, RowError> {
        let file = open_unpacked(path).map_err(|error| unreadable(path, &error))?;
        // One row may be all of it.
        check_size(&file, 1).map_err(|error| unreadable(path, &error))?;
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file);
        let place = RowPlace { path: path.to_owned(), byte: 0 };
        let mut header = csv::StringRecord::new();
        reader.read_record(&mut header).map_err(|error| row_error(&place, &error, None))?;
        Ok(Self { path: path.to_owned(), reader, header })
    }

    /// The names of the columns.
    pub fn header(&self) -> &csv::StringRecord {
        &self.header
    }

    /// Those of `columns` that the header does not have.
    pub fn missing<'a>(&self, columns: &[&'a str]) -> Vec<&'a str> {
        columns.iter().copied().filter(|c| !self.header.iter().any(|h| h == *c)).collect()
    }

    /// Reads a column by another name, if there is one of this name. Returns whether there is.
    pub fn rename_column(&mut self, from: &str, to: &str) -> bool {
        let name = |name| if name == from { to } else { name };
        let renamed: csv::StringRecord = self.header.iter().map(name).collect();
        let is_there = renamed != self.header;
        self.header = renamed;
        is_there
    }

    /// An error in the header.
    pub fn header_error(&self, problem: impl Into<String>) -> RowError {
        RowPlace { path: self.path.clone(), byte: 0 }.error(problem)
    }

    /// Reads all rows into a list.
    ///
    /// # Errors
    ///
    /// As [`each`](Self::each).
    pub fn rows<R: DeserializeOwned>(self) -> Result<Vec<R>, RowError> {
        let mut rows = Vec::new();
        self.each(MEMORY_OF_ROWS, |_, row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Reads all rows, of which `take` keeps `times` as much memory as their text takes. Returns the place behind the last.
    ///
    /// # Errors
    ///
    /// Where they do not fit into memory, a row cannot be read, and the error of `take`.
    pub fn each<R: DeserializeOwned>(
        mut self,
        times: u64,
        mut take: impl FnMut(RowPlace, R) -> Result<(), RowError>,
    ) -> Result<RowPlace, RowError> {
        check_size(self.reader.get_ref(), times).map_err(|error| unreadable(&self.path, &error))?;
        let place = |byte| RowPlace { path: self.path.clone(), byte };
        let mut record = csv::StringRecord::new();
        loop {
            let byte = self.reader.position().byte();
            match self.reader.read_record(&mut record) {
                Ok(false) => return Ok(place(u64::MAX)),
                Ok(true) => {}
                Err(error) => return Err(row_error(&place(byte), &error, None)),
            }
            let place = place(record.position().map_or(byte, csv::Position::byte));
            let row = record
                .deserialize(Some(&self.header))
                .map_err(|error| row_error(&place, &error, Some(&self.header)))?;
            take(place, row)?;
        }
    }
}

/// Refuses a file of which `times` its size do not fit into memory.
fn check_size(file: &File, times: u64) -> io::Result<()> {
    check_fits(file.metadata()?.len(), times, available_memory())
}

fn unreadable(path: &Path, error: &io::Error) -> RowError {
    RowError::Unreadable { path: path.to_owned(), problem: error.to_string() }
}

/// The CSV reader's error with our place, and the column by number and name.
fn row_error(place: &RowPlace, error: &csv::Error, header: Option<&csv::StringRecord>) -> RowError {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let column = err.field().and_then(|field| {
                let name = header?.get(field as usize)?;
                Some(format!("column {}, `{name}`: ", field + 1))
            });
            place.error(format!("{}{}", column.unwrap_or_default(), err.kind()))
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            place.error(format!("expected {expected_len} columns, found {len}"))
        }
        csv::ErrorKind::Io(error) => unreadable(&place.path, error),
        csv::ErrorKind::Utf8 { .. } => place.error("expected UTF-8 text"),
        _ => place.error(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Row {
        n: u32,
    }

    fn numbers(text: &str) -> Result<Vec<u32>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.csv");
        std::fs::write(&path, text).unwrap();
        let mut numbers = Vec::new();
        let take = |_, row: Row| {
            numbers.push(row.n);
            Ok(())
        };
        let read = RowReader::open(&path).and_then(|reader| reader.each(MEMORY_OF_ROWS, take));
        let reason = |error: RowError| {
            let text = error.to_string();
            text.rsplit_once("f.csv").unwrap().1.trim_start_matches([',', ':', ' ']).to_owned()
        };
        read.map_err(reason)?;
        Ok(numbers)
    }

    #[test]
    fn wrong_row_is_named_by_line_and_column() {
        for end in ["\n", "\r\n"] {
            let text = |rows: &[&str]| rows.join(end) + end;
            assert_eq!(numbers(&text(&["a,n", "x,1", "\"y\nz\",2"])), Ok(vec![1, 2]));
            let error = numbers(&text(&["a,n", "\"x\ny\",1", "z,many"])).unwrap_err();
            assert!(error.starts_with("line 4: column 2, `n`: invalid digit"), "{error}");
            let error = numbers(&text(&["a,n", "x"])).unwrap_err();
            assert_eq!(error, "line 2: expected 2 columns, found 1");
        }
    }
}
