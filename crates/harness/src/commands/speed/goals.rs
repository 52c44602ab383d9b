//! The goals that the fast algorithms should reach, each with its reason, and their verdicts. A missed goal is a result like
//! any other.

use super::changes::BASELINE;
use super::contest::{ComparedTimes, Contest, inverse};
use super::inputs::title;
use super::parts::SpeedPart;
use crate::study::{AUTO, Bound, Statement, StudyRow};

/// The best peer over `auto`, on every input.
pub(super) const AGAINST_PEERS: Bound = Bound::AtLeast(1.5);

/// The fastest external program over the fastest of ours, on every input.
pub(super) const AGAINST_PROGRAMS: Bound = Bound::AtLeast(1.0);

/// `auto` over the best fixed choice, on every input.
pub(super) const AUTO_OVER_FIXED: Bound = Bound::AtMost(1.25);

/// The worst frame of `auto` after a change of motion over the median frame of a full search.
pub(super) const CHANGES: Bound = Bound::AtMost(1.8);

/// One thread over two, `auto`.
pub(super) const TWO_THREADS: Bound = Bound::AtLeast(1.35);

/// Heap allocations in a steady frame.
pub(super) const ALLOCATIONS: Bound = Bound::AtMost(0.0);

/// Bytes of `auto` for each object, without the pairs, on inputs of at least a number of objects.
const BYTES: [(u64, Bound); 3] =
    [(10_000, Bound::AtMost(200.0)), (1_000, Bound::AtMost(250.0)), (0, Bound::AtMost(400.0))];

/// Each goal with its reason, for the page.
pub(super) fn reasons() -> Vec<String> {
    let [large, middle, small] = BYTES.map(|(_, bound)| bound.text());
    let memory = format!(
        "Bytes an object, without the pairs, {small}, from 1,000 objects on {middle}, from 10,000 on {large}: a box has 24, \
         its fat AABB 24, its places in sorted columns 90 or so, and a simulation has a fixed size."
    );
    let reason =
        |(what, bound, why): (&str, Bound, &str)| format!("{what}, {}: {why}.", bound.text());
    let mut reasons = [
        (
            "The best peer over `auto`",
            AGAINST_PEERS,
            "a smaller lead may be none on another processor",
        ),
        ("A program over the fastest of ours", AGAINST_PROGRAMS, "no program is faster"),
        (
            "`auto` over the best fixed choice",
            AUTO_OVER_FIXED,
            "who does not know the motion loses little by not knowing",
        ),
        (
            "The worst frame of `auto` after a change of motion over a full search",
            CHANGES,
            "it checks a cache that is of no use, and then searches",
        ),
        (
            "One thread over two, `auto`",
            TWO_THREADS,
            "the threads share the memory, and the second one has to wake",
        ),
        ("Allocations in a steady frame", ALLOCATIONS, "an allocation may wait for another thread"),
    ]
    .map(reason)
    .to_vec();
    reasons.insert(5, memory);
    reasons
}

/// All goals whose figures were measured.
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
    Some(Statement::goal(what, ratio, AGAINST_PEERS))
}

fn auto_over_fixed(contest: &Contest<'_>) -> Option<Statement> {
    let ComparedTimes { by, other, ratio } = contest.auto_over_fixed()?;
    let (by, id) = (by.plural(), &other.algorithm);
    let what = format!("auto over the best fixed choice ({id}), {}, {by}", contest.title());
    Some(Statement::goal(what, ratio, AUTO_OVER_FIXED))
}

fn against_programs(contest: &Contest<'_>) -> Option<Statement> {
    let (row, ratio) = contest.program_over_best()?;
    let what = format!("{} over the fastest of ours, {}, means", row.algorithm, contest.title());
    Some(Statement::goal(what, ratio, AGAINST_PROGRAMS))
}

fn after_change(row: &StudyRow) -> Option<Statement> {
    if SpeedPart::of(row) != Some(SpeedPart::Changes) || row.algorithm != AUTO {
        return None;
    }
    let on = title(&row.input, row.n);
    let what = format!("worst frame of auto after a change over a median one of {BASELINE}, {on}");
    Some(Statement::goal(what, row.over()?, CHANGES))
}

fn two_threads(row: &StudyRow) -> Option<Statement> {
    if SpeedPart::of(row) != Some(SpeedPart::Threads) || row.threads != 2 || row.algorithm != AUTO {
        return None;
    }
    let what = format!("one thread over two, {}, {}", row.algorithm, title(&row.input, row.n));
    Some(Statement::goal(what, inverse(row.over()?), TWO_THREADS))
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
        let of_number = BYTES.into_iter().find(|(from, _)| row.n >= *from);
        let (_, bytes) = of_number.unwrap_or(BYTES[2]);
        [
            goal("bytes per object, without the pairs", row.bytes_per_object, bytes),
            goal("allocations per frame", row.allocations, ALLOCATIONS),
        ]
    });
    goals.flatten().collect()
}
