//! Reading a `summary.csv` or a `stages.csv`.

use super::columns::columns;
use super::figures::SummaryRow;
use super::reader::{MEMORY_OF_ROWS, RowError, RowReader};
use super::stage::StageRow;
use super::status::Status;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::hash::Hash;
use std::path::{Path, PathBuf};

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
        let key =
            |row: &StageRow| (row.labels(), row.stage, row.method.clone(), row.box_kind.clone());
        let check = |row: &StageRow| match row.status == Status::Ok && row.ns.is_none() {
            true => Err("expected an `ok` row with `ns`".to_owned()),
            false => Ok(()),
        };
        let (path, rows) = read(path, Self::NAME, 24, key, StageRow::name, check)?;
        Ok(Self { path, rows })
    }
}

/// Reads a file, or the one named `file` in a folder. The first `needed` columns must be there; others may be missing, and
/// any may follow. Each row passes the `check`, and none has the `key` of another.
fn read<R: DeserializeOwned, K: Hash + Eq>(
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
