//! The page `speed.md`: the verdicts, the tables, the machine.

mod tables;

use super::findings::{Compared, Finding, Judged, Memory, other_goals};
use super::inputs::title;
use super::piles::{FALLING_FROM, SETTLED_FROM};
use super::rows::{By, SpeedRow};
use crate::machine_sheet::MachineSheet;
use crate::page_files::cell;
use crate::study::Verdict;
use crate::study::numbers::{count, figure, milliseconds, with_interval};
use measure::{Ratio, Status};
use std::fmt::Write;

/// What the rows come to.
pub(super) struct Verdicts<'a> {
    pub(super) findings: Vec<Finding<'a>>,
    /// Goals that are neither against the peers nor of memory.
    others: Vec<Judged>,
    memory: Vec<Memory>,
    /// How many crates the peers are from; 0 where no one knows.
    crates: usize,
}

impl<'a> Verdicts<'a> {
    pub(super) fn new(rows: &'a [SpeedRow], machine: &MachineSheet) -> Self {
        let findings = Finding::all(rows);
        Self {
            others: other_goals(rows, &findings, machine.simd()),
            memory: Memory::all(&findings),
            crates: machine.peers(),
            findings,
        }
    }

    /// All goals but those against the peers.
    fn beside_peers(&self) -> impl Iterator<Item = &Judged> {
        self.others.iter().chain(self.memory.iter().flat_map(Memory::goals))
    }

    fn all(&self) -> impl Iterator<Item = Verdict> {
        let against = self.findings.iter().filter_map(Finding::verdict);
        against.chain(self.beside_peers().map(Judged::verdict))
    }
}

/// The page as Markdown. `machine` is without its warnings, which are `doubts`.
pub(super) fn page(
    rows: &[SpeedRow],
    verdicts: &Verdicts<'_>,
    machine: &MachineSheet,
    doubts: &[String],
    has_chart: bool,
) -> String {
    let Verdicts { findings, others, memory, .. } = verdicts;
    let mut page = String::from(
        "# How fast, beside the broad phases of others\n\n\
         Made by `harness speed`: figures and verdicts are computed from [the rows](speed.csv), and \
         nothing is written by hand.\n\n",
    );
    if has_chart {
        page += "![How many times as long as auto the best other library takes, by medians or means, whichever is worse](speed.svg)\n\n";
    }
    let _ = writeln!(page, "{}\n", summary(rows, verdicts).join("\n"));
    page += &overview(findings);
    page += &missed(verdicts);
    page += &without_figures(rows);
    page += &goals(others);
    page += &tables::limit(findings);
    page += &tables::threads(rows);
    page += &tables::instruction_sets(rows, machine.simd());
    page += &tables::memory(memory);
    page += &tables::fresh(rows);
    page += &tables::changes(rows);
    page += &tables::every_input(findings);
    page += &method(rows, doubts);
    page += "## The machine\n\n";
    page + &machine.table()
}

/// The page in a few lines, for its head and for a terminal.
pub(super) fn summary(rows: &[SpeedRow], verdicts: &Verdicts<'_>) -> Vec<String> {
    let with_ratios: Vec<[Ratio; 2]> = verdicts
        .findings
        .iter()
        .filter_map(|finding| {
            let [median, mean] = By::ALL.map(|by| Some(finding.peer_over_auto(by)?.ratio));
            Some([median?, mean?])
        })
        .collect();
    let ahead = with_ratios.iter().filter(|both| both.iter().all(|r| r.low > 1.0)).count();
    let behind = with_ratios.iter().filter(|both| both.iter().any(|r| r.high < 1.0)).count();
    let crates = match verdicts.crates {
        0 => "the Rust crates measured".to_owned(),
        count => format!("the {count} Rust crates measured"),
    };
    let of = |verdict: Verdict| verdicts.all().filter(|v| *v == verdict).count();
    let mut lines = vec![
        format!(
            "On {ahead} of {} inputs `auto` is faster than the fastest of {crates}, on one thread, by medians and by means; \
             on {behind} one of them is faster than `auto` by either, on {} the intervals do not tell.",
            with_ratios.len(),
            with_ratios.len() - ahead - behind
        ),
        format!(
            "{} goals: {} met, {} missed, {} undecided, {} not comparable.",
            verdicts.all().count(),
            of(Verdict::Met),
            of(Verdict::Missed),
            of(Verdict::Undecided),
            of(Verdict::NotComparable)
        ),
    ];
    if let Some(sure) = least_confidence(rows).filter(|sure| *sure < 0.95) {
        lines.push(match 100.0 * sure {
            0.0 => "Only a first look: a single round gives no interval.".to_owned(),
            percent => format!(
                "Only a first look: of so few rounds, the intervals hold the truth with {percent:.0} %."
            ),
        });
    }
    let errors = rows.iter().filter(|row| row.status == Status::Error).count();
    if errors > 0 {
        lines.push(format!(
            "Errors, which are no results: {errors}. Their pairs were wrong, or they panicked."
        ));
    }
    lines
}

/// With which the interval of every ratio holds the true one.
fn least_confidence(rows: &[SpeedRow]) -> Option<f64> {
    rows.iter().filter_map(|row| row.confidence).min_by(f64::total_cmp)
}

fn overview(findings: &[Finding<'_>]) -> String {
    let mut text = String::from(
        "## Against the best of the others\n\n\
         Milliseconds of the median frame, update and search together, one thread. The ratio is the time of the best peer over \
         that of `auto`, with its interval: of medians, which hide what comes in less than half of the frames, and of means, \
         which are the totals of whole rounds. The peer is the best by either, named again where it is another. The worse of the \
         two ratios is judged. Then the same of means over the fastest of ours, which was chosen after the fact; and the time of \
         `auto` over that of the best fixed choice, which nobody knows beforehand either, of medians or means, whichever is \
         worse.\n\n\
         | input | pairs | best peer | its ms | auto ms | peer / auto, medians | peer / auto, means | goal | | \
         peer / best of ours, means | auto / best fixed |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for finding in findings {
        let pairs = finding.rows.iter().find_map(|row| row.pairs).map(count).unwrap_or_default();
        let peer = finding.best_peer(By::Median);
        let ratio = |compared: Option<Compared<'_>>| {
            compared.map_or("-".to_owned(), |compared| with_interval(compared.ratio))
        };
        let by_means = finding.peer_over_auto(By::Mean);
        let another = by_means.filter(|by_means| peer.is_some_and(|peer| peer != by_means.other));
        let another = another.map(|c| format!(" {}", c.other.algorithm)).unwrap_or_default();
        let best = finding.best_of_ours().map_or("", |row| &row.algorithm);
        let goal = finding.goal().text();
        let verdict = finding.verdict().map_or("**no result**", Verdict::word);
        let _ = writeln!(
            text,
            "| {} | {pairs} | {} | {} | {} | {} | {}{another} | {goal} | {verdict} | {} {best} | {} |",
            finding.title(),
            peer.map_or("none", |row| &row.algorithm),
            milliseconds(peer.and_then(|row| row.median_ns)),
            milliseconds(finding.auto().and_then(|row| row.median_ns)),
            ratio(finding.peer_over_auto(By::Median)),
            ratio(by_means),
            finding.peer_over_best().map_or("-".to_owned(), |ratio| figure(ratio.ratio)),
            ratio(finding.auto_over_fixed()),
        );
    }
    text + "\n"
}

/// What misses its goal, or may.
fn missed(verdicts: &Verdicts<'_>) -> String {
    let against = verdicts.findings.iter().filter_map(|finding| {
        let Compared { by, other, ratio } = finding.worse_peer_over_auto()?;
        let what = format!("{} over auto, {}, {}", other.algorithm, finding.title(), by.plural());
        Some((finding.verdict()?, what, ratio, finding.goal()))
    });
    let others = verdicts.beside_peers().map(|j| (j.verdict(), j.what.clone(), j.figure, j.bound));
    let mut lines: Vec<String> = against
        .chain(others)
        .filter(|(verdict, ..)| matches!(verdict, Verdict::Missed | Verdict::Undecided))
        .map(|(verdict, what, ratio, bound)| {
            let (word, bound) = (verdict.word(), bound.text());
            format!("- {word}: {what}: {}, the goal is {bound}\n", with_interval(ratio))
        })
        .collect();
    // The missed ones, which stand out, before the undecided.
    lines.sort_by_key(|line| !line.starts_with("- **"));
    let list = if lines.is_empty() { "None.\n".to_owned() } else { lines.concat() };
    format!("## Goals that are not met\n\n{list}\n")
}

/// Who has no figures, and why.
fn without_figures(rows: &[SpeedRow]) -> String {
    let without = rows.iter().filter(|row| row.status != Status::Ok);
    let lines: Vec<String> = without
        .map(|row| {
            let status = if row.status == Status::Error { "**error**" } else { "skipped" };
            let reason = row.reason.as_deref().unwrap_or("no reason given").replace('\n', " ");
            let input = title(&row.input, row.n);
            format!("- {status}: {} on {input}: {reason}\n", row.algorithm)
        })
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("## Rows without figures\n\n{}\n", lines.concat())
}

fn goals(others: &[Judged]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let mut text =
        String::from("## The other goals\n\n| what | is | goal | |\n|---|---|---|---|\n");
    for judged in others {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            cell(&judged.what),
            with_interval(judged.figure),
            judged.bound.text(),
            judged.verdict().word()
        );
    }
    text + "\n"
}

fn method(rows: &[SpeedRow], doubts: &[String]) -> String {
    let mut text = String::from(
        "## How it was measured\n\n\
         Everybody in one process on the same boxes, in rounds: each goes once through all algorithms in an order drawn \
         anew, and everybody starts afresh in it. Every frame's pairs are compared by their checksum. A ratio pairs each frame of one \
         with the same frame of the other in the same round, and is the median of the rounds' medians; of means it pairs the \
         totals of whole rounds. Its interval is that of the sign test. Every input is of one seed: the intervals are of the noise \
         in the times only, and tell nothing of other inputs. Intervals of times are bootstrapped. A goal is met where the whole interval is within it, missed where the \
         whole interval is beyond it, else undecided; one of medians and means has the worse verdict of the two. The goals were set for this project, and nobody else has agreed to them. Peers \
         are driven as their documentation asks. They are compiled for the instruction set of the build, its target's \
         baseline unless it was built for another, while ours find out at run time what the processor has, AVX-512 too: \
         `RUSTFLAGS=-Ctarget-cpu=native cargo run --release -p harness --features peers -- speed` builds all for this \
         processor. What else is unfair to them all the same, METHODOLOGY.md tells.\n\n",
    );
    let _ = writeln!(
        text,
        "The piles are boxes that fall into a pit, recorded from rapier3d in steps of 1/60 s: `falling-pile` from step \
         {FALLING_FROM} on, when the lowest have landed and the others fall; `settled-pile` from step {SETTLED_FROM} on, when \
         all lie and tremble. Nothing is allowed to sleep.\n"
    );
    if let Some(sure) = least_confidence(rows) {
        let _ = writeln!(text, "Intervals of ratios are of {:.1} % at the least.\n", 100.0 * sure);
    }
    for doubt in doubts {
        let _ = writeln!(text, "- Doubtful: {doubt}");
    }
    if !doubts.is_empty() {
        text.push('\n');
    }
    text
}
