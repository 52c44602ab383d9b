//! Figures over the number of objects.

use super::cells::Cell;
use super::lines::{
    Better, NS_PER_MS, chart_of, dots, grouped_lines, time_point, variant_of, variants, words,
};
use charts::{Axis, Chart, Line, MAX_NAMES_ABOVE, Point};
use std::collections::HashMap;

/// Median time of update and pairs, with its interval.
pub(super) fn time(input: &str, cells: &[&Cell]) -> Vec<(String, Chart)> {
    let point = |cell: &Cell| time_point(cell.n as f64, cell);
    figure(input, cells, "update + pairs per frame [ms]", Better::Less, point)
}

/// Mean time of update and pairs.
pub(super) fn mean(input: &str, cells: &[&Cell]) -> Vec<(String, Chart)> {
    let point = |cell: &Cell| Some(Point::new(cell.n as f64, cell.mean_ns? / NS_PER_MS));
    figure(input, cells, "mean update + pairs per frame [ms]", Better::Less, point)
}

/// Frames per second.
pub(super) fn fps(input: &str, cells: &[&Cell]) -> Vec<(String, Chart)> {
    let point = |cell: &Cell| Some(Point::new(cell.n as f64, cell.fps?));
    figure(input, cells, "frames per second", Better::More, point)
}

/// Median of brute force over the median.
pub(super) fn speed_up(input: &str, cells: &[&Cell]) -> Vec<(String, Chart)> {
    let reference = measure::reference().id;
    let place = |cell: &Cell| (cell.n, variant_of(cell));
    let mut bases = HashMap::new();
    for cell in cells.iter().filter(|cell| cell.algorithm == reference) {
        bases.entry(place(cell)).or_insert(cell.median_ns);
    }
    let base = |cell: &Cell| *bases.get(&place(cell))?;
    let others: Vec<&Cell> = cells.iter().copied().filter(|c| c.algorithm != reference).collect();
    let point = |cell: &Cell| Some(Point::new(cell.n as f64, base(cell)? / cell.median_ns?));
    figure(input, &others, &format!("speed-up over {reference}"), Better::More, point)
}

/// One chart with a line for each algorithm on each number of threads and each seed; or where those
/// are too many, a chart for each number of threads and each seed. Each with its title.
fn figure(
    input: &str,
    cells: &[&Cell],
    y: &str,
    better: Better,
    point: impl Fn(&Cell) -> Option<Point>,
) -> Vec<(String, Chart)> {
    let point = |cell: &Cell| point(cell).filter(|point| point.x > 0.0);
    let variants = variants(cells, variant_of);
    let lines = grouped_lines(cells, variant_of, point);
    if lines.len() <= MAX_NAMES_ABOVE || variants.len() < 2 {
        return chart(input, lines, y, better).map(|c| (input.to_owned(), c)).into_iter().collect();
    }
    let of_variant = |variant| {
        let its: Vec<&Cell> =
            cells.iter().copied().filter(|cell| variant_of(cell) == variant).collect();
        let title = input.to_owned() + &words(variant, &variants);
        let chart = chart(&title, grouped_lines(&its, variant_of, point), y, better)?;
        Some((title, chart))
    };
    variants.iter().copied().filter_map(of_variant).collect()
}

/// Curves; dots where there is but one number of objects.
fn chart(title: &str, lines: Vec<Line>, y: &str, better: Better) -> Option<Chart> {
    let first = lines.first()?.points.first()?.x;
    if lines.iter().flat_map(|line| &line.points).all(|point| point.x == first) {
        let title = format!("{title}, {first} objects");
        return Some(dots(Axis::log(y), lines, better).titled(title));
    }
    Some(chart_of(Axis::log("objects"), Axis::log(y), lines, better).titled(title))
}

#[cfg(test)]
mod tests {
    use super::super::cells::tests::cell;
    use super::super::lines::tests::points;
    use super::*;
    use charts::{Marks, Scale};

    fn only(charts: Vec<(String, Chart)>) -> Chart {
        assert_eq!(charts.len(), 1);
        charts.into_iter().next().unwrap().1
    }

    /// Names and values, from the top.
    fn dots_of(chart: &Chart) -> Vec<(&str, f64)> {
        let Marks::Dots(dots) = &chart.panels[0].marks else { panic!("no dots") };
        let Scale::Categories(names) = &chart.y.scale else { panic!("no names") };
        dots.iter().map(|dot| (&*names[dot.at], dot.value)).collect()
    }

    #[test]
    fn speed_ups_are_ratios_of_medians_at_the_same_n() {
        let bsp = [(100, 1000.0), (50, 2000.0), (25, 2000.0)].map(|(n, ns)| cell("bsp", n, ns));
        let base = [(100, 4000.0), (50, 1000.0)].map(|(n, ns)| cell("brute-force", n, ns));
        let cells: Vec<&Cell> = bsp.iter().chain(&base).collect();
        let chart = only(speed_up("random", &cells));
        assert_eq!(points(&chart, "bsp"), [(50.0, 0.5), (100.0, 4.0)]);
        assert!(speed_up("random", &cells[..1]).is_empty());
    }

    #[test]
    fn means_are_drawn_where_they_are_known() {
        let known = |n, ns| Cell { mean_ns: Some(3.0 * ns), ..cell("bsp", n, ns) };
        let cells = [known(50, 1e6), known(100, 2e6), cell("kd-tree", 50, 1e6)];
        let chart = only(mean("random", &cells.iter().collect::<Vec<_>>()));
        assert_eq!(points(&chart, "bsp"), [(50.0, 3.0), (100.0, 6.0)]);
        let Marks::Lines(lines) = &chart.panels[0].marks else { panic!("no lines") };
        assert_eq!(lines.len(), 1, "nothing is known of the other");
    }

    #[test]
    fn threads_are_named_only_where_they_differ() {
        let one = [cell("bsp", 50, 1e6), cell("bsp", 100, 2e6)];
        let two = one.clone().map(|cell| Cell { threads: 2, ..cell });
        let chart = only(time("random", &one.iter().collect::<Vec<_>>()));
        assert_eq!(points(&chart, "bsp"), [(50.0, 1.0), (100.0, 2.0)]);
        let chart = only(time("random", &one.iter().chain(&two).collect::<Vec<_>>()));
        assert_eq!(points(&chart, "bsp, 1 thread"), [(50.0, 1.0), (100.0, 2.0)]);
        assert_eq!(points(&chart, "bsp, 2 threads"), [(50.0, 1.0), (100.0, 2.0)]);
    }

    #[test]
    fn frames_without_time_or_objects_are_left_out() {
        let without = cell("kd-tree", 0, 1e6);
        let bsp = [(1, 0.0), (50, 1e6), (60, 2e6)].map(|(n, ns)| cell("bsp", n, ns));
        let cells: Vec<&Cell> = bsp.iter().chain([&without]).collect();
        let chart = only(time("random", &cells));
        assert_eq!(points(&chart, "bsp"), [(50.0, 1.0), (60.0, 2.0)]);
        chart.svg().unwrap();
        assert!(time("random", &[&without]).is_empty());
    }

    #[test]
    fn one_number_of_objects_gives_dots_with_the_best_on_top() {
        let cells = [cell("bsp", 50, 3e6), cell("brute-force", 50, 9e6), cell("grid", 50, 1e6)];
        let cells: Vec<&Cell> = cells.iter().collect();
        let chart = only(time("random", &cells));
        assert_eq!(dots_of(&chart), [("grid", 1.0), ("bsp", 3.0), ("brute-force", 9.0)]);
        assert_eq!(chart.title, "random, 50 objects");
        let chart = only(speed_up("random", &cells));
        assert_eq!(dots_of(&chart), [("grid", 9.0), ("bsp", 3.0)]);
        chart.svg().unwrap();
    }

    /// Algorithms `a0`, `a1` and so on, each slower than the one before, at two numbers of objects.
    fn many(ids: u32, threads: u32) -> Vec<Cell> {
        let cells = (0..ids).flat_map(|id| (1..=threads).map(move |threads| (id, threads)));
        let ns = |id| 1e6 * f64::from(1 + id);
        let at = |(id, threads)| {
            [50, 100].map(|n| Cell { threads, ..cell(&format!("a{id}"), n, ns(id)) })
        };
        cells.flat_map(at).collect()
    }

    #[test]
    fn many_algorithms_get_a_chart_per_number_of_threads() {
        let cells = many(5, 2);
        let cells: Vec<&Cell> = cells.iter().collect();
        let four = only(time("gas", &cells[..16]));
        assert!(!points(&four, "a3, 2 threads").is_empty());
        let five = time("gas", &cells);
        assert!(five.iter().map(|(title, _)| &**title).eq(["gas, 1 thread", "gas, 2 threads"]));
        assert!(!points(&five[1].1, "a4").is_empty());
    }

    #[test]
    fn fastest_of_many_curves_are_stressed() {
        let cells = many(25, 1);
        let cells: Vec<&Cell> = cells.iter().collect();
        assert_eq!(only(time("gas", &cells)).stressed, ["a0"]);
        let few = only(time("gas", &cells[..16]));
        assert!(few.stressed.is_empty());
        assert!(only(time("gas", &cells)).width_mm > few.width_mm);
    }
}
