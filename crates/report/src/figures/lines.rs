//! Curves from cells, and how a chart of them is laid out when they are few, many, or single points.

use super::cells::Cell;
use super::styles::{style_of, variant_style};
use charts::{Axis, Chart, Dot, Line, MAX_NAMES_ABOVE, Marker, Marks, Panel, Point};
use std::collections::HashMap;

/// From a dot to the next, mm.
const DOT_MM: f64 = 4.2;
pub(super) const NS_PER_MS: f64 = 1e6;

/// Whether lower or higher values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Better {
    /// Times.
    Less,
    /// Frames per second, factors.
    More,
}

/// Threads and seed, by which the curves of one algorithm differ.
pub(super) type Variant = (u32, Option<u64>);

/// The variant of a cell.
pub(super) fn variant_of(cell: &Cell) -> Variant {
    (cell.threads, cell.seed)
}

/// The variants of the cells, ascending.
pub(super) fn variants(cells: &[&Cell], variant: impl Fn(&Cell) -> Variant) -> Vec<Variant> {
    let mut variants: Vec<Variant> = cells.iter().map(|cell| variant(cell)).collect();
    variants.sort_unstable();
    variants.dedup();
    variants
}

/// What distinguishes a variant, as a suffix of a name: `, 2 threads`.
pub(super) fn words((threads, seed): Variant, all: &[Variant]) -> String {
    let mut words = String::new();
    if all.iter().any(|other| other.0 != threads) {
        words += &format!(", {}", thread_count(threads));
    }
    if all.iter().any(|other| other.1 != seed)
        && let Some(seed) = seed
    {
        words += &format!(", seed {seed}");
    }
    words
}

/// `1 thread`, `2 threads`.
pub(super) fn thread_count(threads: u32) -> String {
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
}

/// A line for each algorithm and each variant of it. A value without a place on a logarithmic axis
/// (no time at all) is left out.
pub(super) fn grouped_lines(
    cells: &[&Cell],
    variant: impl Fn(&Cell) -> Variant,
    point: impl Fn(&Cell) -> Option<Point>,
) -> Vec<Line> {
    let variants = variants(cells, &variant);
    let mut lines: Vec<Line> = Vec::new();
    let mut places = HashMap::new();
    for cell in cells {
        let has_place = |p: &Point| p.x.is_finite() && p.y.is_finite() && p.y > 0.0;
        let Some(point) = point(cell).filter(has_place) else {
            continue;
        };
        let own = variant(cell);
        let name = cell.algorithm.clone() + &words(own, &variants);
        let style = match variants.iter().position(|v| *v == own) {
            Some(index) if variants.len() > 1 => variant_style(&cell.algorithm, index),
            _ => style_of(&cell.algorithm),
        };
        let at = *places.entry(name.clone()).or_insert(lines.len());
        if at == lines.len() {
            lines.push(Line { name, style, points: Vec::new() });
        }
        lines[at].points.push(point);
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    lines
}

/// A median time and its interval, ms.
pub(super) fn time_point(x: f64, cell: &Cell) -> Option<Point> {
    let interval = cell.interval_ns.filter(|ends| ends.iter().all(|&end| end > 0.0));
    let interval = interval.map(|ends| ends.map(|end| end / NS_PER_MS));
    Some(Point { interval, ..Point::new(x, cell.median_ns? / NS_PER_MS) })
}

/// A chart of curves. Of many, those that are the best at some place are stressed.
pub(super) fn chart_of(x: Axis, y: Axis, lines: Vec<Line>, better: Better) -> Chart {
    let mut chart = Chart::new(x, y);
    if lines.len() > MAX_NAMES_ABOVE {
        chart = Chart { stressed: best_somewhere(&lines, better), ..chart.wide() };
    }
    chart.with(Panel::new(Marks::Lines(lines)))
}

/// A chart of lines that have a single point each: a dot for each, the best on top.
pub(super) fn dots(value: Axis, mut lines: Vec<Line>, better: Better) -> Chart {
    lines.sort_by(|a, b| {
        let order = a.points[0].y.total_cmp(&b.points[0].y);
        if better == Better::Less { order } else { order.reverse() }
    });
    let dots = lines.iter().enumerate().map(|(at, line)| {
        let Point { y: value, interval, .. } = line.points[0];
        Dot { at, value, interval, style: line.style }
    });
    let dots = Panel::new(Marks::Dots(dots.collect()));
    let panel_mm = DOT_MM * lines.len() as f64;
    let names = Axis::categories("", lines.into_iter().map(|line| line.name).collect());
    Chart { panel_mm, ..Chart::new(value, names).with(dots) }
}

/// Names of the lines that are better than all others at some place. A line without markers is a
/// guide for the eye, not a result.
fn best_somewhere(lines: &[Line], better: Better) -> Vec<String> {
    let lines: Vec<&Line> = lines.iter().filter(|l| l.style.marker != Marker::None).collect();
    let mut places: Vec<f64> = lines.iter().flat_map(|l| &l.points).map(|p| p.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let best_at = |x: f64| {
        let value = |line: &Line| line.points.iter().find(|p| p.x == x).map(|p| p.y);
        let mut here: Vec<(&Line, f64)> =
            lines.iter().filter_map(|line| Some((*line, value(line)?))).collect();
        here.sort_by(|a, b| a.1.total_cmp(&b.1));
        if better == Better::More {
            here.reverse();
        }
        // Where two are equal, none is the best.
        match here[..] {
            [(best, first), (_, second), ..] if first != second => Some(best.name.clone()),
            _ => None,
        }
    };
    let mut best: Vec<String> = places.into_iter().filter_map(best_at).collect();
    best.sort_unstable();
    best.dedup();
    best
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The points of a line of a chart.
    pub(in crate::figures) fn points(chart: &Chart, name: &str) -> Vec<(f64, f64)> {
        let Marks::Lines(lines) = &chart.panels[0].marks else { panic!("no lines") };
        let line = lines.iter().find(|line| line.name == name).unwrap();
        line.points.iter().map(|p| (p.x, p.y)).collect()
    }

    #[test]
    fn best_curves_are_those_at_the_edge_of_all() {
        let line = |name: &str, ys: [f64; 3]| {
            let points = [50.0, 100.0, 200.0].into_iter().zip(ys).map(|(x, y)| Point::new(x, y));
            Line { name: name.to_owned(), style: style_of(name), points: points.collect() }
        };
        let lines = [
            line("a", [1.0, 5.0, 9.0]),
            line("b", [2.0, 4.0, 6.0]),
            line("c", [2.0, 5.0, 6.0]),
            line("d", [7.0, 7.0, 7.0]),
        ];
        assert_eq!(best_somewhere(&lines, Better::Less), ["a", "b"], "at 200 two are equal");
        assert_eq!(best_somewhere(&lines, Better::More), ["a", "d"]);
        assert_eq!(best_somewhere(&lines[..1], Better::Less), [""; 0]);
        let mut with_guide = lines;
        with_guide[3].style.marker = Marker::None;
        assert_eq!(best_somewhere(&with_guide, Better::More), ["a"], "`d` was the best at 50");
    }
}
