//! What was measured, read back from the files of the experiments.

use super::experiments::Experiment;
use crate::failure::Failure;
use crate::figures::{Cell, read_cells};
use std::path::Path;

/// The cells of all experiments.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    experiments: Vec<(Experiment, Vec<Cell>)>,
    /// Rows that are no result, with the experiment.
    pub(super) left_out: Vec<String>,
}

impl Evidence {
    /// Reads the folders of the experiments that are there.
    pub(super) fn read(data: &Path) -> Result<Self, Failure> {
        let mut evidence = Self::default();
        for experiment in Experiment::ALL {
            let folder = data.join(experiment.folder());
            let files = ["summary.csv", "frames.csv"].map(|name| folder.join(name));
            if !files[0].is_file() {
                continue;
            }
            let read = read_cells(&files)?;
            let named = read.left_out.iter().map(|row| format!("{}: {row}", experiment.folder()));
            evidence.left_out.extend(named);
            evidence.experiments.push((experiment, read.cells));
        }
        Ok(evidence)
    }

    /// For tests: evidence that was never measured.
    #[cfg(test)]
    pub(super) fn of(experiments: Vec<(Experiment, Vec<Cell>)>) -> Self {
        Self { experiments, left_out: Vec::new() }
    }

    /// The cells of an experiment; none if it was not run.
    pub(super) fn cells(&self, experiment: Experiment) -> &[Cell] {
        let found = self.experiments.iter().find(|(e, _)| *e == experiment);
        found.map_or(&[], |(_, cells)| cells)
    }

    /// Why a figure from these experiments cannot be drawn.
    pub(super) fn missing(&self, from: &[Experiment]) -> String {
        let unmeasured = from.iter().find(|e| self.cells(**e).is_empty());
        match unmeasured {
            Some(experiment) if experiment.is_drawn() => "nothing was drawn in this run".to_owned(),
            Some(experiment) => format!("{} was not measured", experiment.folder()),
            None => "no number of objects in its range was measured".to_owned(),
        }
    }

    /// Frames per second of an algorithm at a number of objects, by the input's name.
    pub(super) fn fps(&self, from: Experiment, input: &str, id: &str, n: u64) -> Option<f64> {
        self.cell(from, input, id, n)?.fps
    }

    /// The cell of an algorithm at a number of objects, by the input's name.
    pub(super) fn cell(&self, from: Experiment, input: &str, id: &str, n: u64) -> Option<&Cell> {
        let wanted = |c: &&Cell| c.input == input && c.algorithm == id && c.n == n;
        self.cells(from).iter().find(wanted)
    }

    /// Measured frames and repetitions of an experiment, which are the same for all its rows.
    pub(super) fn effort(&self, from: Experiment) -> Option<[u32; 2]> {
        self.cells(from).iter().find_map(|cell| cell.effort)
    }

    /// The numbers of objects of an experiment, ascending.
    pub(super) fn numbers(&self, from: Experiment) -> Vec<u64> {
        let mut numbers: Vec<u64> = self.cells(from).iter().map(|cell| cell.n).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
