//! Where the last case of the tables begins: what is believed of them without a journal.

use super::error::{OutputError, io_error};
use crate::csv_reader;
use csv::StringRecord;
use std::collections::HashSet;
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
pub(super) fn without_last_case(tables: &[PathBuf]) -> Result<Vec<u64>, OutputError> {
    let read = |path: &PathBuf| rows(path).map_err(|e| io_error("read", path)(e.into()));
    let tables = tables.iter().map(read).collect::<Result<Vec<_>, OutputError>>()?;
    // Where the last case has rows in one table only, the case before is cut off as well.
    let last: HashSet<&[String; 2]> =
        tables.iter().filter_map(|(rows, _)| rows.last()).map(|rows| &rows.case).collect();
    let length = |(rows, end): &(Vec<Rows>, u64)| {
        let cut = rows.iter().rev().take_while(|rows| last.contains(&rows.case));
        cut.last().map_or(*end, |rows| rows.start)
    };
    Ok(tables.iter().map(length).collect())
}

/// The cases of a table in its order, and where its whole rows end.
fn rows(path: &Path) -> Result<(Vec<Rows>, u64), csv::Error> {
    let mut reader = csv_reader(path)?;
    let header = reader.headers()?.clone();
    let places = CASE.map(|name| header.iter().position(|column| column == name));
    let mut all: Vec<Rows> = Vec::new();
    let mut record = StringRecord::new();
    loop {
        // To the CSV reader, a row begins between the CR and the LF of the row before.
        let start = reader.position().byte() + 1;
        let is_row = match reader.read_record(&mut record) {
            Err(error) if error.is_io_error() => return Err(error),
            // What is no row was being written.
            read => read.unwrap_or(false),
        };
        if !is_row {
            return Ok((all, start));
        }
        let field = |place: Option<usize>| place.and_then(|place| record.get(place));
        let case = places.map(|place| field(place).unwrap_or_default().to_owned());
        if all.last().is_none_or(|rows| rows.case != case) {
            all.push(Rows { case, start });
        }
    }
}
