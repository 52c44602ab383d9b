//! The recorded steps as a table.

use super::{RecordedStep, StepLog};
use broadphase::registry::Algorithm;
use measure::{Labels, write_rows};
use std::io;

impl StepLog {
    /// All rows in the columns of `frames.csv`.
    pub(in crate::session) fn table(&self) -> io::Result<Vec<u8>> {
        let run_id = self.run.to_string();
        let rows = self.steps.iter().flat_map(|recorded| {
            let rows = recorded.searches.iter();
            rows.map(|(of, sample)| sample.clone().labelled(&recorded.labels(&run_id, of)))
        });
        let mut table = Vec::new();
        write_rows(&mut table, rows)?;
        Ok(table)
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
