//! The live charts as files.

use crate::panel::{PHASES, Scale, palette};
use crate::session::FrameFigures;
use crate::simulation::Snapshot;
use broadphase::registry::{ALGORITHMS, Algorithm};
use charts::{
    Axis, Chart, ChartError, Dash, Layer, Line, Marker, Marks, Panel, Point, Rgb, Stack, Style,
};
use egui::Color32;
use egui_plot::LineStyle;
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

/// The chart of the compared algorithms if there are any, else that of the phases of each step. Colours and
/// axis are those of the window with a light background.
pub fn chart(snapshot: &Snapshot, scale: Scale) -> Chart {
    let n = snapshot.positions.len();
    let mut chart =
        if snapshot.compared.is_empty() { phases(snapshot) } else { compared(snapshot, scale) };
    chart.width_mm = WIDTH_MM;
    chart.titled(format!("{}, {n} objects", snapshot.label))
}

fn compared(snapshot: &Snapshot, scale: Scale) -> Chart {
    let line = |row: &Algorithm, times: &mut dyn Iterator<Item = (u64, u64)>| {
        // Unregistered algorithms come after all others, as in the window.
        let place = ALGORITHMS.iter().position(|known| known.id == row.id);
        let points = times.map(|(step, ns)| Point::new(step as f64, milliseconds(ns.max(1))));
        Line {
            name: row.id.to_owned(),
            style: style(place.unwrap_or(ALGORITHMS.len())),
            points: points.collect(),
        }
    };
    let frames = snapshot.history.frames();
    let mut own = frames.map(|frame| (frame.step, frame.update_ns + frame.pairs_ns));
    let mut lines = vec![line(snapshot.algorithm, &mut own)];
    for other in &snapshot.compared {
        let mut times = other.times.iter().map(|time| (time.step, time.total_ns()));
        lines.push(line(other.row, &mut times));
    }
    let title = "update + pairs [ms]";
    let axis = match scale {
        Scale::Linear => Axis::linear(title),
        Scale::Log => Axis::log(title),
    };
    Chart::new(Axis::linear("step"), axis).with(Panel::new(Marks::Lines(lines)))
}

/// The style of an algorithm's line in the window, by its place in the list.
fn style(place: usize) -> Style {
    let dash = match palette::style(place) {
        LineStyle::Solid => Dash::Solid,
        LineStyle::Dotted { .. } => Dash::Dotted,
        LineStyle::Dashed { length } if length < 5.0 => Dash::DashDotted,
        LineStyle::Dashed { .. } => Dash::Dashed,
    };
    // Markers on hundreds of points would hide the line.
    Style { color: rgb(palette::color(place, false)), marker: Marker::None, dash }
}

fn rgb(color: Color32) -> Rgb {
    Rgb(color.r(), color.g(), color.b())
}

fn phases(snapshot: &Snapshot) -> Chart {
    let [update, pairs, response, _, motion] = PHASES;
    let layer = |(name, color): (&str, Color32), of: fn(&FrameFigures) -> u64| Layer {
        name: name.to_owned(),
        color: rgb(color),
        values: snapshot.history.frames().map(|frame| milliseconds(of(frame))).collect(),
    };
    let layers = vec![
        layer(update, |f| f.update_ns),
        layer(pairs, |f| f.pairs_ns),
        layer(response, |f| f.response_ns),
        layer(motion, |f| f.motion_ns),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_two_algorithms_differ_in_colour_or_dash() {
        let styles: Vec<Style> = (0..32).map(style).collect();
        for (place, one) in styles.iter().enumerate() {
            assert!(!styles[..place].contains(one), "{place} looks like another");
        }
    }
}
