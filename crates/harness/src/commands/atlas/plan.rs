//! The cells of a plan.

use super::AtlasOptions;
use super::figures::Over;
use crate::commands::inputs::NamedTrace;
use crate::failure::Failure;
use crate::study::StudyRow;
use measure::Case;
use sim::atlas::Cell;
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
        ["cells", "map", "traces"][self as usize]
    }

    /// The file of its rows.
    pub(super) fn file(self) -> &'static str {
        ["atlas.csv", "map.csv", "traces.csv"][self as usize]
    }

    /// The command that measures the cell of a row. Rows have no path of a trace, since it says nothing on another machine.
    pub(super) fn command(self, row: &StudyRow) -> String {
        let StudyRow { description, input, seed, frames, .. } = row;
        match self {
            AtlasPart::Cells => {
                format!("`harness run --boxes {input} --warmup 0 --frames {frames}`")
            }
            AtlasPart::Map => format!("`harness atlas --map --seed {}`", seed.unwrap_or_default()),
            AtlasPart::Traces => {
                format!("`harness run {description} --warmup 0`, with the folder before the name")
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
    pub(super) case: Case,
    /// Columns that all of its rows share: its number, grid and properties.
    pub(super) row: StudyRow,
}

impl Planned {
    fn new(case: Case, row: StudyRow) -> Self {
        let row = StudyRow {
            input: case.input.clone(),
            n: case.n as u64,
            seed: case.seed,
            frames: case.frames,
            ..row
        };
        Self { case, row }
    }

    /// A drawn cell, or one on a grid of the winner map.
    fn drawn(cell: Cell, grid: Option<Over>) -> Self {
        let mut case = Case::of_cell(cell);
        if grid.is_some() {
            // Another name than that of the drawn cell of this seed and number, whose properties differ.
            case.input = format!("atlas-map:{}:{}", cell.seed, cell.number);
        }
        let row = StudyRow {
            cell: cell.number,
            grid: grid.map_or("", Over::name).to_owned(),
            description: cell.describe(),
            placement: cell.placement.name().to_owned(),
            sizes: cell.sizes.name().to_owned(),
            motion: cell.motion.name().to_owned(),
            overlaps: Some(cell.overlaps),
            speed: Some(cell.speed),
            movers: Some(cell.movers),
            churn: Some(cell.churn),
            ..StudyRow::default()
        };
        Self::new(case, row)
    }
}

/// All cells that the options ask for, in the order of their numbers.
pub(super) fn plan(part: AtlasPart, options: &AtlasOptions) -> Result<Vec<Planned>, Failure> {
    let most = options.objects_up_to.unwrap_or(u32::MAX);
    match part {
        AtlasPart::Cells => {
            let cells = (0..=u32::MAX).map(|number| Cell::draw(options.seed, number));
            let cells = cells.filter(|cell| cell.objects <= most).take(options.cells as usize);
            Ok(cells.map(|cell| Planned::drawn(cell, None)).collect())
        }
        AtlasPart::Map => {
            Ok(map(options.seed).filter(|planned| planned.case.n <= most as usize).collect())
        }
        AtlasPart::Traces => traces(&options.traces),
    }
}

/// The traces, each by the name of its file, with all of its frames: every one counts, as those of a drawn cell do.
fn traces(paths: &[PathBuf]) -> Result<Vec<Planned>, Failure> {
    let mut all: Vec<Planned> = Vec::new();
    for (cell, path) in (0..).zip(paths) {
        let trace = NamedTrace::open(path)?;
        if all.iter().any(|planned| planned.case.input == trace.name) {
            return Err(Failure::Usage(format!(
                "--trace {}: another trace is called `{}`: name the file otherwise",
                path.display(),
                trace.name
            )));
        }
        let description = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let row = StudyRow { cell, description, ..StudyRow::default() };
        all.push(Planned::new(trace.case(0, trace.frames)?, row));
    }
    Ok(all)
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
    cells.map(|((over, cell), number)| Planned::drawn(Cell { number, ..cell }, Some(over)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_has_a_cell_for_each_pair_of_values() {
        let cells: Vec<StudyRow> = map(7).map(|planned| planned.row).collect();
        assert_eq!(cells.len(), 7 * 7 + 7 * 5);
        assert!(cells.iter().enumerate().all(|(at, row)| row.cell as usize == at));
        let last = &cells[cells.len() - 1];
        assert_eq!((last.n, last.movers, &*last.grid), (200_000, Some(1.0), "movers"));
        assert_eq!(last.input, "atlas-map:7:83");
    }
}
