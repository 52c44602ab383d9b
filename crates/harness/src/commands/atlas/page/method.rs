//! How the page was measured, and on what.

use super::Rows;
use crate::commands::atlas::findings::sorted;
use crate::commands::atlas::plan::Part;
use crate::study::shard::Source;
use crate::study::{AUTO, CHAMPIONS, FULL_SEARCH};
use std::fmt::Write;

/// How it was measured.
pub(super) fn method(cells: Option<&Rows>) -> String {
    let mut text = format!(
        "## How it was measured\n\n\
         - A cell plays 300 frames, 150 above 50,000 objects. Frame 0 counts: each algorithm pays for its first build.\n\
         - The repetitions of all champions and numbers of threads are interleaved, each with a new structure. A frame \
         counts by its fastest repetition, a cell by the mean over its frames.\n\
         - Champions are {} and every entry that wins a cell of the winner map.\n\
         - The best champion is the fastest of the figures themselves. With the noise of several champions its time is \
         rather too low, and so every regret rather too high.\n\
         - One champion is measured again in the same rounds. It is the fastest in a probe of 40 frames before, which \
         is no part of any figure, so that neither of both measurements is favoured.\n\
         - An algorithm whose median frame in that probe is more than 20 times that of the fastest is skipped; `{AUTO}` \
         and `{FULL_SEARCH}` never are.\n\
         - The checksum of every frame is compared between all repetitions, and with brute force as far as that takes \
         some seconds.\n",
        CHAMPIONS.join(", ")
    );
    if let Some(Rows { rows, .. }) = cells {
        let numbers = sorted(rows.iter().map(|row| row.cell));
        let proven = sorted(rows.iter().filter(|row| row.proven).map(|row| row.cell));
        let repeats = sorted(rows.iter().map(|row| row.repeats));
        let repeats: Vec<String> = repeats.iter().map(u32::to_string).collect();
        let _ = writeln!(
            text,
            "- Repetitions: {}. Brute force has seen the pairs of {} of {} cells.",
            repeats.join(", "),
            proven.len(),
            numbers.len()
        );
        text += "- [Rows](atlas/cells/atlas.csv)\n";
        if rows.iter().any(|row| row.repeats < 5) {
            text += "- Doubtful: fewer than five repetitions.\n";
        }
    }
    text + "\n"
}

/// The machines of a part: a table for each, whichever shards it measured.
pub(super) fn machines(rows: &Rows) -> String {
    let what = match rows.part {
        Part::Cells => "cells",
        Part::Map => "winner map",
    };
    let mut alike: Vec<Vec<&Source>> = Vec::new();
    for source in &rows.sources {
        match alike.iter_mut().find(|group| group[0].sheet.is_same_machine(&source.sheet)) {
            Some(group) => group.push(source),
            None => alike.push(vec![source]),
        }
    }
    let mut text = String::new();
    for group in alike {
        let _ = writeln!(text, "## The machine: {what}\n\n{}", group[0].sheet.table());
        if group.len() == 1 && group[0].shard().is_none() {
            continue;
        }
        for source in group {
            let shard = source.shard().map(|shard| shard.to_string()).unwrap_or_default();
            let sheet = &source.sheet;
            let warnings = sheet.warnings.iter().map(|warning| format!("; {warning}"));
            let _ = writeln!(
                text,
                "- Shard {shard}: `{}`{}",
                sheet.command_line.join(" "),
                warnings.collect::<String>()
            );
        }
        text.push('\n');
    }
    text
}
