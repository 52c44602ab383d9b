//! Reading the rows of a CSV file by the names of their columns; the columns of a table.

use super::figures::SummaryRow;
use super::outcome::Status;
use super::stage::StageRow;
use crate::process::{available_memory, check_fits};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sim::{open_regular, open_unpacked};
use std::collections::HashSet;
use std::fs::File;
use std::hash::Hash;
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

impl RowError {
    pub(crate) fn unreadable(path: &Path, problem: impl ToString) -> Self {
        Self::Unreadable { path: path.to_owned(), problem: problem.to_string() }
    }
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
        let file = open_unpacked(path).map_err(|error| RowError::unreadable(path, error))?;
        // One row may be all of it.
        check_size(&file, 1).map_err(|error| RowError::unreadable(path, error))?;
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
    pub fn missing<S: AsRef<str> + Clone>(&self, columns: &[S]) -> Vec<S> {
        let is_missing = |column: &&S| self.header.iter().all(|own| own != column.as_ref());
        columns.iter().filter(is_missing).cloned().collect()
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
        check_size(self.reader.get_ref(), times)
            .map_err(|error| RowError::unreadable(&self.path, error))?;
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
        csv::ErrorKind::Io(error) => RowError::unreadable(&place.path, error),
        csv::ErrorKind::Utf8 { .. } => place.error("expected UTF-8 text"),
        _ => place.error(error.to_string()),
    }
}

/// The names of the fields of `R`, in their order: the columns of its table.
pub fn columns<R: Serialize + Default>() -> Vec<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // The names stand before the first row.
    let _ = writer.serialize(R::default());
    let text = writer.into_inner().unwrap_or_default();
    let header = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(header).split(',').map(str::to_owned).collect()
}

/// The rows of a `summary.csv`.
#[derive(Clone, Debug)]
pub struct SummaryFile {
    /// The file.
    pub path: PathBuf,
    /// The rows in their order; each cell has one.
    pub rows: Vec<SummaryRow>,
}

/// The rows of a `stages.csv`.
#[derive(Clone, Debug)]
pub struct StagesFile {
    /// The file.
    pub path: PathBuf,
    /// The rows in their order; each method on each case has one.
    pub rows: Vec<StageRow>,
}

impl SummaryFile {
    /// Its name in the folder of a run.
    pub const NAME: &'static str = "summary.csv";

    /// Reads the file; of a folder, the `summary.csv` in it.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or a column of the contract is missing, a row is wrong, or a cell has two rows.
    pub fn read(path: &Path) -> Result<Self, RowError> {
        let name = |row: &SummaryRow| {
            let SummaryRow { algorithm, input, n, threads, .. } = row;
            format!("{algorithm} on {input}, n = {n}, {threads} thread(s)")
        };
        let (path, rows) = read(path, Self::NAME, 25, SummaryRow::labels, name, check_summary)?;
        Ok(Self { path, rows })
    }
}

impl StagesFile {
    /// Its name in the folder of a run.
    pub const NAME: &'static str = "stages.csv";

    /// Reads the file; of a folder, the `stages.csv` in it.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, a column of the first version is missing, a row is wrong, or a method has two rows on a
    /// case.
    pub fn read(path: &Path) -> Result<Self, RowError> {
        let key = |row: &StageRow| (row.labels(), row.name());
        let has_times = |row: &StageRow| row.status != Status::Ok || row.ns.is_some();
        let wrong = || "expected an `ok` row with `ns`".to_owned();
        let check = |row: &StageRow| has_times(row).then_some(()).ok_or_else(wrong);
        let (path, rows) = read(path, Self::NAME, 24, key, StageRow::name, check)?;
        Ok(Self { path, rows })
    }
}

/// Reads a file, or the one named `file` in a folder. The first `needed` columns must be there; others may be missing, and
/// any may follow. Each row passes the `check`, and none has the `key` of another.
fn read<R: Serialize + Default + DeserializeOwned, K: Hash + Eq>(
    path: &Path,
    file: &str,
    needed: usize,
    key: impl Fn(&R) -> K,
    name: impl Fn(&R) -> String,
    check: impl Fn(&R) -> Result<(), String>,
) -> Result<(PathBuf, Vec<R>), RowError> {
    let path = if path.is_dir() { path.join(file) } else { path.to_owned() };
    let reader = RowReader::open(&path)?;
    if let Some(column) = reader.missing(&columns::<R>()[..needed]).first() {
        let problem = format!("expected the columns of {file}, but `{column}` is missing");
        return Err(reader.header_error(problem));
    }
    let (mut rows, mut known) = (Vec::new(), HashSet::new());
    reader.each(MEMORY_OF_ROWS, |place, row: R| {
        check(&row).map_err(|problem| place.error(problem))?;
        if !known.insert(key(&row)) {
            return Err(place.error(format!("a second row for {}", name(&row))));
        }
        rows.push(row);
        Ok(())
    })?;
    Ok((path, rows))
}

/// Refuses figures that contradict each other: the file was changed.
fn check_summary(row: &SummaryRow) -> Result<(), String> {
    let (Some(low), Some(median), Some(high)) = (row.ci_low_ns, row.median_ns, row.ci_high_ns)
    else {
        let what = "an `ok` row with `median_ns`, `ci_low_ns` and `ci_high_ns`";
        return if row.status == Status::Ok { Err(format!("expected {what}")) } else { Ok(()) };
    };
    if low <= median && median <= high {
        return Ok(());
    }
    Err(format!("median_ns {median} lies outside its interval, {low} to {high}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_lists_the_columns_of_every_table() {
        let page = include_str!("../../../../docs/output-files.md");
        let tables = [
            ("frames.csv", columns::<crate::rows::FrameRow>()),
            ("summary.csv", columns::<SummaryRow>()),
            ("stages.csv", columns::<StageRow>()),
        ];
        for (table, columns) in tables {
            let sections =
                page.split("\n## ").filter(|text| text.starts_with(&format!("`{table}`")));
            let lists =
                sections.filter_map(|text| text.lines().find(|line| line.starts_with("`run_id")));
            let expected = format!("`{}`", columns.join(", "));
            assert_eq!(lists.collect::<Vec<_>>(), [expected], "{table}");
        }
    }
}
