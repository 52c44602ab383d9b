//! The claims of the sources, each with its section and its rule. Verdicts are computed, never written.

mod at_rest;
mod in_motion;

use super::rows::ExperimentRows;
use crate::study::{Checked, Claim, Statement};
use measure::StageRow;
use measure::numbers::significant;

/// A share of wrong answers that a method may have where it is said to work.
const TOLERATED: f64 = 0.01;

type Rule = fn(&ExperimentRows) -> Checked;

/// Checks every claim. Its basis is the source, and the experiment.
pub(super) fn check(rows: &ExperimentRows) -> Vec<Statement> {
    let checked =
        |claim: &Claim<Rule>| claim.statement((claim.rule)(rows).unwrap_or_else(|outcome| outcome));
    in_motion::CLAIMS.iter().chain(at_rest::CLAIMS).map(checked).collect()
}

/// Texts of items, with commas between them.
fn list<T>(items: impl IntoIterator<Item = T>, text: impl FnMut(T) -> String) -> String {
    items.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A count as a share of the tests.
fn share(count: Option<u64>, row: &StageRow) -> f64 {
    count.unwrap_or(0) as f64 / row.tests.unwrap_or(0).max(1) as f64
}

/// Wrong answers as a share of the tests.
fn wrong_share(row: &StageRow) -> f64 {
    share(Some(row.missed.unwrap_or(0) + row.false_passed.unwrap_or(0)), row)
}

/// Steps of a test.
fn work(row: &StageRow) -> f64 {
    share(row.work, row)
}

/// A share in per cent.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A count as a share of the tests, in per cent.
fn percent_of(count: Option<u64>, row: &StageRow) -> String {
    percent(share(count, row))
}

/// Nanoseconds of a test.
fn ns(row: &StageRow) -> f64 {
    row.test_ns.unwrap_or(f64::NAN)
}

fn ns_text(row: &StageRow) -> String {
    format!("{} ns", significant(ns(row)))
}
