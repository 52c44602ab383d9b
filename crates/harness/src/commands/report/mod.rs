//! `harness report`: the results in a folder as one page that needs nothing else.

mod groups;
mod page;
mod thumbnail;

use crate::cli::ReportOptions;
use crate::console;
use crate::failure::Failure;
use crate::figures::{Cell, Figure, read_cells};
use crate::machine_sheet::MachineSheet;
use crate::page_files::PageFile;
use charts::Chart;
use clap::ValueEnum;
use groups::{groups, read_rows};
use thumbnail::{Thumbnail, thumbnail};

/// Writes the page.
pub(crate) fn report(options: &ReportOptions) -> Result<(), Failure> {
    let out = options.out.clone().unwrap_or_else(|| options.folder.join("report.html"));
    let summary = options.folder.join("summary.csv");
    let frames = options.folder.join("frames.csv");
    let read = read_cells(std::slice::from_ref(&summary))?;
    let cells = if frames.is_file() && !read.cells.is_empty() {
        // Frames of a cell whose summary was never written are those of a run that was killed.
        let whole = |cell: &Cell| read.cells.iter().any(|known| known.is_same_case(cell));
        let both = read_cells(&[summary.clone(), frames])?.cells;
        both.into_iter().filter(whole).collect()
    } else {
        read.cells.clone()
    };
    let machine = MachineSheet::read(&options.folder.join("machine.json"))?;
    let groups = groups(read_rows(&summary)?);
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
        .map(|(input, group)| (input.to_owned(), thumbnail(&options.folder, group)))
        .collect();
    let parts = page::Parts {
        title: &options.folder.display().to_string(),
        machine: &machine,
        inputs: &inputs,
        groups: &groups,
        drawings: &drawings,
    };
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
