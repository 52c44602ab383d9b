//! The tables of an output.

use super::error::OutputError;
use super::whole_file::WholeFile;
use crate::rows::{FrameRow, SummaryFile, SummaryRow, columns};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A CSV table of an [`Output`](super::Output).
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Name of its file.
    pub name: &'static str,
    /// Its columns.
    pub(super) columns: &'static [&'static str],
}

impl Table {
    /// A table of rows `R`.
    pub fn of<'de, R: Deserialize<'de>>(name: &'static str) -> Self {
        Self { name, columns: columns::<R>() }
    }
}

/// The tables of a run with frames, the first of which is locked while it is written.
pub fn run_tables() -> [Table; 2] {
    [Table::of::<FrameRow>("frames.csv"), Table::of::<SummaryRow>(SummaryFile::NAME)]
}
/// Places in [`run_tables`].
pub(super) const FRAMES: usize = 0;
pub(super) const SUMMARY: usize = 1;

pub(super) fn paths(folder: &Path, tables: &[Table]) -> Vec<PathBuf> {
    tables.iter().map(|table| folder.join(table.name)).collect()
}

/// Opens the files at their ends. The lock of the first protects all.
pub(super) fn open_all(paths: &[PathBuf]) -> Result<Vec<WholeFile>, OutputError> {
    let open = |(index, path): (usize, &PathBuf)| match index {
        0 => WholeFile::open_locked(path.clone()),
        _ => WholeFile::open_at_end(path.clone()),
    };
    paths.iter().enumerate().map(open).collect()
}

/// Tables of which nothing but the headers is certain.
pub(super) fn begin_all(
    files: Vec<WholeFile>,
    tables: &[Table],
) -> Result<Vec<WholeFile>, OutputError> {
    files.into_iter().zip(tables).map(|(file, table)| file.begin(table.columns)).collect()
}
