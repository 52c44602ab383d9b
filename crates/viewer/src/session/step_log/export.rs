//! The recorded steps as files.

use super::{RecordedSearch, StepLog};
use measure::{FrameRow, FramesFile, Labels, OutputError, Sample, SummaryRow, summarise};
use std::path::Path;

impl StepLog {
    /// Writes all rows in the columns of `frames.csv`.
    pub(in crate::session) fn export(&self, path: &Path) -> Result<(), OutputError> {
        let run_id = self.run.to_string();
        let row = |row: &RecordedSearch| FrameRow::new(&row.labels(&run_id), &row.sample);
        let rows = self.rows.iter().map(row);
        FramesFile::create(path)?.write(rows)?;
        Ok(())
    }

    /// A summary of each algorithm on each input, number of objects, seed, number of threads and rule of continuous
    /// collisions, in the order in which they were first recorded. `seed` is that of the bootstrap.
    pub(in crate::session) fn summaries(&self, seed: u64) -> Vec<SummaryRow> {
        let run_id = &self.run.to_string();
        let mut cells: Vec<((Labels, &str), Vec<Sample>)> = Vec::new();
        for row in &self.rows {
            let labels = (row.labels(run_id), row.input.continuous);
            match cells.iter_mut().find(|(known, _)| *known == labels) {
                Some((_, samples)) => samples.push(row.sample),
                None => cells.push((labels, vec![row.sample])),
            }
        }
        let rows = cells.iter().map(|((labels, continuous), samples)| {
            let row = summarise(labels, samples, seed);
            // Rows cover different frames, so that their checksums cannot be compared. Frames of a
            // compared algorithm have neither response nor drawing, and so no rate.
            let moved = samples.iter().all(|sample| sample.motion_ns.is_some());
            let (fps, collision_share) =
                if moved { (row.fps, row.collision_share) } else { (None, None) };
            let continuous = (*continuous).to_owned();
            SummaryRow { checksum: None, fps, collision_share, continuous, ..row }
        });
        rows.collect()
    }
}

impl RecordedSearch {
    fn labels(&self, run_id: &str) -> Labels {
        Labels {
            run_id: run_id.to_owned(),
            input: self.input.name.to_string(),
            n: self.input.objects as u64,
            seed: self.input.seed,
            algorithm: self.algorithm.id.to_owned(),
            threads: self.threads,
        }
    }
}
