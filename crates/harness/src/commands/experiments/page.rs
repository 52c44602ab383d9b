//! The page `bodies.md`: the claims with verdict, figure and source, and the charts.

use super::claims::{self, ExperimentRows};
use super::plan::{EXPERIMENTS, Experiment, points_of};
use crate::failure::Failure;
use crate::study::{Files, Kind, Page, Statement, Verdict, of_lines};
use charts::{Axis, Chart, Line, Point, Style};
use measure::{Machine, Stage, StageRow, Status};

/// The page and its charts.
pub(super) fn report(files: &Files) -> Result<Option<Page>, Failure> {
    let data = files.data();
    let rows = &ExperimentRows::read(&data)?;
    let machine = Machine::read(&data.join("moving").join(Machine::FILE))?;
    let claims = claims::check(rows);
    let count = Verdict::count(Kind::Claim, claims.iter().map(|claim| claim.verdict));
    let about = "What the sources claim of bounding volumes, narrow phases and motion within a step, measured. Computed by \
                 `harness bodies --experiments` from the rows in `bodies/*/stages.csv` and `bodies/areas/summary.csv`. \
                 Every answer was compared with the reference.";
    let mut page =
        Page::new("Bodies and motion: the claims of the sources", about, vec![format!("{count}.")]);
    page.section(
        "The claims",
        "000 is a master's thesis, 001 an article on moving convex objects, 002 course slides, 004 a laboratory text. Speeds \
         are lengths that each body moves in a step. A method works where at most 1 % of its answers are wrong.",
    );
    let row = |Statement { what, verdict, figure, basis }| {
        [what, verdict.word(Kind::Claim), figure, basis]
    };
    let header = ["the source states", "verdict", "figure", "source; experiment"];
    page.table(header, claims.into_iter().map(row));
    for (caption, file, chart) in charts_of(rows) {
        page.chart(caption, &format!("bodies/{file}"), chart);
    }
    page.section("Experiments", "");
    page.list(EXPERIMENTS.map(|(_, folder, summary)| format!("{folder}: {summary}")));
    let rows = EXPERIMENTS.into_iter().flat_map(|(experiment, ..)| rows.all(experiment));
    let left_out = rows.filter(|row| row.status != Status::Ok);
    page.list(left_out.map(|row| format!("No result: {}: {}", row.name(), row.reason_text())));
    page.section("Machine", "");
    page.machine(&machine, "bodies/moving/machine.json");
    page.list(machine.warnings.iter().map(|warning| format!("Doubtful: {warning}.")));
    Ok(Some(page))
}

/// The charts, each with its caption and the name of its file; `None` without rows.
fn charts_of(rows: &ExperimentRows) -> [(&'static str, &'static str, Option<Chart>); 4] {
    let share = |count: fn(&StageRow) -> Option<u64>| {
        move |row: &StageRow| {
            Some(count(row)? as f64 / row.tests.filter(|tests| *tests > 0)? as f64)
        }
    };
    let impacts = |y: Axis, figure: &dyn Fn(&StageRow) -> Option<f64>| {
        let point = |row: &StageRow| Some(Point::new(row.speed?, figure(row)?));
        let lines = lines(rows.all(Experiment::Moving), Stage::Impact, point);
        of_lines(Axis::log("path of each body in a step [lengths]"), y, lines)
    };
    let missed = impacts(Axis::shares("missed"), &share(|row| row.missed));
    let alarms = impacts(Axis::shares("false alarms"), &share(|row| row.false_passed));
    let times = impacts(Axis::log("time per pair [ns]"), &|row| row.test_ns);
    let point = |row: &StageRow| Some(Point::new(points_of(&row.input)? as f64, row.test_ns?));
    let vertices = lines(rows.all(Experiment::Vertices), Stage::Narrow, point);
    let y = Axis::log("time per pair [ns]");
    let vertices = of_lines(Axis::log("points of each hull"), y, vertices);
    [
        ("Contacts that each time of impact misses", "missed.svg", missed),
        ("False alarms of each time of impact", "false-alarms.svg", alarms),
        ("Time of each time of impact", "times.svg", times),
        ("Time of each narrow phase over the number of points", "vertices.svg", vertices),
    ]
}

/// A line of each method of a stage.
fn lines(rows: &[StageRow], stage: Stage, point: impl Fn(&StageRow) -> Option<Point>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for row in rows.iter().filter(|row| row.stage == stage && row.status == Status::Ok) {
        let Some(point) = point(row) else { continue };
        let at = lines.iter().position(|line| line.name == row.method).unwrap_or_else(|| {
            let style = Style::nth(lines.len());
            lines.push(Line { name: row.method.clone(), style, points: Vec::new() });
            lines.len() - 1
        });
        lines[at].points.push(point);
    }
    lines
}
