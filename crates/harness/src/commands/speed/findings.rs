//! What the rows come to: input by input, and goal by goal.

use super::changes::BASELINE;
use super::goals;
use super::inputs::title;
use super::parts::{Part, SEARCHES};
use super::rows::{By, SpeedRow};
use crate::study::AUTO;
use crate::study::{Bound, Verdict};
use measure::Ratio;
use std::cmp::Ordering;

/// The time of one algorithm over that of another.
#[derive(Clone, Copy)]
pub(super) struct Compared<'a> {
    pub(super) by: By,
    /// Who is not `auto`.
    pub(super) other: &'a SpeedRow,
    pub(super) ratio: Ratio,
}

/// Everybody on one input, on one thread.
pub(super) struct Finding<'a> {
    pub(super) input: &'a str,
    pub(super) n: u64,
    /// The fastest first; those without figures last.
    pub(super) rows: Vec<&'a SpeedRow>,
}

impl<'a> Finding<'a> {
    /// One for each input on which there are peers, in the order of measuring.
    pub(super) fn all(rows: &'a [SpeedRow]) -> Vec<Self> {
        cases(rows, |part| part.has_peers())
            .into_iter()
            .map(|case| {
                let SpeedRow { input, n, .. } = case[0];
                let mut rows = case;
                rows.sort_by_key(|row| row.median_ns.unwrap_or(u64::MAX));
                Self { input, n: *n, rows }
            })
            .collect()
    }

    /// As it is called on the page.
    pub(super) fn title(&self) -> String {
        title(self.input, self.n)
    }

    /// The fastest that is wanted and has figures.
    fn fastest(&self, by: By, wanted: impl Fn(&SpeedRow) -> bool) -> Option<&'a SpeedRow> {
        let rows = self.rows.iter().copied().filter(|row| row.time(by).is_some() && wanted(row));
        rows.min_by_key(|row| row.time(by))
    }

    pub(super) fn auto(&self) -> Option<&'a SpeedRow> {
        self.fastest(By::Median, |row| row.algorithm == AUTO)
    }

    pub(super) fn best_peer(&self, by: By) -> Option<&'a SpeedRow> {
        self.fastest(by, |row| row.peer)
    }

    /// By means, since the median of a kept list hides what it costs to build.
    pub(super) fn best_of_ours(&self) -> Option<&'a SpeedRow> {
        self.fastest(By::Mean, |row| !row.peer)
    }

    /// The time of the best peer, by either, over `auto`'s.
    pub(super) fn peer_over_auto(&self, by: By) -> Option<Compared<'a>> {
        let other = self.best_peer(by)?;
        Some(Compared { by, other, ratio: other.over_by(by)? })
    }

    /// Of medians and means the one that is worse for the goal; `None` unless there are both.
    pub(super) fn worse_peer_over_auto(&self) -> Option<Compared<'a>> {
        let [median, mean] = By::ALL.map(|by| self.peer_over_auto(by));
        self.goal().worst([median?, mean?], |compared| compared.ratio)
    }

    /// The best peer's time over that of the fastest of ours, both by means.
    pub(super) fn peer_over_best(&self) -> Option<Ratio> {
        self.best_peer(By::Mean)?.over_best()
    }

    /// `auto`'s time over that of the best fixed choice, of medians or of means, whichever is worse.
    pub(super) fn auto_over_fixed(&self) -> Option<Compared<'a>> {
        let [median, mean] = By::ALL.map(|by| {
            let other = self.fastest(by, |row| !row.peer && row.algorithm != AUTO)?;
            Some(Compared { by, other, ratio: inverse(other.over_by(by)?) })
        });
        goals::AUTO_OVER_FIXED.worst([median?, mean?], |compared| compared.ratio)
    }

    pub(super) fn goal(&self) -> Bound {
        goals::against_peers(self.input, self.n)
    }

    /// What became of the goal against the best peer; `None` without a ratio.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.worse_peer_over_auto().map(|compared| self.goal().judge(compared.ratio))
    }
}

/// The rows of the cases of some parts, case by case.
pub(super) fn cases(rows: &[SpeedRow], wanted: impl Fn(Part) -> bool) -> Vec<Vec<&SpeedRow>> {
    rows.chunk_by(|a, b| (a.part, &a.input, a.n) == (b.part, &b.input, b.n))
        .filter(|case| wanted(case[0].part))
        .map(|case| case.iter().collect())
        .collect()
}

/// A over B, of B over A.
pub(super) fn inverse(ratio: Ratio) -> Ratio {
    Ratio { ratio: 1.0 / ratio.ratio, low: 1.0 / ratio.high, high: 1.0 / ratio.low }
}

/// A goal beside those against the peers.
pub(super) struct Judged {
    /// What is measured, and on what.
    pub(super) what: String,
    pub(super) figure: Ratio,
    pub(super) bound: Bound,
    /// Whether the goal was set for such a machine.
    pub(super) is_comparable: bool,
}

impl Judged {
    fn new(what: String, figure: Ratio, bound: Bound) -> Self {
        Self { what, figure, bound, is_comparable: true }
    }

    pub(super) fn verdict(&self) -> Verdict {
        if self.is_comparable { self.bound.judge(self.figure) } else { Verdict::NotComparable }
    }
}

/// All goals but those against the peers and of memory, as far as they were measured. `simd` is the machine's
/// instruction set.
pub(super) fn other_goals(
    rows: &[SpeedRow],
    findings: &[Finding<'_>],
    simd: Option<&str>,
) -> Vec<Judged> {
    let mut judged = Vec::new();
    let fixed = findings.iter().filter_map(|f| Some((f, f.auto_over_fixed()?)));
    judged.extend(fixed.map(|(finding, compared)| {
        let (by, id) = (compared.by.plural(), &compared.other.algorithm);
        let what = format!("auto over the best fixed choice ({id}), {}, {by}", finding.title());
        Judged::new(what, compared.ratio, goals::AUTO_OVER_FIXED)
    }));
    judged.extend(growth(findings));
    judged.extend(changes(rows));
    judged.extend(threads(rows));
    judged.extend(findings.iter().filter_map(|finding| terdiman(finding, simd)));
    judged
}

/// A million objects over a hundred thousand. Their frames do not belong together, so the interval is the
/// widest that theirs allow.
fn growth(findings: &[Finding<'_>]) -> Option<Judged> {
    let auto = |n: u64| findings.iter().find(|f| f.input == "gas" && f.n == n)?.auto();
    let (small, large) = (auto(100_000)?, auto(1_000_000)?);
    let over = |a: Option<u64>, b: Option<u64>| Some(a? as f64 / b?.max(1) as f64);
    let figure = Ratio {
        ratio: over(large.median_ns, small.median_ns)?,
        low: over(large.ci_low_ns, small.ci_high_ns)?,
        high: over(large.ci_high_ns, small.ci_low_ns)?,
    };
    Some(Judged::new("auto, gas 1M over gas 100k".to_owned(), figure, goals::GROWTH))
}

fn changes(rows: &[SpeedRow]) -> impl Iterator<Item = Judged> {
    let rows = rows.iter().filter(|row| row.part == Part::Changes && row.algorithm == AUTO);
    rows.filter_map(|row| {
        let on = title(&row.input, row.n);
        let what =
            format!("worst frame of auto after a change over a median one of {BASELINE}, {on}");
        Some(Judged::new(what, row.over()?, goals::CHANGES))
    })
}

fn threads(rows: &[SpeedRow]) -> impl Iterator<Item = Judged> {
    let wanted = |row: &&SpeedRow| {
        row.part == Part::Threads && row.threads == 2 && row.n >= goals::TWO_THREADS_FROM
    };
    rows.iter().filter(wanted).filter_map(|row| {
        let what = format!("one thread over two, {}, {}", row.algorithm, title(&row.input, row.n));
        Some(Judged::new(what, inverse(row.over()?), goals::TWO_THREADS))
    })
}

/// The faster of those that search each frame anew: the input stands still, and what is kept is found.
fn terdiman(finding: &Finding<'_>, simd: Option<&str>) -> Option<Judged> {
    let bound = goals::TERDIMAN_MS.iter().find(|(n, _)| *n == finding.n)?.1;
    let is_search = |row: &SpeedRow| SEARCHES.contains(&row.algorithm.as_str());
    let row = finding.fastest(By::Median, is_search).filter(|_| finding.input == "terdiman")?;
    let ms = |ns: Option<u64>| Some(ns? as f64 / 1e6);
    let figure =
        Ratio { ratio: ms(row.median_ns)?, low: ms(row.ci_low_ns)?, high: ms(row.ci_high_ns)? };
    let what = format!("milliseconds of {}, {}", row.algorithm, finding.title());
    let is_comparable = simd == Some(goals::TERDIMAN_SIMD);
    Some(Judged { is_comparable, ..Judged::new(what, figure, bound) })
}

/// What `auto` holds and asks for on an input.
pub(super) struct Memory {
    pub(super) title: String,
    pub(super) bytes: Option<Judged>,
    pub(super) allocations: Option<Judged>,
}

impl Memory {
    /// Every input, the one with the most bytes an object first.
    pub(super) fn all(findings: &[Finding<'_>]) -> Vec<Self> {
        let bytes_of = |finding: &Finding<'_>| finding.auto()?.bytes_per_object;
        let mut findings: Vec<_> = findings.iter().filter(|f| f.auto().is_some()).collect();
        findings.sort_by(|a, b| bytes_of(b).partial_cmp(&bytes_of(a)).unwrap_or(Ordering::Equal));
        findings.into_iter().map(Self::of).collect()
    }

    fn of(finding: &Finding<'_>) -> Self {
        let title = finding.title();
        let judged = |what: &str, value: Option<f64>, bound| {
            let value = value?;
            let exactly = Ratio { ratio: value, low: value, high: value };
            Some(Judged::new(format!("{what}, auto, {title}"), exactly, bound))
        };
        let auto = finding.auto();
        let bytes = auto.and_then(|row| row.bytes_per_object);
        let allocations = auto.and_then(|row| row.allocations);
        Self {
            bytes: judged("bytes an object beside the pairs", bytes, goals::BYTES),
            allocations: judged("allocations a frame", allocations, goals::ALLOCATIONS),
            title,
        }
    }

    pub(super) fn goals(&self) -> impl Iterator<Item = &Judged> {
        self.bytes.iter().chain(&self.allocations)
    }
}
