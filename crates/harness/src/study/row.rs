//! The row of the studies, and its one reader and writer.

use crate::failure::Failure;
use measure::{
    Checksum, Exit, FramesFile, MEMORY_OF_ROWS, Ratio, RowReader, Status, SummaryRow, seed_form,
};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// A row of `speed.csv`, `atlas.csv`, `map.csv` or `traces.csv`: one algorithm on one input on one number of threads.
///
/// Columns that a study does not measure are empty. A row that was skipped or is an error has no figures. Files are read
/// by the names of their columns, so that those of earlier versions, which had other columns, are read too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct StudyRow {
    /// The run that the row belongs to.
    pub(crate) run_id: String,
    /// The part of the study, where several share a file.
    pub(crate) part: String,
    /// Number of the cell of an atlas.
    pub(crate) cell: u32,
    /// The grid of the winner map that the cell belongs to.
    pub(crate) grid: String,
    /// The input's name, without the number of objects.
    pub(crate) input: String,
    pub(crate) n: u64,
    /// The seed of a drawn cell.
    #[serde(default, with = "seed_form")]
    pub(crate) seed: Option<u64>,
    /// The properties of a drawn cell, in words and one by one. A trace has only the name of its file.
    pub(crate) description: String,
    pub(crate) placement: String,
    pub(crate) sizes: String,
    pub(crate) motion: String,
    pub(crate) overlaps: Option<f32>,
    pub(crate) speed: Option<f32>,
    pub(crate) movers: Option<f32>,
    pub(crate) churn: Option<f32>,
    pub(crate) algorithm: String,
    /// Whether it is of another library, or an external program.
    pub(crate) peer: bool,
    /// Whether it is the second measurement of the champion that was the fastest in the probe.
    pub(crate) again: bool,
    pub(crate) threads: u32,
    /// Measured frames per repetition.
    pub(crate) frames: u32,
    pub(crate) repeats: u32,
    /// Mean of update + pairs, ns. `speed`: of a repetition's frames, the median of the repetitions. `atlas`: of all
    /// frames, each by its fastest repetition, as all its other times.
    pub(crate) mean_ns: Option<f64>,
    /// Median of update + pairs, and its bootstrap interval, ns.
    pub(crate) median_ns: Option<u64>,
    pub(crate) ci_low_ns: Option<u64>,
    pub(crate) ci_high_ns: Option<u64>,
    /// 95th percentile of the frames of all repetitions, ns.
    pub(crate) p95_ns: Option<u64>,
    /// Mean over frames 5 to 44, ns: the first that an algorithm could have learnt for.
    pub(crate) early_ns: Option<f64>,
    /// The slowest frame, and its time, ns.
    pub(crate) worst_frame: Option<u32>,
    pub(crate) worst_ns: Option<u64>,
    /// Time of the slowest frame from frame 50 on, ns.
    pub(crate) late_worst_ns: Option<u64>,
    /// Tests and overlapping pairs, mean per frame.
    pub(crate) tests: Option<f64>,
    pub(crate) pairs: Option<f64>,
    /// Heap allocations, mean per frame.
    pub(crate) allocations: Option<f64>,
    /// Most bytes held at once, per object.
    pub(crate) bytes_per_object: Option<f64>,
    pub(crate) checksum: Option<Checksum>,
    /// Whether the pairs of every frame were compared with brute force.
    pub(crate) proven: bool,
    /// The baseline: an algorithm's id, or a number of threads.
    pub(crate) baseline: String,
    /// Its time over the baseline's, paired frame by frame, and the ends of the interval. For changes of motion: the worst
    /// frame after a change over the baseline's median frame.
    pub(crate) over: Option<f64>,
    pub(crate) over_low: Option<f64>,
    pub(crate) over_high: Option<f64>,
    /// The same of whole repetitions; not for changes of motion.
    pub(crate) over_mean: Option<f64>,
    pub(crate) over_mean_low: Option<f64>,
    pub(crate) over_mean_high: Option<f64>,
    /// Its time of whole repetitions over that of the fastest of ours, by means; only compared with peers or programs.
    pub(crate) over_best: Option<f64>,
    pub(crate) over_best_low: Option<f64>,
    pub(crate) over_best_high: Option<f64>,
    /// Confidence of the intervals.
    pub(crate) confidence: Option<f64>,
    pub(crate) status: Status,
    /// Why there are no figures.
    pub(crate) reason: Option<String>,
}

/// The times that are compared. A list that is rebuilt in every tenth frame adds nothing to the median frame,
/// but its share to the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The median frame over the baseline's, frame by frame.
    Median,
    /// The mean frame, which is a round's total over its frames, over the baseline's.
    Mean,
    /// The mean frame over that of the fastest of ours.
    Best,
}

impl Display for By {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Median { "medians" } else { "means" })
    }
}

impl StudyRow {
    /// The columns that a row of `summary.csv` has too.
    pub(crate) fn of(row: &SummaryRow) -> Self {
        let shared = serde_json::to_value(row).and_then(serde_json::from_value);
        let bytes = row.peak_heap_bytes.map(|bytes| bytes as f64 / row.n.max(1) as f64);
        let shared: Self = shared.expect("columns of the same name have the same form");
        Self { bytes_per_object: bytes, mean_ns: None, ..shared }
    }

    /// How a program ends because of this row.
    pub(crate) fn exit(&self) -> Exit {
        self.status.exit(self.reason.as_deref())
    }

    /// The reason in words.
    pub(crate) fn reason_text(&self) -> String {
        self.reason.clone().unwrap_or_else(|| "no reason given".to_owned())
    }

    /// Its median or mean time, ns.
    pub(crate) fn time(&self, by: By) -> Option<u64> {
        match by {
            By::Median => self.median_ns,
            By::Mean | By::Best => self.mean_ns.map(|ns| ns as u64),
        }
    }

    /// Its time over another.
    pub(crate) fn over(&self, by: By) -> Option<Ratio> {
        let [ratio, low, high] = match by {
            By::Median => [self.over, self.over_low, self.over_high],
            By::Mean => [self.over_mean, self.over_mean_low, self.over_mean_high],
            By::Best => [self.over_best, self.over_best_low, self.over_best_high],
        };
        Some(Ratio { ratio: ratio?, low: low?, high: high? })
    }

    /// The row with this ratio.
    pub(crate) fn with_over(mut self, by: By, over: Option<Ratio>) -> Self {
        let columns = match by {
            By::Median => [&mut self.over, &mut self.over_low, &mut self.over_high],
            By::Mean => [&mut self.over_mean, &mut self.over_mean_low, &mut self.over_mean_high],
            By::Best => [&mut self.over_best, &mut self.over_best_low, &mut self.over_best_high],
        };
        let values = [over.map(|r| r.ratio), over.map(|r| r.low), over.map(|r| r.high)];
        columns.into_iter().zip(values).for_each(|(column, value)| *column = value);
        self
    }
}

/// A kind of files of rows.
#[derive(Debug)]
pub(crate) struct RowFile {
    /// The command that writes them.
    pub(crate) command: &'static str,
    /// Columns of its page, which the files of all versions have, with blanks between them.
    pub(crate) columns: &'static str,
}

impl RowFile {
    /// Reads a file of rows. A file without rows is refused: its empty page would replace a good one.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<StudyRow>, Failure> {
        self.not_empty(path, self.read_any(path)?)
    }

    /// Refuses a file none of whose rows is for a page.
    pub(crate) fn not_empty(
        &self,
        path: &Path,
        rows: Vec<StudyRow>,
    ) -> Result<Vec<StudyRow>, Failure> {
        match rows.is_empty() {
            true => Err(self.wrong(path, 2, "expected a row")),
            false => Ok(rows),
        }
    }

    /// Reads a file of rows, which may have none yet.
    pub(crate) fn read_any(&self, path: &Path) -> Result<Vec<StudyRow>, Failure> {
        let shared = ["input", "n", "algorithm", "threads", "mean_ns", "median_ns", "status"];
        let needed: Vec<&str> = shared.into_iter().chain(self.columns.split(' ')).collect();
        let mut reader = RowReader::open(path)?;
        let missing = reader.missing(&needed);
        if !missing.is_empty() {
            let expected = format!("expected also the columns {}", missing.join(", "));
            return Err(self.wrong(path, 1, &expected));
        }
        // Earlier versions wrote the bytes for all objects.
        let is_of_all = reader.rename_column("peak_heap_bytes", "bytes_per_object");
        let mut rows = Vec::new();
        reader.each(MEMORY_OF_ROWS, |_, mut row: StudyRow| {
            if is_of_all {
                row.bytes_per_object =
                    row.bytes_per_object.map(|bytes| bytes / row.n.max(1) as f64);
            }
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    fn wrong(&self, path: &Path, line: u64, what: &str) -> Failure {
        let (path, command) = (path.display(), self.command);
        Failure::BadFile(format!(
            "{path}, line {line}: {what}: `harness {command}` writes such a file"
        ))
    }
}

/// Writes a file of rows, in place of an earlier one.
pub(crate) fn write_rows(path: &Path, rows: &[StudyRow]) -> Result<(), Failure> {
    FramesFile::create(path)?.write(rows.iter().cloned())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{atlas, speed};
    use measure::columns;

    #[test]
    fn columns_are_those_of_the_page_of_output_files() {
        let page = include_str!("../../../../docs/output-files.md");
        assert!(page.contains(&format!("`{}`", columns::<StudyRow>().join(", "))));
    }

    #[test]
    fn published_rows_of_earlier_versions_are_read() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let machines = std::fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path());
        let mut read = 0;
        for machine in machines {
            let files = ["speed.csv", "atlas/cells/atlas.csv", "atlas/map/map.csv"];
            let files = files.map(|file| machine.join(file)).into_iter().filter(|f| f.is_file());
            for path in files {
                let rows = match path.ends_with("speed.csv") {
                    true => speed::read(&path).unwrap(),
                    false => atlas::FILE.read(&path).unwrap(),
                };
                let is_whole = |row: &StudyRow| row.mean_ns.is_some() || row.status != Status::Ok;
                assert!(rows.len() > 100 && rows.iter().all(is_whole), "{}", path.display());
                let with_bytes = rows.iter().filter(|row| row.bytes_per_object.is_some()).count();
                assert!(with_bytes > rows.len() / 2, "{}", path.display());
                read += 1;
            }
        }
        assert!(read >= 2, "speed and atlas are published");
    }

    #[test]
    fn file_without_a_column_or_row_of_its_page_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut row = StudyRow { part: "fresh".to_owned(), ..StudyRow::default() };
        write_rows(&path, &[row.clone()]).unwrap();
        let error = speed::read(&path).unwrap_err().to_string();
        assert!(error.contains("a.csv, line 2: expected a row"), "former parts alone: {error}");
        row.part = "small".to_owned();
        write_rows(&path, &[row]).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        for column in ["part", "peer", "over_best"] {
            std::fs::write(&path, whole.replacen(&format!(",{column},"), ",other,", 1)).unwrap();
            let error = speed::read(&path).unwrap_err().to_string();
            assert!(error.contains(&format!("expected also the columns {column}")), "{error}");
        }
    }
}
