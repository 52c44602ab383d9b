//! Reading the rows of a CSV file by the names of their columns.

use crate::process::{available_memory, check_fits};
use serde::de::DeserializeOwned;
use sim::open_regular;
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

/// The longest row of a CSV file that is read, in bytes.
const MAX_ROW: usize = 1 << 20;

/// Memory that rows with statistics take when all are kept, in sizes of their file. Measured with `plot` and `report` on
/// 200,000 rows of `summary.csv`: 13, and 29 where the optional columns are empty.
pub const MEMORY_OF_ROWS: u64 = 32;

/// Memory that rows of frames take, of which only times are kept, in sizes of their file. Measured with `plot` on 600,000
/// rows of a cell: 0.4.
pub const MEMORY_OF_FRAMES: u64 = 1;

/// The text of a CSV file.
type Text = BufReader<LimitedRows<File>>;

/// Opens a CSV file whose rows take `times` as much memory as their text.
///
/// # Errors
///
/// Where it is no regular file, cannot be read, or does not fit into memory. A row of more than a mebibyte is an error
/// when it is reached.
pub fn csv_reader(path: &Path, times: u64) -> io::Result<csv::Reader<impl Read + use<>>> {
    let (text, length) = csv_text(path)?;
    check_fits(length, times, available_memory())?;
    Ok(csv::Reader::from_reader(text))
}

/// The text of a CSV file, and its length in bytes.
fn csv_text(path: &Path) -> io::Result<(Text, u64)> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    Ok((BufReader::new(LimitedRows::new(file, MAX_ROW)), length))
}

/// Reads CSV text whose rows have at most `most` bytes each. Longer ones are an error, before they fill the memory.
///
/// A row has any number of lines: line breaks within quotes belong to it. So quotes are followed as the CSV reader
/// does.
#[derive(Debug)]
struct LimitedRows<R> {
    reader: R,
    most: usize,
    /// Bytes of the row so far.
    length: usize,
    place: Place,
}

/// A place within a row.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    StartOfField,
    /// In a field without quotes, or behind the quotes of one that has them. A quote here is one of its characters.
    Field,
    Quotes,
    /// Behind a quote within quotes: it ends them, unless a second one follows.
    QuoteInQuotes,
}

impl<R: Read> LimitedRows<R> {
    fn new(reader: R, most: usize) -> Self {
        Self { reader, most, length: 0, place: Place::StartOfField }
    }
}

impl<R: Read> Read for LimitedRows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        for byte in &buffer[..read] {
            self.length += 1;
            if self.length > self.most {
                let message = format!("a row has more than {} bytes", self.most);
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            self.place = match (self.place, byte) {
                (Place::StartOfField | Place::QuoteInQuotes, b'"') => Place::Quotes,
                (Place::Quotes, b'"') => Place::QuoteInQuotes,
                (Place::Quotes, _) => Place::Quotes,
                (_, b',') => Place::StartOfField,
                (_, b'\n' | b'\r') => {
                    self.length = 0;
                    Place::StartOfField
                }
                _ => Place::Field,
            };
        }
        Ok(read)
    }
}

/// An open CSV file whose header is read.
pub struct RowReader {
    path: PathBuf,
    /// Its length in bytes.
    length: u64,
    reader: csv::Reader<Text>,
    header: csv::StringRecord,
}

impl RowReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// Where it is no regular file, cannot be read, or is not UTF-8.
    pub fn open(path: &Path) -> Result<Self, RowError> {
        let (text, length) = csv_text(path).map_err(|error| unreadable(path, &error))?;
        let mut reader = csv::Reader::from_reader(text);
        let place = RowPlace { path: path.to_owned(), byte: 0 };
        let header = match reader.headers() {
            Ok(header) => header.clone(),
            Err(error) => return Err(row_error(&place, &error, None)),
        };
        Ok(Self { path: path.to_owned(), length, reader, header })
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
        check_fits(self.length, times, available_memory())
            .map_err(|error| unreadable(&self.path, &error))?;
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

    #[test]
    fn endless_row_is_an_error_before_it_fills_the_memory() {
        for (start, rest) in [("2", "2"), ("\"", "2\n\r"), ("\"a\"\"", "2\n\r"), ("\"\"\"", "\n")] {
            let long = format!("n\n1\n{start}{}", rest.repeat(2 * MAX_ROW / rest.len()));
            let error = numbers(&long).unwrap_err();
            assert_eq!(error, "a row has more than 1048576 bytes", "{start}");
        }
    }

    #[test]
    fn table_beyond_the_memory_is_refused_before_its_rows_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.csv");
        std::fs::write(&path, "n\n1\n").unwrap();
        // Sparse: it has a length and no content.
        File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        let reader = RowReader::open(&path).unwrap();
        let error = reader.each(MEMORY_OF_ROWS, |_, _: Row| Ok(())).unwrap_err().to_string();
        assert!(
            error.contains("f.csv: its 1.1 TB need about 35.2 TB of memory, but only "),
            "{error}"
        );
        assert!(csv_reader(&path, MEMORY_OF_FRAMES).is_err());
    }

    #[test]
    fn quotes_are_followed_as_the_csv_reader_does() {
        // Every text of these characters, and a line behind it: does it belong to the last row of the text?
        let characters = ['"', ',', '\n', '\r', 'x'];
        for number in 0..5_usize.pow(6) {
            let character = |place: u32| characters[number / 5_usize.pow(place) % 5];
            let text: String = (0..6).map(character).collect();
            let mut limited = LimitedRows::new(text.as_bytes(), 6);
            io::copy(&mut limited, &mut io::sink()).unwrap();
            let lines = text.clone() + "\nline";
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(lines.as_bytes());
            let last = reader.records().last().unwrap().unwrap();
            assert_eq!(limited.place == Place::Quotes, last != vec!["line"], "{text:?}");
        }
    }
}
