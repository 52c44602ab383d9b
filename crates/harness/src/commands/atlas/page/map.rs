//! The section of the winner map.

use super::cells::without_figures;
use crate::commands::atlas::map::{Grid, Over, grids, winners};
use crate::commands::atlas::sources::PartRows;
use crate::study::Page;

/// The file of a grid's chart.
pub(super) fn file(grid: &Grid<'_>) -> String {
    format!("winners-{}.svg", grid.over.name())
}

/// Both charts, the winners, and the rows without figures.
pub(super) fn section(page: &mut Page, rows: &PartRows) {
    let grids = grids(&rows.rows);
    page.section("The winner map");
    page.paragraph(
        "The fastest entry of the whole registry on a gas of equal cubes in straight flight, one overlap \
         each, on one thread. The number in a tile is the time of the second fastest over that of the \
         fastest. [Rows](atlas/map/map.csv)",
    );
    for grid in &grids {
        let (what, fixed) = match grid.over {
            Over::Speed => ("speed", "all objects move"),
            Over::Movers => ("share of objects that move", "at 0.05 usual sides a frame"),
        };
        page.paragraph(&format!("Number of objects and {what}, {fixed}:"));
        page.chart(&format!("Winners over {what}"), &format!("atlas/{}", file(grid)));
    }
    let rows_of = winners(&grids).into_iter().map(|(id, cells)| [id.to_owned(), cells.to_string()]);
    page.table("winner | cells", rows_of);
    without_figures(page, "Rows of the winner map without figures", rows);
}
