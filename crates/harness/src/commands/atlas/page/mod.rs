//! The page `atlas.md`, and its charts.

mod cells;

use super::figures;
use super::figures::{AtlasCells, CellRows, REGRET, Spread, TWO_THREADS, TWO_THREADS_FROM, sorted};
use super::map::{Grid, Over, Won, grids, winners};
use super::plan::AtlasPart;
use super::rows::PartRows;
use crate::study::{AUTO, CHAMPIONS, FULL_SEARCH, Files, Kind, Page, Report, Verdict};
use cells::{micros, shown, without_figures};
use charts::{Axis, Chart, Dash, Line, Marker, Marks, Numbers, Panel, Point, Rgb, Style, Tile};
use measure::Status;
use measure::numbers::{significant, thousands};
use report::ResultFolder;

/// The page of the parts that were measured, its charts, and its results for a terminal.
pub(super) fn report(parts: &[PartRows], files: &Files) -> Report {
    let summary: Vec<String> = parts.iter().flat_map(summary).collect();
    let charts: Vec<(String, Chart)> = parts.iter().flat_map(charts_of).collect();
    let about = "How far `auto` is from the best choice on inputs that were not chosen by hand, and \
                 where it is worst. Computed by `harness atlas` from the rows that are linked below.";
    let mut page = Page::new("The atlas", about, &summary);
    let has_chart = |name: &str| charts.iter().any(|(chart, _)| chart == name);
    for rows in parts {
        match rows.part {
            AtlasPart::Cells => cells::sections(&mut page, rows, &has_chart),
            AtlasPart::Map => winner_map(&mut page, rows),
            AtlasPart::Traces => recorded_motion(&mut page, rows),
        }
    }
    method(&mut page, parts);
    parts.iter().for_each(|rows| machines(&mut page, rows));
    let charts = charts.into_iter().map(|(name, chart)| (files.data().join(name), chart));
    Report { page, charts: charts.collect(), summary }
}

/// The charts of a part, with the names of their files.
fn charts_of(rows: &PartRows) -> Vec<(String, Chart)> {
    let charts = match rows.part {
        AtlasPart::Cells => {
            let atlas = AtlasCells::new(&rows.rows);
            let named = [
                ("regret.svg", regret_chart(&atlas)),
                ("two-threads.svg", two_threads_chart(&atlas)),
            ];
            named.map(|(name, chart)| (name.to_owned(), chart)).to_vec()
        }
        AtlasPart::Map => {
            let all = grids(&rows.rows);
            let chart = |grid| (chart_file(grid), map_chart(grid, &all));
            all.iter().map(chart).collect()
        }
        AtlasPart::Traces => Vec::new(),
    };
    charts.into_iter().filter_map(|(name, chart)| Some((name, chart?))).collect()
}

/// The results of a part in a few lines, for the head of the page and for a terminal.
fn summary(rows: &PartRows) -> Vec<String> {
    let mut lines = match rows.part {
        AtlasPart::Cells => summary_of_cells(rows),
        AtlasPart::Map => {
            let winners = winners(&grids(&rows.rows));
            let won: Vec<String> =
                winners.iter().map(|(id, count)| format!("`{id}` {count}")).collect();
            vec![format!("Cells won of the winner map: {}.", won.join(", "))]
        }
        AtlasPart::Traces => summary_of_traces(rows),
    };
    let errors = rows.rows.iter().filter(|row| row.status == Status::Error).count();
    if errors > 0 {
        let text = "rows are errors, and no results: their pairs were wrong, or they panicked.";
        lines.push(format!("**{errors} {text}**"));
    }
    lines
}

fn summary_of_cells(rows: &PartRows) -> Vec<String> {
    let atlas = AtlasCells::new(&rows.rows);
    let seed = rows.rows.first().and_then(|row| row.seed).unwrap_or_default();
    let number = atlas.cells.len();
    // More than were measured, if the run was stopped.
    let planned = rows.sources.first().and_then(|source| source.planned()).unwrap_or(number);
    let of_threads = |threads: u32| {
        let regret = atlas.spread(|cell| cell.regret(threads));
        let figures = [regret.median()?, regret.percentile(90)?, regret.worst()?];
        let [median, ninety, worst] = figures.map(significant);
        let plural = if threads == 1 { "" } else { "s" };
        Some(format!(
            "On {} of {planned} cells of seed {seed}, {threads} thread{plural}: `auto` takes {median} times as \
             long as the best champion in the median, {ninety} at the 90th percentile, {worst} at worst.",
            regret.len()
        ))
    };
    let mut lines: Vec<String> = atlas.threads().into_iter().filter_map(of_threads).collect();
    let goals = figures::check(&atlas);
    let count = Verdict::count(Kind::Goal, goals.iter().map(|goal| goal.verdict));
    lines.push(match number < figures::CELLS {
        true => format!("{count}. They were set for {} cells.", figures::CELLS),
        false => format!("{count}."),
    });
    lines
}

/// The file of a grid's chart.
fn chart_file(grid: &Grid<'_>) -> String {
    format!("winners-{}.svg", grid.over.name())
}

/// Both charts, the winners, and the rows without figures.
fn winner_map(page: &mut Page, rows: &PartRows) {
    let grids = grids(&rows.rows);
    page.section("The winner map");
    page.paragraph(
        "The fastest entry of the whole registry on a gas of equal cubes in straight flight, one overlap \
         each, on one thread. The number in a tile is the time of the second fastest over that of the \
         fastest. [Rows](atlas/map/map.csv)",
    );
    for grid in &grids {
        let (what, fixed) = match grid.over {
            Over::Speed => ("speed", "all objects move"),
            Over::Movers => ("share of objects that move", "at 0.05 usual sides a frame"),
        };
        page.paragraph(&format!("Number of objects and {what}, {fixed}:"));
        page.chart(&format!("Winners over {what}"), &format!("atlas/{}", chart_file(grid)));
    }
    let rows_of = winners(&grids).into_iter().map(|(id, cells)| [id.to_owned(), cells.to_string()]);
    page.table("winner | cells", rows_of);
    without_figures(page, "Rows of the winner map without figures", rows);
}

/// The result in a line for each number of threads.
fn summary_of_traces(rows: &PartRows) -> Vec<String> {
    let atlas = AtlasCells::new(&rows.rows);
    let line = |threads: u32| {
        let worst = atlas.worst(usize::MAX, |cell| cell.regret(threads));
        let (regret, cell) = worst.first()?;
        let median = atlas.spread(|cell| cell.regret(threads)).median()?;
        let plural = if threads == 1 { "" } else { "s" };
        Some(format!(
            "On {} traces, {threads} thread{plural}: `auto` takes {} times as long as the best champion in \
             the median, {} at worst ({}).",
            worst.len(),
            significant(median),
            significant(*regret),
            cell.first().description
        ))
    };
    atlas.threads().into_iter().filter_map(line).collect()
}

/// A row for each trace and number of threads, and the rows without figures.
fn recorded_motion(page: &mut Page, rows: &PartRows) {
    let atlas = AtlasCells::new(&rows.rows);
    page.section("Recorded motion");
    page.paragraph(
        "The mean time of `auto` over that of the best champion on boxes that other programs recorded. \
         \"Again\" is a champion that was measured twice, its second time over its first: what differs from \
         1 is noise. \"Slowest frame\" is that of `auto` from frame 50 on, over the median frame of a full \
         search. [Rows](atlas/traces/traces.csv)",
    );
    let row = |(cell, threads): (&CellRows<'_>, u32)| {
        let (first, best) = (cell.first(), cell.best(threads));
        [
            first.description.clone(),
            thousands(first.n as f64),
            first.frames.to_string(),
            best.and_then(|best| best.pairs).map_or("-".to_owned(), thousands),
            threads.to_string(),
            best.map_or("-", |best| &best.algorithm).to_owned(),
            micros(best.and_then(|best| best.mean_ns)),
            micros(cell.time(AUTO, threads)),
            shown(cell.regret(threads)),
            shown(cell.noise(threads)),
            shown(cell.early_regret(threads)),
            shown(cell.late_frame(threads)),
        ]
    };
    let threads = atlas.threads();
    let cells =
        threads.iter().flat_map(|threads| atlas.cells.iter().map(move |cell| (cell, *threads)));
    page.table(
        "trace | n | frames | pairs | threads | best champion | its us | auto us | regret | again | regret in frames 5 to 44 | slowest frame",
        cells.map(row),
    );
    without_figures(page, "Rows of recorded motion without figures", rows);
}

/// How it was measured.
fn method(page: &mut Page, parts: &[PartRows]) {
    let of = |part: AtlasPart| parts.iter().find(|rows| rows.part == part);
    page.section("How it was measured");
    let mut lines = vec![
        format!(
            "A cell plays 300 frames, 150 above 50,000 objects{}. Frame 0 counts: each algorithm pays \
             for its first build.",
            if of(AtlasPart::Traces).is_some() { ", and a trace all that it has" } else { "" }
        ),
        "The repetitions of all champions and numbers of threads are interleaved, each with a new \
         structure. A frame counts by its fastest repetition, a cell by the mean over its frames."
            .to_owned(),
        format!(
            "Champions are {} and every entry that wins a cell of the winner map.",
            CHAMPIONS.join(", ")
        ),
        "The best champion is the fastest of the figures themselves. With the noise of several champions \
         its time is rather too low, and so every regret rather too high."
            .to_owned(),
        "One champion is measured again in the same rounds: the fastest in a probe of 40 frames, which \
         enters no figure, so that neither measurement is favoured."
            .to_owned(),
        format!(
            "An algorithm whose median frame in that probe is more than 20 times that of the fastest is \
             skipped; `{AUTO}` and `{FULL_SEARCH}` never are."
        ),
        "The checksum of every frame is compared between all repetitions, and with brute force as far as \
         that takes some seconds."
            .to_owned(),
    ];
    if let Some(PartRows { rows, .. }) = of(AtlasPart::Cells) {
        let numbers = sorted(rows.iter().map(|row| row.cell));
        let proven = sorted(rows.iter().filter(|row| row.proven).map(|row| row.cell));
        let repeats = sorted(rows.iter().map(|row| row.repeats));
        let repeats: Vec<String> = repeats.iter().map(u32::to_string).collect();
        lines.push(format!(
            "Repetitions: {}. The pairs of {} of {} cells were compared with brute force.",
            repeats.join(", "),
            proven.len(),
            numbers.len()
        ));
        lines.push("[Rows](atlas/cells/atlas.csv)".to_owned());
        if rows.iter().any(|row| row.repeats < 5) {
            lines.push("Doubtful: fewer than five repetitions.".to_owned());
        }
    }
    page.list(lines);
}

/// The machines of a part: a table for each, with the shards that it measured.
fn machines(page: &mut Page, rows: &PartRows) {
    let what = rows.part.title();
    let mut alike: Vec<Vec<&ResultFolder>> = Vec::new();
    for source in &rows.sources {
        match alike.iter_mut().find(|group| group[0].machine.is_same_machine(&source.machine)) {
            Some(group) => group.push(source),
            None => alike.push(vec![source]),
        }
    }
    for group in alike {
        page.section(&format!("The machine: {what}"));
        let lines = group[0].machine.lines().into_iter();
        page.table(" | ", lines.map(|(name, value)| [name.to_owned(), value]));
        let shards =
            group.into_iter().filter_map(|source| Some((source.shard()?, &source.machine)));
        page.list(shards.map(|(shard, machine)| {
            let warnings = machine.warnings.iter().map(|warning| format!("; {warning}"));
            let command = machine.command_line.join(" ");
            format!("Shard {shard}: `{command}`{}", warnings.collect::<String>())
        }));
    }
}

/// Height of a row of a map, mm.
const ROW_MM: f64 = 9.0;
/// Longest name of an algorithm that fits into a tile.
const LONGEST_NAME: usize = 14;
/// Style of goals.
const GOAL: Style = Style { color: Rgb(60, 60, 60), marker: Marker::Diamond, dash: Dash::Dotted };

/// The regret of all cells in ascending order, with the noise; `None` without a regret.
fn regret_chart(atlas: &AtlasCells<'_>) -> Option<Chart> {
    let mut lines = Vec::new();
    for (index, threads) in atlas.threads().into_iter().enumerate() {
        let plural = if threads == 1 { "thread" } else { "threads" };
        let regrets = atlas.spread(|cell| cell.regret(threads));
        lines.extend(curve(format!("{AUTO}, {threads} {plural}"), index + 1, &regrets));
    }
    if lines.is_empty() {
        return None;
    }
    let threads = atlas.threads().first().copied().unwrap_or(1);
    // 1 except for noise, on either side.
    let noise = atlas.spread(|cell| cell.noise(threads).map(|ratio| ratio.max(1.0 / ratio)));
    lines.extend(curve("a champion again (noise)".to_owned(), 0, &noise));
    lines.push(goal_line(REGRET.iter().map(|(percent, bound)| (*percent, bound.value()))));
    let y = Axis::log("time over that of the best champion");
    let chart = Chart::new(Axis::shares("cells, the least regret first"), y).wide();
    Some(chart.with(Panel::new(Marks::Lines(lines))))
}

/// One thread over two of large cells in ascending order.
fn two_threads_chart(atlas: &AtlasCells<'_>) -> Option<Chart> {
    let mut lines: Vec<Line> = curve(AUTO.to_owned(), 1, &atlas.speed_ups()).into_iter().collect();
    if lines.is_empty() {
        return None;
    }
    let points = TWO_THREADS.iter().rev();
    lines.push(goal_line(points.map(|(percent, bound)| (*percent, bound.value()))));
    let y = Axis::log("time on one thread over that on two");
    let x = Axis::shares(format!("cells from {} objects on", TWO_THREADS_FROM));
    Some(Chart::new(x, y).wide().with(Panel::new(Marks::Lines(lines))))
}

/// Figures in ascending order over the share of cells.
fn curve(name: String, look: usize, spread: &Spread) -> Option<Line> {
    let count = spread.len() as f64;
    let place = |index: usize| (index as f64 + 0.5) / count;
    let points = spread.sorted().iter().enumerate();
    let points: Vec<Point> =
        points.map(|(index, ratio)| Point::new(place(index), *ratio)).collect();
    // Markers distinguish a few cells; many would hide the curve.
    let marker = if points.len() > 30 { Marker::None } else { Style::nth(look).marker };
    let style = Style { marker, ..Style::nth(look) };
    (!points.is_empty()).then_some(Line { name, style, points })
}

fn goal_line(points: impl Iterator<Item = (usize, f64)>) -> Line {
    let points = points.map(|(percent, bound)| Point::new(percent as f64 / 100.0, bound));
    Line { name: "goals".to_owned(), style: GOAL, points: points.collect() }
}

/// A grid of the winner map. A winner has the same color in `all` grids.
fn map_chart(grid: &Grid<'_>, all: &[Grid<'_>]) -> Option<Chart> {
    let order = winners(all);
    let values = |of: &dyn Fn(&Grid<'_>) -> Vec<f64>| {
        let mut values = of(grid);
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let numbers = values(&|grid| grid.cells.iter().map(|won| won.winner.n as f64).collect());
    let over = values(&|grid| grid.cells.iter().map(|won| grid.over.of(won.winner)).collect());
    let tile = |won: &Won<'_>| {
        let name = &won.winner.algorithm;
        let look = order.iter().position(|(id, _)| id == name).unwrap_or_default();
        let mut label = broken(name);
        label.extend(won.ahead.map(significant));
        Tile {
            x: ends(won.winner.n as f64, &numbers),
            y: ends(grid.over.of(won.winner), &over),
            name: name.clone(),
            color: Style::nth(look).color.pale(),
            label,
        }
    };
    let axis = |label: &str, values: &[f64]| {
        let (first, last) = (*values.first()?, *values.last()?);
        let axis = Axis::log(label).within(ends(first, values)[0], ends(last, values)[1]);
        Some(axis.labelled_at(values.to_vec()))
    };
    let x = axis("objects", &numbers)?;
    let y = match grid.over {
        Over::Speed => axis("speed, usual sides a frame", &over)?,
        Over::Movers => Axis { numbers: Numbers::Percent, ..axis("objects that move", &over)? },
    };
    let panel_mm = ROW_MM * over.len() as f64;
    let tiles = grid.cells.iter().map(tile).collect();
    let chart = Chart::new(x, y).wide().with(Panel::new(Marks::Tiles(tiles)));
    Some(Chart { panel_mm, ..chart })
}

/// The ends of the tile of a value: half way to its neighbours, on a logarithmic scale.
fn ends(value: f64, values: &[f64]) -> [f64; 2] {
    let at = values.iter().position(|other| *other == value).unwrap_or_default();
    let below = at.checked_sub(1).map(|at| (value / values[at]).sqrt());
    let above = values.get(at + 1).map(|next| (next / value).sqrt());
    let usual = below.or(above).unwrap_or(2.0);
    [value / below.unwrap_or(usual), value * above.unwrap_or(usual)]
}

/// A name as one line, or as two if it is long, split at the hyphen or plus nearest to its middle.
fn broken(name: &str) -> Vec<String> {
    let middle = name.len() / 2;
    let hyphen = name
        .match_indices(['-', '+'])
        .map(|(at, _)| at)
        .min_by_key(|at| at.abs_diff(middle))
        .filter(|_| name.len() > LONGEST_NAME);
    match hyphen {
        Some(at) => vec![name[..=at].to_owned(), name[at + 1..].to_owned()],
        None => vec![name.to_owned()],
    }
}
