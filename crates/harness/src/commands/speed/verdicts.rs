//! The goals with their verdicts, as far as their figures were measured.

use super::changes::BASELINE;
use super::goals;
use super::inputs::title;
use super::parts::SpeedPart;
use super::peer_inputs::{ComparedTimes, PeerInput, inverse};
use super::programs::Contest;
use crate::study::{AUTO, Statement, StudyRow};

/// All goals.
pub(super) fn goals(
    rows: &[StudyRow],
    inputs: &[PeerInput<'_>],
    contests: &[Contest<'_>],
) -> Vec<Statement> {
    let mut goals: Vec<Statement> = inputs.iter().filter_map(against_peers).collect();
    goals.extend(inputs.iter().filter_map(auto_over_fixed));
    goals.extend(contests.iter().filter_map(Contest::goal));
    goals.extend(rows.iter().filter_map(after_change));
    goals.extend(rows.iter().filter_map(two_threads));
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

fn after_change(row: &StudyRow) -> Option<Statement> {
    if SpeedPart::of(row) != Some(SpeedPart::Changes) || row.algorithm != AUTO {
        return None;
    }
    let on = title(&row.input, row.n);
    let what = format!("worst frame of auto after a change over a median one of {BASELINE}, {on}");
    Some(Statement::goal(what, row.over()?, goals::CHANGES))
}

fn two_threads(row: &StudyRow) -> Option<Statement> {
    if SpeedPart::of(row) != Some(SpeedPart::Threads) || row.threads != 2 || row.algorithm != AUTO {
        return None;
    }
    let what = format!("one thread over two, {}, {}", row.algorithm, title(&row.input, row.n));
    Some(Statement::goal(what, inverse(row.over()?), goals::TWO_THREADS))
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
        let bytes = goals::bytes(row.n);
        [
            goal("bytes per object, without the pairs", row.bytes_per_object, bytes),
            goal("allocations per frame", row.allocations, goals::ALLOCATIONS),
        ]
    });
    goals.flatten().collect()
}
