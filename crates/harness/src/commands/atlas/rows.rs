//! The rows of cells: of drawn ones, the winner map and traces, from one folder or from all shards of a plan.

use super::plan::{AtlasPart, Planned};
use crate::failure::Failure;
use crate::page_files::make_folder;
use crate::study;
use crate::study::{RowFile, StudyRow, write_rows};
use measure::{Cell, Checksum, FrameRow, Machine, Status, mean, median};
use report::{ResultFolder, whole_plan};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The rows of `atlas.csv`, `map.csv` and `traces.csv`.
pub(crate) const FILE: RowFile = RowFile {
    command: "atlas",
    columns: "cell grid seed description placement sizes motion overlaps speed movers churn again",
};

/// The row of an algorithm on a cell.
pub(super) fn row(run_id: &str, planned: &Planned, repeats: u32, measured: &Cell) -> StudyRow {
    let (status, reason) = measured.outcome.status();
    let row = StudyRow {
        run_id: run_id.to_owned(),
        algorithm: measured.algorithm.clone(),
        threads: measured.threads,
        repeats,
        status,
        reason,
        ..planned.row.clone()
    };
    if status == Status::Ok { with_figures(row, &measured.samples) } else { row }
}

/// Reads the rows of a part from its files, in the order of the cells. A cell with times of two runs is
/// refused.
pub(super) fn read(paths: &[impl AsRef<Path>]) -> Result<Vec<StudyRow>, Failure> {
    let mut all: Vec<StudyRow> = Vec::new();
    let mut runs: HashMap<u32, String> = HashMap::new();
    for path in paths {
        let path = path.as_ref();
        let rows = FILE.read(path)?;
        for row in &rows {
            let run = runs.entry(row.cell).or_insert_with(|| row.run_id.clone());
            if *run != row.run_id {
                return Err(Failure::BadFile(format!(
                    "{}: cell {} was measured by two runs, whose times cannot be compared",
                    path.display(),
                    row.cell
                )));
            }
        }
        all.extend(rows);
    }
    all.sort_by_key(|row| row.cell);
    Ok(all)
}

/// Frames with a mean of their own: the first that an algorithm could have learnt for.
const EARLY: std::ops::RangeInclusive<u32> = 5..=44;
/// Frames up to this one belong to the start: an algorithm may still be learning.
const LATE: u32 = 50;

/// A row with the figures of the frames of all repetitions. A frame's time is the least of its repetitions: a
/// disturbance only makes a repetition slower, and each has a new structure.
pub(super) fn with_figures(row: StudyRow, samples: &[FrameRow]) -> StudyRow {
    let mut least: BTreeMap<u32, u64> = BTreeMap::new();
    for sample in samples {
        let ns = sample.detection_ns();
        least.entry(sample.frame).and_modify(|least| *least = ns.min(*least)).or_insert(ns);
    }
    let times = || least.values().copied();
    // The first of equally slow frames.
    let worst = least.iter().rev().max_by_key(|(_, ns)| **ns);
    let (Some(mean_ns), Some((frame, ns))) = (mean(times()), worst) else { return row };
    let checksums = samples.iter().filter(|sample| sample.repeat == 0).map(|s| s.checksum.0);
    let peak = samples.iter().filter_map(|s| s.peak_heap_bytes).max();
    StudyRow {
        mean_ns: Some(rounded(mean_ns)),
        median_ns: median(&mut times().collect::<Vec<_>>()),
        early_ns: mean(least.range(EARLY).map(|(_, ns)| *ns)).map(rounded),
        worst_frame: Some(*frame),
        worst_ns: Some(*ns),
        late_worst_ns: least.range(LATE..).map(|(_, ns)| *ns).max(),
        tests: mean(samples.iter().filter_map(|s| s.tests)).map(rounded),
        pairs: mean(samples.iter().map(|s| s.pairs)).map(rounded),
        allocations: mean(samples.iter().filter_map(|s| s.allocations)).map(rounded),
        bytes_per_object: peak.map(|bytes| rounded(bytes as f64 / row.n.max(1) as f64)),
        checksum: Some(Checksum(
            checksums.fold(0, |hash, own| broadphase::benchmark::mix(hash ^ own)),
        )),
        ..row
    }
}

/// Rounded to three decimals: more are noise, and rows read back equal those written.
fn rounded(value: f64) -> f64 {
    (1000.0 * value).round() / 1000.0
}

/// The folder of a part's rows.
pub(super) fn part_folder(folder: &Path, part: AtlasPart) -> PathBuf {
    folder.join("atlas").join(part.folder())
}

/// The folders with a manifest of the rows in a part's folder: itself, or one for each of the shards that
/// were put together.
fn manifests(folder: &Path) -> Vec<PathBuf> {
    let is_manifest = |folder: &PathBuf| folder.join(Machine::FILE).exists();
    let below = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    match is_manifest(&folder.to_owned()) {
        true => vec![folder.to_owned()],
        false => below.filter(is_manifest).collect(),
    }
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
        let folders = folders.iter().map(|folder| part_folder(folder, part));
        let folders: Vec<PathBuf> = folders.filter(|f| !manifests(f).is_empty()).collect();
        if folders.is_empty() {
            return Ok(None);
        }
        let sources = whole_plan(&folders.iter().flat_map(|f| manifests(f)).collect::<Vec<_>>())?;
        let files: Vec<PathBuf> = folders.iter().map(|folder| folder.join(part.file())).collect();
        Ok(Some(Self { part, rows: read(&files)?, sources }))
    }

    /// Writes the rows of all shards into one file, with the manifests of the shards in folders next to it,
    /// so that the page can be redrawn from there.
    pub(super) fn write_together(&self, out: &Path) -> Result<(), Failure> {
        let folder = part_folder(out, self.part);
        let rows = folder.join(self.part.file());
        write_rows(&rows, &self.rows)?;
        for source in &self.sources {
            let Some(shard) = source.shard() else { continue };
            let own = folder.join(shard.folder());
            make_folder(&own)?;
            let [from, to] = [&source.folder, &own].map(|folder| folder.join(Machine::FILE));
            study::note_table(&from, &to, &format!("../{}", self.part.file()), &rows)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn sample(repeat: u32, frame: u32, ns: u64) -> FrameRow {
        let mut sample = FrameRow { repeat, frame, pairs: 7, ..FrameRow::default() };
        (sample.update_ns, sample.pairs_ns) = (ns / 2, ns - ns / 2);
        sample.peak_heap_bytes = Some(100 + u64::from(frame));
        sample.tests = Some(frame.into());
        sample
    }

    #[test]
    fn frame_counts_by_its_fastest_repetition() {
        // Frame 0 builds: 1000. Later ones take 10; 60 takes 50 in every repetition, 70 in one only.
        let frames = (0..100).flat_map(|frame| {
            let ns = move |repeat| match (frame, repeat) {
                (0, _) => 1000,
                (60, _) => 50 + repeat,
                (70, 0) => 900,
                (_, 0) => 10,
                _ => 13,
            };
            (0..3).map(move |repeat| sample(repeat, frame, ns(u64::from(repeat))))
        });
        let row = StudyRow { n: 10, ..StudyRow::default() };
        let figures = with_figures(row, &frames.collect::<Vec<_>>());
        // 1000 + 50 + 13 + 97 * 10 over 100 frames.
        assert_eq!(figures.mean_ns, Some(20.33));
        assert_eq!((figures.median_ns, figures.early_ns), (Some(10), Some(10.0)));
        assert_eq!((figures.worst_frame, figures.worst_ns), (Some(0), Some(1000)));
        assert_eq!(figures.late_worst_ns, Some(50));
        assert_eq!((figures.tests, figures.pairs), (Some(49.5), Some(7.0)));
        assert_eq!((figures.allocations, figures.bytes_per_object), (None, Some(19.9)));
    }
}
