//! The readers of result files without their commands: nothing is printed or written.
//!
//! For tests that give them any bytes, and expect an error where the bytes are no such file. It is hidden from the
//! documentation: it is public for the crate `properties` only.

use crate::commands::{atlas, speed};
use charts::Chart;
use measure::Machine;
use report::{Figure, read_cells};
use std::path::Path;

/// A reader of a result file.
#[derive(Debug)]
pub struct Reader {
    /// The command that reads such files.
    pub command: &'static str,
    /// Reads a file. The error is that of the command.
    pub read: fn(&Path) -> Result<(), String>,
}

/// The readers that are not those of the crate `measure`.
pub static READERS: [Reader; 4] = [
    Reader { command: "plot", read: |path| charts_of(path).map(drop) },
    Reader {
        command: "report",
        read: |path| {
            Machine::read(path)
                .map(|machine| drop(machine.lines()))
                .map_err(|error| error.to_string())
        },
    },
    Reader {
        command: "speed --redraw",
        read: |path| speed::read(path).map(drop).map_err(|e| e.to_string()),
    },
    Reader {
        command: "atlas --redraw",
        read: |path| atlas::FILE.read(path).map(drop).map_err(|e| e.to_string()),
    },
];

/// Draws every figure of a `summary.csv` or a `frames.csv`, as `plot` does. Returns the SVG texts.
///
/// # Errors
///
/// The command's message, where the file cannot be read or a figure cannot be drawn.
pub fn draw_figures(path: &Path) -> Result<Vec<String>, String> {
    let svg = |chart: &Chart| chart.svg().map_err(|error| error.to_string());
    charts_of(path)?.iter().map(svg).collect()
}

fn charts_of(path: &Path) -> Result<Vec<Chart>, String> {
    let read = read_cells(&[path.to_owned()]).map_err(|error| error.to_string())?;
    let figures = Figure::ALL.into_iter();
    let charts = figures.flat_map(|figure| figure.charts(&read.cells, &read.stages));
    Ok(charts.map(|(_, chart)| chart).collect())
}
