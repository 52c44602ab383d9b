//! What the rows come to: input by input, and goal by goal.

use super::goals::{self, Bound, Verdict};
use super::inputs::title;
use super::parts::{AUTO, CHAMPIONS, Part, SEARCHES};
use super::rows::SpeedRow;
use measure::Ratio;

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
    fn fastest(&self, wanted: impl Fn(&SpeedRow) -> bool) -> Option<&'a SpeedRow> {
        self.rows.iter().copied().find(|row| row.median_ns.is_some() && wanted(row))
    }

    pub(super) fn auto(&self) -> Option<&'a SpeedRow> {
        self.fastest(|row| row.algorithm == AUTO)
    }

    pub(super) fn best_peer(&self) -> Option<&'a SpeedRow> {
        self.fastest(|row| row.peer)
    }

    pub(super) fn best_of_ours(&self) -> Option<&'a SpeedRow> {
        self.fastest(|row| !row.peer)
    }

    fn best_fixed(&self) -> Option<&'a SpeedRow> {
        self.fastest(|row| !row.peer && row.algorithm != AUTO)
    }

    /// The best peer's time over `auto`'s.
    pub(super) fn peer_over_auto(&self) -> Option<Ratio> {
        self.best_peer()?.over()
    }

    /// The best peer's time over that of the fastest of ours.
    pub(super) fn peer_over_best(&self) -> Option<Ratio> {
        self.best_peer()?.over_best()
    }

    /// `auto`'s time over that of the best fixed choice.
    pub(super) fn auto_over_fixed(&self) -> Option<Ratio> {
        self.best_fixed()?.over().map(inverse)
    }

    pub(super) fn goal(&self) -> Bound {
        goals::against_peers(self.input, self.n)
    }

    /// What became of the goal against the best peer; `None` without a ratio.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.peer_over_auto().map(|ratio| self.goal().judge(ratio))
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
}

impl Judged {
    pub(super) fn verdict(&self) -> Verdict {
        self.bound.judge(self.figure)
    }
}

/// All goals but those against the peers, as far as they were measured.
pub(super) fn other_goals(rows: &[SpeedRow], findings: &[Finding<'_>]) -> Vec<Judged> {
    let mut judged = Vec::new();
    let fixed = findings.iter().filter_map(|f| Some((f, f.auto_over_fixed()?)));
    judged.extend(fixed.map(|(finding, figure)| Judged {
        what: format!("auto over the best fixed choice, {}", finding.title()),
        figure,
        bound: goals::AUTO_OVER_FIXED,
    }));
    judged.extend(growth(findings));
    judged.extend(threads(rows));
    for finding in findings {
        judged.extend(terdiman(finding));
        if (finding.input, finding.n) == ("gas", 100_000) {
            judged.extend(memory(finding));
        }
    }
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
    Some(Judged { what: "auto, gas 1M over gas 100k".to_owned(), figure, bound: goals::GROWTH })
}

fn threads(rows: &[SpeedRow]) -> impl Iterator<Item = Judged> {
    let wanted = |row: &&SpeedRow| {
        row.part == Part::Threads && row.threads == 2 && row.n >= goals::TWO_THREADS_FROM
    };
    rows.iter().filter(wanted).filter_map(|row| {
        let what = format!("one thread over two, {}, {}", row.algorithm, title(&row.input, row.n));
        Some(Judged { what, figure: inverse(row.over()?), bound: goals::TWO_THREADS })
    })
}

/// The faster of those that search each frame anew: the input stands still, and what is kept is found.
fn terdiman(finding: &Finding<'_>) -> Option<Judged> {
    let bound = goals::TERDIMAN_MS.iter().find(|(n, _)| *n == finding.n)?.1;
    let is_search = |row: &SpeedRow| SEARCHES.contains(&row.algorithm.as_str());
    let row = finding.fastest(is_search).filter(|_| finding.input == "terdiman")?;
    let ms = |ns: Option<u64>| Some(ns? as f64 / 1e6);
    let figure =
        Ratio { ratio: ms(row.median_ns)?, low: ms(row.ci_low_ns)?, high: ms(row.ci_high_ns)? };
    let what = format!("milliseconds of {}, {}", row.algorithm, finding.title());
    Some(Judged { what, figure, bound })
}

fn memory(finding: &Finding<'_>) -> Vec<Judged> {
    let exactly = |value: f64| Ratio { ratio: value, low: value, high: value };
    let ours = finding.rows.iter().filter(|row| CHAMPIONS.contains(&row.algorithm.as_str()));
    let mut judged = Vec::new();
    for row in ours {
        let on = format!("{}, {}", row.algorithm, finding.title());
        let bytes = row.bytes_per_object.map(|bytes| Judged {
            what: format!("bytes an object beside the pairs, {on}"),
            figure: exactly(bytes),
            bound: goals::BYTES,
        });
        let allocations = row.allocations.map(|count| Judged {
            what: format!("allocations a frame, {on}"),
            figure: exactly(count),
            bound: goals::ALLOCATIONS,
        });
        judged.extend(bytes.into_iter().chain(allocations));
    }
    judged
}
