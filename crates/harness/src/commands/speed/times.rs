//! The times of the frames and rounds of a part, by cell.

use crate::failure::Failure;
use measure::{FrameRow, FrameTime, MEMORY_OF_FRAMES, RowReader, SummaryRow};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

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
        totals.sort_unstable();
        let (lower, upper) = (totals.get((totals.len() - 1) / 2)?, totals.get(totals.len() / 2)?);
        Some(lower.midpoint(*upper) / u64::from(row.frames.max(1)))
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
            phase: if i % 11 == 0 { Phase::Warmup } else { Phase::Measure },
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
