//! Two files of results, measured at other times.

use super::compared::Compared;
use crate::cli::CompareOptions;
use crate::console;
use crate::failure::Failure;
use measure::{Exit, Ratio, Status, SummaryFile, SummaryRow};
use std::path::Path;

/// Compares each cell of A with the same cell of B.
pub(super) fn compare(options: &CompareOptions) -> Result<Vec<Compared>, Failure> {
    refuse_options_of_measuring(options)?;
    let a = SummaryFile::read(Path::new(&options.a))?;
    let b = SummaryFile::read(Path::new(&options.b))?;
    let partner = |row: &SummaryRow, rows: &[SummaryRow]| {
        rows.iter().find(|other| is_same_cell(row, other)).cloned()
    };
    if !a.rows.iter().any(|row| partner(row, &b.rows).is_some()) {
        let (a, b) = (a.path.display(), b.path.display());
        return Err(Failure::BadFile(format!("{a} and {b} have no cell in common")));
    }
    let new = b.rows.iter().filter(|row| partner(row, &a.rows).is_none()).count();
    if new > 0 && !options.quiet {
        console::note(&format!("note: {new} cell(s) stand in B only"));
    }
    let row = |row: &SummaryRow| match partner(row, &b.rows) {
        Some(other) => compared(row, &other),
        None => gone(row),
    };
    Ok(a.rows.iter().map(row).collect())
}

/// Refuses options that would have no effect: nothing is measured.
fn refuse_options_of_measuring(options: &CompareOptions) -> Result<(), Failure> {
    let CompareOptions { playing, effort, .. } = options;
    let given = [
        ("the inputs", !playing.inputs.is_empty()),
        ("--boxes", !playing.boxes.is_empty()),
        ("--moving", playing.moving.is_some()),
        ("--objects", !playing.objects.is_empty()),
        ("--frames", playing.frames.is_some()),
        ("--seed", playing.seed.is_some()),
        ("--threads", playing.threads != [1]),
        ("--warmup", effort.warmup.is_some()),
        ("--budget", effort.budget.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((what, _)) => Err(Failure::Usage(format!(
            "two files are compared as they are, nothing is measured: leave {what} out"
        ))),
    }
}

/// A cell that B does not have.
fn gone(a: &SummaryRow) -> Compared {
    let reason = Some("B has no such cell".to_owned());
    let lost = a.status == Status::Ok;
    Compared { b_median_ns: None, ratio: None, reason, exit: Exit::Ok, lost, ..compared(a, a) }
}

fn is_same_cell(a: &SummaryRow, b: &SummaryRow) -> bool {
    let key = |row: &SummaryRow| (row.n, row.seed, row.threads);
    a.input == b.input && a.algorithm == b.algorithm && key(a) == key(b)
}

fn compared(a: &SummaryRow, b: &SummaryRow) -> Compared {
    let fault = fault(a, b);
    let ratio = if fault.is_none() { Ratio::of_rows(a, b) } else { None };
    let (reason, exit) = fault.unzip();
    Compared {
        input: a.input.clone(),
        n: a.n,
        seed: a.seed,
        threads: a.threads,
        a: a.algorithm.clone(),
        b: b.algorithm.clone(),
        a_median_ns: a.median_ns,
        b_median_ns: b.median_ns,
        ratio,
        confidence: None,
        // Of one repetition the interval shows only how frames differ.
        enough: a.repeats.min(b.repeats) > 1,
        reason,
        exit: exit.unwrap_or_default(),
        lost: a.status == Status::Ok && b.status != Status::Ok,
    }
}

/// Why two rows cannot be compared, and how that ends the program.
fn fault(a: &SummaryRow, b: &SummaryRow) -> Option<(String, Exit)> {
    let why = |name: &str, row: &SummaryRow| format!("{name}: {}", row.reason_text());
    match (a.status, b.status) {
        (Status::Ok, Status::Ok) => {}
        (Status::Ok, _) => return Some((why("B", b), b.exit())),
        // What had no figure before cannot become slower.
        _ => return Some((why("A", a), Exit::Ok)),
    }
    if a.frames != b.frames {
        return Some((format!("{} frames against {}", a.frames, b.frames), Exit::BadInput));
    }
    if a.checksum != b.checksum {
        let reason = "other pairs were found: other boxes, another warm-up, or a wrong result";
        return Some((reason.to_owned(), Exit::Disagreement));
    }
    None
}
