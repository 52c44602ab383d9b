//! Which part of a frame goes to which phase.

use super::Cell;
use charts::{Axis, Chart, LAYER_COLORS, Layer, Marks, Panel, Stack};

/// Most numbers of objects that are shown.
const MOST_PANELS: usize = 3;
/// Height of a bar with the space around it, mm.
const BAR_MM: f64 = 5.5;

/// A bar for each algorithm, for a few numbers of objects: the least, the middle, the greatest. Of
/// several numbers of threads the least is shown.
pub(super) fn shares(input: &str, cells: &[&Cell]) -> Option<Chart> {
    let threads = cells.iter().map(|cell| cell.threads).min()?;
    let cells: Vec<(&Cell, f64)> = cells
        .iter()
        .filter(|cell| cell.threads == threads)
        .filter_map(|cell| {
            let whole: f64 = cell.phases.named().iter().filter_map(|(_, ns)| *ns).sum();
            cell.phases.update.filter(|_| whole > 0.0).map(|_| (*cell, whole))
        })
        .collect();
    let mut names: Vec<String> = Vec::new();
    for (cell, _) in &cells {
        if !names.contains(&cell.algorithm) {
            names.push(cell.algorithm.clone());
        }
    }
    let panels: Vec<Panel> = chosen_numbers(&cells)
        .into_iter()
        .map(|n| {
            let of_n = cells.iter().filter(|(cell, _)| cell.n == n);
            let bars: Vec<(&Cell, f64, usize)> = of_n
                .filter_map(|&(c, whole)| {
                    Some((c, whole, names.iter().position(|name| *name == c.algorithm)?))
                })
                .collect();
            Panel { title: format!("{n} objects"), marks: Marks::Bars(stack(&bars)) }
        })
        .collect();
    let chart = Chart::new(
        Axis::shares("share of the frame without motion"),
        Axis::categories("", names.clone()),
    );
    let plural = if threads == 1 { "" } else { "s" };
    let title = format!("{input}, {threads} thread{plural}");
    let panel_mm = BAR_MM * names.len() as f64;
    (!panels.is_empty()).then(|| Chart { panel_mm, panels, ..chart.titled(title) })
}

/// Layers of the phases that at least one of the cells has.
fn stack(bars: &[(&Cell, f64, usize)]) -> Stack {
    let layer = |phase: usize| {
        let value = |cell: &Cell| cell.phases.named()[phase].1;
        let name = bars[0].0.phases.named()[phase].0;
        bars.iter().any(|(cell, ..)| value(cell).is_some()).then(|| Layer {
            name: name.to_owned(),
            color: LAYER_COLORS[phase],
            values: bars.iter().map(|(c, whole, _)| value(c).unwrap_or(0.0) / whole).collect(),
        })
    };
    Stack {
        at: bars.iter().map(|(.., place)| *place as f64).collect(),
        layers: (0..LAYER_COLORS.len()).filter_map(layer).collect(),
    }
}

/// The least, the middle and the greatest number of objects.
fn chosen_numbers(cells: &[(&Cell, f64)]) -> Vec<u64> {
    let mut numbers: Vec<u64> = cells.iter().map(|(cell, _)| cell.n).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() <= MOST_PANELS {
        return numbers;
    }
    vec![numbers[0], numbers[numbers.len() / 2], numbers[numbers.len() - 1]]
}

#[cfg(test)]
mod tests {
    use super::super::cells::Phases;
    use super::super::cells::tests::cell;
    use super::*;

    fn phased(algorithm: &str, n: u64, phases: [Option<f64>; 4]) -> Cell {
        let [update, pairs, response, render] = phases;
        let phases = Phases { update, pairs, response, render };
        Cell { phases, ..cell(algorithm, n, 1.0) }
    }

    #[test]
    fn shares_make_a_whole_and_phases_that_nobody_has_are_left_out() {
        let cells = [
            phased("bsp", 50, [Some(1.0), Some(2.0), Some(1.0), None]),
            phased("kd-tree", 50, [Some(3.0), Some(1.0), None, None]),
        ];
        let chart = shares("random", &cells.iter().collect::<Vec<_>>()).unwrap();
        let Marks::Bars(stack) = &chart.panels[0].marks else { panic!("no bars") };
        let values: Vec<_> = stack.layers.iter().map(|layer| layer.values.clone()).collect();
        assert_eq!(values, [[0.25, 0.75], [0.5, 0.25], [0.25, 0.0]]);
        chart.svg().unwrap();
    }

    #[test]
    fn of_many_numbers_of_objects_three_are_shown() {
        let cells: Vec<Cell> = [50, 100, 200, 400, 800]
            .map(|n| phased("bsp", n, [Some(1.0), Some(2.0), None, None]))
            .to_vec();
        let chart = shares("random", &cells.iter().collect::<Vec<_>>()).unwrap();
        let titles: Vec<&str> = chart.panels.iter().map(|p| p.title.as_str()).collect();
        assert_eq!(titles, ["50 objects", "200 objects", "800 objects"]);
    }

    #[test]
    fn without_times_there_is_no_chart() {
        assert_eq!(shares("random", &[&phased("bsp", 50, [None; 4])]), None);
        assert_eq!(shares("random", &[&phased("bsp", 50, [Some(0.0); 4])]), None);
    }
}
