//! Reading a `summary.csv`.

use super::columns::columns;
use super::reader::{MEMORY_OF_ROWS, RowError, RowReader};
use super::status::Status;
use super::summary::SummaryRow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The rows of a `summary.csv`.
#[derive(Clone, Debug)]
pub struct SummaryFile {
    /// The file.
    pub path: PathBuf,
    /// The rows in their order; each cell has one.
    pub rows: Vec<SummaryRow>,
}

/// Columns of the contract. Ours after them may be missing, and any other may follow.
const NEEDED: usize = 25;

impl SummaryFile {
    /// Its name in the folder of a run.
    pub const NAME: &'static str = "summary.csv";

    /// Reads the file; of a folder, the `summary.csv` in it.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or a column is missing, a row is wrong, or a cell has two rows.
    pub fn read(path: &Path) -> Result<Self, RowError> {
        let path = if path.is_dir() { path.join(Self::NAME) } else { path.to_owned() };
        let reader = RowReader::open(&path)?;
        if let Some(column) = reader.missing(&columns::<SummaryRow>()[..NEEDED]).first() {
            let problem = format!("expected the columns of summary.csv, but `{column}` is missing");
            return Err(reader.header_error(problem));
        }
        let mut rows: Vec<SummaryRow> = Vec::new();
        let mut cells = HashSet::new();
        reader.each(MEMORY_OF_ROWS, |place, row: SummaryRow| {
            check(&row).map_err(|problem| place.error(problem))?;
            if !cells.insert(row.labels()) {
                return Err(place.error(format!("a second row for {}", name(&row))));
            }
            rows.push(row);
            Ok(())
        })?;
        Ok(Self { path, rows })
    }
}

/// The row's cell in words.
fn name(row: &SummaryRow) -> String {
    let SummaryRow { algorithm, input, n, threads, .. } = row;
    format!("{algorithm} on {input}, n = {n}, {threads} thread(s)")
}

/// Refuses figures that contradict each other: the file was changed.
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
