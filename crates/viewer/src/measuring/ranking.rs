//! The figures of all algorithms over one input, and their page.

use super::run_folder::RunFolder;
use broadphase::registry::Algorithm;
use measure::{Case, Cell, FrameRow, Phase, Status, SummaryRow};
use std::path::Path;

/// All algorithms on one input.
#[derive(Debug)]
pub struct Ranking {
    /// The input, with its frames.
    pub case: Case,
    /// Threads that each algorithm could use.
    pub threads: u32,
    /// The algorithms, in the order of the registry.
    pub algorithms: Vec<RankedAlgorithm>,
    /// Doubts about its figures.
    pub warnings: Vec<String>,
    pub(super) folder: RunFolder,
}

/// One of them.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedAlgorithm {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Its row in `summary.csv`.
    pub row: SummaryRow,
    /// Update and pairs of its slowest measured frame, ns; `None` without figures.
    pub worst_ns: Option<u64>,
}

impl RankedAlgorithm {
    pub(super) fn new(algorithm: &'static Algorithm, cell: &Cell, row: SummaryRow) -> Self {
        let counts = cell.samples.iter().filter(|sample| sample.phase == Phase::Measure);
        let worst_ns = counts.map(FrameRow::detection_ns).max();
        Self { algorithm, worst_ns: worst_ns.filter(|_| row.status == Status::Ok), row }
    }
}

impl Ranking {
    /// The folder of its tables.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The page of `harness report` of that folder.
    ///
    /// # Errors
    ///
    /// If a table was removed or changed, or a figure cannot be drawn.
    #[cfg(not(target_family = "wasm"))]
    pub fn page(&self) -> Result<String, report::ReportError> {
        // As commands name it: within the working folder from there on.
        let working = std::env::current_dir().unwrap_or_default();
        let folder = self.folder.path();
        let shown = folder.strip_prefix(&working).unwrap_or(folder);
        report::Results::read(&[shown.to_owned()])?.page()
    }

    /// A page measures nothing.
    #[cfg(target_family = "wasm")]
    pub fn page(&self) -> Result<String, String> {
        Err("a report needs the program".to_owned())
    }

    /// Keeps the folder, which is removed with this otherwise.
    pub fn keep_folder(&self) {
        self.folder.keep();
    }
}
