//! The live charts as files.

use crate::panel::{self, CompareState};
use crate::platform::Files;
use crate::simulation::Snapshot;
use charts::{
    Axis, Chart, ChartError, Dash, Layer, Line, Marker, Marks, Panel, Point, Rgb, Stack, Style,
};
use egui::Color32;
use egui_plot::LineStyle;
use std::io;
use std::path::{Path, PathBuf};

/// Width of the picture in mm: that of the text on a page.
const WIDTH_MM: f64 = 160.0;

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

/// The chart that is shown: that of the comparison, if it is open and compares any algorithm, else that of the phases
/// of each step. Axes are those of the window; colours too, with a light background, except those of bars, which have
/// their names beside them and the colours of the phases.
pub fn chart(snapshot: &Snapshot, comparison: Option<&CompareState>) -> Chart {
    let mut chart = match comparison {
        Some(state) if !snapshot.compared.is_empty() => panel::comparison(snapshot, state),
        _ => phases(snapshot),
    };
    chart.width_mm = WIDTH_MM;
    chart.titled(format!("{}, {} objects", snapshot.input.label, snapshot.objects.present))
}

/// The style of a line of this colour and stroke in the window.
pub(crate) fn style(color: Color32, stroke: LineStyle) -> Style {
    let dash = match stroke {
        LineStyle::Solid => Dash::Solid,
        LineStyle::Dotted { .. } => Dash::Dotted,
        LineStyle::Dashed { length } if length < 5.0 => Dash::DashDotted,
        LineStyle::Dashed { .. } => Dash::Dashed,
    };
    // Markers on hundreds of points would hide the line.
    Style { color: rgb(color), marker: Marker::None, dash }
}

pub(crate) fn rgb(color: Color32) -> Rgb {
    Rgb(color.r(), color.g(), color.b())
}

fn phases(snapshot: &Snapshot) -> Chart {
    let history = &snapshot.history;
    let parts = panel::parts_of_step(snapshot);
    let layers = parts.into_iter().map(|((name, color), of)| Layer {
        name: name.to_owned(),
        color: rgb(color),
        values: history.frames.iter().map(|frame| milliseconds(of(frame))).collect(),
    });
    let at = history.frames.iter().map(|frame| frame.step as f64).collect();
    let stack = Stack { at, layers: layers.collect() };
    // A step without a picture has no drawing time.
    let drawn = history.frames.iter().filter(|frame| frame.render_ns > 0);
    let points = drawn.map(|f| Point::new(f.step as f64, milliseconds(f.render_ns)));
    let (name, color) = panel::DRAWING;
    let drawing = Line {
        name: name.to_owned(),
        style: style(color, LineStyle::Solid),
        points: points.collect(),
    };
    let lines = Vec::from_iter((!drawing.points.is_empty()).then_some(drawing));
    let (top, peak) = panel::top_of_steps(history);
    let mut title = format!("time per step, {}", snapshot.algorithm.id);
    if let Some((_, ms)) = peak {
        title += &format!("; the peak of {ms:.0} ms is cut off");
    }
    Chart::new(Axis::linear("step"), Axis::linear("ms").within(0.0, top))
        .with(Panel { title, marks: Marks::Layered(stack, lines) })
}

fn milliseconds(ns: u64) -> f64 {
    ns as f64 / 1e6
}

/// Writes a chart as SVG, whole or not at all.
///
/// # Errors
///
/// If there are no data, or the file cannot be written.
pub fn write(chart: &Chart, files: &dyn Files, path: &Path) -> Result<(), ChartExportError> {
    files
        .write_with_folder(path, chart.svg()?.as_bytes())
        .map_err(|source| ChartExportError::Write { path: path.to_owned(), source })
}
