//! The measured cells of all experiments, read from their files.

use super::experiments::Experiment;
use crate::failure::Failure;
use measure::Machine;
use report::{Cell, read_cells};
use std::path::Path;

/// The cells of all experiments.
#[derive(Debug, Default)]
pub(super) struct ThesisRows {
    experiments: Vec<(Experiment, Vec<Cell>)>,
    /// Rows without figures, with the experiment.
    pub(super) left_out: Vec<String>,
}

impl ThesisRows {
    /// Reads the folders of the experiments that are there.
    pub(super) fn read(data: &Path) -> Result<Self, Failure> {
        let mut rows = Self::default();
        for experiment in Experiment::ALL {
            let folder = data.join(experiment.folder());
            let mut files = vec![folder.join("summary.csv")];
            if !files[0].is_file() {
                continue;
            }
            // Too large to be committed: without it only the time of rendering is unknown.
            let frames = folder.join("frames.csv");
            files.extend(Some(frames).filter(|frames| frames.is_file()));
            let read = read_cells(&files)?;
            let manifest = folder.join("machine.json");
            if manifest.is_file() {
                Machine::read(&manifest)?;
            }
            let named = read.left_out.iter().map(|row| format!("{}: {row}", experiment.folder()));
            rows.left_out.extend(named);
            rows.experiments.push((experiment, read.cells));
        }
        Ok(rows)
    }

    /// Planted cells.
    #[cfg(test)]
    pub(super) fn of(experiments: Vec<(Experiment, Vec<Cell>)>) -> Self {
        Self { experiments, left_out: Vec::new() }
    }

    /// The cells of an experiment; none if it was not measured.
    pub(super) fn cells(&self, experiment: Experiment) -> &[Cell] {
        let found = self.experiments.iter().find(|(e, _)| *e == experiment);
        found.map_or(&[], |(_, cells)| cells)
    }

    /// Why a figure of this experiment cannot be drawn.
    pub(super) fn missing(&self, from: Experiment) -> String {
        let reason = match (self.cells(from).is_empty(), from.is_drawn()) {
            (true, true) => "nothing was drawn in this run",
            (true, false) => "not measured",
            _ => "frames.csv is missing, or no number of objects in its range was measured",
        };
        reason.to_owned()
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

    /// Whether any of these algorithms was measured.
    pub(super) fn has_any(&self, ids: &[&str]) -> bool {
        let cells = || self.experiments.iter().flat_map(|(_, cells)| cells);
        cells().any(|cell| ids.contains(&cell.algorithm.as_str()))
    }

    /// The numbers of objects of an experiment, ascending.
    pub(super) fn numbers(&self, from: Experiment) -> Vec<u64> {
        let mut numbers: Vec<u64> = self.cells(from).iter().map(|cell| cell.n).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
