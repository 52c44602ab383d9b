//! The goals with their verdicts, as far as their figures were measured.

use super::changes::BASELINE;
use super::goals;
use super::inputs::title;
use super::parts::{SEARCHES, SpeedPart};
use super::peer_inputs::{ComparedTimes, PeerInput, inverse};
use super::programs::Contest;
use super::rows::By;
use crate::study::{AUTO, Statement, StudyRow, Verdict};
use measure::Ratio;

/// All goals. `simd` is the machine's instruction set.
pub(super) fn goals(
    rows: &[StudyRow],
    inputs: &[PeerInput<'_>],
    contests: &[Contest<'_>],
    simd: Option<&str>,
) -> Vec<Statement> {
    let mut goals: Vec<Statement> = inputs.iter().filter_map(against_peers).collect();
    goals.extend(inputs.iter().filter_map(auto_over_fixed));
    goals.extend(contests.iter().filter_map(Contest::goal));
    goals.extend(growth(inputs));
    goals.extend(rows.iter().filter_map(after_change));
    goals.extend(rows.iter().filter_map(two_threads));
    goals.extend(inputs.iter().filter_map(|input| terdiman(input, simd)));
    goals.extend(memory(inputs));
    goals
}

fn against_peers(input: &PeerInput<'_>) -> Option<Statement> {
    let ComparedTimes { by, other, ratio } = input.worse_peer_over_auto()?;
    let what = format!("{} over auto, {}, {}", other.algorithm, input.title(), by.plural());
    Some(Statement::goal(what, ratio, input.goal()))
}

fn auto_over_fixed(input: &PeerInput<'_>) -> Option<Statement> {
    let ComparedTimes { by, other, ratio } = input.auto_over_fixed()?;
    let (by, id) = (by.plural(), &other.algorithm);
    let what = format!("auto over the best fixed choice ({id}), {}, {by}", input.title());
    Some(Statement::goal(what, ratio, goals::AUTO_OVER_FIXED))
}

/// A million objects over a hundred thousand. Their frames cannot be paired, so the interval is the
/// widest that theirs allow.
fn growth(inputs: &[PeerInput<'_>]) -> Option<Statement> {
    let auto = |n: u64| inputs.iter().find(|f| f.input == "gas" && f.n == n)?.auto();
    let (small, large) = (auto(100_000)?, auto(1_000_000)?);
    let over = |a: Option<u64>, b: Option<u64>| Some(a? as f64 / b?.max(1) as f64);
    let figure = Ratio {
        ratio: over(large.median_ns, small.median_ns)?,
        low: over(large.ci_low_ns, small.ci_high_ns)?,
        high: over(large.ci_high_ns, small.ci_low_ns)?,
    };
    Some(Statement::goal("auto, gas 1M over gas 100k".to_owned(), figure, goals::GROWTH))
}

fn after_change(row: &StudyRow) -> Option<Statement> {
    if SpeedPart::of(row) != Some(SpeedPart::Changes) || row.algorithm != AUTO {
        return None;
    }
    let on = title(&row.input, row.n);
    let what = format!("worst frame of auto after a change over a median one of {BASELINE}, {on}");
    Some(Statement::goal(what, row.over()?, goals::CHANGES))
}

fn two_threads(row: &StudyRow) -> Option<Statement> {
    if SpeedPart::of(row) != Some(SpeedPart::Threads)
        || row.threads != 2
        || row.n < goals::TWO_THREADS_FROM
    {
        return None;
    }
    let what = format!("one thread over two, {}, {}", row.algorithm, title(&row.input, row.n));
    Some(Statement::goal(what, inverse(row.over()?), goals::TWO_THREADS))
}

/// The faster full search. The boxes stand still, so an algorithm that caches its result is not compared.
fn terdiman(input: &PeerInput<'_>, simd: Option<&str>) -> Option<Statement> {
    let bound = goals::TERDIMAN_MS.iter().find(|(n, _)| *n == input.n)?.1;
    let is_search = |row: &StudyRow| SEARCHES.contains(&row.algorithm.as_str());
    let row = input.fastest(By::Median, is_search).filter(|_| input.input == "terdiman")?;
    let ms = |ns: Option<u64>| Some(ns? as f64 / 1e6);
    let figure =
        Ratio { ratio: ms(row.median_ns)?, low: ms(row.ci_low_ns)?, high: ms(row.ci_high_ns)? };
    let what = format!("milliseconds of {}, {}", row.algorithm, input.title());
    let mut goal = Statement::goal(what, figure, bound);
    if simd != Some(goals::TERDIMAN_SIMD) {
        goal.verdict = Verdict::NotComparable;
    }
    Some(goal)
}

/// Bytes and allocations of `auto`, on the input with the most bytes per object first.
fn memory(inputs: &[PeerInput<'_>]) -> Vec<Statement> {
    let mut all: Vec<(&PeerInput<'_>, &StudyRow)> =
        inputs.iter().filter_map(|input| Some((input, input.auto()?))).collect();
    let bytes = |row: &StudyRow| row.bytes_per_object.unwrap_or_default();
    all.sort_by(|a, b| bytes(b.1).total_cmp(&bytes(a.1)));
    let goals = all.into_iter().flat_map(|(input, row)| {
        let title = input.title();
        let goal = |what: &str, value: Option<f64>, bound| {
            Some(Statement::exact(format!("{what}, auto, {title}"), value?, bound))
        };
        [
            goal("bytes per object, without the pairs", row.bytes_per_object, goals::BYTES),
            goal("allocations per frame", row.allocations, goals::ALLOCATIONS),
        ]
    });
    goals.flatten().collect()
}
