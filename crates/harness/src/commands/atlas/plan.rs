//! The cells of a plan.

use super::map::Over;
use crate::cli::AtlasOptions;
use crate::commands::inputs::NamedTrace;
use crate::failure::Failure;
use crate::study::StudyRow;
use measure::Case;
use sim::atlas::Cell;
use std::collections::HashSet;
use std::path::PathBuf;

/// Numbers of objects of the winner map.
const NUMBERS: [u32; 7] = [200, 600, 2_000, 6_000, 20_000, 60_000, 200_000];
/// Speeds of the winner map, in usual sides a frame.
const SPEEDS: [f32; 7] = [0.002, 0.006, 0.02, 0.06, 0.2, 0.6, 2.0];
/// Shares of objects that move, of the winner map.
const MOVERS: [f32; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];

/// A part of the atlas, measured into a folder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtlasPart {
    /// Cells drawn from a seed, by the champions.
    Cells,
    /// The winner map: cells on two grids, by the whole registry.
    Map,
    /// Recorded boxes, by the champions.
    Traces,
}

impl AtlasPart {
    pub(super) const ALL: [Self; 3] = [Self::Cells, Self::Map, Self::Traces];

    /// The folder of its rows.
    pub(super) fn folder(self) -> &'static str {
        self.names()[0]
    }

    /// The file of its rows.
    pub(super) fn file(self) -> &'static str {
        self.names()[1]
    }

    /// Its name on the page.
    pub(super) fn title(self) -> &'static str {
        self.names()[2]
    }

    fn names(self) -> [&'static str; 3] {
        match self {
            AtlasPart::Cells => ["cells", "atlas.csv", "cells"],
            AtlasPart::Map => ["map", "map.csv", "winner map"],
            AtlasPart::Traces => ["traces", "traces.csv", "recorded motion"],
        }
    }

    /// The command that measures the cell of a row. Rows have no path of a trace, since it says nothing on another machine.
    pub(super) fn command(self, row: &StudyRow) -> String {
        let StudyRow { description, cell, seed, .. } = row;
        let seed = seed.unwrap_or_default();
        match self {
            AtlasPart::Cells => format!("`harness atlas --seed {seed} --cell {cell}`"),
            AtlasPart::Map => format!("`harness atlas --map --seed {seed} --cell {cell}`"),
            AtlasPart::Traces => {
                format!("`harness atlas --trace {description}`, with the folder before the name")
            }
        }
    }

    /// The part that the options ask for.
    pub(super) fn of(options: &AtlasOptions) -> Self {
        match options {
            _ if options.map => AtlasPart::Map,
            _ if !options.traces.is_empty() => AtlasPart::Traces,
            _ => AtlasPart::Cells,
        }
    }

    /// Whether the champions are measured, and one of them twice.
    pub(super) fn has_champions(self) -> bool {
        self != AtlasPart::Map
    }
}

/// A cell of a plan.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) number: u32,
    pub(super) boxes: Boxes,
    /// The grid of the map that it belongs to; empty of a drawn cell.
    pub(super) grid: &'static str,
    pub(super) case: Case,
}

/// Where the boxes of a cell come from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Boxes {
    Drawn(Box<Cell>),
    /// The name of a trace's file.
    Trace(String),
}

impl Planned {
    fn drawn(cell: Cell) -> Self {
        let (number, case) = (cell.number, Case::of_cell(cell));
        Self { number, boxes: Boxes::Drawn(Box::new(cell)), grid: "", case }
    }

    /// All frames of a trace. Every frame counts, as those of a drawn cell do.
    fn recorded(number: u32, trace: &NamedTrace) -> Result<Self, Failure> {
        let file = trace.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let case = trace.case(0, trace.frames)?;
        Ok(Self { number, boxes: Boxes::Trace(file), grid: "", case })
    }

    fn of_map(over: Over, cell: Cell) -> Self {
        let mut planned = Self { grid: over.name(), ..Self::drawn(cell) };
        // Another name than that of the drawn cell of this seed and number, whose properties differ.
        planned.case.input = format!("atlas-map:{}:{}", cell.seed, cell.number);
        planned
    }
}

/// The cell of the options `--cell`; `None` where the map has none of this number.
pub(super) fn single(part: AtlasPart, seed: u64, number: u32) -> Option<Planned> {
    match part {
        AtlasPart::Cells => Some(Planned::drawn(Cell::draw(seed, number))),
        AtlasPart::Map => map(seed).nth(number as usize),
        AtlasPart::Traces => None,
    }
}

/// All cells that the options ask for, in the order of their numbers.
pub(super) fn plan(part: AtlasPart, options: &AtlasOptions) -> Result<Vec<Planned>, Failure> {
    let most = options.objects_up_to.unwrap_or(u32::MAX);
    match part {
        AtlasPart::Cells => {
            let cells = drawn(options.seed, most).take(options.cells as usize);
            Ok(cells.map(Planned::drawn).collect())
        }
        AtlasPart::Map => {
            Ok(map(options.seed).filter(|planned| planned.case.n <= most as usize).collect())
        }
        AtlasPart::Traces => traces(&options.traces),
    }
}

/// The drawn cells of a seed that have at most `most` objects.
pub(super) fn drawn(seed: u64, most: u32) -> impl Iterator<Item = Cell> {
    let cells = (0..=u32::MAX).map(move |number| Cell::draw(seed, number));
    cells.filter(move |cell| cell.objects <= most)
}

/// The traces, each by the name of its file.
fn traces(paths: &[PathBuf]) -> Result<Vec<Planned>, Failure> {
    let mut names = HashSet::new();
    let trace = |(number, path): (u32, &PathBuf)| {
        let trace = NamedTrace::open(path)?;
        if !names.insert(trace.name.clone()) {
            return Err(Failure::Usage(format!(
                "--trace {}: another trace is called `{}`: name the file otherwise",
                path.display(),
                trace.name
            )));
        }
        Planned::recorded(number, &trace)
    };
    (0..).zip(paths).map(trace).collect()
}

/// The winner map: a plain gas over the number of objects and the speed, then over the number of
/// objects and the share that moves.
fn map(seed: u64) -> impl Iterator<Item = Planned> {
    let plain = Cell::plain(seed);
    let of_speed = move |objects| SPEEDS.map(|speed| Cell { objects, speed, ..plain });
    let of_movers = move |objects| MOVERS.map(|movers| Cell { objects, movers, ..plain });
    let over_speed = NUMBERS.into_iter().flat_map(of_speed).map(|cell| (Over::Speed, cell));
    let over_movers = NUMBERS.into_iter().flat_map(of_movers).map(|cell| (Over::Movers, cell));
    let cells = over_speed.chain(over_movers).zip(0..);
    cells.map(|((over, cell), number)| Planned::of_map(over, Cell { number, ..cell }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_has_a_cell_for_each_pair_of_values() {
        let cells: Vec<Planned> = map(7).collect();
        assert_eq!(cells.len(), 7 * 7 + 7 * 5);
        assert!(cells.iter().enumerate().all(|(at, planned)| planned.number as usize == at));
        let last = &cells[cells.len() - 1];
        let Boxes::Drawn(cell) = &last.boxes else { panic!("a trace: {last:?}") };
        assert_eq!((cell.objects, cell.movers, last.grid), (200_000, 1.0, "movers"));
        assert_eq!(last.case.input, "atlas-map:7:83");
        let single = single(AtlasPart::Map, 7, 83).unwrap();
        assert_eq!((single.boxes, single.grid), (last.boxes.clone(), last.grid));
        assert!(super::single(AtlasPart::Map, 7, 84).is_none());
    }
}
