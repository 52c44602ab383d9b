//! The winner map: the fastest of the whole registry on two grids.

use super::figures::sorted;
use crate::study::StudyRow;
use measure::Status;

/// A cell of the map.
pub(super) struct Won<'a> {
    pub(super) winner: &'a StudyRow,
    /// The time of the second fastest over that of the fastest.
    pub(super) ahead: Option<f64>,
}

/// A grid of the map.
pub(super) struct Grid<'a> {
    /// The quantity of its second axis; the first is the number of objects.
    pub(super) over: Over,
    pub(super) cells: Vec<Won<'a>>,
}

/// The second quantity of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Speed,
    Movers,
}

impl Over {
    /// The grid's name in rows and files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Over::Speed => "speed",
            Over::Movers => "movers",
        }
    }

    /// The quantity of a row.
    pub(super) fn of(self, row: &StudyRow) -> f64 {
        let quantity = match self {
            Over::Speed => row.speed,
            Over::Movers => row.movers,
        };
        quantity.map_or(f64::NAN, f64::from)
    }
}

/// The grids that were measured.
pub(super) fn grids(rows: &[StudyRow]) -> Vec<Grid<'_>> {
    let grid = |over: Over| {
        let cells = rows
            .chunk_by(|a, b| a.cell == b.cell)
            .filter(|cell| cell[0].grid == over.name())
            .filter_map(won);
        Grid { over, cells: cells.collect() }
    };
    let grids = [Over::Speed, Over::Movers].map(grid);
    grids.into_iter().filter(|grid| !grid.cells.is_empty()).collect()
}

/// The winner of a cell, on the least number of threads.
fn won(cell: &[StudyRow]) -> Option<Won<'_>> {
    let threads = cell.iter().map(|row| row.threads).min()?;
    let is_measured =
        |row: &&StudyRow| row.threads == threads && !row.again && row.status == Status::Ok;
    let mut order: Vec<(f64, &StudyRow)> =
        cell.iter().filter(is_measured).filter_map(|row| Some((row.mean_ns?, row))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (least, winner) = *order.first()?;
    let ahead = order.get(1).map(|(next, _)| next / least.max(1.0));
    Some(Won { winner, ahead })
}

/// The winners of a map with the number of cells that each wins, the most cells first.
pub(super) fn winners<'a>(grids: &[Grid<'a>]) -> Vec<(&'a str, usize)> {
    let all = || grids.iter().flat_map(|grid| &grid.cells).map(|won| won.winner.algorithm.as_str());
    let count = |id: &str| all().filter(|other| *other == id).count();
    let mut winners: Vec<(&str, usize)> =
        sorted(all()).into_iter().map(|id| (id, count(id))).collect();
    winners.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    winners
}
