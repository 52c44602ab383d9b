//! The rows of `speed.csv`: a cell each, with its times as a multiple of what it is compared with.

use super::parts::{AUTO, PLAIN, Part, algorithm_and_set};
use crate::failure::Failure;
use measure::{
    Checksum, FrameRow, FrameTime, FramesFile, PairedRatio, Ratio, Status, SummaryFile, SummaryRow,
    paired_ratio,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// A row of `speed.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpeedRow {
    pub(super) part: Part,
    /// The input's name, without the number of objects.
    pub(super) input: String,
    pub(super) n: u64,
    pub(super) algorithm: String,
    /// Whether it is somebody else's.
    pub(super) peer: bool,
    pub(super) threads: u32,
    /// Measured frames per round.
    pub(super) frames: u32,
    /// Rounds.
    pub(super) repeats: u32,
    /// Median of update + pairs, and its bootstrap interval, ns.
    pub(super) median_ns: Option<u64>,
    pub(super) ci_low_ns: Option<u64>,
    pub(super) ci_high_ns: Option<u64>,
    /// Overlapping pairs, mean per frame.
    pub(super) pairs: Option<f64>,
    /// Most bytes held at once, an object.
    pub(super) bytes_per_object: Option<f64>,
    /// Heap allocations, mean per frame.
    pub(super) allocations: Option<f64>,
    pub(super) checksum: Option<Checksum>,
    /// What it is compared with: an algorithm's id, or a number of threads.
    pub(super) baseline: String,
    /// Its time over the baseline's, paired frame by frame, and the ends of the interval.
    pub(super) over: Option<f64>,
    pub(super) over_low: Option<f64>,
    pub(super) over_high: Option<f64>,
    /// The same over the fastest of ours; only where there are peers.
    pub(super) over_best: Option<f64>,
    pub(super) over_best_low: Option<f64>,
    pub(super) over_best_high: Option<f64>,
    /// With which both intervals hold the true ratio.
    pub(super) confidence: Option<f64>,
    pub(super) status: Status,
    /// Why there are no figures.
    pub(super) reason: Option<String>,
}

impl SpeedRow {
    pub(super) const COLUMNS: [&'static str; 25] = [
        "part",
        "input",
        "n",
        "algorithm",
        "peer",
        "threads",
        "frames",
        "repeats",
        "median_ns",
        "ci_low_ns",
        "ci_high_ns",
        "pairs",
        "bytes_per_object",
        "allocations",
        "checksum",
        "baseline",
        "over",
        "over_low",
        "over_high",
        "over_best",
        "over_best_low",
        "over_best_high",
        "confidence",
        "status",
        "reason",
    ];

    /// Its time over the baseline's.
    pub(super) fn over(&self) -> Option<Ratio> {
        Some(Ratio { ratio: self.over?, low: self.over_low?, high: self.over_high? })
    }

    /// Its time over that of the fastest of ours.
    pub(super) fn over_best(&self) -> Option<Ratio> {
        let (low, high) = (self.over_best_low?, self.over_best_high?);
        Some(Ratio { ratio: self.over_best?, low, high })
    }
}

/// Reads a `speed.csv`.
pub(super) fn read(path: &Path) -> Result<Vec<SpeedRow>, Failure> {
    let bad = |e: csv::Error| match e.position() {
        Some(at) => Failure::BadFile(format!("{}, line {}: {e}", path.display(), at.line())),
        None => Failure::BadFile(format!("cannot read {}: {e}", path.display())),
    };
    let mut reader = csv::Reader::from_path(path).map_err(bad)?;
    reader.deserialize().collect::<Result<_, csv::Error>>().map_err(bad)
}

/// Writes a `speed.csv`, in place of what is there.
pub(super) fn write(path: &Path, rows: &[SpeedRow]) -> Result<(), Failure> {
    FramesFile::create(path)?.write_table(&SpeedRow::COLUMNS, rows)?;
    Ok(())
}

/// The rows of a part, from its `summary.csv` and `frames.csv`.
pub(super) fn of_part(part: Part, folder: &Path) -> Result<Vec<SpeedRow>, Failure> {
    let summary = SummaryFile::read(&folder.join("summary.csv"))?.rows;
    let times = Times::read(&folder.join("frames.csv"))?;
    let mut rows = Vec::new();
    for case in summary.chunk_by(|a, b| (&a.input, a.n) == (&b.input, b.n)) {
        let best = case
            .iter()
            .filter(|row| !is_peer(part, &row.algorithm))
            .filter(|row| row.median_ns.is_some() && part.has_peers())
            .min_by_key(|row| row.median_ns);
        rows.extend(case.iter().map(|row| {
            let baseline = baseline(part, row, case);
            let ratio_to = |other: Option<&SummaryRow>| times.ratio(other?, row);
            let mut made = plain(part, row);
            if let Some((name, base)) = baseline {
                made.baseline = name;
                let ratio = ratio_to(Some(base));
                [made.over, made.over_low, made.over_high] = ends(ratio.as_ref());
                made.confidence = ratio.map(|ratio| ratio.confidence);
            }
            let ratio = ratio_to(best);
            [made.over_best, made.over_best_low, made.over_best_high] = ends(ratio.as_ref());
            made
        }));
    }
    Ok(rows)
}

fn ends(ratio: Option<&PairedRatio>) -> [Option<f64>; 3] {
    let Some(PairedRatio { ratio: Ratio { ratio, low, high }, .. }) = ratio else {
        return [None; 3];
    };
    [Some(*ratio), Some(*low), Some(*high)]
}

/// Whoever is not in the registry is somebody else's, where there are such.
fn is_peer(part: Part, algorithm: &str) -> bool {
    part.has_peers() && broadphase::find(algorithm).is_none()
}

/// What a row is compared with, and its name.
fn baseline<'a>(
    part: Part,
    row: &SummaryRow,
    case: &'a [SummaryRow],
) -> Option<(String, &'a SummaryRow)> {
    let by_id = |id: &str| {
        case.iter().find(|other| other.algorithm == id).map(|other| (id.to_owned(), other))
    };
    match part {
        Part::Small | Part::Inputs => by_id(AUTO),
        Part::Fresh => by_id(PLAIN),
        Part::Threads => case
            .iter()
            .find(|other| other.algorithm == row.algorithm && other.threads == 1)
            .map(|other| ("1 thread".to_owned(), other)),
        Part::Simd => {
            let algorithm = algorithm_and_set(&row.algorithm).0;
            let first = case.iter().find(|o| algorithm_and_set(&o.algorithm).0 == algorithm);
            first.map(|other| (other.algorithm.clone(), other))
        }
    }
}

/// A row without ratios.
fn plain(part: Part, row: &SummaryRow) -> SpeedRow {
    SpeedRow {
        part,
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
        pairs: row.pairs,
        bytes_per_object: row.peak_heap_bytes.map(|bytes| bytes as f64 / row.n.max(1) as f64),
        allocations: row.allocations,
        checksum: row.checksum,
        baseline: String::new(),
        over: None,
        over_low: None,
        over_high: None,
        over_best: None,
        over_best_low: None,
        over_best_high: None,
        confidence: None,
        status: row.status,
        reason: row.reason.clone(),
    }
}

/// The times of all frames, by cell.
struct Times(HashMap<(String, u64, String, u32), Vec<FrameTime>>);

impl Times {
    fn read(path: &Path) -> Result<Self, Failure> {
        let bad = |e: csv::Error| Failure::BadFile(format!("{}: {e}", path.display()));
        let mut reader = csv::Reader::from_path(path).map_err(bad)?;
        let mut times = HashMap::<_, Vec<FrameTime>>::new();
        for row in reader.deserialize::<FrameRow>() {
            let row = row.map_err(bad)?;
            if let Some(time) = FrameTime::of_row(&row) {
                let FrameRow { input, n, algorithm, threads, .. } = row;
                times.entry((input, n, algorithm, threads)).or_default().push(time);
            }
        }
        Ok(Self(times))
    }

    /// B's time over A's.
    fn ratio(&self, a: &SummaryRow, b: &SummaryRow) -> Option<PairedRatio> {
        let times = |row: &SummaryRow| {
            let cell = (row.input.clone(), row.n, row.algorithm.clone(), row.threads);
            self.0.get(&cell).cloned().unwrap_or_default()
        };
        paired_ratio(times(a), times(b))
    }
}
