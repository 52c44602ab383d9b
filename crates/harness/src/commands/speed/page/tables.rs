//! The tables of `speed.md` below the overview.

use crate::commands::speed::changes::{AFTER, BASELINE, STRETCH};
use crate::commands::speed::findings::{Finding, Judged, Memory, cases, inverse};
use crate::commands::speed::goals::{ALLOCATIONS, BYTES, CHANGES};
use crate::commands::speed::inputs::title;
use crate::commands::speed::parts::{PLAIN, Part, algorithm_and_set};
use crate::commands::speed::rows::{By, SpeedRow};
use crate::page_files::cell;
use crate::study::AUTO;
use crate::study::numbers::{figure, milliseconds, with_interval};
use std::fmt::Write;

/// How much longer `auto` takes than what no search can do without.
pub(super) fn limit(findings: &[Finding<'_>]) -> String {
    let mut text = String::from(
        "## How far from the limit\n\n\
         The limit is what reading all boxes once and writing all pairs once takes, on one thread, again and again in the same \
         memory, in two plain loops compiled for the best instruction set that the processor has: what no search can do without, \
         not the least time that it could be done in. Of `auto` the mean frame, in which the slow ones count too.\n\n\
         | input | limit, µs | auto, µs | auto / limit | auto, ns a box and pair |\n|---|---|---|---|---|\n",
    );
    let mut is_measured = false;
    for finding in findings {
        let Some((row, limit, auto)) =
            finding.auto().and_then(|row| Some((row, row.limit_ns?, row.mean_ns? as f64)))
        else {
            continue;
        };
        is_measured = true;
        let boxes_and_pairs = row.n as f64 + row.pairs.unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            finding.title(),
            figure(limit / 1e3),
            figure(auto / 1e3),
            figure(auto / limit),
            figure(auto / boxes_and_pairs)
        );
    }
    if is_measured { text + "\n" } else { String::new() }
}

/// Two threads against one.
pub(super) fn threads(rows: &[SpeedRow]) -> String {
    let mut text = String::from(
        "## Two threads against one\n\n\
         | input | algorithm | 1 thread, ms | 2 threads, ms | times as fast |\n|---|---|---|---|---|\n",
    );
    let cases = cases(rows, |part| part == Part::Threads);
    for case in &cases {
        for two in case.iter().filter(|row| row.threads == 2) {
            let one = case.iter().find(|o| o.algorithm == two.algorithm && o.threads == 1);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} |",
                title(&two.input, two.n),
                two.algorithm,
                milliseconds(one.and_then(|row| row.median_ns)),
                milliseconds(two.median_ns),
                two.over().map_or("-".to_owned(), |ratio| with_interval(inverse(ratio)))
            );
        }
    }
    if cases.is_empty() { String::new() } else { text + "\n" }
}

/// Instruction sets against the best.
pub(super) fn instruction_sets(rows: &[SpeedRow], best: Option<&str>) -> String {
    let best = best.map(|name| format!(" (the best is {name})")).unwrap_or_default();
    let mut text = format!(
        "## Instruction sets\n\n\
         | input | algorithm | forced to{best} | ms | times as long as the best |\n|---|---|---|---|---|\n",
    );
    let cases = cases(rows, |part| part == Part::Simd);
    for row in cases.iter().flatten() {
        let (algorithm, set) = algorithm_and_set(&row.algorithm);
        let _ = writeln!(
            text,
            "| {} | {algorithm} | {set} | {} | {} |",
            title(&row.input, row.n),
            milliseconds(row.median_ns),
            row.over().map_or("-".to_owned(), with_interval)
        );
    }
    if cases.is_empty() { String::new() } else { text + "\n" }
}

/// What `auto` holds, input by input.
pub(super) fn memory(all: &[Memory]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "## Memory\n\n\
         The most that `auto` held at once since the start, the list of pairs not counted, and its allocations in a frame, on \
         every input, the most bytes first. The goals: {} bytes, {} allocations.\n\n\
         | input | bytes an object | | allocations a frame | |\n|---|---|---|---|---|\n",
        BYTES.text(),
        ALLOCATIONS.text()
    );
    for memory in all {
        let judged = |judged: &Option<Judged>| match judged {
            Some(judged) => {
                format!("{} | {}", figure(judged.figure.ratio), judged.verdict().word())
            }
            None => "- | not measured".to_owned(),
        };
        let [bytes, allocations] = [&memory.bytes, &memory.allocations].map(judged);
        let _ = writeln!(text, "| {} | {bytes} | {allocations} |", memory.title);
    }
    text + "\n"
}

/// First frames against plain box pruning.
pub(super) fn fresh(rows: &[SpeedRow]) -> String {
    let mut text = format!(
        "## The first frame\n\n\
         `terdiman` stands still, so that a kept list is for nothing after a few frames. Here each round is the first frame of \
         a fresh structure, memory from the system included.\n\n\
         | input | algorithm | ms | over {PLAIN} |\n|---|---|---|---|\n",
    );
    let cases = cases(rows, |part| part == Part::Fresh);
    for row in cases.iter().flatten() {
        let over = if row.algorithm == PLAIN { None } else { row.over() };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            title(&row.input, row.n),
            row.algorithm,
            milliseconds(row.median_ns),
            over.map_or("1".to_owned(), with_interval)
        );
    }
    if cases.is_empty() { String::new() } else { text + "\n" }
}

/// The worst frames after changes of motion.
pub(super) fn changes(rows: &[SpeedRow]) -> String {
    let mut text = format!(
        "## When the motion changes\n\n\
         Boxes rest for {STRETCH} frames, all fly as a gas for {STRETCH}, and rest for {STRETCH}. Of the first {AFTER} frames \
         after each change the worst counts, over the median one of {BASELINE} in the same frames of the same round: the worse of \
         the two changes, the median of the rounds. {BASELINE} beside itself shows what is noise. What comes later than \
         {AFTER} frames after a change is not in it. The goal is for `auto`: {}.\n\n\
         | input | algorithm | worst frame over a median one of {BASELINE} | |\n|---|---|---|---|\n",
        CHANGES.text()
    );
    let cases = cases(rows, |part| part == Part::Changes);
    for row in cases.iter().flatten() {
        let over = row.over();
        let judged =
            over.filter(|_| row.algorithm == AUTO).map(|ratio| CHANGES.judge(ratio).word());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            title(&row.input, row.n),
            row.algorithm,
            over.map_or("-".to_owned(), with_interval),
            judged.unwrap_or_default()
        );
    }
    if cases.is_empty() {
        return "## When the motion changes\n\nNot measured.\n\n".to_owned();
    }
    text + "\n"
}

/// Everybody on every input, the fastest first.
pub(super) fn every_input(findings: &[Finding<'_>]) -> String {
    let mut text = String::from("## Input by input\n\n");
    for finding in findings {
        let SpeedRow { frames, repeats, .. } = finding.rows[0];
        let _ = writeln!(
            text,
            "### {}\n\nFrames: {frames}, rounds: {repeats}. Peers are in italics.\n\n\
             | algorithm | median ms | interval | over auto | mean ms | over auto | p95 ms |\n|---|---|---|---|---|---|---|",
            finding.title()
        );
        for row in &finding.rows {
            let name =
                if row.peer { format!("*{}*", row.algorithm) } else { row.algorithm.clone() };
            if row.median_ns.is_none() {
                let reason = cell(row.reason.as_deref().unwrap_or("no reason given"));
                let _ = writeln!(text, "| {name} | - | {reason} | - | - | - | - |");
                continue;
            }
            let over = |by| row.over_by(by).map_or("-".to_owned(), with_interval);
            let _ = writeln!(
                text,
                "| {name} | {} | {} to {} | {} | {} | {} | {} |",
                milliseconds(row.median_ns),
                milliseconds(row.ci_low_ns),
                milliseconds(row.ci_high_ns),
                over(By::Median),
                milliseconds(row.mean_ns),
                over(By::Mean),
                milliseconds(row.p95_ns)
            );
        }
        text.push('\n');
    }
    text
}
