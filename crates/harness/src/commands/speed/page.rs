//! The page `speed.md`: summary, chart, the comparisons with other libraries and external programs, and what was missed.

use super::contest::{AGAINST_PEERS, AGAINST_PROGRAMS, ComparedTimes, Contest, inverse, reasons};
use super::inputs::{Pile, SpeedPart, title};
use super::rows::By;
use crate::study::{Kind, Page, Statement, StudyRow, Verdict, with_interval};
use measure::numbers::{significant, thousands};
use measure::{Machine, Ratio, Status};

/// The head of the page.
pub(super) fn begin(summary: &[String], has_chart: bool) -> Page {
    let about = "Computed by `harness speed` from [the rows](speed.csv), which also hold all other \
                 algorithms, several threads, changes of motion, and memory. METHODOLOGY.md describes how it is \
                 measured, and what is unfair.";
    let mut page = Page::new("Speed compared with other libraries", about, summary);
    if has_chart {
        let caption = "Time of the best other library over that of auto, by medians or means, \
                       whichever is worse";
        page.chart(caption, "speed.svg");
    }
    page
}

/// The end of the page: what was missed, and where it was measured.
pub(super) fn end(
    page: &mut Page,
    rows: &[StudyRow],
    goals: &[Statement],
    machine: &Machine,
    doubts: &[String],
) {
    page.section("Goals");
    page.list(reasons());
    page.section("What was missed");
    page.missed(goals);
    page.list(without_figures(rows));
    page.section("Machine");
    let first = rows.first().and_then(SpeedPart::of).unwrap_or(SpeedPart::Small);
    page.machine(machine, &format!("speed/{}/machine.json", first.folder()));
    let confidence = least_confidence(rows);
    let confidence = confidence
        .map(|sure| format!("Intervals of ratios hold with {:.1} % or more.", 100.0 * sure));
    page.list(doubts.iter().map(|doubt| format!("Doubtful: {doubt}")).chain(confidence));
}

/// The results in a few lines, for the head of the page and for a terminal. `crates` is the number of
/// crates that the peers are from, 0 where it is unknown.
pub(super) fn summary(
    rows: &[StudyRow],
    peers: &[Contest<'_>],
    programs: &[Contest<'_>],
    goals: &[Statement],
    crates: usize,
) -> Vec<String> {
    let with_ratios: Vec<[Ratio; 2]> = peers
        .iter()
        .filter_map(|contest| {
            let [median, mean] = By::ALL.map(|by| Some(contest.peer_over_auto(by)?.ratio));
            Some([median?, mean?])
        })
        .collect();
    let ahead = with_ratios.iter().filter(|both| both.iter().all(|r| r.low > 1.0)).count();
    let behind = with_ratios.iter().filter(|both| both.iter().any(|r| r.high < 1.0)).count();
    let crates = match crates {
        0 => "the Rust crates measured".to_owned(),
        count => format!("the {count} Rust crates measured"),
    };
    let mut lines = Vec::new();
    if !peers.is_empty() {
        lines.push(format!(
            "On {ahead} of {} inputs `auto` is faster than the fastest of {crates}, on one thread, by \
             medians and by means. On {behind} one of them is faster than `auto` by either, on {} the \
             intervals do not decide.",
            with_ratios.len(),
            with_ratios.len() - ahead - behind
        ));
    }
    lines.extend(summary_of_programs(programs));
    lines.push(format!("{}.", Verdict::count(Kind::Goal, goals.iter().map(|goal| goal.verdict))));
    if let Some(sure) = least_confidence(rows).filter(|sure| *sure < 0.95) {
        lines.push(match 100.0 * sure {
            0.0 => "Only a first look: a single round gives no interval.".to_owned(),
            percent => format!(
                "Only a first look: with so few rounds, the intervals hold with {percent:.0} %."
            ),
        });
    }
    let errors = rows.iter().filter(|row| row.status == Status::Error).count();
    if errors > 0 {
        lines.push(format!(
            "Errors, which are no results: {errors}. Their pairs were wrong, or they panicked or failed."
        ));
    }
    lines
}

/// The least confidence of the intervals of all ratios.
fn least_confidence(rows: &[StudyRow]) -> Option<f64> {
    rows.iter().filter_map(|row| row.confidence).min_by(f64::total_cmp)
}

/// The comparison with the peers; nothing without them.
pub(super) fn against_peers(page: &mut Page, contests: &[Contest<'_>]) {
    if contests.is_empty() {
        return;
    }
    page.section("Against the best other library");
    page.list([
        "Times are of the median frame, update and search, on one thread, in milliseconds.".to_owned(),
        "*peer / auto*: ratio with its interval. Medians hide a cost that fewer than half of the frames \
         have; means are totals of whole rounds. A peer that is best only by means is named there."
            .to_owned(),
        "The worse of the two ratios is compared with the goal: met where the whole interval is within \
         it, missed where it is beyond, else undecided."
            .to_owned(),
        "*peer / best of ours* and *auto / best fixed* compare with the algorithm that turned out to be \
         the fastest, which is not known beforehand."
            .to_owned(),
        format!(
            "`falling-pile` and `settled-pile` are recorded from rapier3d, from step {} and step {} of 1/60 s on.",
            Pile::Falling.first_step(),
            Pile::Settled.first_step()
        ),
    ]);
    page.table(
        "input | pairs | best peer | its ms | auto ms | peer / auto, medians | peer / auto, means | goal |  | peer / best of ours, means | auto / best fixed",
        contests.iter().map(row),
    );
}

/// Several threads against one, for ours and for those peers that use them; nothing where it was not measured.
pub(super) fn threads(page: &mut Page, rows: &[StudyRow]) {
    let several = |row: &&StudyRow| {
        SpeedPart::of(row) == Some(SpeedPart::Threads) && row.threads > 1 && row.median_ns.is_some()
    };
    if !rows.iter().any(|row| several(&row)) {
        return;
    }
    page.section("Several threads");
    if rows.iter().any(|row| several(&row) && row.peer) {
        page.list([
            "The peers are those with parallel functions: parry3d (traversal, refit) and packed_spatial_index (build, \
             from 32,000 boxes on)."
                .to_owned(),
        ]);
    }
    let line = |row: &StudyRow| {
        let milliseconds = row.median_ns.map(|ns| significant(ns as f64 / 1e6));
        let ratio = row.over().map(|ratio| with_interval(inverse(ratio)));
        let [milliseconds, ratio] =
            [milliseconds, ratio].map(|cell| cell.unwrap_or("-".to_owned()));
        let (title, threads) = (title(&row.input, row.n), row.threads.to_string());
        [title, row.algorithm.clone(), threads, milliseconds, ratio]
    };
    page.table(
        "input | algorithm | threads | ms | times as fast as on one thread, medians",
        rows.iter().filter(several).map(line),
    );
}

/// The line of an input.
fn row(contest: &Contest<'_>) -> [String; 11] {
    let ratio = |compared: Option<ComparedTimes<'_>>| {
        compared.map_or("-".to_owned(), |compared| with_interval(compared.ratio))
    };
    let milliseconds = |row: Option<&StudyRow>| {
        let median_ns = row.and_then(|row| row.median_ns);
        median_ns.map_or("-".to_owned(), |ns| significant(ns as f64 / 1e6))
    };
    let peer = contest.best_peer(By::Median);
    let by_means = contest.peer_over_auto(By::Mean);
    let another = by_means.filter(|by_means| peer.is_some_and(|peer| peer != by_means.other));
    let another = another.map(|c| format!(" {}", c.other.algorithm)).unwrap_or_default();
    let verdict = contest.worse_peer_over_auto().map(|c| AGAINST_PEERS.verdict(c.ratio));
    let over_best = contest.best_peer(By::Mean).and_then(StudyRow::over_best);
    let best = contest.best_of_ours().map_or("", |row| &row.algorithm);
    [
        contest.title(),
        contest.rows.iter().find_map(|row| row.pairs).map(thousands).unwrap_or_default(),
        peer.map_or("none".to_owned(), |row| row.algorithm.clone()),
        milliseconds(peer),
        milliseconds(contest.auto()),
        ratio(contest.peer_over_auto(By::Median)),
        ratio(by_means) + &another,
        AGAINST_PEERS.text(),
        verdict.map_or("**no result**".to_owned(), |verdict| verdict.word(Kind::Goal)),
        over_best.map_or("-".to_owned(), |r| significant(r.ratio)) + " " + best,
        ratio(contest.auto_over_fixed()),
    ]
}

/// The rows without figures, with the reason.
fn without_figures(rows: &[StudyRow]) -> impl Iterator<Item = String> {
    rows.iter().filter(|row| row.status != Status::Ok).map(|row| {
        let status = if row.status == Status::Error { "**error**" } else { "skipped" };
        // It may be what a program has printed: as code, no part of it is taken for Markdown.
        let reason = row.reason_text().replace('\n', " ").replace('`', "'");
        format!("{status}: {} on {}: `{reason}`", row.algorithm, title(&row.input, row.n))
    })
}

/// The names of all programs, in the order of measuring.
fn names_of_programs<'a>(contests: &[Contest<'a>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for row in contests.iter().flat_map(|contest| contest.others()) {
        if !names.contains(&&*row.algorithm) {
            names.push(&row.algorithm);
        }
    }
    names
}

/// The result in a sentence or two; `None` without a ratio.
pub(super) fn summary_of_programs(contests: &[Contest<'_>]) -> Option<String> {
    let fastest: Vec<_> = contests
        .iter()
        .filter_map(|contest| Some((contest, contest.program_over_best()?)))
        .collect();
    let with = |verdict: Verdict| -> Vec<String> {
        let of = |ratio: Ratio| AGAINST_PROGRAMS.verdict(ratio);
        let those = fastest.iter().filter(|(_, (_, ratio))| of(*ratio) == verdict);
        let those = those.map(|(contest, (row, ratio))| {
            format!("{} ({} {})", contest.title(), row.algorithm, significant(ratio.ratio))
        });
        those.collect()
    };
    let (behind, undecided) = (with(Verdict::Missed), with(Verdict::Undecided));
    let count = fastest.len();
    if count == 0 {
        return None;
    }
    let mut text = format!(
        "On {} of {count} inputs the fastest of ours is faster than each program that completed, of {}, on one \
         thread, by means.",
        count - behind.len() - undecided.len(),
        names_of_programs(contests).join(", "),
    );
    let results = || contests.iter().flat_map(|contest| contest.others());
    let of = |status: Status| results().filter(|row| row.status == status).count();
    let (skipped, errors) = (of(Status::Skipped), of(Status::Error));
    if skipped + errors > 0 {
        let all = results().count();
        text +=
            &format!(" Of their {all} results, {skipped} were skipped, and {errors} are errors.");
    }
    if !behind.is_empty() {
        text += &format!(" A program is faster on: {}.", behind.join(", "));
    }
    if !undecided.is_empty() {
        text += &format!(" The intervals do not decide on: {}.", undecided.join(", "));
    }
    Some(text)
}

/// The section of the page; nothing without programs.
pub(super) fn against_programs(page: &mut Page, contests: &[Contest<'_>]) {
    if contests.is_empty() {
        return;
    }
    page.section("Against external programs");
    page.list([
        "The input is a trace, which ours play too. A program clocks update and search itself, on one thread; \
         its pairs are verified in every frame. METHODOLOGY.md has the rest.",
        "*Best of ours*: the fastest by means, and its milliseconds.",
        "Columns of programs: their time over that of the best of ours, both by means of whole rounds, with \
         the interval. Below 1, the program is faster.",
    ]);
    let names = names_of_programs(contests);
    let ours = ["input", "pairs", "best of ours", "its ms"];
    let header = ours.into_iter().chain(names.iter().copied());
    let row = |contest: &Contest<'_>| {
        let of = |name: &&str| {
            let row = contest.others().find(|row| row.algorithm == **name);
            row.map_or("-".to_owned(), cell_of_program)
        };
        let ours = contest.best_of_ours();
        let ms = ours.and_then(|row| row.mean_ns).map(|ns| significant(ns / 1e6));
        let pairs = ours.and_then(|row| row.pairs);
        let of_ours = [
            contest.title(),
            pairs.map(thousands).unwrap_or_default(),
            ours.map_or("none".to_owned(), |row| row.algorithm.clone()),
            ms.unwrap_or("-".to_owned()),
        ];
        of_ours.into_iter().chain(names.iter().map(of)).collect::<Vec<_>>()
    };
    page.wide_table(header, contests.iter().map(row));
}

/// The cell of a program.
fn cell_of_program(row: &StudyRow) -> String {
    match row.status {
        Status::Ok => row.over_best().map_or("-".to_owned(), with_interval),
        Status::Error => "**error**".to_owned(),
        Status::Skipped => "skipped".to_owned(),
    }
}
