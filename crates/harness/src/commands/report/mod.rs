//! `harness report`: the results in a folder, or in those of all shards, as one page that needs
//! nothing else.
//!
//! The page is complete without JavaScript. Its script adds sorted tables, values under the mouse and the
//! highlight of one algorithm. `.ci/browser` tests it in a browser.

mod groups;
mod page;
mod stages;

use crate::cli::ReportOptions;
use crate::console;
use crate::failure::Failure;
use crate::figures::{Cells, Figure, read_folders};
use crate::page_files::{PageFile, require_ending};
use crate::study::shard::{self, ResultFolder};
use charts::Chart;
use clap::ValueEnum;
use groups::{groups, read_rows, with_means};
use measure::StagesFile;
use std::path::PathBuf;

/// Writes the page.
pub(crate) fn report(options: &ReportOptions) -> Result<(), Failure> {
    let folders = &options.folders;
    let out = match (&options.out, &folders[..]) {
        (Some(out), _) => {
            require_ending(out, "html")?;
            out.clone()
        }
        (None, [folder]) => folder.join("report.html"),
        (None, _) => {
            let reason = "--out F.html is needed for the page of several folders";
            return Err(Failure::Usage(reason.to_owned()));
        }
    };
    if folders.len() > 1 {
        // A doubled shard is named as such, before its rows are found twice.
        shard::whole_plan(folders)?;
    }
    let Cells { cells, stages, .. } = read_folders(folders)?;
    let mut sources = shard::whole_plan(folders)?;
    let summaries = folders.iter().map(|folder| folder.join("summary.csv"));
    // `bodies` writes stages alone.
    let has_rows =
        |path: &PathBuf| path.is_file() || !path.with_file_name(StagesFile::NAME).is_file();
    let summaries = summaries.filter(has_rows).map(|path| read_rows(&path));
    let rows = summaries.collect::<Result<Vec<_>, Failure>>()?.concat();
    let groups = groups(with_means(rows, &cells));
    let file = PageFile::create(&out, options.force)?;
    // Also with `quiet`: a page must not look complete where it is not.
    sources.iter_mut().for_each(ResultFolder::warn_unfinished);

    let mut drawings = Vec::new();
    for figure in Figure::value_variants() {
        for (_, chart) in figure.charts(&cells, &stages) {
            let has_many_curves = !chart.stressed.is_empty();
            let svg = svg(*figure, &chart)?;
            drawings.push(page::Drawing { figure: *figure, svg, has_many_curves });
        }
    }
    let parts =
        page::Parts { sources: &sources, groups: &groups, stages: &stages, drawings: &drawings };
    file.write(page::page(&parts).as_bytes())?;
    if options.quiet {
        return Ok(());
    }
    console::print(&format!("{}\n", out.display()))
}

fn svg(figure: Figure, chart: &Chart) -> Result<String, Failure> {
    chart
        .svg()
        .map_err(|e| Failure::Running(format!("cannot draw the figure `{}`: {e}", figure.word())))
}
