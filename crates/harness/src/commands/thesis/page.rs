//! The page `thesis.md`: the machine, the verdicts, the figures.

use super::claims::{Judged, Verdict};
use super::evidence::Evidence;
use super::experiments::Experiment;
use super::figures::{Content, Figure};
use crate::machine_sheet::MachineSheet;
use crate::page_files::cell;
use std::fmt::Write;

/// What the page is made of.
pub(super) struct Parts<'a> {
    pub(super) machine: &'a MachineSheet,
    pub(super) evidence: &'a Evidence,
    pub(super) claims: &'a [Judged],
    /// The figures, each with the reason if it is not there.
    pub(super) figures: &'a [(&'a Figure, Result<(), String>)],
    /// Seconds that measuring took.
    pub(super) wall_seconds: Option<&'a str>,
}

/// The page as Markdown.
pub(super) fn page(parts: &Parts<'_>) -> String {
    let mut page = String::from(
        "# The experiments of the thesis, today\n\n\
         R. Kurtanjek, *Data structures for collision detection* (FER Zagreb, 2008), section 8, measured anew. Made by \
         `harness thesis`; figures and verdicts are computed from the rows beside them, and nothing is written by hand.\n\n",
    );
    page += &machine(parts);
    page += &verdicts(parts.claims);
    page += &figures(parts);
    page += &experiments(parts.evidence);
    page
}

/// The verdicts in a few lines for a terminal.
pub(super) fn verdict_lines(claims: &[Judged]) -> String {
    let lines = claims.iter().map(|c| format!("{:18}  {}: {}", c.verdict.word(), c.said, c.today));
    lines.chain([count(claims)]).collect::<Vec<_>>().join("\n")
}

fn machine(parts: &Parts<'_>) -> String {
    let mut text = format!("## The machine\n\n{}", parts.machine.table());
    if let Some(seconds) = parts.wall_seconds {
        text += &format!("| measured in | {seconds} s |\n");
    }
    text + "\n"
}

fn verdicts(claims: &[Judged]) -> String {
    let mut text = String::from(
        "## The claims\n\n\
         A factor *holds* if today's lies within a quarter of it either way, a share if it lies within 10 percentage \
         points; a comparison holds if it does at every number of objects that was measured.\n\n\
         | the thesis says | today | verdict | rests on |\n|---|---|---|---|\n",
    );
    for claim in claims {
        let Judged { said, rests_on, verdict, today } = claim;
        let _ = writeln!(
            text,
            "| {} | {} | **{}** | {} |",
            cell(said),
            cell(today),
            verdict.word(),
            cell(rests_on)
        );
    }
    text + "\n" + &count(claims) + "\n\n"
}

fn count(claims: &[Judged]) -> String {
    let of = |verdict: Verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    format!(
        "{} claims: {} hold, {} do not hold, {} cannot be compared.",
        claims.len(),
        of(Verdict::Holds),
        of(Verdict::DoesNotHold),
        of(Verdict::CannotBeCompared)
    )
}

fn figures(parts: &Parts<'_>) -> String {
    let mut text = String::from("## The figures\n\n");
    for (figure, there) in parts.figures {
        let Figure { number, caption, from, content } = figure;
        let from: Vec<&str> = from.iter().map(|e| e.folder()).collect();
        let _ = writeln!(text, "### {number}: {caption}\n");
        match (there, content) {
            (Err(reason), _) => {
                let _ = writeln!(text, "Not there: {reason}.\n");
            }
            (Ok(()), Content::Chart(_)) => {
                let (svg, png) = (figure.file("svg"), figure.file("png"));
                let _ = writeln!(text, "![{caption}](thesis/{svg})\n");
                let rows = from
                    .iter()
                    .map(|e| format!("[{e}](thesis/{e}/summary.csv)"))
                    .collect::<Vec<_>>()
                    .join(", ");
                let _ = writeln!(text, "[PNG](thesis/{png}), rows: {rows}\n");
            }
            (Ok(()), Content::Pictures(names)) => {
                let share = 98 / names.len();
                let images = names.iter().map(|name| {
                    format!("<img src=\"thesis/{name}\" width=\"{share}%\" alt=\"{caption}\">")
                });
                let _ = writeln!(text, "{}\n", images.collect::<Vec<_>>().join(" "));
            }
        }
    }
    text
}

fn experiments(evidence: &Evidence) -> String {
    let mut text = String::from(
        "## How it was measured\n\n| | experiment | numbers of objects | frames | rows |\n|---|---|---|---|---|\n",
    );
    for experiment in Experiment::ALL {
        let numbers = evidence.numbers(experiment);
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let folder = experiment.folder();
        let rows = match numbers.is_empty() {
            true => "none".to_owned(),
            false => {
                format!(
                    "[summary](thesis/{folder}/summary.csv), [frames](thesis/{folder}/frames.csv)"
                )
            }
        };
        let numbers = numbers.join(", ");
        let effort = evidence.effort(experiment);
        let frames =
            effort.map(|[frames, repeats]| format!("{frames} x {repeats}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "| {folder} | {} | {numbers} | {frames} | {rows} |",
            experiment.summary()
        );
    }
    text += "\nOne thread. Where nothing is drawn, the numbers of objects take turns, a repetition each; where something is, they \
             come one after the other. Every frame's pairs are compared with those of brute force. Frames per second are 1 over the median of \
             update, pairs, response and drawing; the motion, which is the same for all, is left out of them but part of \
             the whole of which shares are taken. Drawing is encoding a frame of 800 x 600 pixels without anti-aliasing and \
             waiting until it is drawn. Bars are 95 % intervals of the median. Where the thesis looks closer at a part, the \
             axes are linear; else they are logarithmic, since today's figures span five powers of ten.\n";
    if !evidence.left_out.is_empty() {
        text += "\nRows that are no result:\n\n";
        for row in &evidence.left_out {
            let _ = writeln!(text, "- {row}");
        }
    }
    text
}
