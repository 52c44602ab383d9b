//! The section of the winner map.

use super::Rows;
use super::cells::without_figures;
use crate::commands::atlas::map::{Grid, Over, winners};
use std::fmt::Write;

/// The file of a grid's figure.
pub(super) fn file(over: Over) -> String {
    format!("winners-{}.svg", over.name())
}

/// Both figures, the winners, and what was not measured.
pub(super) fn section(rows: &Rows, grids: &[Grid<'_>]) -> String {
    let mut text = String::from(
        "## The winner map\n\nThe fastest entry of the whole registry on a gas of equal cubes in straight flight, one \
         overlap each, on one thread. The number in a tile is the time of the second fastest over that of the \
         fastest. [Rows](atlas/map/map.csv)\n\n",
    );
    for grid in grids {
        let (what, fixed) = match grid.over {
            Over::Speed => ("speed", "all objects move"),
            Over::Movers => ("share of objects that move", "at 0.05 usual sides a frame"),
        };
        let _ = writeln!(text, "Number of objects and {what}, {fixed}:\n");
        let _ = writeln!(text, "![Winners over {what}](atlas/{})\n", file(grid.over));
    }
    text += "| winner | cells |\n|---|---|\n";
    for (id, cells) in winners(grids) {
        let _ = writeln!(text, "| {id} | {cells} |");
    }
    text.push('\n');
    text + &without_figures(rows).replacen("## ", "### ", 1)
}
