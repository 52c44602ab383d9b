//! Figures over the number of objects.

use super::Cell;
use super::styles::{style_of, variant_style};
use charts::{Axis, Chart, Line, Marks, Panel, Point};

const NS_PER_MS: f64 = 1e6;

/// Median time of update and pairs, with its interval.
pub(super) fn time(input: &str, cells: &[&Cell]) -> Option<Chart> {
    let lines = lines(cells, |cell| {
        let interval = cell.interval_ns.filter(|ends| ends.iter().all(|&end| end > 0.0));
        Some(Point {
            interval: interval.map(|ends| ends.map(|end| end / NS_PER_MS)),
            ..Point::new(cell.n as f64, cell.median_ns? / NS_PER_MS)
        })
    });
    chart(input, lines, "update + pairs per frame [ms]")
}

/// Frames per second.
pub(super) fn fps(input: &str, cells: &[&Cell]) -> Option<Chart> {
    let lines = lines(cells, |cell| Some(Point::new(cell.n as f64, cell.fps?)));
    chart(input, lines, "frames per second")
}

/// Median of brute force over the median.
pub(super) fn speed_up(input: &str, cells: &[&Cell]) -> Option<Chart> {
    let reference = measure::reference().id;
    let base = |cell: &Cell| {
        let same = |other: &&&Cell| {
            (other.n, other.seed, other.threads) == (cell.n, cell.seed, cell.threads)
        };
        cells.iter().filter(|c| c.algorithm == reference).find(same)?.median_ns
    };
    let others: Vec<&Cell> = cells.iter().copied().filter(|c| c.algorithm != reference).collect();
    let lines =
        lines(&others, |cell| Some(Point::new(cell.n as f64, base(cell)? / cell.median_ns?)));
    chart(input, lines, &format!("speed-up over {reference}"))
}

fn chart(input: &str, lines: Vec<Line>, y: &str) -> Option<Chart> {
    let chart = Chart::new(Axis::log("objects"), Axis::log(y)).titled(input);
    (!lines.is_empty()).then(|| chart.with(Panel::new(Marks::Lines(lines))))
}

/// A line for each algorithm, and where several numbers of threads or seeds were measured, for each
/// of them. A point without a place on a logarithmic axis (no time at all) is left out.
fn lines(cells: &[&Cell], point: impl Fn(&Cell) -> Option<Point>) -> Vec<Line> {
    grouped_lines(cells, |cell| (cell.threads, cell.seed), point)
}

/// A line for each algorithm and each variant of it: threads and seed as `variant` has them.
pub(super) fn grouped_lines(
    cells: &[&Cell],
    variant: impl Fn(&Cell) -> (u32, Option<u64>),
    point: impl Fn(&Cell) -> Option<Point>,
) -> Vec<Line> {
    let mut variants: Vec<(u32, Option<u64>)> = cells.iter().map(|cell| variant(cell)).collect();
    variants.sort_unstable();
    variants.dedup();
    let several_threads = variants.iter().any(|v| v.0 != variants[0].0);
    let several_seeds = variants.iter().any(|v| v.1 != variants[0].1);

    let mut lines: Vec<Line> = Vec::new();
    for cell in cells {
        let Some(point) = point(cell).filter(|p| p.y.is_finite() && p.y > 0.0) else {
            continue;
        };
        let own = variant(cell);
        let (threads, seed) = own;
        let mut name = cell.algorithm.clone();
        if several_threads {
            let plural = if threads == 1 { "" } else { "s" };
            name += &format!(", {threads} thread{plural}");
        }
        if several_seeds && let Some(seed) = seed {
            name += &format!(", seed {seed}");
        }
        let style = match variants.iter().position(|v| *v == own) {
            Some(index) if variants.len() > 1 => variant_style(&cell.algorithm, index),
            _ => style_of(&cell.algorithm),
        };
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { name, style, points: vec![point] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::cells::tests::cell;
    use super::*;

    fn points(chart: &Chart, name: &str) -> Vec<(f64, f64)> {
        let Marks::Lines(lines) = &chart.panels[0].marks else { panic!("no lines") };
        let line = lines.iter().find(|line| line.name == name).unwrap();
        line.points.iter().map(|p| (p.x, p.y)).collect()
    }

    #[test]
    fn speed_ups_are_ratios_of_medians_at_the_same_number_of_objects() {
        let cells = [
            cell("brute-force", 100, 4000.0),
            cell("brute-force", 50, 1000.0),
            cell("bsp", 100, 1000.0),
            cell("bsp", 50, 2000.0),
            cell("bsp", 25, 2000.0),
        ];
        let chart = speed_up("random", &cells.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(points(&chart, "bsp"), [(50.0, 0.5), (100.0, 4.0)]);
        let alone = [&cells[2]];
        assert_eq!(speed_up("random", &alone), None);
    }

    #[test]
    fn threads_are_told_apart_only_where_there_are_several() {
        let one = cell("bsp", 50, 1e6);
        let two = Cell { threads: 2, ..cell("bsp", 50, 5e5) };
        let chart = time("random", &[&one]).unwrap();
        assert_eq!(points(&chart, "bsp"), [(50.0, 1.0)]);
        let chart = time("random", &[&one, &two]).unwrap();
        assert_eq!(points(&chart, "bsp, 1 thread"), [(50.0, 1.0)]);
        assert_eq!(points(&chart, "bsp, 2 threads"), [(50.0, 0.5)]);
    }

    #[test]
    fn frames_that_took_no_measurable_time_are_left_out() {
        let cells = [cell("bsp", 1, 0.0), cell("bsp", 50, 1e6)];
        let chart = time("random", &cells.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(points(&chart, "bsp"), [(50.0, 1.0)]);
        chart.svg().unwrap();
    }
}
