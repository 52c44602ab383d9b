//! Claims on motion within a step.

use super::{Rule, TOLERATED, list, ns, ns_text, percent, percent_of, share, work, wrong_share};
use crate::commands::experiments::plan::{Experiment, SAMPLINGS};
use crate::commands::experiments::rows::ExperimentRows;
use crate::study::{Checked, Claim, Outcome, claim, holds};
use measure::numbers::significant;
use measure::{Stage, StageRow};

/// Half a length a step: below it the attempts of 001 are said to work.
const HALF: f64 = 0.5;

/// Digits of the time of first contact from which a method counts as exact: `f64` has 16, of which a pair far from its
/// contact loses some.
const EXACT_DIGITS: f64 = 9.0;

type Rows<'a> = Result<Vec<&'a StageRow>, Outcome>;

/// The rows of a time of impact on pairs in motion.
fn moving<'a>(rows: &'a ExperimentRows, method: &str) -> Rows<'a> {
    rows.of_method(Experiment::Moving, Stage::Impact, method)
}

fn samplings(rows: &ExperimentRows) -> Result<Vec<Vec<&StageRow>>, Outcome> {
    SAMPLINGS.iter().map(|id| moving(rows, id)).collect()
}

fn speed(row: &StageRow) -> f64 {
    row.speed.unwrap_or(0.0)
}

/// A figure of each row, by its speed: `0.0 % at 0.1, 3.0 % at 4`.
fn by_speed(rows: &[&StageRow], figure: impl Fn(&StageRow) -> String) -> String {
    list(rows, |row| format!("{} at {}", figure(row), speed(row)))
}

fn works_below_half_a_length(rows: &ExperimentRows, id: &str) -> Checked {
    let rows = moving(rows, id)?;
    let is_as_said = |row: &&StageRow| (wrong_share(row) <= TOLERATED) == (speed(row) < HALF);
    // At half a length the source states nothing.
    let all = rows.iter().filter(|row| speed(row) != HALF).all(is_as_said);
    let misses = by_speed(&rows, |row| percent_of(row.missed, row));
    let alarms = by_speed(&rows, |row| percent_of(row.false_passed, row));
    Ok(holds(all, format!("missed: {misses}; false alarms: {alarms}")))
}

fn is_exact(rows: &ExperimentRows, id: &str) -> Checked {
    let rows = moving(rows, id)?;
    let wrong: u64 =
        rows.iter().map(|row| row.missed.unwrap_or(0) + row.false_passed.unwrap_or(0)).sum();
    let tests: u64 = rows.iter().filter_map(|row| row.tests).sum();
    let error = rows.iter().filter_map(|row| row.largest_error).fold(0.0, f64::max);
    let digits = -error.max(f64::EPSILON).log10();
    let figure = format!(
        "{wrong} wrong answers in {tests} tests, times right to {digits:.1} digits of the step"
    );
    Ok(holds(wrong == 0 && digits >= EXACT_DIGITS, figure))
}

/// False alarms at every speed, or at none.
fn has_false_alarms(rows: Rows<'_>, expected: bool) -> Checked {
    let rows = rows?;
    let as_said = rows.iter().all(|row| (row.false_passed > Some(0)) == expected);
    let texts = by_speed(&rows, |row| percent_of(row.false_passed, row));
    Ok(holds(as_said, format!("false alarms: {texts}")))
}

pub(super) const CLAIMS: &[Claim<Rule>] = &[
    claim("A test at the end with halving works only below half a length a step")
        .by("001, first attempt; moving", |rows| works_below_half_a_length(rows, "halving")),
    claim("Boxes around whole displacements work only below half a length a step")
        .by("001, second attempt; moving", |rows| works_below_half_a_length(rows, "swept-boxes")),
    claim("Moving SAT finds the first contact exactly")
        .by("001; 000 §3.1; moving", |rows| is_exact(rows, "moving-sat")),
    claim("Moving SAT of two boxes, with their 15 axes, finds the first contact exactly")
        .by("001; moving", |rows| is_exact(rows, "moving-sat+boxes")),
    claim("Moving SAT of two boxes is fast: faster than a test at both ends of the step").by(
        "001; moving",
        |rows| {
            let (own, ends) = (moving(rows, "moving-sat+boxes")?, moving(rows, "discrete")?);
            let is_faster = own.iter().zip(&ends).all(|(own, ends)| ns(own) < ns(ends));
            let [own, ends] = [own, ends].map(|rows| by_speed(&rows, ns_text));
            Ok(holds(is_faster, format!("{own}; the test at both ends of the step {ends}")))
        },
    ),
    claim("Where bodies move a length a step, rotation can be neglected").by(
        "001; rotating",
        |rows| {
            let rows = rows.of_method(Experiment::Rotating, Stage::Impact, "moving-sat")?;
            let spin = |row: &StageRow| row.spin.unwrap_or(0.0);
            let texts = list(&rows, |row| {
                format!("{} at {} rad a step", percent(wrong_share(row)), spin(row))
            });
            let slowest = rows.iter().min_by(|a, b| spin(a).total_cmp(&spin(b)));
            let is_right = slowest.is_some_and(|row| wrong_share(row) <= TOLERATED);
            Ok(holds(is_right, format!("wrong answers: {texts}")))
        },
    ),
    claim("A discrete test misses less if the path of a step is shorter").by(
        "000 §4.1; moving",
        |rows| {
            let rows = moving(rows, "discrete")?;
            let rises = rows.is_sorted_by_key(|row| share(row.missed, row));
            Ok(holds(rises, by_speed(&rows, |row| percent_of(row.missed, row))))
        },
    ),
    claim("Swept volumes raise false alarms between moving bodies")
        .by("000 §4.2, figure 4.3; moving", |rows| {
            has_false_alarms(moving(rows, "swept-boxes"), true)
        }),
    claim("Swept volumes raise none against bodies at rest").by(
        "000 §4.2, figure 4.2; resting",
        |rows| {
            has_false_alarms(
                rows.of_method(Experiment::Resting, Stage::Impact, "swept-boxes"),
                false,
            )
        },
    ),
    claim("Coarse sampling misses contacts, dense sampling takes too long").by(
        "000 §4.2; moving",
        |rows| {
            // Fewer static tests miss more, and more of them take longer.
            let fastest: Vec<_> =
                samplings(rows)?.iter().map(|rows| rows[rows.len() - 1]).collect();
            let is_so = fastest.is_sorted_by(|a, b| a.missed >= b.missed && ns(a) <= ns(b));
            let text = |row: &&StageRow| {
                format!("{} misses {} in {}", row.method, percent_of(row.missed, row), ns_text(row))
            };
            let texts: Vec<String> = fastest.iter().map(text).collect();
            Ok(holds(is_so && fastest[0].missed > Some(0), texts.join("; ")))
        },
    ),
    claim("Enlarged bodies cover the whole path: sampling with them misses nothing").by(
        "000 §4.2; moving",
        |rows| {
            let rows = moving(rows, "substeps+enlarged@k=8")?;
            let none = rows.iter().all(|row| row.missed == Some(0));
            let texts = by_speed(&rows, |row| percent_of(row.missed, row));
            Ok(holds(none, format!("missed: {texts}")))
        },
    ),
    claim("Adaptive sampling needs fewer tests than a fixed number").by(
        "000 §4.2; moving",
        |rows| {
            // At every speed, compared with the fewest static tests that miss at most as tolerated; with the most where all
            // miss.
            let (adaptive, fixed) = (moving(rows, "bilateral")?, samplings(rows)?);
            let (mut all, mut texts) = (true, Vec::new());
            for (at, own) in adaptive.iter().enumerate() {
                let here = || fixed.iter().filter_map(|rows| rows.get(at));
                let enough = here().find(|row| share(row.missed, row) <= TOLERATED);
                let Some(other) = enough.or_else(|| here().next_back()) else { continue };
                all &= work(own) < work(other);
                let [of_own, of_other] = [own, other].map(|row| significant(work(row)));
                texts.push(format!(
                    "{of_own} against {of_other} of {} at {}",
                    other.method,
                    speed(own)
                ));
            }
            Ok(holds(all && !texts.is_empty(), format!("tests of a pair: {}", texts.join(", "))))
        },
    ),
    claim("Bisection is O(log n), n being the path in tolerances").by(
        "000 §4.2, alg. 4.1; moving",
        |rows| {
            let rows = moving(rows, "bisection")?;
            let (first, last) = (rows[0], rows[rows.len() - 1]);
            let path = (last.speed.unwrap_or(1.0) / first.speed.unwrap_or(1.0)).log2();
            // The tests of a pair grow by less than twice the logarithm of the factor by which the path grows.
            let is_logarithmic = work(last) - work(first) <= 2.0 * path;
            let texts = by_speed(&rows, |row| significant(work(row)));
            let figure =
                format!("tests of a pair: {texts}; log2 of the growth of the path is {path:.1}");
            Ok(holds(is_logarithmic, figure))
        },
    ),
];
