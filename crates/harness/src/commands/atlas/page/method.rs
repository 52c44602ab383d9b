//! How the page was measured, and on what machines.

use crate::commands::atlas::cell_rows::sorted;
use crate::commands::atlas::plan::AtlasPart;
use crate::commands::atlas::sources::PartRows;
use crate::study::{AUTO, CHAMPIONS, FULL_SEARCH, Page};
use report::ResultFolder;

/// How it was measured.
pub(super) fn method(page: &mut Page, parts: &[PartRows]) {
    let of = |part: AtlasPart| parts.iter().find(|rows| rows.part == part);
    page.section("How it was measured");
    let mut lines = vec![
        format!(
            "A cell plays 300 frames, 150 above 50,000 objects{}. Frame 0 counts: each algorithm pays \
             for its first build.",
            if of(AtlasPart::Traces).is_some() { ", and a trace all that it has" } else { "" }
        ),
        "The repetitions of all champions and numbers of threads are interleaved, each with a new \
         structure. A frame counts by its fastest repetition, a cell by the mean over its frames."
            .to_owned(),
        format!(
            "Champions are {} and every entry that wins a cell of the winner map.",
            CHAMPIONS.join(", ")
        ),
        "The best champion is the fastest of the figures themselves. With the noise of several champions \
         its time is rather too low, and so every regret rather too high."
            .to_owned(),
        "One champion is measured again in the same rounds: the fastest in a probe of 40 frames, which \
         enters no figure, so that neither measurement is favoured."
            .to_owned(),
        format!(
            "An algorithm whose median frame in that probe is more than 20 times that of the fastest is \
             skipped; `{AUTO}` and `{FULL_SEARCH}` never are."
        ),
        "The checksum of every frame is compared between all repetitions, and with brute force as far as \
         that takes some seconds."
            .to_owned(),
    ];
    if let Some(PartRows { rows, .. }) = of(AtlasPart::Cells) {
        let numbers = sorted(rows.iter().map(|row| row.cell));
        let proven = sorted(rows.iter().filter(|row| row.proven).map(|row| row.cell));
        let repeats = sorted(rows.iter().map(|row| row.repeats));
        let repeats: Vec<String> = repeats.iter().map(u32::to_string).collect();
        lines.push(format!(
            "Repetitions: {}. The pairs of {} of {} cells were compared with brute force.",
            repeats.join(", "),
            proven.len(),
            numbers.len()
        ));
        lines.push("[Rows](atlas/cells/atlas.csv)".to_owned());
        if rows.iter().any(|row| row.repeats < 5) {
            lines.push("Doubtful: fewer than five repetitions.".to_owned());
        }
    }
    page.list(lines);
}

/// The machines of a part: a table for each, with the shards that it measured.
pub(super) fn machines(page: &mut Page, rows: &PartRows) {
    let what = match rows.part {
        AtlasPart::Cells => "cells",
        AtlasPart::Map => "winner map",
        AtlasPart::Traces => "recorded motion",
    };
    let mut alike: Vec<Vec<&ResultFolder>> = Vec::new();
    for source in &rows.sources {
        match alike.iter_mut().find(|group| group[0].machine.is_same_machine(&source.machine)) {
            Some(group) => group.push(source),
            None => alike.push(vec![source]),
        }
    }
    for group in alike {
        page.section(&format!("The machine: {what}"));
        let lines = group[0].machine.lines().into_iter();
        page.table(" | ", lines.map(|(name, value)| [name.to_owned(), value]));
        let shards =
            group.into_iter().filter_map(|source| Some((source.shard()?, &source.machine)));
        page.list(shards.map(|(shard, machine)| {
            let warnings = machine.warnings.iter().map(|warning| format!("; {warning}"));
            let command = machine.command_line.join(" ");
            format!("Shard {shard}: `{command}`{}", warnings.collect::<String>())
        }));
    }
}
