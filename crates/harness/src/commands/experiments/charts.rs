//! The charts of the page.

use super::plan::{Experiment, points_of};
use super::rows::ExperimentRows;
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
use measure::{Stage, StageRow, Status};

/// A chart with its caption and the name of its file.
pub(super) struct NamedChart {
    pub(super) caption: &'static str,
    pub(super) file: &'static str,
    pub(super) chart: Chart,
}

/// The charts for which there are rows.
pub(super) fn all(rows: &ExperimentRows) -> Vec<NamedChart> {
    let share = |count: fn(&StageRow) -> Option<u64>| {
        move |row: &StageRow| {
            Some(count(row)? as f64 / row.tests.filter(|tests| *tests > 0)? as f64)
        }
    };
    let speed = |row: &StageRow| row.speed;
    let impacts = |y: Axis, figure: &dyn Fn(&StageRow) -> Option<f64>| {
        let x = Axis::log("path of each body in a step [lengths]");
        lines(rows.all(Experiment::Moving), Stage::Impact, [x, y], &speed, figure)
    };
    let points = |row: &StageRow| points_of(&row.input).map(|points| points as f64);
    let vertices = lines(
        rows.all(Experiment::Vertices),
        Stage::Narrow,
        [Axis::log("points of each hull"), Axis::log("time per pair [ns]")],
        &points,
        &|row| row.test_ns,
    );
    [
        (
            "Contacts that each time of impact misses",
            "missed.svg",
            impacts(Axis::shares("missed"), &share(|row| row.missed)),
        ),
        (
            "False alarms of each time of impact",
            "false-alarms.svg",
            impacts(Axis::shares("false alarms"), &share(|row| row.false_passed)),
        ),
        (
            "Time of each time of impact",
            "times.svg",
            impacts(Axis::log("time per pair [ns]"), &|row| row.test_ns),
        ),
        ("Time of each narrow phase over the number of points", "vertices.svg", vertices),
    ]
    .into_iter()
    .filter_map(|(caption, file, chart)| Some(NamedChart { caption, file, chart: chart? }))
    .collect()
}

/// A line of each method of a stage; `None` where none has two points.
fn lines(
    rows: &[StageRow],
    stage: Stage,
    [x_axis, y_axis]: [Axis; 2],
    x: &dyn Fn(&StageRow) -> Option<f64>,
    y: &dyn Fn(&StageRow) -> Option<f64>,
) -> Option<Chart> {
    let rows = rows.iter().filter(|row| row.stage == stage && row.status == Status::Ok);
    let mut lines: Vec<Line> = Vec::new();
    for row in rows {
        let Some((x, y)) = x(row).zip(y(row)) else { continue };
        let at = lines.iter().position(|line| line.name == row.method).unwrap_or_else(|| {
            let style = Style::nth(lines.len());
            lines.push(Line { name: row.method.clone(), style, points: Vec::new() });
            lines.len() - 1
        });
        lines[at].points.push(Point::new(x, y));
    }
    let is_curve = lines.iter().any(|line| line.points.len() > 1);
    is_curve.then(|| Chart::new(x_axis, y_axis).with(Panel::new(Marks::Lines(lines))))
}
