//! `harness thesis`: the experiments of the thesis on this machine, its figures, and a verdict on each of
//! its claims.
//!
//! Each experiment is measured into a folder with its own `frames.csv` and `summary.csv`. Figures and
//! verdicts come from those files alone, so `--redraw` or `harness plot` draws them again.

mod claims;
mod experiments;
mod figures;
mod measuring;
mod methods;
mod page;
#[cfg(feature = "draw")]
mod pictures;
mod plan;
#[cfg(feature = "draw")]
mod rendered;
mod rows;

use crate::Process;
use crate::cli::{StudyOptions, ThesisOptions};
use crate::failure::Failure;
use crate::study::{self, Files, Report, Study};
use experiments::Experiment;
use figures::{Content, ThesisFigure};
use measure::{Exit, Machine};
use plan::ThesisPlan;
use rows::ThesisRows;
use std::fs;

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn thesis(options: &ThesisOptions, process: &Process) -> Result<(), Failure> {
    study::run(&Thesis(options), process)
}

struct Thesis<'a>(&'a ThesisOptions);

impl Study for Thesis<'_> {
    const NAME: &'static str = "thesis";

    fn options(&self) -> &StudyOptions {
        &self.0.study
    }

    fn is_redraw(&self) -> bool {
        self.0.redraw
    }

    fn measure(&self, files: &Files, machine: Machine, process: &Process) -> Result<Exit, Failure> {
        measuring::measure(&ThesisPlan::new(self.0), files, &self.0.study, machine, process)
    }

    fn report(&self, files: &Files) -> Result<Option<Report>, Failure> {
        let data = files.data();
        let rows = ThesisRows::read(&data)?;
        let machine = Machine::read(&data.join(Experiment::Random.folder()).join("machine.json"))?;
        let mut charts = Vec::new();
        let mut missing: Vec<(&ThesisFigure, String)> = Vec::new();
        for figure in figures::ALL {
            let paths: Vec<_> = figure.files().iter().map(|name| data.join(name)).collect();
            match figure.content {
                Content::Chart(chart) => match chart(&rows) {
                    Some(chart) => charts.extend(paths.into_iter().zip([chart])),
                    None => missing.push((figure, rows.missing(figure.from))),
                },
                Content::Pictures(_) if paths.iter().all(|path| path.is_file()) => {}
                Content::Pictures(_) => missing.push((figure, rows.missing(figure.from))),
            }
        }
        let claims = claims::check(&rows, machine.gpu.as_deref());
        let seconds = fs::read_to_string(data.join(measuring::WALL_SECONDS)).ok();
        let page = page::page(&page::Contents {
            machine: &machine,
            rows: &rows,
            claims: &claims,
            missing: &missing,
            wall_seconds: seconds.as_deref().map(str::trim),
        });
        Ok(Some(Report { page, charts, summary: page::terminal_lines(&claims) }))
    }
}
