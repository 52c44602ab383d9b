//! The times of the frames and rounds of a part, by cell.

use super::changes;
use super::parts::SpeedPart;
use crate::failure::Failure;
use measure::{
    FrameRow, FrameTime, MEMORY_OF_FRAMES, PairedRatio, RowReader, SummaryRow, paired_ratio,
};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The times of all frames, by cell.
pub(super) struct Times(HashMap<(String, u64, String, u32), CellTimes>);

#[derive(Default)]
struct CellTimes {
    frames: Vec<FrameTime>,
    /// A row for each round, with the times of all its frames.
    rounds: BTreeMap<u32, FrameRow>,
    /// The frames after changes of motion, in [`SpeedPart::Changes`].
    after_changes: Vec<FrameRow>,
}

impl Times {
    pub(super) fn read(part: SpeedPart, path: &Path) -> Result<Self, Failure> {
        let mut cells = HashMap::<_, CellTimes>::new();
        RowReader::open(path)?.each(MEMORY_OF_FRAMES, |_, row: FrameRow| {
            let Some(time) = FrameTime::of_row(&row) else { return Ok(()) };
            let key = (row.input.clone(), row.n, row.algorithm.clone(), row.threads);
            let cell = cells.entry(key).or_default();
            cell.frames.push(time);
            if part == SpeedPart::Changes && changes::change_before(row.frame).is_some() {
                cell.after_changes.push(row.clone());
            }
            let mut times = row.times();
            if let Some(before) = cell.rounds.get(&row.repeat) {
                times += before.times();
            }
            let total = cell.rounds.entry(row.repeat).or_insert(FrameRow { frame: 0, ..row });
            total.set_times(times);
            Ok(())
        })?;
        Ok(Self(cells))
    }

    fn cell(&self, row: &SummaryRow) -> Option<&CellTimes> {
        self.0.get(&(row.input.clone(), row.n, row.algorithm.clone(), row.threads))
    }

    /// B's time over A's, frame by frame.
    pub(super) fn ratio(&self, a: &SummaryRow, b: &SummaryRow) -> Option<PairedRatio> {
        let frames = |row: &SummaryRow| Some(self.cell(row)?.frames.iter().copied());
        paired_ratio(frames(a)?, frames(b)?)
    }

    /// B's time over A's, round by round.
    pub(super) fn ratio_of_rounds(&self, a: &SummaryRow, b: &SummaryRow) -> Option<PairedRatio> {
        let rounds =
            |row: &SummaryRow| Some(self.cell(row)?.rounds.values().filter_map(FrameTime::of_row));
        paired_ratio(rounds(a)?, rounds(b)?)
    }

    /// B's worst frame after a change of motion over A's median one.
    pub(super) fn worst_after_changes(
        &self,
        a: &SummaryRow,
        b: &SummaryRow,
    ) -> Option<PairedRatio> {
        let [a, b] = [self.cell(a)?, self.cell(b)?];
        changes::worst_over_median(&a.after_changes, &b.after_changes)
    }

    /// The median of the rounds' means, ns; none of a row without figures.
    pub(super) fn mean(&self, row: &SummaryRow) -> Option<u64> {
        row.median_ns?;
        let rounds = self.cell(row)?.rounds.values();
        let mut totals: Vec<u64> = rounds.map(|round| round.times().total_ns()).collect();
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
        FramesFile::create(&path).unwrap().write(rows.clone()).unwrap();
        let times = Times::read(SpeedPart::Inputs, &path).unwrap();
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
