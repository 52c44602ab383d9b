//! The sections of drawn cells.

use crate::commands::atlas::figures;
use crate::commands::atlas::figures::{AtlasCells, CellRows, Spread, TWO_THREADS_FROM, sorted};
use crate::commands::atlas::map::Over;
use crate::commands::atlas::measuring::fault;
use crate::commands::atlas::plan::AtlasPart;
use crate::commands::atlas::rows::PartRows;
use crate::study::{AUTO, FULL_SEARCH, Kind, Page, Statement, StudyRow};
use measure::Status;
use measure::numbers::{significant, thousands};

/// Cells in a list of the worst.
const WORST: usize = 10;

/// All sections.
pub(super) fn sections(page: &mut Page, rows: &PartRows, has_chart: &dyn Fn(&str) -> bool) {
    let atlas = &AtlasCells::new(&rows.rows);
    page.section("Goals");
    let goal = |Statement { what, verdict, figure, basis }: &Statement| {
        [what.clone(), figure.clone(), basis.clone(), verdict.word(Kind::Goal)]
    };
    page.table("what | is | goal | ", figures::check(atlas).iter().map(goal));
    regret(page, atlas, has_chart("regret.svg"));
    worst_cells(page, atlas);
    by_property(page, atlas);
    champions(page, atlas);
    two_threads(page, atlas, has_chart("two-threads.svg"));
    late_frames(page, atlas);
    without_figures(page, "Rows without figures", rows);
}

pub(super) fn shown(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), significant)
}

/// A time in microseconds.
pub(super) fn micros(ns: Option<f64>) -> String {
    shown(ns.map(|ns| ns / 1e3))
}

/// Median, 90th percentile and worst.
fn spread(spread: &Spread) -> [String; 3] {
    [spread.median(), spread.percentile(90), spread.worst()].map(shown)
}

fn regret(page: &mut Page, atlas: &AtlasCells<'_>, has_chart: bool) {
    page.section("Regret");
    page.paragraph(
        "The mean time of `auto` over that of the best champion, which is known only afterwards. A frame \
         counts by the fastest of its repetitions, and every frame counts, from frame 0 on. \"Again\" is a \
         champion that was measured twice: the larger of both times over the smaller. A regret below it is \
         noise.",
    );
    if has_chart {
        page.chart("Regret of all cells in ascending order", "atlas/regret.svg");
    }
    let row = |threads: u32| {
        let all = atlas.spread(|cell| cell.regret(threads));
        let early = atlas.spread(|cell| cell.early_regret(threads));
        let again = |cell: &CellRows<'_>| cell.noise(threads).map(|ratio| ratio.max(1.0 / ratio));
        let (number, again) = (all.len().to_string(), atlas.spread(again));
        let [[a, b, c], [d, e, f], [g, h, i]] = [all, early, again].map(|figures| spread(&figures));
        [threads.to_string(), number, a, b, c, d, e, f, g, h, i]
    };
    page.table(
        "threads | cells | median | 90 % | worst | frames 5 to 44: median | 90 % | worst | again: median | 90 % | worst",
        atlas.threads().into_iter().map(row),
    );
}

fn worst_cells(page: &mut Page, atlas: &AtlasCells<'_>) {
    page.section(&format!("The {WORST} worst cells"));
    page.paragraph("By the regret on one thread.");
    let row = |(regret, cell): (f64, &CellRows<'_>)| {
        let (row, best) = (cell.first(), cell.best(1));
        [
            significant(regret),
            shown(cell.noise(1)),
            thousands(row.n as f64),
            row.description.clone(),
            best.map_or("-", |best| &best.algorithm).to_owned(),
            micros(best.and_then(|best| best.mean_ns)),
            micros(cell.time(AUTO, 1)),
            AtlasPart::Cells.command(row),
        ]
    };
    page.table(
        "regret | again | n | cell | best champion | its us | auto us | reproduced by",
        atlas.worst(WORST, |cell| cell.regret(1)).into_iter().map(row),
    );
}

fn by_property(page: &mut Page, atlas: &AtlasCells<'_>) {
    page.section("Regret by property");
    page.paragraph("On one thread.");
    let properties: [fn(&StudyRow) -> String; 6] = [
        |row| format!("n from {}", 10f64.powf((row.n as f64).log10().floor())),
        |row| format!("placement {}", row.placement),
        |row| format!("sizes {}", row.sizes),
        |row| format!("motion {}", row.motion),
        |row| {
            format!("speed from {}", significant(10f64.powf(Over::Speed.of(row).log10().floor())))
        },
        |row| match Over::Movers.of(row) {
            share if share >= 1.0 => "all move".to_owned(),
            share if share >= 0.1 => "10 % to all move".to_owned(),
            _ => "less than 10 % move".to_owned(),
        },
    ];
    let rows = properties.into_iter().flat_map(|property| {
        let values = sorted(atlas.cells.iter().map(|cell| property(cell.first())));
        values.into_iter().map(move |value| {
            let is_one = |cell: &CellRows<'_>| property(cell.first()) == value;
            let regrets = atlas.spread(|cell| cell.regret(1).filter(|_| is_one(cell)));
            let [median, ninety, worst] = spread(&regrets);
            [value, regrets.len().to_string(), median, ninety, worst]
        })
    });
    page.table(" | cells | median | 90 % | worst", rows);
}

fn champions(page: &mut Page, atlas: &AtlasCells<'_>) {
    page.section("The champions");
    page.paragraph(
        "Cells on which each is the fastest, and its time over that of the fastest, on one thread.",
    );
    let row = |id: &str| {
        let is_won = |cell: &&CellRows<'_>| cell.best(1).is_some_and(|best| best.algorithm == id);
        let won = atlas.cells.iter().filter(is_won).count();
        let over = atlas.spread(|cell| cell.over_best(id, 1));
        let [median, ninety, worst] = spread(&over);
        let without = atlas.cells.len() - over.len();
        [id.to_owned(), won.to_string(), median, ninety, worst, without.to_string()]
    };
    page.table(
        "algorithm | cells won | median | 90 % | worst | without figures",
        atlas.algorithms().into_iter().map(row),
    );
}

fn two_threads(page: &mut Page, atlas: &AtlasCells<'_>, has_chart: bool) {
    page.section("Two threads over one");
    page.paragraph(&format!(
        "The mean time on one thread over that on two, of cells from {TWO_THREADS_FROM} objects on."
    ));
    if !has_chart {
        return page.paragraph("Not measured.");
    }
    page.chart("Two threads over one, cells in ascending order", "atlas/two-threads.svg");
    let row = |id: &str| {
        let large =
            |cell: &CellRows<'_>| cell.speed_up(id).filter(|_| cell.first().n >= TWO_THREADS_FROM);
        let gains = atlas.spread(large);
        let [ten, median, ninety] =
            [gains.percentile(10), gains.median(), gains.percentile(90)].map(shown);
        [id.to_owned(), gains.len().to_string(), ten, median, ninety]
    };
    page.table("algorithm | cells | 10 % | median | 90 %", atlas.algorithms().into_iter().map(row));
}

fn late_frames(page: &mut Page, atlas: &AtlasCells<'_>) {
    let late = |cell: &CellRows<'_>| cell.late_frame(1);
    let frames = atlas.spread(late);
    page.section("Slow frames");
    page.paragraph(&format!(
        "The slowest frame of `auto` from frame 50 on, over the median frame of `{FULL_SEARCH}`, which \
         searches every frame completely. On one thread."
    ));
    if frames.len() == 0 {
        return page.paragraph("Not measured.");
    }
    let [median, ninety, worst] = spread(&frames);
    page.table(
        "cells | median | 90 % | worst",
        [[frames.len().to_string(), median, ninety, worst]],
    );
    let row = |(ratio, cell): (f64, &CellRows<'_>)| {
        let row = cell.first();
        [
            significant(ratio),
            thousands(row.n as f64),
            row.description.clone(),
            AtlasPart::Cells.command(row),
        ]
    };
    let worst = atlas.worst(WORST, late).into_iter().map(row);
    page.table("slowest frame | n | cell | reproduced by", worst);
}

/// Errors one by one, and skipped cells by algorithm.
pub(super) fn without_figures(page: &mut Page, title: &str, rows: &PartRows) {
    let of = |status: Status| rows.rows.iter().filter(move |row| row.status == status);
    let errors = of(Status::Error)
        .map(|row| format!("**error**: {}", fault(row, rows.part).replace('\n', " ")));
    let skipped = sorted(of(Status::Skipped).map(|row| row.algorithm.as_str()));
    let skipped = skipped.into_iter().filter_map(|id| {
        let skipped: Vec<&StudyRow> = of(Status::Skipped).filter(|r| r.algorithm == id).collect();
        let (cells, first) = (sorted(skipped.iter().map(|row| row.cell)), skipped.first()?);
        let reason = first.reason_text().replace('\n', " ");
        let (cells, cell) = (cells.len(), first.cell);
        Some(format!("skipped: {id} on {cells} cells; on cell {cell}: {reason}"))
    });
    let lines: Vec<String> = errors.chain(skipped).collect();
    if !lines.is_empty() {
        page.section(title);
        page.list(lines);
    }
}
