//! Reading a `summary.csv`.

use crate::{Status, SummaryRow};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// The rows of a `summary.csv`.
#[derive(Clone, Debug)]
pub struct SummaryFile {
    /// Where they were read.
    pub path: PathBuf,
    /// The rows in their order; no cell stands twice.
    pub rows: Vec<SummaryRow>,
}

/// A file that is no `summary.csv`.
#[derive(Debug, thiserror::Error)]
#[error("{}, line {line}: {problem}", path.display())]
pub struct SummaryFileError {
    path: PathBuf,
    line: u64,
    problem: String,
}

impl SummaryFileError {
    /// The line, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// What is wrong with it.
    pub(crate) fn problem(self) -> String {
        self.problem
    }
}

/// Columns of the contract; ours after them may be missing, and any other may follow.
const NEEDED: usize = 25;

impl SummaryFile {
    /// Reads the file; of a folder, the `summary.csv` in it.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or a column is missing, a row is wrong, or a cell stands twice.
    pub fn read(path: &Path) -> Result<Self, SummaryFileError> {
        let path = if path.is_dir() { path.join("summary.csv") } else { path.to_owned() };
        let error = |line, problem| SummaryFileError { path: path.clone(), line, problem };
        // Asked before it is opened: opening a pipe would wait for somebody to write into it.
        let metadata = std::fs::metadata(&path).map_err(|e| error(1, e.to_string()))?;
        if !metadata.is_file() {
            return Err(error(1, "it is no regular file".to_owned()));
        }
        let file = std::fs::File::open(&path).map_err(|e| error(1, e.to_string()))?;
        let mut reader = csv::Reader::from_reader(io::BufReader::new(file));
        let header = reader.headers().map_err(|e| error(1, problem_of(&e)))?.clone();
        for column in &SummaryRow::COLUMNS[..NEEDED] {
            if !header.iter().any(|name| name == *column) {
                let problem =
                    format!("expected the columns of summary.csv, but `{column}` is missing");
                return Err(error(1, problem));
            }
        }
        let mut rows: Vec<SummaryRow> = Vec::new();
        let mut cells = HashSet::new();
        let mut record = csv::StringRecord::new();
        loop {
            match reader.read_record(&mut record) {
                Ok(false) => break,
                Ok(true) => {}
                Err(e) => {
                    let line = e.position().map_or(1, csv::Position::line);
                    return Err(error(line, problem_of(&e)));
                }
            }
            let line = record.position().map_or(1, csv::Position::line);
            let row: SummaryRow = record
                .deserialize(Some(&header))
                .map_err(|e| error(line, field_of(&e, &header)))?;
            check(&row).map_err(|problem| error(line, problem))?;
            if !cells.insert(row.labels()) {
                return Err(error(line, format!("a second row for {}", name(&row))));
            }
            rows.push(row);
        }
        Ok(Self { path, rows })
    }
}

/// A row for people.
fn name(row: &SummaryRow) -> String {
    let SummaryRow { algorithm, input, n, threads, .. } = row;
    format!("{algorithm} on {input}, n = {n}, {threads} thread(s)")
}

/// Figures that cannot belong together come from a file that was changed.
fn check(row: &SummaryRow) -> Result<(), String> {
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

/// The reason of an error, without the place: that is told in our own words.
fn problem_of(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("expected {expected_len} fields, found {len}")
        }
        csv::ErrorKind::Utf8 { .. } => "the text is not UTF-8".to_owned(),
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}

fn field_of(error: &csv::Error, header: &csv::StringRecord) -> String {
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else {
        return problem_of(error);
    };
    match err.field().and_then(|field| header.get(field as usize)) {
        Some(column) => format!("column `{column}`: {}", err.kind()),
        None => err.kind().to_string(),
    }
}
