//! The rows of `speed.csv`, with the ratios of times to those of a baseline.

use super::inputs::{AFTER, STRETCH, SpeedPart};
use crate::failure::Failure;
use crate::registry;
use crate::study::{AUTO, By, FULL_SEARCH, RowFile, StudyRow};
use measure::{
    FrameRow, FrameTime, MEMORY_OF_FRAMES, PairedRatio, RowReader, SummaryFile, SummaryRow, median,
    paired_ratio,
};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The rows of `speed.csv`.
const FILE: RowFile = RowFile {
    command: "speed",
    columns: "part peer baseline over over_low over_high over_mean over_mean_low over_mean_high \
              over_best over_best_low over_best_high",
};

/// The algorithm whose median frame a worst frame is compared with. It caches nothing, so that its time does
/// not depend on the motion.
pub(super) const BASELINE: &str = FULL_SEARCH;

/// Reads `speed.csv`. No page shows rows of parts that earlier versions measured.
pub(crate) fn read(path: &Path) -> Result<Vec<StudyRow>, Failure> {
    let mut rows = FILE.read_any(path)?;
    rows.retain(|row| SpeedPart::of(row).is_some());
    FILE.not_empty(path, rows)
}

/// The rows of a part, from its `summary.csv` and `frames.csv`.
pub(super) fn of_part(part: SpeedPart, folder: &Path) -> Result<Vec<StudyRow>, Failure> {
    let summary = SummaryFile::read(folder)?.rows;
    let times = Times::read(&folder.join("frames.csv"))?;
    let cases = summary.chunk_by(|a, b| (&a.input, a.n) == (&b.input, b.n));
    Ok(cases.flat_map(|case| case.iter().map(|row| times.row(part, case, row))).collect())
}

/// Whether a row is of a peer or a program: of a `peer` entry, or, in a part that has others, of a name that this build does
/// not know.
fn is_peer(part: SpeedPart, algorithm: &str) -> bool {
    registry::offered().find(algorithm).map_or(part.has_others(), |entry| entry.peer)
}

/// The times of all frames that count, by cell.
struct Times(HashMap<(String, u64, String, u32), Vec<FrameTime>>);

impl Times {
    fn read(path: &Path) -> Result<Self, Failure> {
        let mut cells = HashMap::<_, Vec<FrameTime>>::new();
        RowReader::open(path)?.each(MEMORY_OF_FRAMES, |_, row: FrameRow| {
            if let Some(time) = FrameTime::of_row(&row) {
                cells.entry((row.input, row.n, row.algorithm, row.threads)).or_default().push(time);
            }
            Ok(())
        })?;
        Ok(Self(cells))
    }

    /// The row of a cell of a case.
    fn row(&self, part: SpeedPart, case: &[SummaryRow], row: &SummaryRow) -> StudyRow {
        let is_change = part == SpeedPart::Changes;
        let (name, id) = match part {
            SpeedPart::Changes => (BASELINE, BASELINE),
            SpeedPart::Threads => ("1 thread", &*row.algorithm),
            _ => (AUTO, AUTO),
        };
        let base = case.iter().find(|other| other.algorithm == id && other.threads == 1);
        let over = base.and_then(|base| match (self.frames(base), self.frames(row)) {
            (base, own) if is_change => worst_over_median(&base, &own),
            (base, own) => paired_ratio(base, own),
        });
        let ours = case.iter().filter(|row| part.has_others() && !is_peer(part, &row.algorithm));
        let best = ours.filter_map(|row| Some((self.mean(row)?, row))).min_by_key(|(ns, _)| *ns);
        let rounds = |base: Option<&SummaryRow>| {
            Some(paired_ratio(self.rounds(base?), self.rounds(row))?.ratio)
        };
        let own = StudyRow {
            part: part.folder().to_owned(),
            peer: is_peer(part, &row.algorithm),
            mean_ns: self.mean(row).map(|ns| ns as f64),
            baseline: base.map_or("", |_| name).to_owned(),
            confidence: over.map(|over| over.confidence),
            ..StudyRow::of(row)
        };
        own.with_over(By::Median, over.map(|over| over.ratio))
            .with_over(By::Mean, rounds(base.filter(|_| !is_change)))
            .with_over(By::Best, rounds(best.map(|(_, best)| best)))
    }

    /// The frames of a cell; none of one that was not measured.
    fn frames(&self, row: &SummaryRow) -> Vec<FrameTime> {
        let key = (row.input.clone(), row.n, row.algorithm.clone(), row.threads);
        self.0.get(&key).cloned().unwrap_or_default()
    }

    /// The rounds of a cell, each as one frame with the time of all.
    fn rounds(&self, row: &SummaryRow) -> Vec<FrameTime> {
        let mut totals = BTreeMap::<u32, u64>::new();
        for FrameTime { repeat, ns, .. } in self.frames(row) {
            *totals.entry(repeat).or_default() += ns;
        }
        totals.into_iter().map(|(repeat, ns)| FrameTime { repeat, frame: 0, ns }).collect()
    }

    /// The median of the rounds' means, ns; none of a row without figures.
    fn mean(&self, row: &SummaryRow) -> Option<u64> {
        row.median_ns?;
        let mut totals: Vec<u64> = self.rounds(row).iter().map(|round| round.ns).collect();
        Some(median(&mut totals)? / u64::from(row.frames.max(1)))
    }
}

/// The worst frame after a change over the baseline's median frame of the same round and change: the larger
/// ratio of the two changes, the median of the rounds.
///
/// The median of an even number of frames is the lower of the middle two.
fn worst_over_median(base: &[FrameTime], own: &[FrameTime]) -> Option<PairedRatio> {
    let base = by_change(base);
    // The baseline's median frame and the worst frame of each round, numbered as the same frame to be paired.
    let mut rounds: BTreeMap<u32, [FrameTime; 2]> = BTreeMap::new();
    for (key, own) in by_change(own) {
        let (Some(base), Some(worst)) = (base.get(&key), own.last()) else { continue };
        let found = [base[(base.len() - 1) / 2], *worst].map(|time| FrameTime { frame: 0, ..time });
        let ratio = |[base, worst]: [FrameTime; 2]| worst.ns as f64 / base.ns.max(1) as f64;
        let of_round = rounds.entry(key.0).or_insert(found);
        if ratio(found) > ratio(*of_round) {
            *of_round = found;
        }
    }
    paired_ratio(rounds.values().map(|round| round[0]), rounds.values().map(|round| round[1]))
}

/// The frames soon after a change of motion by round and change, 1 or 2, the fastest first.
fn by_change(times: &[FrameTime]) -> BTreeMap<(u32, u32), Vec<FrameTime>> {
    let mut found: BTreeMap<(u32, u32), Vec<FrameTime>> = BTreeMap::new();
    for time in times.iter().filter(|time| time.frame % STRETCH < AFTER) {
        let change = time.frame / STRETCH;
        if (1..=2).contains(&change) {
            found.entry((time.repeat, change)).or_default().push(*time);
        }
    }
    found.values_mut().for_each(|times| times.sort_by_key(|time| time.ns));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::{FramesFile, Phase};

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

    #[test]
    fn worst_frame_after_the_worse_change_counts() {
        let times = |ns: fn(u32) -> u64| -> Vec<FrameTime> {
            let frames = (0..6).flat_map(|repeat| (30..120).map(move |frame| (repeat, frame)));
            frames.map(|(repeat, frame)| FrameTime { repeat, frame, ns: ns(frame) }).collect()
        };
        let base = times(|frame| if frame == 44 { 9_000 } else { 1_000 });
        let own = times(|frame| match frame {
            39 | 60 | 100 => 90_000,
            47 => 1_300,
            80 => 2_500,
            _ => 200,
        });
        let found = worst_over_median(&base, &own).unwrap();
        assert!((found.ratio.ratio - 2.5).abs() < 1e-9, "{found:?}");
        assert_eq!(found.rounds, 6);
        assert_eq!(worst_over_median(&base[..5], &own), None, "no frame after a change");
    }
}
