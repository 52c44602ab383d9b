//! The rows of `speed.csv`, with the ratios of times to those of a baseline.

use super::changes;
use super::parts::Part;
use crate::failure::Failure;
use crate::registry;
use crate::study::{AUTO, RowFile, StudyRow};
use measure::{
    FrameRow, FrameTime, MEMORY_OF_FRAMES, PairedRatio, Ratio, SummaryFile, SummaryRow, csv_reader,
    paired_ratio,
};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The times that are compared. A list that is rebuilt in every tenth frame adds nothing to the median frame,
/// but its share to the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The median frame.
    Median,
    /// The mean frame, which is a round's total over its frames.
    Mean,
}

impl By {
    pub(super) const ALL: [Self; 2] = [Self::Median, Self::Mean];

    /// The word on the page.
    pub(super) fn plural(self) -> &'static str {
        match self {
            By::Median => "medians",
            By::Mean => "means",
        }
    }
}

/// The rows of `speed.csv`.
pub(crate) const FILE: RowFile = RowFile { command: "speed", own_column: "part" };

/// Parts that earlier versions measured, which no page shows any more.
const FORMER_PARTS: [&str; 2] = ["fresh", "simd"];

/// Reads `speed.csv`.
pub(super) fn read(path: &Path) -> Result<Vec<StudyRow>, Failure> {
    let mut rows = FILE.read(path)?;
    rows.retain(|row| !FORMER_PARTS.contains(&row.part.as_str()));
    match rows.iter().find(|row| Part::of(row).is_none()) {
        None => Ok(rows),
        Some(row) => Err(Failure::BadFile(format!(
            "{}: `speed` has no part `{}`, on {}",
            path.display(),
            row.part,
            row.input
        ))),
    }
}

impl StudyRow {
    /// Its median or mean time, ns.
    pub(super) fn time(&self, by: By) -> Option<u64> {
        match by {
            By::Median => self.median_ns,
            By::Mean => self.mean_ns.map(|ns| ns as u64),
        }
    }

    /// Its time over the baseline's, by medians or means.
    pub(super) fn over_by(&self, by: By) -> Option<Ratio> {
        match by {
            By::Median => self.over(),
            By::Mean => self.over_mean(),
        }
    }
}

/// The rows of a part, from its `summary.csv` and `frames.csv`.
pub(super) fn of_part(part: Part, folder: &Path) -> Result<Vec<StudyRow>, Failure> {
    let summary = SummaryFile::read(&folder.join("summary.csv"))?.rows;
    let times = Times::read(part, &folder.join("frames.csv"))?;
    let cases = summary.chunk_by(|a, b| (&a.input, a.n) == (&b.input, b.n));
    let rows = cases.flat_map(|case| {
        let best = case
            .iter()
            .filter(|row| part.has_others() && !is_peer(part, &row.algorithm))
            .filter(|row| times.mean(row).is_some())
            .min_by_key(|row| times.mean(row));
        case.iter().map(|row| times.row(part, row, case, best)).collect::<Vec<_>>()
    });
    Ok(rows.collect())
}

fn ends(ratio: Option<&PairedRatio>) -> [Option<f64>; 3] {
    let Some(PairedRatio { ratio: Ratio { ratio, low, high }, .. }) = ratio else {
        return [None; 3];
    };
    [Some(*ratio), Some(*low), Some(*high)]
}

/// Whether a row is of a peer or a program: of a `peer` entry, or of a name that this build does not know.
fn is_peer(part: Part, algorithm: &str) -> bool {
    part.has_others() && registry::offered().find(algorithm).is_none_or(|entry| entry.peer)
}

/// The row that a row is compared with, and its name.
fn baseline<'a>(
    part: Part,
    row: &SummaryRow,
    case: &'a [SummaryRow],
) -> Option<(String, &'a SummaryRow)> {
    let by_id = |id: &str| {
        case.iter().find(|other| other.algorithm == id).map(|other| (id.to_owned(), other))
    };
    match part {
        Part::Small | Part::Inputs | Part::Programs => by_id(AUTO),
        Part::Changes => by_id(changes::BASELINE),
        Part::Threads => case
            .iter()
            .find(|other| other.algorithm == row.algorithm && other.threads == 1)
            .map(|other| ("1 thread".to_owned(), other)),
    }
}

/// The times of all frames, by cell.
struct Times(HashMap<(String, u64, String, u32), CellTimes>);

#[derive(Default)]
struct CellTimes {
    frames: Vec<FrameTime>,
    /// A row for each round, with the times of all its frames.
    rounds: BTreeMap<u32, FrameRow>,
    /// The frames after changes of motion, in [`Part::Changes`].
    after_changes: Vec<FrameRow>,
}

impl Times {
    fn read(part: Part, path: &Path) -> Result<Self, Failure> {
        let bad = |e: csv::Error| Failure::BadFile(format!("{}: {e}", path.display()));
        let mut reader = csv_reader(path, MEMORY_OF_FRAMES).map_err(|e| bad(e.into()))?;
        let mut cells = HashMap::<_, CellTimes>::new();
        for row in reader.deserialize::<FrameRow>() {
            let row = row.map_err(bad)?;
            let Some(time) = FrameTime::of_row(&row) else { continue };
            let key = (row.input.clone(), row.n, row.algorithm.clone(), row.threads);
            let cell = cells.entry(key).or_default();
            cell.frames.push(time);
            if part == Part::Changes && changes::change_before(row.frame).is_some() {
                cell.after_changes.push(row.clone());
            }
            match cell.rounds.entry(row.repeat) {
                Entry::Vacant(entry) => {
                    entry.insert(FrameRow { frame: 0, ..row });
                }
                Entry::Occupied(mut entry) => {
                    let total = entry.get_mut();
                    total.update_ns = total.update_ns.saturating_add(row.update_ns);
                    total.pairs_ns = total.pairs_ns.saturating_add(row.pairs_ns);
                }
            }
        }
        Ok(Self(cells))
    }

    /// The row of a cell of `case`. `best` is the fastest of ours.
    fn row(
        &self,
        part: Part,
        row: &SummaryRow,
        case: &[SummaryRow],
        best: Option<&SummaryRow>,
    ) -> StudyRow {
        let (baseline, base) = baseline(part, row, case).unzip();
        let is_change = part == Part::Changes;
        let over = base.and_then(|base| match part {
            Part::Changes => self.worst_after_changes(base, row),
            _ => self.ratio(base, row),
        });
        let rounds = |base: Option<&SummaryRow>| self.ratio_of_rounds(base?, row);
        let over_mean = rounds(base.filter(|_| !is_change));
        let over_best = rounds(best);
        let confidence = over.as_ref().map(|ratio| ratio.confidence);
        let [over, over_low, over_high] = ends(over.as_ref());
        let [over_mean, over_mean_low, over_mean_high] = ends(over_mean.as_ref());
        let [over_best, over_best_low, over_best_high] = ends(over_best.as_ref());
        StudyRow {
            run_id: row.run_id.clone(),
            part: part.folder().to_owned(),
            input: row.input.clone(),
            n: row.n,
            algorithm: row.algorithm.clone(),
            peer: is_peer(part, &row.algorithm),
            threads: row.threads,
            frames: row.frames,
            repeats: row.repeats,
            median_ns: row.median_ns,
            ci_low_ns: row.ci_low_ns,
            ci_high_ns: row.ci_high_ns,
            mean_ns: self.mean(row).map(|ns| ns as f64),
            p95_ns: row.p95_ns,
            pairs: row.pairs,
            bytes_per_object: row.peak_heap_bytes.map(|bytes| bytes as f64 / row.n.max(1) as f64),
            allocations: row.allocations,
            checksum: row.checksum,
            baseline: baseline.unwrap_or_default(),
            over,
            over_low,
            over_high,
            over_mean,
            over_mean_low,
            over_mean_high,
            over_best,
            over_best_low,
            over_best_high,
            confidence,
            status: row.status,
            reason: row.reason.clone(),
            ..StudyRow::default()
        }
    }

    fn cell(&self, row: &SummaryRow) -> Option<&CellTimes> {
        self.0.get(&(row.input.clone(), row.n, row.algorithm.clone(), row.threads))
    }

    /// B's time over A's, frame by frame.
    fn ratio(&self, a: &SummaryRow, b: &SummaryRow) -> Option<PairedRatio> {
        let frames = |row: &SummaryRow| Some(self.cell(row)?.frames.iter().copied());
        paired_ratio(frames(a)?, frames(b)?)
    }

    /// B's time over A's, round by round.
    fn ratio_of_rounds(&self, a: &SummaryRow, b: &SummaryRow) -> Option<PairedRatio> {
        let rounds =
            |row: &SummaryRow| Some(self.cell(row)?.rounds.values().filter_map(FrameTime::of_row));
        paired_ratio(rounds(a)?, rounds(b)?)
    }

    /// B's worst frame after a change of motion over A's median one.
    fn worst_after_changes(&self, a: &SummaryRow, b: &SummaryRow) -> Option<PairedRatio> {
        let [a, b] = [self.cell(a)?, self.cell(b)?];
        changes::worst_over_median(&a.after_changes, &b.after_changes)
    }

    /// The median of the rounds' means, ns; none of a row without figures.
    fn mean(&self, row: &SummaryRow) -> Option<u64> {
        row.median_ns?;
        let rounds = self.cell(row)?.rounds.values();
        let mut totals: Vec<u64> =
            rounds.map(|round| round.update_ns.saturating_add(round.pairs_ns)).collect();
        totals.sort_unstable();
        let (lower, upper) = (totals.get((totals.len() - 1) / 2)?, totals.get(totals.len() / 2)?);
        Some(lower.midpoint(*upper) / u64::from(row.frames.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::speed::tests::planted_frame;
    use measure::{FramesFile, Labels, Status};

    /// Six rounds of a frame of warm-up and ten that count.
    fn frames<'a>(
        algorithm: &'a str,
        ns: impl Fn(u32) -> u64 + 'a,
    ) -> impl Iterator<Item = FrameRow> + 'a {
        (0..66).map(move |i| planted_frame(algorithm, i / 11, i % 11, ns(i % 11)))
    }

    #[test]
    fn mean_counts_a_rebuild_that_the_median_hides() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames.csv");
        let kept = frames("kept", |frame| match frame {
            0 => 1_000_000,
            3 => 9_500,
            _ => 500,
        });
        let rows: Vec<FrameRow> = frames("steady", |_| 1_000).chain(kept).collect();
        FramesFile::create(&path).unwrap().write_table(rows.clone()).unwrap();
        let times = Times::read(Part::Inputs, &path).unwrap();
        let summary = |algorithm: &str| {
            let labels = Labels {
                run_id: String::new(),
                input: "gas".to_owned(),
                n: 10,
                seed: None,
                algorithm: algorithm.to_owned(),
                threads: 1,
            };
            let row = SummaryRow::without_figures(&labels, 10, 6, Status::Ok, None);
            SummaryRow { median_ns: Some(1), ..row }
        };
        let [steady, kept] = ["steady", "kept"].map(summary);
        assert_eq!(times.mean(&steady), Some(1_000));
        assert_eq!(times.mean(&kept), Some(1_400), "the warm-up does not count");
        let of_frames = times.ratio(&steady, &kept).unwrap();
        let of_rounds = times.ratio_of_rounds(&steady, &kept).unwrap();
        assert!((of_frames.ratio.ratio - 0.5).abs() < 1e-9, "{of_frames:?}");
        assert!((of_rounds.ratio.ratio - 1.4).abs() < 1e-9, "{of_rounds:?}");
        assert_eq!((of_rounds.rounds, of_rounds.confidence), (6, of_frames.confidence));
        let errs = SummaryRow { median_ns: None, ..kept };
        assert_eq!(times.mean(&errs), None);
    }
}
