//! `harness thesis`: the experiments of the thesis on this machine, its figures, and a verdict on each of
//! its claims.
//!
//! Each experiment is measured into a folder with its own `frames.csv` and `summary.csv`. Figures and
//! verdicts come from those files alone, so `--redraw` or `harness plot` draws them again.

mod claims;
mod experiments;
mod figures;
mod measuring;
mod page;
#[cfg(feature = "draw")]
mod pictures;
#[cfg(feature = "draw")]
mod rendered;
mod rows;

use crate::Process;
use crate::cli::ThesisOptions;
use crate::failure::Failure;
use crate::study::{Files, Report, Study};
use experiments::Experiment;
use experiments::ThesisPlan;
use figures::{Content, ThesisFigure};
use measure::Machine;
use rows::ThesisRows;
use std::fs;

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn thesis(options: &ThesisOptions, process: &Process) -> Result<(), Failure> {
    let study = Study { name: "thesis", options: &options.study, is_redraw: options.redraw };
    let measure = |files: &Files, machine| {
        measuring::measure(&ThesisPlan::new(options), files, &options.study, machine, process)
    };
    study.run(process, measure, report)
}

fn report(files: &Files) -> Result<Option<Report>, Failure> {
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
            Content::Pictures(..) if paths.iter().all(|path| path.is_file()) => {}
            Content::Pictures(..) => missing.push((figure, rows.missing(figure.from))),
        }
    }
    let claims = claims::check(&rows, machine.gpu.as_deref());
    let seconds = fs::read_to_string(data.join(measuring::WALL_SECONDS)).ok();
    let page = page::page(&machine, &rows, &claims, &missing, seconds.as_deref());
    Ok(Some(Report { page, charts, summary: page::summary(&claims) }))
}
