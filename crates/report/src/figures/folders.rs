//! Reads the folders of runs.

use super::cells::Cell;
use super::read::{Cells, read_cells};
use measure::{RowError, StagesFile};
use std::path::PathBuf;

/// Reads the `summary.csv` of each folder, and its `frames.csv` if it is there; or its `stages.csv`.
///
/// # Errors
///
/// If a table cannot be read, or is wrong.
pub fn read_folders(folders: &[PathBuf]) -> Result<Cells, RowError> {
    let files = |name: &str| folders.iter().map(|folder| folder.join(name)).collect::<Vec<_>>();
    let stages: Vec<PathBuf> =
        files(StagesFile::NAME).into_iter().filter(|path| path.is_file()).collect();
    let has_summary =
        |path: &PathBuf| path.is_file() || !path.with_file_name(StagesFile::NAME).is_file();
    let mut paths: Vec<PathBuf> = files("summary.csv").into_iter().filter(has_summary).collect();
    paths.extend(stages);
    let summaries = read_cells(&paths)?;
    let frames: Vec<PathBuf> =
        files("frames.csv").into_iter().filter(|path| path.is_file()).collect();
    if frames.is_empty() || summaries.cells.is_empty() {
        return Ok(summaries);
    }
    paths.extend(frames);
    let mut both = read_cells(&paths)?;
    // Frames of a cell whose summary was never written are those of a run that was killed.
    let is_whole = |cell: &Cell| summaries.cells.iter().any(|known| known.is_same_case(cell));
    both.cells.retain(is_whole);
    Ok(both)
}
