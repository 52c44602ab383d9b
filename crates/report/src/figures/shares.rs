//! The shares of the phases of a frame.

use super::cells::{Cell, PHASES};
use super::lines::{thread_count, variant_of, variants};
use charts::{Axis, Chart, LAYER_COLORS, Layer, Marks, Panel, Stack};

/// Most numbers of objects that are shown.
const MAX_PANELS: usize = 3;
/// Most algorithms for which several numbers of objects are shown.
const MAX_BARS: usize = 8;
/// Height of a bar with the space around it, mm; and where they are many.
const BAR_MM: f64 = 5.5;
const THIN_BAR_MM: f64 = 4.2;

/// A bar for each algorithm, for a few numbers of objects: the least, the middle, the greatest; of
/// many algorithms the greatest only. Of several numbers of threads and seeds the least is shown.
pub(super) fn shares(input: &str, cells: &[&Cell]) -> Option<Chart> {
    let all = variants(cells, variant_of);
    let shown = *all.first()?;
    let cells: Vec<(&Cell, f64)> = cells
        .iter()
        .filter(|cell| variant_of(cell) == shown)
        .filter_map(|cell| {
            let whole: f64 = cell.phases.iter().flatten().sum();
            cell.phases[0].filter(|_| whole > 0.0).map(|_| (*cell, whole))
        })
        .collect();
    let mut names: Vec<String> = Vec::new();
    for (cell, _) in &cells {
        if !names.contains(&cell.algorithm) {
            names.push(cell.algorithm.clone());
        }
    }
    let (bar_mm, most_panels) =
        if names.len() > MAX_BARS { (THIN_BAR_MM, 1) } else { (BAR_MM, MAX_PANELS) };
    let panels: Vec<Panel> = chosen_numbers(&cells, most_panels)
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
    let mut title = format!("{input}, {}", thread_count(shown.0));
    if all.iter().any(|other| other.1 != shown.1)
        && let Some(seed) = shown.1
    {
        title += &format!(", seed {seed}");
    }
    let panel_mm = bar_mm * names.len() as f64;
    (!panels.is_empty()).then(|| Chart { panel_mm, panels, ..chart.titled(title) })
}

/// Layers of the phases that at least one of the cells has.
fn stack(bars: &[(&Cell, f64, usize)]) -> Stack {
    let layer = |phase: usize| {
        let value = |cell: &Cell| cell.phases[phase];
        bars.iter().any(|(cell, ..)| value(cell).is_some()).then(|| Layer {
            name: PHASES[phase].to_owned(),
            color: LAYER_COLORS[phase],
            values: bars.iter().map(|(c, whole, _)| value(c).unwrap_or(0.0) / whole).collect(),
        })
    };
    Stack {
        at: bars.iter().map(|(.., place)| *place as f64).collect(),
        layers: (0..PHASES.len()).filter_map(layer).collect(),
    }
}

/// The least, the middle and the greatest number of objects, or the greatest alone.
fn chosen_numbers(cells: &[(&Cell, f64)], most: usize) -> Vec<u64> {
    let mut numbers: Vec<u64> = cells.iter().map(|(cell, _)| cell.n).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() <= most {
        return numbers;
    }
    if most == 1 {
        return numbers.split_off(numbers.len() - 1);
    }
    vec![numbers[0], numbers[numbers.len() / 2], numbers[numbers.len() - 1]]
}

#[cfg(test)]
mod tests {
    use super::super::cells::tests::cell;
    use super::*;

    fn phased(algorithm: &str, n: u64, phases: [Option<f64>; 4]) -> Cell {
        Cell { phases, ..cell(algorithm, n, 1.0) }
    }

    #[test]
    fn shares_add_up_and_unmeasured_phases_are_left_out() {
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
    fn three_of_many_numbers_of_objects_are_shown() {
        let phases = [Some(1.0), Some(2.0), None, None];
        let cells = [50, 100, 200, 400, 800].map(|n| phased("bsp", n, phases));
        let chart = shares("random", &cells.iter().collect::<Vec<_>>()).unwrap();
        let titles: Vec<&str> = chart.panels.iter().map(|p| p.title.as_str()).collect();
        assert_eq!(titles, ["50 objects", "200 objects", "800 objects"]);
    }

    #[test]
    fn many_algorithms_or_seeds_are_reduced_to_one_panel() {
        let phases = [Some(1.0), Some(2.0), None, None];
        let cells: Vec<Cell> = (0..25u32)
            .flat_map(|id| [50, 100].map(|n| phased(&format!("a{id}"), n, phases)))
            .flat_map(|cell| [8, 7].map(|seed| Cell { seed: Some(seed), ..cell.clone() }))
            .collect();
        let chart = shares("gas", &cells.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!((chart.panels.len(), chart.title.as_str()), (1, "gas, 1 thread, seed 7"));
        let Marks::Bars(stack) = &chart.panels[0].marks else { panic!("no bars") };
        assert_eq!((chart.panels[0].title.as_str(), stack.at.len()), ("100 objects", 25));
    }

    #[test]
    fn without_times_there_is_no_chart() {
        assert_eq!(shares("random", &[&phased("bsp", 50, [None; 4])]), None);
        assert_eq!(shares("random", &[&phased("bsp", 50, [Some(0.0); 4])]), None);
    }
}
