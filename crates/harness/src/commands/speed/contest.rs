//! The contests, ours and others on one input: their chart, and the goals, each with its reason and verdict. A missed goal is
//! a result like any other.

use super::inputs::SpeedPart;
use super::rows::BASELINE;
use crate::study::{AUTO, Bound, By, Statement, StudyRow};
use charts::{Axis, Chart, Factor, Marks, Panel};
use measure::Ratio;
use measure::numbers::significant;

/// The time of one algorithm over that of another.
#[derive(Clone, Copy)]
pub(super) struct ComparedTimes<'a> {
    pub(super) by: By,
    /// The one that is not `auto`.
    pub(super) other: &'a StudyRow,
    pub(super) ratio: Ratio,
}

/// All algorithms on one input, on one thread: ours, and peers or programs.
#[derive(Clone, Copy)]
pub(super) struct Contest<'a> {
    /// In the order of measuring, at least one.
    pub(super) rows: &'a [StudyRow],
}

impl<'a> Contest<'a> {
    /// One for each input of these parts, in the order of measuring.
    pub(super) fn all(rows: &'a [StudyRow], is_wanted: impl Fn(SpeedPart) -> bool) -> Vec<Self> {
        rows.chunk_by(|a, b| (&a.part, &a.input, a.n) == (&b.part, &b.input, b.n))
            .filter(|rows| SpeedPart::of(&rows[0]).is_some_and(&is_wanted))
            .map(|rows| Self { rows })
            .collect()
    }

    /// The input's name on the page.
    pub(super) fn title(self) -> String {
        title(&self.rows[0])
    }

    /// The peers or programs.
    pub(super) fn others(self) -> impl Iterator<Item = &'a StudyRow> {
        self.rows.iter().filter(|row| row.peer)
    }

    /// The fastest of the wanted rows that have figures.
    fn fastest(self, by: By, wanted: impl Fn(&StudyRow) -> bool) -> Option<&'a StudyRow> {
        let rows = self.rows.iter().filter(|row| row.time(by).is_some() && wanted(row));
        rows.min_by_key(|row| row.time(by))
    }

    pub(super) fn auto(self) -> Option<&'a StudyRow> {
        self.fastest(By::Median, |row| row.algorithm == AUTO)
    }

    pub(super) fn best_peer(self, by: By) -> Option<&'a StudyRow> {
        self.fastest(by, |row| row.peer)
    }

    /// The fastest of ours, by means: the median of a neighbour list hides the cost of its rebuilds.
    pub(super) fn best_of_ours(self) -> Option<&'a StudyRow> {
        self.fastest(By::Mean, |row| !row.peer)
    }

    /// The time of the best peer over that of `auto`.
    pub(super) fn peer_over_auto(self, by: By) -> Option<ComparedTimes<'a>> {
        let other = self.best_peer(by)?;
        Some(ComparedTimes { by, other, ratio: other.over(by)? })
    }

    /// The ratio that is worse for the goal, of medians or of means; `None` unless both exist.
    pub(super) fn worse_peer_over_auto(self) -> Option<ComparedTimes<'a>> {
        let [median, mean] = [By::Median, By::Mean].map(|by| self.peer_over_auto(by));
        AGAINST_PEERS.worst([median?, mean?], |compared| compared.ratio)
    }

    /// `auto`'s time over that of the best fixed choice, of medians or of means, whichever is worse.
    pub(super) fn auto_over_fixed(self) -> Option<ComparedTimes<'a>> {
        let [median, mean] = [By::Median, By::Mean].map(|by| {
            let other = self.fastest(by, |row| !row.peer && row.algorithm != AUTO)?;
            Some(ComparedTimes { by, other, ratio: inverse(other.over(by)?) })
        });
        AUTO_OVER_FIXED.worst([median?, mean?], |compared| compared.ratio)
    }

    /// The fastest program, and its time over that of the fastest of ours, by means of whole rounds.
    pub(super) fn program_over_best(self) -> Option<(&'a StudyRow, Ratio)> {
        let ratios = self.others().filter_map(|row| Some((row, row.over(By::Best)?)));
        AGAINST_PROGRAMS.worst(ratios, |(_, ratio)| *ratio)
    }
}

/// The name of a row's input on pages: `brownian --moving 0.05` of 100,000 is `brownian 100k, 5 % moving`.
pub(super) fn title(row: &StudyRow) -> String {
    let number = match row.n {
        n @ 1_000_000.. if n.is_multiple_of(1_000_000) => format!("{}M", n / 1_000_000),
        n @ 1_000.. if n.is_multiple_of(1_000) => format!("{}k", n / 1_000),
        n => n.to_string(),
    };
    let parts = row.input.split_once(" --moving ");
    match parts.and_then(|(kind, share)| Some((kind, share.parse::<f64>().ok()?))) {
        Some((kind, share)) => format!("{kind} {number}, {:.0} % moving", 100.0 * share),
        None => format!("{} {number}", row.input.replace('-', " ")),
    }
}

/// The ratio of A over B, from that of B over A.
pub(super) fn inverse(ratio: Ratio) -> Ratio {
    Ratio { ratio: 1.0 / ratio.ratio, low: 1.0 / ratio.high, high: 1.0 / ratio.low }
}

/// The best peer over `auto`, on every input.
pub(super) const AGAINST_PEERS: Bound = Bound::AtLeast(1.5);

/// The fastest external program over the fastest of ours, on every input.
pub(super) const AGAINST_PROGRAMS: Bound = Bound::AtLeast(1.0);

/// `auto` over the best fixed choice, on every input.
const AUTO_OVER_FIXED: Bound = Bound::AtMost(1.25);

/// The worst frame of `auto` after a change of motion over the median frame of a full search.
const CHANGES: Bound = Bound::AtMost(1.8);

/// One thread over two, `auto`.
const TWO_THREADS: Bound = Bound::AtLeast(1.35);

/// Heap allocations in a steady frame.
const ALLOCATIONS: Bound = Bound::AtMost(0.0);

/// Bytes of `auto` for each object, without the pairs, on inputs of at least a number of objects.
const BYTES: [(u64, Bound); 3] =
    [(10_000, Bound::AtMost(200.0)), (1_000, Bound::AtMost(250.0)), (0, Bound::AtMost(400.0))];

/// Each goal with its reason, for the page.
pub(super) fn reasons() -> [String; 7] {
    let [large, middle, small] = BYTES.map(|(_, bound)| bound);
    [
        format!(
            "The best peer over `auto`, {AGAINST_PEERS}: a smaller lead may be none on another processor."
        ),
        format!("A program over the fastest of ours, {AGAINST_PROGRAMS}: no program is faster."),
        format!(
            "`auto` over the best fixed choice, {AUTO_OVER_FIXED}: who does not know the motion loses little by not knowing."
        ),
        format!(
            "The worst frame of `auto` after a change of motion over a full search, {CHANGES}: it checks a cache that is of \
             no use, and then searches."
        ),
        format!(
            "One thread over two, `auto`, {TWO_THREADS}: the threads share the memory, and the second one has to wake."
        ),
        format!(
            "Bytes an object, without the pairs, {small}, from 1,000 objects on {middle}, from 10,000 on {large}: a box has \
             24, its fat AABB 24, its places in sorted columns 90 or so, and a simulation has a fixed size."
        ),
        format!(
            "Allocations in a steady frame, {ALLOCATIONS}: an allocation may wait for another thread."
        ),
    ]
}

/// All goals whose figures were measured.
pub(super) fn goals(
    rows: &[StudyRow],
    peers: &[Contest<'_>],
    programs: &[Contest<'_>],
) -> Vec<Statement> {
    let against_peers = peers.iter().filter_map(|contest| {
        let ComparedTimes { by, other, ratio } = contest.worse_peer_over_auto()?;
        let what = format!("{} over auto, {}, {by}", other.algorithm, contest.title());
        Some(Statement::goal(what, ratio, AGAINST_PEERS))
    });
    let over_fixed = peers.iter().filter_map(|contest| {
        let ComparedTimes { by, other, ratio } = contest.auto_over_fixed()?;
        let (id, title) = (&other.algorithm, contest.title());
        let what = format!("auto over the best fixed choice ({id}), {title}, {by}");
        Some(Statement::goal(what, ratio, AUTO_OVER_FIXED))
    });
    let against_programs = programs.iter().filter_map(|contest| {
        let (row, ratio) = contest.program_over_best()?;
        let (id, title) = (&row.algorithm, contest.title());
        let what = format!("{id} over the fastest of ours, {title}, means");
        Some(Statement::goal(what, ratio, AGAINST_PROGRAMS))
    });
    let auto_of = |part| {
        rows.iter().filter(move |row| row.algorithm == AUTO && SpeedPart::of(row) == Some(part))
    };
    let after_change = auto_of(SpeedPart::Changes).filter_map(|row| {
        let on = title(row);
        let what =
            format!("worst frame of auto after a change over a median one of {BASELINE}, {on}");
        Some(Statement::goal(what, row.over(By::Median)?, CHANGES))
    });
    let on_two = auto_of(SpeedPart::Threads).filter(|row| row.threads == 2);
    let two_threads = on_two.filter_map(|row| {
        let what = format!("one thread over two, auto, {}", title(row));
        Some(Statement::goal(what, inverse(row.over(By::Median)?), TWO_THREADS))
    });
    let times = against_peers.chain(over_fixed).chain(against_programs);
    times.chain(after_change).chain(two_threads).chain(memory(peers)).collect()
}

/// Bytes and allocations of `auto`, on the input with the most bytes per object first.
fn memory(contests: &[Contest<'_>]) -> impl Iterator<Item = Statement> {
    let mut rows: Vec<&StudyRow> = contests.iter().filter_map(|contest| contest.auto()).collect();
    let bytes = |row: &StudyRow| row.bytes_per_object.unwrap_or_default();
    rows.sort_by(|a, b| bytes(b).total_cmp(&bytes(a)));
    let goals = rows.into_iter().flat_map(|row| {
        let title = title(row);
        let bound = BYTES.into_iter().find(|(from, _)| row.n >= *from).unwrap_or(BYTES[2]).1;
        [
            ("bytes per object, without the pairs", row.bytes_per_object, bound),
            ("allocations per frame", row.allocations, ALLOCATIONS),
        ]
        .map(|(what, value, bound)| {
            Some(Statement::exact(format!("{what}, auto, {title}"), value?, bound))
        })
    });
    goals.flatten()
}

/// Height of a bar and the gap to the next, mm.
const BAR_MM: f64 = 5.0;

/// The chart; `None` without a ratio.
pub(super) fn chart(contests: &[Contest<'_>]) -> Option<Chart> {
    let compared = contests.iter().filter_map(|c| Some((c.title(), c.worse_peer_over_auto()?)));
    let (names, compared): (Vec<String>, Vec<_>) = compared.unzip();
    let factor = |(at, ComparedTimes { by, other, ratio })| Factor {
        at,
        value: ratio.ratio,
        interval: Some([ratio.low, ratio.high]),
        goal: Some(AGAINST_PEERS.value()),
        label: format!("{} {}, {by}", significant(ratio.ratio), other.algorithm),
    };
    let factors: Vec<Factor> = compared.into_iter().enumerate().map(factor).collect();
    let axis = Axis::log(
        "times as long as auto, by medians or means, whichever is worse; black stroke: the goal",
    );
    let panel_mm = BAR_MM * names.len() as f64;
    let chart = Chart::new(axis, Axis::categories("", names))
        .wide()
        .titled("How many times as long as auto the best other library takes");
    let is_there = !factors.is_empty();
    is_there.then(|| Chart { panel_mm, ..chart.with(Panel::new(Marks::Factors(factors))) })
}
