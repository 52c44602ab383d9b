//! `harness bodies --experiments`: what the sources claim of bodies, bounding volumes and motion within a step, measured, with
//! a verdict on each claim.
//!
//! Each experiment is measured into a folder with its own `stages.csv`, one with a `summary.csv`. Figures and verdicts come
//! from those files alone, so `--redraw` writes them again. A method that the registry lacks is named as missing.

mod claims;
mod figures;
mod plan;
#[cfg(test)]
mod tests;

use super::bodies::{BodiesOptions, measure_into};
use super::series::Series;
use crate::failure::Failure;
use crate::study::{Bench, Files, Kind, Page, Statement, Study, Verdict, of_lines};
use crate::{Process, registry};
use charts::{Axis, Chart, Line, Point, Style};
use claims::ExperimentRows;
use measure::{DEFAULT_ORDER_SEED, Machine, Plan, Stage, StageRow, Stages, Status, finder};
use plan::{EXPERIMENTS, Experiment, Size, lab, points_of};

/// Measures unless only the page is to be written, and writes the page.
pub(super) fn experiments(options: &BodiesOptions, process: &Process) -> Result<(), Failure> {
    let study =
        Study { name: "bodies", options: &options.results.study, is_redraw: options.redraw };
    study.run(process, |bench| measure(options, bench), report)
}

/// One table of all obstacles, and two areas, as ids.
const TABLES: [&str; 2] = ["brute-force", "areas@columns=2@rows=1"];

/// Measures what the claims need.
fn measure(options: &BodiesOptions, bench: &mut Bench<'_>) -> Result<(), Failure> {
    let size = Size {
        pairs: if options.quick { 20 } else { 1000 },
        bodies: if options.quick { 100 } else { 400 },
        warmup: options.warmup,
        frames: options.frames,
    };
    let data = bench.files.data();
    let _lock = bench.prepare(&data, false)?;
    bench.setting.options.quiet = true;
    for (experiment, folder, summary) in EXPERIMENTS {
        bench.note(&format!("{folder}: {summary}"));
        if experiment == Experiment::Areas {
            let algorithms = TABLES.iter().filter_map(|id| registry::offered().resolve(id).ok());
            let algorithms: Vec<_> = algorithms.collect();
            let (cases, plan) = (vec![lab(&size)?], Plan::new(&algorithms, &[1], options.repeat));
            bench.part(folder, &Series::new(cases, plan), None)?;
            continue;
        }
        let (finder, methods) = ([finder()], experiment.methods());
        let plan = Plan {
            order_seed: options.seed.unwrap_or(DEFAULT_ORDER_SEED),
            stages: Some(Stages::Each(&methods)),
            ..Plan::new(&finder, &[1], options.repeat)
        };
        // The page has the doubts of the first experiment.
        let (cases, folder) = (experiment.stage_cases(&size)?, data.join(folder));
        let mut rows = Vec::new();
        measure_into(&folder, &cases, &plan, &bench.setting, &mut rows)?;
        bench.add(rows.iter().map(StageRow::exit));
    }
    Ok(())
}

/// The page and its charts.
fn report(files: &Files) -> Result<Option<Page>, Failure> {
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
