//! The results in a folder, or in those of all shards, as one page that needs nothing else.
//!
//! The page is complete without JavaScript. Its script adds sorted tables, values under the mouse and the
//! highlight of one algorithm. `.ci/browser` tests it in a browser.

mod groups;
mod html;

use crate::error::ReportError;
use crate::figures::{Cell, Cells, Figure, read_folders};
use crate::shard::{ResultFolder, whole_plan};
use charts::Chart;
use groups::{groups, with_means};
use measure::{StageRow, SummaryFile, SummaryRow};
use std::path::PathBuf;

/// The results in folders.
pub struct Results {
    /// The folders, and the machines that they are from.
    sources: Vec<ResultFolder>,
    groups: Vec<Vec<SummaryRow>>,
    cells: Vec<Cell>,
    stages: Vec<StageRow>,
}

impl Results {
    /// Reads the folder of a run, or those of all its shards.
    ///
    /// # Errors
    ///
    /// If a file is missing, damaged or wrong, or the folders do not belong together.
    pub fn read(folders: &[PathBuf]) -> Result<Self, ReportError> {
        if folders.len() > 1 {
            // A doubled shard is named as such, before its rows are found twice.
            whole_plan(folders)?;
        }
        let Cells { cells, stages, .. } = read_folders(folders)?;
        let sources = whole_plan(folders)?;
        let summaries = folders.iter().map(|folder| folder.join(SummaryFile::NAME));
        let rows = summaries.filter(|path| path.is_file()).map(|path| SummaryFile::read(&path));
        let rows = rows.map(|file| Ok(file?.rows)).collect::<Result<Vec<_>, ReportError>>()?;
        let groups = groups(with_means(rows.concat(), &cells));
        Ok(Self { sources, groups, cells, stages })
    }

    /// The folders, and the machines that they are from. Warnings that are added to them are on the page.
    pub fn sources_mut(&mut self) -> &mut [ResultFolder] {
        &mut self.sources
    }

    /// The page as HTML.
    ///
    /// # Errors
    ///
    /// If a figure cannot be drawn.
    pub fn page(&self) -> Result<String, ReportError> {
        let mut drawings = Vec::new();
        for figure in Figure::ALL {
            for (_, chart) in figure.charts(&self.cells, &self.stages) {
                let has_many_curves = !chart.stressed.is_empty();
                let svg = svg(figure, &chart)?;
                drawings.push(html::Drawing { figure, svg, has_many_curves });
            }
        }
        Ok(html::page(self, &drawings))
    }
}

fn svg(figure: Figure, chart: &Chart) -> Result<String, ReportError> {
    chart.svg().map_err(|source| ReportError::Figure { word: figure.word(), source })
}
