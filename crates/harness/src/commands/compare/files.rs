//! Two files of results, measured at other times: `summary.csv` or `stages.csv`.

use super::Compared;
use crate::cli::CompareOptions;
use crate::console;
use crate::failure::Failure;
use measure::{Exit, Ratio, Stage, StageRow, StagesFile, Status, SummaryFile, SummaryRow};
use std::path::Path;

/// A row of results that has its like in another file.
pub(super) trait ComparedRow {
    /// Whether both are of the same method on the same case.
    fn is_like(&self, other: &Self) -> bool;

    /// How long `other` took over this one, or why that cannot be said.
    fn compared_with(&self, other: &Self) -> Compared;
}

/// Compares each row of A with its like in B.
pub(super) fn compare(options: &CompareOptions) -> Result<Vec<Compared>, Failure> {
    refuse_options_of_measuring(options)?;
    let [a, b] = [&options.a, &options.b].map(Path::new);
    if is_of_stages(a) || is_of_stages(b) {
        let (a, b) = (StagesFile::read(a)?, StagesFile::read(b)?);
        return rows((&a.path, &a.rows), (&b.path, &b.rows), options.quiet);
    }
    let (a, b) = (SummaryFile::read(a)?, SummaryFile::read(b)?);
    rows((&a.path, &a.rows), (&b.path, &b.rows), options.quiet)
}

/// Whether a path is a `stages.csv`, or a folder with one and without a `summary.csv`.
fn is_of_stages(path: &Path) -> bool {
    let is_named = path.file_name().is_some_and(|name| name == StagesFile::NAME);
    is_named || (path.join(StagesFile::NAME).exists() && !path.join(SummaryFile::NAME).exists())
}

fn rows<R: ComparedRow>(
    a: (&Path, &[R]),
    b: (&Path, &[R]),
    quiet: bool,
) -> Result<Vec<Compared>, Failure> {
    let partner = |row: &R, rows: &'_ [R]| rows.iter().position(|other| row.is_like(other));
    if !a.1.iter().any(|row| partner(row, b.1).is_some()) {
        let (a, b) = (a.0.display(), b.0.display());
        return Err(Failure::BadFile(format!("{a} and {b} have no cell in common")));
    }
    let new = b.1.iter().filter(|row| partner(row, a.1).is_none()).count();
    if new > 0 && !quiet {
        console::note(&format!("note: {new} cell(s) stand in B only"));
    }
    let row = |row: &R| match partner(row, b.1) {
        Some(at) => row.compared_with(&b.1[at]),
        None => row.compared_with(row).without_partner(),
    };
    Ok(a.1.iter().map(row).collect())
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

impl ComparedRow for SummaryRow {
    fn is_like(&self, other: &Self) -> bool {
        let key = |row: &Self| (row.n, row.seed, row.threads);
        self.input == other.input && self.algorithm == other.algorithm && key(self) == key(other)
    }

    fn compared_with(&self, other: &Self) -> Compared {
        let (a, b) = (self, other);
        let reason = |row: &Self| (row.status, row.reason_text(), row.exit());
        let fault = fault(reason(a), reason(b)).or_else(|| {
            if a.frames != b.frames {
                let text = format!("{} frames against {}", a.frames, b.frames);
                return Some((text, Exit::BadInput));
            }
            let text = "other pairs were found: other boxes, another warm-up, or a wrong result";
            (a.checksum != b.checksum).then(|| (text.to_owned(), Exit::Disagreement))
        });
        Compared {
            input: a.input.clone(),
            n: a.n,
            seed: a.seed,
            threads: a.threads,
            a: a.algorithm.clone(),
            b: b.algorithm.clone(),
            a_median_ns: a.median_ns.map(|ns| ns as f64),
            b_median_ns: b.median_ns.map(|ns| ns as f64),
            // Of one repetition the interval shows only how frames differ.
            enough: a.repeats.min(b.repeats) > 1,
            ..Compared::of_files(fault, || Ratio::of_rows(a, b), [a.status, b.status])
        }
    }
}

impl ComparedRow for StageRow {
    fn is_like(&self, other: &Self) -> bool {
        let key = |row: &Self| (row.n, row.seed, row.threads, row.stage);
        let texts = |row: &Self| {
            [&row.input, &row.method, &row.box_kind, &row.continuous].map(String::clone)
        };
        key(self) == key(other) && texts(self) == texts(other)
    }

    fn compared_with(&self, other: &Self) -> Compared {
        let (a, b) = (self, other);
        let reason = |row: &Self| (row.status, row.reason_text(), row.exit());
        let fault = fault(reason(a), reason(b)).or_else(|| stage_fault(a, b));
        let over = |b: Option<f64>, a: Option<f64>| Some(b? / a?.max(f64::MIN_POSITIVE));
        let ratio = || {
            Some(Ratio {
                ratio: over(b.test_ns, a.test_ns)?,
                low: over(b.ci_low_test_ns, a.ci_high_test_ns)?,
                high: over(b.ci_high_test_ns, a.ci_low_test_ns)?,
            })
        };
        let name = |row: &Self| match row.box_kind.as_str() {
            "" => format!("{} {}", row.stage, row.method),
            kind => format!("{} {} ({kind} boxes)", row.stage, row.method),
        };
        Compared {
            input: a.input.clone(),
            n: a.n,
            seed: a.seed,
            threads: a.threads,
            a: name(a),
            b: name(b),
            a_median_ns: a.test_ns,
            b_median_ns: b.test_ns,
            enough: a.repeats.min(b.repeats) > 1,
            ..Compared::of_files(fault, ratio, [a.status, b.status])
        }
    }
}

/// Why two rows without figures cannot be compared, and how that ends the program.
fn fault(a: (Status, String, Exit), b: (Status, String, Exit)) -> Option<(String, Exit)> {
    match (a, b) {
        ((Status::Ok, ..), (Status::Ok, ..)) => None,
        ((Status::Ok, ..), (_, reason, exit)) => Some((format!("B: {reason}"), exit)),
        // What had no figure before cannot become slower.
        ((_, reason, _), _) => Some((format!("A: {reason}"), Exit::Ok)),
    }
}

/// Why two rows of a stage with figures cannot be compared, and how that ends the program.
fn stage_fault(a: &StageRow, b: &StageRow) -> Option<(String, Exit)> {
    if (a.tests, a.frames, a.repeats) != (b.tests, b.frames, b.repeats) {
        let reason = "other tests: other frames, repetitions or bodies";
        return Some((reason.to_owned(), Exit::BadInput));
    }
    // Another fit of a volume may pass other pairs. The pairs that touch are the same, but for those in the band.
    let band = a.band.unwrap_or_default().max(b.band.unwrap_or_default());
    let [one, other] = [a, b].map(|row| row.right_contacts().unwrap_or_default());
    let is_answer = matches!(a.stage, Stage::Narrow | Stage::Impact);
    let differs = is_answer && one.abs_diff(other) > band;
    differs.then(|| ("other answers were given".to_owned(), Exit::Disagreement))
}
