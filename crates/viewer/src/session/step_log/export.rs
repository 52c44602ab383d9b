//! The recorded steps as files.

use super::{RecordedSearch, StepLog};
use measure::{FramesFile, Labels, OutputError};
use std::path::Path;

impl StepLog {
    /// Writes all rows in the columns of `frames.csv`.
    pub(in crate::session) fn export(&self, path: &Path) -> Result<(), OutputError> {
        let run_id = self.run.to_string();
        let row = |row: &RecordedSearch| row.sample.clone().labelled(&row.labels(&run_id));
        let rows = self.rows.iter().map(row);
        FramesFile::create(path)?.write(rows)?;
        Ok(())
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
