//! Figures over the number of threads and over the share of moving objects.

use super::cells::Cell;
use super::lines::{Better, chart_of, grouped_lines, time_point, variant_of};
use charts::{Axis, Chart, Dash, Line, Marker, Point, Rgb, Style};

/// The look of the line of ideal scaling.
const IDEAL: Style = Style { color: Rgb(130, 130, 130), marker: Marker::None, dash: Dash::Solid };

/// The time on one thread over the time on several, for the greatest number of objects that was
/// measured on several.
pub(super) fn threads(input: &str, cells: &[&Cell]) -> Option<Chart> {
    let base = |cell: &Cell| {
        let same =
            |c: &&&Cell| c.threads == 1 && same_but_threads(c, cell) && c.median_ns.is_some();
        cells.iter().find(same).and_then(|c| c.median_ns)
    };
    // A file that says "no threads" has no place on the axis.
    let cells: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.threads > 0).collect();
    let scaled = |cell: &Cell| cell.threads > 1 && base(cell).is_some();
    let n = cells.iter().filter(|cell| scaled(cell)).map(|cell| cell.n).max()?;
    let shown: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.n == n).collect();
    let mut lines = grouped_lines(&shown, by_seed, |cell| {
        Some(Point::new(f64::from(cell.threads), base(cell)? / cell.median_ns?))
    });
    let most = f64::from(shown.iter().map(|cell| cell.threads).max()?);
    let points = vec![Point::new(1.0, 1.0), Point::new(most, most)];
    lines.push(Line { name: "ideal".to_owned(), style: IDEAL, points });
    let mut numbers: Vec<u32> = shown.iter().map(|cell| cell.threads).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let x = Axis::log("threads").labelled_at(numbers.into_iter().map(f64::from).collect());
    let chart = chart_of(x, Axis::log("speed-up over one thread"), lines, Better::More);
    Some(chart.titled(format!("{input}, {n} objects")))
}

/// The time over the share of moving objects, for the greatest number of objects that was measured
/// with several shares.
pub(super) fn moving(kind: &str, cells: &[&Cell]) -> Option<Chart> {
    let share = |cell: &Cell| f64::from(cell.name.moving);
    let several = |n: u64| {
        let mut of_n = cells.iter().filter(|cell| cell.n == n).map(|cell| share(cell));
        let first = of_n.next();
        of_n.any(|share| Some(share) != first)
    };
    let n = cells.iter().map(|cell| cell.n).filter(|&n| several(n)).max()?;
    let shown: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.n == n).collect();
    let lines = grouped_lines(&shown, variant_of, |cell| time_point(share(cell), cell));
    let x = Axis::shares("objects that move");
    let y = Axis::log("update + pairs per frame [ms]");
    Some(chart_of(x, y, lines, Better::Less).titled(format!("{kind}, {n} objects")))
}

/// Threads are an axis, not a line each.
fn by_seed(cell: &Cell) -> (u32, Option<u64>) {
    (0, cell.seed)
}

fn same_but_threads(a: &Cell, b: &Cell) -> bool {
    (a.n, a.seed, &a.algorithm) == (b.n, b.seed, &b.algorithm)
}

#[cfg(test)]
mod tests {
    use super::super::cells::tests::cell;
    use super::super::lines::tests::points;
    use super::*;
    use measure::InputName;

    #[test]
    fn scaling_is_over_one_thread_of_the_same_case() {
        let on = |threads, ns| Cell { threads, ..cell("bsp", 500, ns) };
        let cells = [on(1, 800.0), on(2, 500.0), on(4, 200.0), cell("bsp", 5000, 1.0)];
        let chart = threads("random", &cells.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(points(&chart, "bsp"), [(1.0, 1.0), (2.0, 1.6), (4.0, 4.0)]);
        assert_eq!(points(&chart, "ideal"), [(1.0, 1.0), (4.0, 4.0)]);
        assert!(chart.title.contains("500 objects"));
        assert_eq!(chart.x.labelled, Some(vec![1.0, 2.0, 4.0]), "and not 1, 2, 5");
        assert_eq!(threads("random", &[&cells[0]]), None);
    }

    #[test]
    fn moving_shares_are_the_axis_of_boxes_of_one_kind() {
        let named = |input: &str, ns| Cell {
            input: input.into(),
            name: InputName::read(input),
            ..cell("bsp", 500, ns)
        };
        let cells =
            [named("gas", 3e6), named("gas --moving 0", 1e6), named("gas --moving 0.5", 2e6)];
        let chart = moving("gas", &cells.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(points(&chart, "bsp"), [(0.0, 1.0), (0.5, 2.0), (1.0, 3.0)]);
        chart.svg().unwrap();
        assert_eq!(moving("gas", &[&cells[0]]), None);
    }
}
