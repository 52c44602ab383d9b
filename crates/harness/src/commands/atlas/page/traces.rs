//! The section of recorded motion.

use super::cells::{micros, shown, without_figures};
use crate::commands::atlas::cell_rows::{AtlasCells, CellRows};
use crate::commands::atlas::sources::PartRows;
use crate::study::{AUTO, Page};
use measure::numbers::{significant, thousands};

/// The result in a line for each number of threads.
pub(super) fn summary(rows: &PartRows) -> Vec<String> {
    let atlas = AtlasCells::new(&rows.rows);
    let line = |threads: u32| {
        let worst = atlas.worst(usize::MAX, |cell| cell.regret(threads));
        let (regret, cell) = worst.first()?;
        let median = atlas.spread(|cell| cell.regret(threads)).median()?;
        let plural = if threads == 1 { "" } else { "s" };
        Some(format!(
            "On {} traces, {threads} thread{plural}: `auto` takes {} times as long as the best champion in \
             the median, {} at worst ({}).",
            worst.len(),
            significant(median),
            significant(*regret),
            cell.first().description
        ))
    };
    atlas.threads().into_iter().filter_map(line).collect()
}

/// A row for each trace and number of threads, and the rows without figures.
pub(super) fn section(page: &mut Page, rows: &PartRows) {
    let atlas = AtlasCells::new(&rows.rows);
    page.section("Recorded motion");
    page.paragraph(
        "The mean time of `auto` over that of the best champion on boxes that other programs recorded. \
         \"Again\" is a champion that was measured twice, its second time over its first: what differs from \
         1 is noise. \"Slowest frame\" is that of `auto` from frame 50 on, over the median frame of a full \
         search. [Rows](atlas/traces/traces.csv)",
    );
    let row = |(cell, threads): (&CellRows<'_>, u32)| {
        let (first, best) = (cell.first(), cell.best(threads));
        [
            first.description.clone(),
            thousands(first.n as f64),
            first.frames.to_string(),
            best.and_then(|best| best.pairs).map_or("-".to_owned(), thousands),
            threads.to_string(),
            best.map_or("-", |best| &best.algorithm).to_owned(),
            micros(best.and_then(|best| best.mean_ns)),
            micros(cell.time(AUTO, threads)),
            shown(cell.regret(threads)),
            shown(cell.noise(threads)),
            shown(cell.early_regret(threads)),
            shown(cell.late_frame(threads)),
        ]
    };
    let threads = atlas.threads();
    let cells =
        threads.iter().flat_map(|threads| atlas.cells.iter().map(move |cell| (cell, *threads)));
    page.table(
        "trace | n | frames | pairs | threads | best champion | its us | auto us | regret | again | regret in frames 5 to 44 | slowest frame",
        cells.map(row),
    );
    without_figures(page, "Rows of recorded motion without figures", rows);
}
