//! The recorded steps as a file.

use super::{RecordedStep, StepLog};
use broadphase::registry::Algorithm;
use measure::{FramesFile, Labels, OutputError};
use std::path::Path;

impl StepLog {
    /// Writes all rows in the columns of `frames.csv`.
    pub(in crate::session) fn export(&self, path: &Path) -> Result<(), OutputError> {
        let run_id = self.run.to_string();
        let rows = self.steps.iter().flat_map(|recorded| {
            let rows = recorded.searches.iter();
            rows.map(|(of, sample)| sample.clone().labelled(&recorded.labels(&run_id, of)))
        });
        FramesFile::create(path)?.write(rows)?;
        Ok(())
    }
}

impl RecordedStep {
    fn labels(&self, run_id: &str, algorithm: &Algorithm) -> Labels {
        Labels {
            run_id: run_id.to_owned(),
            input: self.input.name.to_string(),
            n: self.input.objects as u64,
            seed: self.input.seed,
            algorithm: algorithm.id.to_owned(),
            threads: self.threads,
        }
    }
}
