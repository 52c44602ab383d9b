//! The rows of a part, from one folder or from all shards of a plan.

use super::plan::AtlasPart;
use super::rows;
use crate::failure::Failure;
use crate::page_files::cannot;
use crate::study::{self, StudyRow, write_rows};
use measure::UNFINISHED;
use report::{ResultFolder, whole_plan};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that describes the machine and the plan of rows, in the folder of each run.
const MANIFEST: &str = "machine.json";

/// The folder of a part's rows.
pub(super) fn part_folder(folder: &Path, part: AtlasPart) -> PathBuf {
    folder.join("atlas").join(part.folder())
}

/// The error for a folder without any part.
pub(super) fn no_rows(folder: &Path) -> Failure {
    let missing = part_folder(folder, AtlasPart::Cells).join(MANIFEST);
    Failure::BadFile(format!("cannot read {}: `harness atlas` writes it", missing.display()))
}

/// The folders with a manifest of the rows in a part's folder: itself, or one for each of the shards that
/// were put together.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if folder.join(MANIFEST).exists() {
        return Ok(vec![folder.to_owned()]);
    }
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| cannot("read", folder, &e))?.path();
        if path.join(MANIFEST).exists() {
            folders.push(path);
        }
    }
    Ok(folders)
}

/// The rows of a part, and their sources.
pub(super) struct PartRows {
    pub(super) part: AtlasPart,
    pub(super) rows: Vec<StudyRow>,
    pub(super) sources: Vec<ResultFolder>,
}

impl PartRows {
    /// Reads a part from all folders; `None` where none of them has it.
    pub(super) fn read(part: AtlasPart, folders: &[PathBuf]) -> Result<Option<Self>, Failure> {
        let (mut files, mut measured) = (Vec::new(), Vec::new());
        for folder in folders.iter().map(|folder| part_folder(folder, part)) {
            let manifests = manifests(&folder)?;
            if !manifests.is_empty() {
                files.push(folder.join(part.file()));
                measured.extend(manifests);
            }
        }
        if measured.is_empty() {
            return Ok(None);
        }
        let sources = whole_plan(&measured)?;
        Ok(Some(Self { part, rows: rows::read(&files)?, sources }))
    }

    /// The manifest of each shard, and its path in the folder for all.
    fn manifests_together(&self, folder: &Path) -> Vec<(PathBuf, PathBuf)> {
        let paths = |source: &ResultFolder| {
            let own = folder.join(source.shard()?.folder());
            Some((source.folder.join(MANIFEST), own.join(MANIFEST)))
        };
        self.sources.iter().filter_map(paths).collect()
    }

    /// The files that [`write_together`](Self::write_together) replaces in a folder, with all that belongs to the rows of a
    /// finished, killed or running atlas there, so that nothing is taken for a part of the new rows.
    pub(super) fn old_together(&self, out: &Path) -> Result<BTreeSet<PathBuf>, Failure> {
        let folder = part_folder(out, self.part);
        let own = [self.part.file(), UNFINISHED].map(|name| folder.join(name));
        let shards = manifests(&folder)?.into_iter().map(|shard| shard.join(MANIFEST));
        let new = self.manifests_together(&folder).into_iter().map(|(_, to)| to);
        Ok(own.into_iter().chain(shards).chain(new).collect())
    }

    /// Writes the rows of all shards into one file, with the manifests of the shards in folders next to it,
    /// so that the page can be redrawn from there.
    pub(super) fn write_together(&self, out: &Path) -> Result<(), Failure> {
        let folder = part_folder(out, self.part);
        let rows = folder.join(self.part.file());
        write_rows(&rows, &self.rows)?;
        for (from, to) in self.manifests_together(&folder) {
            let own = to.parent().unwrap_or(&folder);
            fs::create_dir_all(own).map_err(|e| cannot("make the folder", own, &e))?;
            study::note_table(&from, &to, &format!("../{}", self.part.file()), &rows)?;
        }
        Ok(())
    }
}
