//! The rows of a study: a CSV file with exactly the columns of its rows.

use crate::failure::Failure;
use measure::{FramesFile, MEMORY_OF_ROWS, columns, csv_reader};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// A row of a study: a struct whose fields are the columns.
pub(crate) trait Row: Clone + Serialize + DeserializeOwned {
    /// The command that writes such rows.
    const COMMAND: &'static str;
}

/// Reads a file of rows. A file without rows is refused: its empty page would replace a good one.
pub(crate) fn read<R: Row>(path: &Path) -> Result<Vec<R>, Failure> {
    let rows = read_any(path)?;
    if rows.is_empty() {
        return Err(wrong::<R>(path, "line 2: expected a row"));
    }
    Ok(rows)
}

/// Reads a file of rows, which may have none yet.
pub(crate) fn read_any<R: Row>(path: &Path) -> Result<Vec<R>, Failure> {
    let bad = |e: csv::Error| match e.position() {
        Some(at) => Failure::BadFile(format!("{}, line {}: {e}", path.display(), at.line())),
        None => Failure::BadFile(format!("cannot read {}: {e}", path.display())),
    };
    let mut reader = csv_reader(path, MEMORY_OF_ROWS).map_err(|e| bad(e.into()))?;
    let header = reader.headers().map_err(bad)?;
    let columns = columns::<R>();
    if !header.iter().eq(columns.iter().copied()) {
        let expected = format!("line 1: expected the columns {}", columns.join(","));
        return Err(wrong::<R>(path, &expected));
    }
    reader.deserialize().collect::<Result<_, csv::Error>>().map_err(bad)
}

fn wrong<R: Row>(path: &Path, what: &str) -> Failure {
    let path = path.display();
    Failure::BadFile(format!("{path}, {what}: `harness {}` writes such a file", R::COMMAND))
}

/// Writes a file of rows, in place of an earlier one.
pub(crate) fn write<R: Row>(path: &Path, rows: &[R]) -> Result<(), Failure> {
    FramesFile::create(path)?.write_table(rows.iter().cloned())?;
    Ok(())
}
