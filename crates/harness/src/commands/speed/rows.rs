//! The rows of `speed.csv`, with the ratios of times to those of a baseline.

use super::changes;
use super::parts::SpeedPart;
use super::times::Times;
use crate::failure::Failure;
use crate::registry;
use crate::study::{AUTO, RowFile, StudyRow};
use measure::{PairedRatio, Ratio, SummaryFile, SummaryRow, paired_ratio};
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
const FILE: RowFile = RowFile {
    command: "speed",
    columns: "part peer baseline over over_low over_high over_mean over_mean_low over_mean_high \
              over_best over_best_low over_best_high",
};

/// Parts that earlier versions measured, which no page shows any more.
const FORMER_PARTS: [&str; 2] = ["fresh", "simd"];

/// Reads `speed.csv`.
pub(crate) fn read(path: &Path) -> Result<Vec<StudyRow>, Failure> {
    let mut rows = FILE.read_any(path)?;
    rows.retain(|row| !FORMER_PARTS.contains(&row.part.as_str()));
    let rows = FILE.not_empty(path, rows)?;
    match rows.iter().find(|row| SpeedPart::of(row).is_none()) {
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
pub(super) fn of_part(part: SpeedPart, folder: &Path) -> Result<Vec<StudyRow>, Failure> {
    let summary = SummaryFile::read(&folder.join("summary.csv"))?.rows;
    let times = Times::read(&folder.join("frames.csv"))?;
    let cases = summary.chunk_by(|a, b| (&a.input, a.n) == (&b.input, b.n));
    let rows = cases.flat_map(|case| {
        let best = case
            .iter()
            .filter(|row| part.has_others() && !is_peer(part, &row.algorithm))
            .filter(|row| times.mean(row).is_some())
            .min_by_key(|row| times.mean(row));
        case.iter().map(|row| self::row(&times, part, row, case, best)).collect::<Vec<_>>()
    });
    Ok(rows.collect())
}

fn ends(ratio: Option<&PairedRatio>) -> [Option<f64>; 3] {
    let Some(PairedRatio { ratio: Ratio { ratio, low, high }, .. }) = ratio else {
        return [None; 3];
    };
    [Some(*ratio), Some(*low), Some(*high)]
}

/// Whether a row is of a peer or a program: of a `peer` entry, or, in a part that has others, of a name that this build does
/// not know.
fn is_peer(part: SpeedPart, algorithm: &str) -> bool {
    registry::offered().find(algorithm).map_or(part.has_others(), |entry| entry.peer)
}

/// The row that a row is compared with, and its name.
fn baseline<'a>(
    part: SpeedPart,
    row: &SummaryRow,
    case: &'a [SummaryRow],
) -> Option<(String, &'a SummaryRow)> {
    let by_id = |id: &str| {
        case.iter().find(|other| other.algorithm == id).map(|other| (id.to_owned(), other))
    };
    match part {
        SpeedPart::Small | SpeedPart::Inputs | SpeedPart::Programs => by_id(AUTO),
        SpeedPart::Changes => by_id(changes::BASELINE),
        SpeedPart::Threads => case
            .iter()
            .find(|other| other.algorithm == row.algorithm && other.threads == 1)
            .map(|other| ("1 thread".to_owned(), other)),
    }
}

/// The row of a cell of `case`. `best` is the fastest of ours.
fn row(
    times: &Times,
    part: SpeedPart,
    row: &SummaryRow,
    case: &[SummaryRow],
    best: Option<&SummaryRow>,
) -> StudyRow {
    let (baseline, base) = baseline(part, row, case).unzip();
    let is_change = part == SpeedPart::Changes;
    let over = base.and_then(|base| match (times.frames(base), times.frames(row)) {
        (base, own) if is_change => changes::worst_over_median(&base, &own),
        (base, own) => paired_ratio(base, own),
    });
    let rounds = |base: Option<&SummaryRow>| paired_ratio(times.rounds(base?), times.rounds(row));
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
        mean_ns: times.mean(row).map(|ns| ns as f64),
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
