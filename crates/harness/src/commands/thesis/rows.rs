//! The methods that the thesis compares, as entries of our registry, and the measured cells of all experiments.

use super::experiments::{EXPERIMENTS, Experiment};
use crate::failure::Failure;
use measure::Machine;
use report::{Cell, read_cells};
use std::path::Path;

/// The four methods of the thesis, by the ids of their algorithm entries.
#[derive(Debug)]
pub(super) struct Methods {
    /// The name on the page.
    pub(super) name: &'static str,
    pub(super) brute_force: &'static str,
    pub(super) bsp: &'static str,
    pub(super) kd_tree: &'static str,
    pub(super) sap_matrix: &'static str,
}

/// The default entries. Some are vectorised, brute force above all.
pub(super) const VECTORISED: Methods = Methods {
    name: "vectorised",
    brute_force: "brute-force",
    bsp: "bsp",
    kd_tree: "kd-tree",
    sap_matrix: "sap-matrix",
};

/// The scalar entries: like for like with the thesis, which measured scalar code.
pub(super) const SCALAR: Methods = Methods {
    name: "scalar",
    brute_force: "brute-force+scalar",
    bsp: "bsp+scalar",
    kd_tree: "kd-tree+scalar",
    sap_matrix: "sap-matrix+scalar",
};

/// The tree of the work that the thesis compares itself with (8.7). It has no scalar entry.
pub(super) const SEMI_ADJUSTING: &str = "bsp-semi-adjusting";

/// Both sets, in the order of the page.
pub(super) const SETS: [&Methods; 2] = [&VECTORISED, &SCALAR];

impl Methods {
    /// All four ids, brute force first.
    pub(super) fn ids(&self) -> [&'static str; 4] {
        [self.brute_force, self.bsp, self.kd_tree, self.sap_matrix]
    }

    /// All ids but that of brute force.
    pub(super) fn without_brute_force(&self) -> [&'static str; 3] {
        [self.bsp, self.kd_tree, self.sap_matrix]
    }
}

/// Whether the adapter is the processor: then claims about drawing cannot be compared with the thesis.
pub(super) fn is_software(adapter: &str) -> bool {
    adapter.contains("software")
}

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
        for (experiment, number, ..) in EXPERIMENTS {
            let [summary, frames, manifest] =
                ["summary.csv", "frames.csv", Machine::FILE].map(|f| data.join(number).join(f));
            if !summary.is_file() {
                continue;
            }
            // Too large to be committed: without it only the time of rendering is unknown.
            let frames = Some(frames).filter(|frames| frames.is_file());
            let read = read_cells(&[summary].into_iter().chain(frames).collect::<Vec<_>>())?;
            if manifest.is_file() {
                Machine::read(&manifest)?;
            }
            rows.left_out.extend(read.left_out.iter().map(|row| format!("{number}: {row}")));
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
    pub(super) fn missing(&self, from: Experiment) -> &'static str {
        let (.., is_drawn, _) = EXPERIMENTS[from as usize];
        match (self.cells(from).is_empty(), is_drawn) {
            (true, true) => "nothing was drawn in this run",
            (true, false) => "not measured",
            _ => "frames.csv is missing, or no number of objects in its range was measured",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_in_the_registry() {
        for id in SETS.into_iter().flat_map(Methods::ids).chain([SEMI_ADJUSTING]) {
            assert!(broadphase::registry::find(id).is_some(), "{id}");
        }
    }
}
