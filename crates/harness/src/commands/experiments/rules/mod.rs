//! The rules by which claims are checked.

mod at_rest;
mod in_motion;

use measure::StageRow;
use measure::numbers::significant;

/// A share of wrong answers that a method may have where it is said to work.
const TOLERATED: f64 = 0.01;

/// Wrong answers of a time of impact, as a share of its tests.
fn wrong_share(row: &StageRow) -> f64 {
    let wrong = row.missed.unwrap_or(0) + row.false_passed.unwrap_or(0);
    wrong as f64 / row.tests.unwrap_or(0).max(1) as f64
}

/// A count as a share of the tests.
fn share(count: Option<u64>, row: &StageRow) -> f64 {
    count.unwrap_or(0) as f64 / row.tests.unwrap_or(0).max(1) as f64
}

/// Steps of a test.
fn work(row: &StageRow) -> f64 {
    share(row.work, row)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A figure of each row, by its speed: `0.0 % at 0.1, 3.0 % at 4`.
fn by_speed(rows: &[&StageRow], figure: impl Fn(&StageRow) -> String) -> String {
    let text = |row: &&StageRow| format!("{} at {}", figure(row), row.speed.unwrap_or(0.0));
    rows.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Nanoseconds of a test.
fn ns(row: &StageRow) -> f64 {
    row.test_ns.unwrap_or(f64::NAN)
}

fn ns_text(row: &StageRow) -> String {
    format!("{} ns", significant(ns(row)))
}
