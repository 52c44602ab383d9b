//! The goals with their verdicts, as far as their figures were measured.

use super::changes::BASELINE;
use super::contest::{ComparedTimes, Contest, inverse};
use super::goals;
use super::inputs::title;
use super::parts::SpeedPart;
use crate::study::{AUTO, Statement, StudyRow};

/// All goals.
pub(super) fn goals(
    rows: &[StudyRow],
    peers: &[Contest<'_>],
    programs: &[Contest<'_>],
) -> Vec<Statement> {
    let mut goals: Vec<Statement> = peers.iter().filter_map(against_peers).collect();
    goals.extend(peers.iter().filter_map(auto_over_fixed));
    goals.extend(programs.iter().filter_map(against_programs));
    goals.extend(rows.iter().filter_map(after_change));
    goals.extend(rows.iter().filter_map(two_threads));
    goals.extend(memory(peers));
    goals
}

fn against_peers(contest: &Contest<'_>) -> Option<Statement> {
    let ComparedTimes { by, other, ratio } = contest.worse_peer_over_auto()?;
    let what = format!("{} over auto, {}, {}", other.algorithm, contest.title(), by.plural());
    Some(Statement::goal(what, ratio, goals::AGAINST_PEERS))
}

fn auto_over_fixed(contest: &Contest<'_>) -> Option<Statement> {
    let ComparedTimes { by, other, ratio } = contest.auto_over_fixed()?;
    let (by, id) = (by.plural(), &other.algorithm);
    let what = format!("auto over the best fixed choice ({id}), {}, {by}", contest.title());
    Some(Statement::goal(what, ratio, goals::AUTO_OVER_FIXED))
}

fn against_programs(contest: &Contest<'_>) -> Option<Statement> {
    let (row, ratio) = contest.program_over_best()?;
    let what = format!("{} over the fastest of ours, {}, means", row.algorithm, contest.title());
    Some(Statement::goal(what, ratio, goals::AGAINST_PROGRAMS))
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
fn memory(contests: &[Contest<'_>]) -> Vec<Statement> {
    let mut rows: Vec<&StudyRow> = contests.iter().filter_map(|contest| contest.auto()).collect();
    let bytes = |row: &StudyRow| row.bytes_per_object.unwrap_or_default();
    rows.sort_by(|a, b| bytes(b).total_cmp(&bytes(a)));
    let goals = rows.into_iter().flat_map(|row| {
        let title = title(&row.input, row.n);
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
