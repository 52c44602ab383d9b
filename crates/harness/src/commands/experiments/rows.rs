//! The rows of all experiments, read from their files.

use super::plan::{EXPERIMENTS, Experiment};
use crate::failure::Failure;
use crate::registry;
use crate::study::{Outcome, holds, not_measured};
use measure::{Stage, StageRow, StagesFile, Status, SummaryFile, SummaryRow};
use std::path::Path;

/// The rows of all experiments.
#[derive(Debug, Default)]
pub(super) struct ExperimentRows {
    stages: Vec<(Experiment, Vec<StageRow>)>,
    areas: Vec<SummaryRow>,
}

impl ExperimentRows {
    /// Reads the folders of the experiments that are there.
    pub(super) fn read(data: &Path) -> Result<Self, Failure> {
        let mut rows = Self::default();
        for (experiment, folder, _) in EXPERIMENTS {
            let folder = data.join(folder);
            if folder.join(StagesFile::NAME).is_file() {
                rows.stages.push((experiment, StagesFile::read(&folder)?.rows));
            } else if folder.join(SummaryFile::NAME).is_file() {
                rows.areas = SummaryFile::read(&folder)?.rows;
            }
        }
        Ok(rows)
    }

    /// Planted rows.
    #[cfg(test)]
    pub(super) fn of(stages: Vec<(Experiment, Vec<StageRow>)>, areas: Vec<SummaryRow>) -> Self {
        Self { stages, areas }
    }

    /// All rows of an experiment; none if it was not measured.
    pub(super) fn all(&self, experiment: Experiment) -> &[StageRow] {
        let found = self.stages.iter().find(|(other, _)| *other == experiment);
        found.map_or(&[], |(_, rows)| rows)
    }

    /// The rows of a method with figures, at least one, in the order of the cases.
    ///
    /// # Errors
    ///
    /// The outcome of a claim about the method where it has no row, or one without figures.
    pub(super) fn of_method(
        &self,
        experiment: Experiment,
        stage: Stage,
        method: &str,
    ) -> Result<Vec<&StageRow>, Outcome> {
        let all = self.all(experiment);
        let is_own = |row: &&StageRow| row.stage == stage && row.method == method;
        let rows: Vec<&StageRow> = all.iter().filter(is_own).collect();
        let is_idle = |row: &&StageRow| row.status == Status::Ok && row.tests == Some(0);
        Err(match rows.iter().find(|row| row.status != Status::Ok) {
            _ if all.is_empty() => {
                let folder = EXPERIMENTS[experiment as usize].1;
                not_measured(format!("the experiment {folder} has no rows"))
            }
            _ if rows.is_empty() => {
                not_measured(format!("`{method}` is missing: this program has no such method"))
            }
            Some(row) if row.status == Status::Error => {
                holds(false, format!("`{method}` is wrong: {}", row.reason_text()))
            }
            Some(row) => not_measured(format!("`{method}`: {}", row.reason_text())),
            None if rows.iter().any(is_idle) => {
                not_measured(format!("`{method}` had no pair to test"))
            }
            None => return Ok(rows),
        })
    }

    /// The one row of a method among those of an input, which begins like this, and of a kind of boxes.
    pub(super) fn one(
        &self,
        experiment: Experiment,
        (stage, method): (Stage, &str),
        input: &str,
        box_kind: &str,
    ) -> Result<&StageRow, Outcome> {
        let rows = self.of_method(experiment, stage, method)?;
        let is_own = |row: &&StageRow| row.input.starts_with(input) && row.box_kind == box_kind;
        let missing = || not_measured(format!("`{method}` has no row on {input}"));
        rows.into_iter().find(is_own).ok_or_else(missing)
    }

    /// The row of an algorithm in the experiment on areas.
    pub(super) fn of_areas(&self, algorithm: &str) -> Result<&SummaryRow, Outcome> {
        let missing = || {
            not_measured(format!("`{algorithm}` is missing: this program has no such algorithm"))
        };
        // Rows leave out parameters that have their defaults.
        let resolved = registry::offered().resolve(algorithm).map_err(|_| missing())?;
        let row = self.areas.iter().find(|row| row.algorithm == resolved.id).ok_or_else(missing)?;
        match row.status {
            Status::Ok => Ok(row),
            _ => Err(not_measured(format!("`{algorithm}`: {}", row.reason_text()))),
        }
    }
}
