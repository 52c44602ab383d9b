//! The charts of the page.

use super::figures;
use super::figures::{AtlasCells, Spread, TWO_THREADS_FROM};
use super::map::{Grid, Over, winners};
use crate::study::AUTO;
use charts::{Axis, Chart, Dash, Line, Marker, Marks, Numbers, Panel, Point, Rgb, Style, Tile};
use measure::numbers::significant;

/// Height of a row of a map, mm.
const ROW_MM: f64 = 9.0;
/// Longest name of an algorithm that fits into a tile.
const LONGEST_NAME: usize = 14;
/// Style of goals.
const GOAL: Style = Style { color: Rgb(60, 60, 60), marker: Marker::Diamond, dash: Dash::Dotted };

/// The regret of all cells in ascending order, with the noise; `None` without a regret.
pub(super) fn regret(atlas: &AtlasCells<'_>) -> Option<Chart> {
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
    lines.push(goal_line(figures::REGRET.iter().map(|(percent, bound)| (*percent, bound.value()))));
    let y = Axis::log("time over that of the best champion");
    let chart = Chart::new(Axis::shares("cells, the least regret first"), y).wide();
    Some(chart.with(Panel::new(Marks::Lines(lines))))
}

/// One thread over two of large cells in ascending order.
pub(super) fn two_threads(atlas: &AtlasCells<'_>) -> Option<Chart> {
    let mut lines: Vec<Line> = curve(AUTO.to_owned(), 1, &atlas.speed_ups()).into_iter().collect();
    if lines.is_empty() {
        return None;
    }
    let points = figures::TWO_THREADS.iter().rev();
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
pub(super) fn winner_map(grid: &Grid<'_>, all: &[Grid<'_>]) -> Option<Chart> {
    let order = winners(all);
    let values = |of: &dyn Fn(&Grid<'_>) -> Vec<f64>| {
        let mut values = of(grid);
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let numbers = values(&|grid| grid.cells.iter().map(|won| won.winner.n as f64).collect());
    let over = values(&|grid| grid.cells.iter().map(|won| grid.over.of(won.winner)).collect());
    let tile = |won: &super::map::Won<'_>| {
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
