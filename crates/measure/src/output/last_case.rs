//! Where the last case of the tables begins: what is believed of them without a journal.

use super::error::{OutputError, io_error};
use crate::MEMORY_OF_FRAMES;
use crate::row_reader::{RowPlace, csv_reader, row_error};
use csv::StringRecord;
use sim::open_regular;
use std::collections::HashSet;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The columns that all rows of a case share. The names of its inputs may differ.
const CASE: [&str; 2] = ["n", "seed"];

/// Rows of one case that follow each other.
struct Rows {
    case: [String; 2],
    /// Bytes before the first of them.
    start: u64,
}

/// The length of each table without the rows of its last case, in bytes.
///
/// Only that case can be incomplete: the rows of a case are written together. Neighbouring cases with equal
/// numbers of objects and seeds count as one.
///
/// # Errors
///
/// Where a table cannot be read, a row before the last is malformed, or rows do not end in CRLF: another program saved it.
pub(super) fn without_last_case(tables: &[PathBuf]) -> Result<Vec<u64>, OutputError> {
    let cases = tables.iter().map(|path| rows(path)).collect::<Result<Vec<_>, OutputError>>()?;
    // Where the last case has rows in one table only, the case before is cut off as well.
    let last: HashSet<&[String; 2]> =
        cases.iter().filter_map(|(rows, _)| rows.last()).map(|rows| &rows.case).collect();
    let length = |(rows, end): &(Vec<Rows>, u64)| {
        let cut = rows.iter().rev().take_while(|rows| last.contains(&rows.case));
        cut.last().map_or(*end, |rows| rows.start)
    };
    let lengths: Vec<u64> = cases.iter().map(length).collect();
    tables.iter().zip(&lengths).try_for_each(|(path, length)| check_cut(path, *length))?;
    Ok(lengths)
}

/// Refuses to cut a table within a row.
fn check_cut(path: &Path, length: u64) -> Result<(), OutputError> {
    if is_end_of_row(path, length).map_err(io_error("read", path))? {
        return Ok(());
    }
    let problem = "the rows do not end in CRLF: another program saved the file".to_owned();
    Err(OutputError::Corrupt { path: path.to_owned(), line: 1, problem })
}

/// Whether CRLF ends at this byte. An empty table has none; it is refused by its columns.
fn is_end_of_row(path: &Path, length: u64) -> io::Result<bool> {
    let Some(start) = length.checked_sub(2) else { return Ok(true) };
    let mut file = open_regular(path)?;
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(2).read_to_end(&mut end)?;
    Ok(end == *b"\r\n")
}

/// The cases of a table in its order, and where its whole rows end.
fn rows(path: &Path) -> Result<(Vec<Rows>, u64), OutputError> {
    let mut reader = csv_reader(path, MEMORY_OF_FRAMES).map_err(io_error("read", path))?;
    let damage = |byte: u64, error: &csv::Error| row_error(&RowPlace::new(path, byte), error, None);
    let header = reader.headers().map_err(|error| damage(0, &error))?.clone();
    let places = CASE.map(|name| header.iter().position(|column| column == name));
    let mut all: Vec<Rows> = Vec::new();
    let mut record = StringRecord::new();
    loop {
        // To the CSV reader, a row begins between the CR and the LF of the row before.
        let byte = reader.position().byte();
        let start = byte + 1;
        match reader.read_record(&mut record) {
            // A quote that was not there takes the rows behind it into its field.
            Ok(true) if record.iter().any(|field| field.contains('\n')) => {
                let problem = "expected no line break in a field";
                return Err(RowPlace::new(path, byte).error(problem).into());
            }
            Ok(true) => (),
            Ok(false) => return Ok((all, start)),
            Err(error) => {
                // Only the last row can have been cut short while it was written, before its end.
                let is_torn = !error.is_io_error()
                    && !ends_a_row(path, start).map_err(io_error("read", path))?;
                return if is_torn { Ok((all, start)) } else { Err(damage(byte, &error).into()) };
            }
        }
        let field = |place: Option<usize>| place.and_then(|place| record.get(place));
        let case = places.map(|place| field(place).unwrap_or_default().to_owned());
        if all.last().is_none_or(|rows| rows.case != case) {
            all.push(Rows { case, start });
        }
    }
}

/// Whether a row ends after this byte.
fn ends_a_row(path: &Path, start: u64) -> io::Result<bool> {
    let mut file = BufReader::new(open_regular(path)?);
    file.seek(SeekFrom::Start(start))?;
    for byte in file.bytes() {
        if byte? == b'\n' {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ROWS: &str = "n,seed,ms\r\n50,1,0.5\r\n50,1,0.6\r\n60,1,0.7\r\n60,1,0.";

    #[test]
    fn rows_of_the_last_case_are_cut_off() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, ROWS).unwrap();
        let lengths = without_last_case(&[file.path().to_owned()]).unwrap();
        assert_eq!(lengths, [ROWS.find("60").unwrap() as u64]);
    }

    #[test]
    fn malformed_row_is_a_torn_end_only_where_it_is_the_last() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let lengths = |text: &str| {
            fs::write(&file, text).unwrap();
            without_last_case(&[file.path().to_owned()]).map_err(|error| error.to_string())
        };
        let torn = "n,seed,ms\r\n50,1,0.5\r\n60,1,0.6\r\n60,1";
        assert_eq!(lengths(torn), Ok(vec![torn.find("60").unwrap() as u64]));
        let error = lengths(&ROWS.replace("50,1,0.6", "50,,1,0.6")).unwrap_err();
        assert!(error.contains(", line 3: expected 3 columns, found 4; measure again"), "{error}");
        let twice = lengths(&ROWS.replace("1,0.6\r\n60", "1\r\n60,,")).unwrap_err();
        assert!(twice.contains(", line 3: expected 3 columns, found 2; measure again"), "{twice}");
        let early = lengths(&ROWS.replacen("50,1", "50,\"1", 1)).unwrap_err();
        assert!(early.contains(", line 2: expected 3 columns, found 2; measure again"), "{early}");
        let late = lengths(&ROWS.replacen("0.5", "\"0.5", 1)).unwrap_err();
        assert!(late.contains(", line 2: expected no line break in a field"), "{late}");
    }

    #[test]
    fn rows_that_end_in_another_way_are_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for end in ["\n", "\r"] {
            for text in [ROWS, "n,seed,ms\r\n"] {
                fs::write(&file, text.replace("\r\n", end)).unwrap();
                let error = without_last_case(&[file.path().to_owned()]).unwrap_err().to_string();
                assert!(error.contains("line 1: the rows do not end in CRLF"), "{error}");
            }
        }
    }
}
