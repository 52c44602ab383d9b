//! The page `bodies.md`: the claims with verdict, figure and source, and the charts.

use super::plan::{Experiment, points_of};
use super::rows::ExperimentRows;
use crate::study::{Kind, Page, Statement, Verdict};
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
use measure::{Machine, Stage, StageRow, Status};

/// The page.
pub(super) fn page(
    machine: &Machine,
    rows: &ExperimentRows,
    claims: &[Statement],
    charts: &[NamedChart],
) -> Page {
    let about = "What the sources claim of bounding volumes, narrow phases and motion within a step, measured. Computed by \
                 `harness bodies --experiments` from the rows in `bodies/*/stages.csv` and `bodies/areas/summary.csv`. \
                 Every answer was compared with the reference.";
    let mut page =
        Page::new("Bodies and motion: the claims of the sources", about, &[count(claims)]);
    page.section("The claims");
    page.paragraph(
        "000 is a master's thesis, 001 an article on moving convex objects, 002 course slides, 004 a laboratory text. Speeds \
         are lengths that each body moves in a step. A method works where at most 1 % of its answers are wrong.",
    );
    let row = |claim: &Statement| {
        let Statement { what, verdict, figure, basis } = claim;
        [what.clone(), verdict.word(Kind::Claim), figure.clone(), basis.clone()]
    };
    page.table("the source states | verdict | figure | source; experiment", claims.iter().map(row));
    for NamedChart { caption, file, .. } in charts {
        page.chart(caption, &format!("bodies/{file}"));
    }
    page.section("Experiments");
    page.list(
        Experiment::ALL
            .map(|experiment| format!("{}: {}", experiment.folder(), experiment.summary())),
    );
    let rows = Experiment::ALL.into_iter().flat_map(|experiment| rows.all(experiment));
    let left_out = rows.filter(|row| row.status != Status::Ok);
    page.list(
        left_out.map(|row: &StageRow| format!("No result: {}: {}", row.name(), row.reason_text())),
    );
    page.section("Machine");
    page.machine(machine, "bodies/moving/machine.json");
    page.list(machine.warnings.iter().map(|warning| format!("Doubtful: {warning}.")));
    page
}

pub(super) fn count(claims: &[Statement]) -> String {
    format!("{}.", Verdict::count(Kind::Claim, claims.iter().map(|claim| claim.verdict)))
}

/// A chart with its caption and the name of its file.
pub(super) struct NamedChart {
    pub(super) caption: &'static str,
    pub(super) file: &'static str,
    pub(super) chart: Chart,
}

/// The charts for which there are rows.
pub(super) fn charts_of(rows: &ExperimentRows) -> Vec<NamedChart> {
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
