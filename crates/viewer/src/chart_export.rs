//! The live charts as files.

use crate::session::FrameFigures;
use crate::simulation::Snapshot;
use broadphase::registry::ALGORITHMS;
use charts::{
    Axis, Chart, ChartError, Dash, LAYER_COLORS, Layer, Line, Marker, Marks, Panel, Point, Stack,
    Style,
};
use sim::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Width of the picture in mm: that of the text on a page.
const WIDTH_MM: f64 = 160.0;

/// Dots per inch of a PNG.
const DPI: f64 = 300.0;

/// Why a chart cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ChartExportError {
    /// There are no data, or the chart cannot be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// The file cannot be written.
    #[error("cannot write the chart {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// The chart of the compared algorithms if there are any, else that of the phases of each step.
pub fn chart(snapshot: &Snapshot) -> Chart {
    let n = snapshot.positions.len();
    let mut chart =
        if snapshot.compared.is_empty() { phases(snapshot) } else { compared(snapshot) };
    chart.width_mm = WIDTH_MM;
    chart.titled(format!("{}, {n} objects", snapshot.label))
}

fn compared(snapshot: &Snapshot) -> Chart {
    let line = |row: &broadphase::registry::Algorithm,
                times: &mut dyn Iterator<Item = (u64, u64)>| {
        let place = ALGORITHMS.iter().position(|known| known.id == row.id).unwrap_or_default();
        // Markers on hundreds of points would hide the line.
        let style = Style { marker: Marker::None, dash: Dash::Solid, ..Style::nth(place) };
        let points = times.map(|(step, ns)| Point::new(step as f64, milliseconds(ns.max(1))));
        Line { name: row.id.to_owned(), style, points: points.collect() }
    };
    let frames = snapshot.history.frames();
    let mut own = frames.map(|frame| (frame.step, frame.update_ns + frame.pairs_ns));
    let mut lines = vec![line(snapshot.algorithm, &mut own)];
    for other in &snapshot.compared {
        let mut times = other.times.iter().map(|time| (time.step, time.total_ns()));
        lines.push(line(other.row, &mut times));
    }
    Chart::new(Axis::linear("step"), Axis::log("update + pairs [ms]"))
        .with(Panel::new(Marks::Lines(lines)))
}

fn phases(snapshot: &Snapshot) -> Chart {
    let layer = |place: usize, name: &str, of: fn(&FrameFigures) -> u64| Layer {
        name: name.to_owned(),
        color: LAYER_COLORS[place],
        values: snapshot.history.frames().map(|frame| milliseconds(of(frame))).collect(),
    };
    let layers = vec![
        layer(0, "update", |f| f.update_ns),
        layer(1, "pairs", |f| f.pairs_ns),
        layer(2, "response", |f| f.response_ns),
        layer(3, "motion", |f| f.motion_ns),
    ];
    let at = snapshot.history.frames().map(|frame| frame.step as f64).collect();
    let title = format!("time per step, {}", snapshot.algorithm.id);
    Chart::new(Axis::linear("step"), Axis::linear("ms"))
        .with(Panel { title, marks: Marks::Areas(Stack { at, layers }) })
}

fn milliseconds(ns: u64) -> f64 {
    ns as f64 / 1e6
}

/// Writes a chart as PNG if the path ends in `.png`, else as SVG; whole or not at all.
///
/// # Errors
///
/// If there are no data, or the file cannot be written.
pub fn write(chart: &Chart, path: &Path) -> Result<(), ChartExportError> {
    let is_png = path.extension().is_some_and(|extension| extension == "png");
    let bytes = if is_png { chart.png(DPI)? } else { chart.svg()?.into_bytes() };
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = AtomicFile::create(path)?;
        file.write_all(&bytes)?;
        file.commit()
    };
    write().map_err(|source| ChartExportError::Write { path: path.to_owned(), source })
}
