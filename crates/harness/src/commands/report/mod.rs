//! `harness report`: the results in a folder, or in those of all shards, as one page that needs
//! nothing else.
//!
//! The page is complete without JavaScript. Its script adds sorted tables, values under the mouse and the
//! highlight of one algorithm. `.ci/browser` tests it in a browser.

mod groups;
mod page;
mod thumbnail;

use crate::cli::ReportOptions;
use crate::console;
use crate::failure::Failure;
use crate::figures::{Figure, read_folders};
use crate::page_files::{PageFile, require_ending};
use crate::study::shard;
use charts::Chart;
use clap::ValueEnum;
use groups::{groups, read_rows, with_means};
use thumbnail::{Thumbnail, thumbnail};

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
    let cells = read_folders(folders)?.cells;
    let sources = shard::whole_plan(folders)?;
    let summaries = folders.iter().map(|folder| read_rows(&folder.join("summary.csv")));
    let rows = summaries.collect::<Result<Vec<_>, Failure>>()?.concat();
    let groups = groups(with_means(rows, &cells));
    let file = PageFile::create(&out, options.force)?;

    let mut drawings = Vec::new();
    for figure in Figure::value_variants() {
        for (_, chart) in figure.charts(&cells) {
            let has_many_curves = !chart.stressed.is_empty();
            let svg = svg(*figure, &chart)?;
            drawings.push(page::Drawing { figure: *figure, svg, has_many_curves });
        }
    }
    let inputs: Vec<(String, Result<Thumbnail, String>)> = groups::inputs(&groups)
        .into_iter()
        .map(|(input, group)| (input.to_owned(), thumbnail(folders, group)))
        .collect();
    let parts =
        page::Parts { sources: &sources, inputs: &inputs, groups: &groups, drawings: &drawings };
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
