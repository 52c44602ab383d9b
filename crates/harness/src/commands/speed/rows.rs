//! The rows of `speed.csv`, with the ratios of times to those of a baseline.

use super::changes;
use super::inputs::SpeedPart;
use crate::failure::Failure;
use crate::registry;
use crate::study::{AUTO, RowFile, StudyRow};
use measure::{
    FrameRow, FrameTime, MEMORY_OF_FRAMES, PairedRatio, Ratio, RowReader, SummaryFile, SummaryRow,
    median, paired_ratio,
};
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Display, Formatter};
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
}

impl Display for By {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Median { "medians" } else { "means" })
    }
}

/// The rows of `speed.csv`.
const FILE: RowFile = RowFile {
    command: "speed",
    columns: "part peer baseline over over_low over_high over_mean over_mean_low over_mean_high \
              over_best over_best_low over_best_high",
};

/// Reads `speed.csv`. No page shows rows of parts that earlier versions measured.
pub(crate) fn read(path: &Path) -> Result<Vec<StudyRow>, Failure> {
    let mut rows = FILE.read_any(path)?;
    rows.retain(|row| SpeedPart::of(row).is_some());
    FILE.not_empty(path, rows)
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
        let ours = case.iter().filter(|row| part.has_others() && !is_peer(part, &row.algorithm));
        let best = ours.filter_map(|row| Some((times.mean(row)?, row))).min_by_key(|(ns, _)| *ns);
        case.iter().map(|row| self::row(&times, part, row, case, best)).collect::<Vec<_>>()
    });
    Ok(rows.collect())
}

/// Whether a row is of a peer or a program: of a `peer` entry, or, in a part that has others, of a name that this build does
/// not know.
fn is_peer(part: SpeedPart, algorithm: &str) -> bool {
    registry::offered().find(algorithm).map_or(part.has_others(), |entry| entry.peer)
}

/// The row of a cell of `case`. `best` is the fastest of ours, with its time.
fn row(
    times: &Times,
    part: SpeedPart,
    row: &SummaryRow,
    case: &[SummaryRow],
    best: Option<(u64, &SummaryRow)>,
) -> StudyRow {
    let is_change = part == SpeedPart::Changes;
    let (name, id) = match part {
        SpeedPart::Changes => (changes::BASELINE, changes::BASELINE),
        SpeedPart::Threads => ("1 thread", &*row.algorithm),
        _ => (AUTO, AUTO),
    };
    let base = case.iter().find(|other| other.algorithm == id && other.threads == 1);
    let over = base.and_then(|base| match (times.frames(base), times.frames(row)) {
        (base, own) if is_change => changes::worst_over_median(&base, &own),
        (base, own) => paired_ratio(base, own),
    });
    let rounds = |base: Option<&SummaryRow>| paired_ratio(times.rounds(base?), times.rounds(row));
    let confidence = over.as_ref().map(|over| over.confidence);
    let ends = |over: Option<PairedRatio>| {
        let ratio = over.map(|over| over.ratio);
        [ratio.map(|r| r.ratio), ratio.map(|r| r.low), ratio.map(|r| r.high)]
    };
    let [over, over_low, over_high] = ends(over);
    let over_mean = rounds(base.filter(|_| !is_change));
    let [over_mean, over_mean_low, over_mean_high] = ends(over_mean);
    let [over_best, over_best_low, over_best_high] = ends(rounds(best.map(|(_, best)| best)));
    StudyRow {
        part: part.folder().to_owned(),
        peer: is_peer(part, &row.algorithm),
        mean_ns: times.mean(row).map(|ns| ns as f64),
        baseline: base.map_or("", |_| name).to_owned(),
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
        ..StudyRow::of(row)
    }
}

/// The times of all frames that count, by cell.
pub(super) struct Times(HashMap<(String, u64, String, u32), Vec<FrameTime>>);

impl Times {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let mut cells = HashMap::<_, Vec<FrameTime>>::new();
        RowReader::open(path)?.each(MEMORY_OF_FRAMES, |_, row: FrameRow| {
            if let Some(time) = FrameTime::of_row(&row) {
                cells.entry((row.input, row.n, row.algorithm, row.threads)).or_default().push(time);
            }
            Ok(())
        })?;
        Ok(Self(cells))
    }

    /// The frames of a cell; none of one that was not measured.
    pub(super) fn frames(&self, row: &SummaryRow) -> Vec<FrameTime> {
        let key = (row.input.clone(), row.n, row.algorithm.clone(), row.threads);
        self.0.get(&key).cloned().unwrap_or_default()
    }

    /// The rounds of a cell, each as one frame with the time of all.
    pub(super) fn rounds(&self, row: &SummaryRow) -> Vec<FrameTime> {
        let mut totals = BTreeMap::<u32, u64>::new();
        for FrameTime { repeat, ns, .. } in self.frames(row) {
            *totals.entry(repeat).or_default() += ns;
        }
        totals.into_iter().map(|(repeat, ns)| FrameTime { repeat, frame: 0, ns }).collect()
    }

    /// The median of the rounds' means, ns; none of a row without figures.
    pub(super) fn mean(&self, row: &SummaryRow) -> Option<u64> {
        row.median_ns?;
        let mut totals: Vec<u64> = self.rounds(row).iter().map(|round| round.ns).collect();
        Some(median(&mut totals)? / u64::from(row.frames.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::{FramesFile, Phase, paired_ratio};

    /// Six rounds of a frame of warm-up and ten that count.
    fn frames(algorithm: &str, ns: impl Fn(u32) -> u64) -> Vec<FrameRow> {
        let row = |i: u32| FrameRow {
            input: "gas".to_owned(),
            n: 10,
            algorithm: algorithm.to_owned(),
            threads: 1,
            repeat: i / 11,
            frame: i % 11,
            phase: if i.is_multiple_of(11) { Phase::Warmup } else { Phase::Measure },
            pairs_ns: ns(i % 11),
            ..FrameRow::default()
        };
        (0..66).map(row).collect()
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
        let rows = [frames("steady", |_| 1_000), kept].concat();
        FramesFile::create(&path).unwrap().write(rows).unwrap();
        let times = Times::read(&path).unwrap();
        let summary = |algorithm: &str| SummaryRow {
            input: "gas".to_owned(),
            n: 10,
            algorithm: algorithm.to_owned(),
            threads: 1,
            frames: 10,
            median_ns: Some(1),
            ..SummaryRow::default()
        };
        let [steady, kept] = ["steady", "kept"].map(summary);
        assert_eq!(times.mean(&steady), Some(1_000));
        assert_eq!(times.mean(&kept), Some(1_400), "the warm-up does not count");
        let of_frames = paired_ratio(times.frames(&steady), times.frames(&kept)).unwrap();
        let of_rounds = paired_ratio(times.rounds(&steady), times.rounds(&kept)).unwrap();
        assert!((of_frames.ratio.ratio - 0.5).abs() < 1e-9, "{of_frames:?}");
        assert!((of_rounds.ratio.ratio - 1.4).abs() < 1e-9, "{of_rounds:?}");
        assert_eq!((of_rounds.rounds, of_rounds.confidence), (6, of_frames.confidence));
        let errs = SummaryRow { median_ns: None, ..kept };
        assert_eq!(times.mean(&errs), None);
    }
}
