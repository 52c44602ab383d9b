//! The page `speed.md`: summary, chart, the comparisons with other libraries and external programs, and what was missed.

use super::contest::{
    AGAINST_PEERS, AGAINST_PROGRAMS, ComparedTimes, Contest, chart, goals, inverse, reasons, title,
};
use super::inputs::{PILES, SpeedPart};
use super::rows::read;
use crate::commands::without_repeats;
use crate::failure::Failure;
use crate::study::{By, Files, Kind, Page, Statement, StudyRow, Verdict, with_interval};
use measure::numbers::{significant, thousands};
use measure::{Machine, Ratio, Status};
use std::collections::BTreeMap;
use std::path::Path;

/// The page and its chart.
pub(super) fn report(files: &Files) -> Result<Option<Page>, Failure> {
    let rows = read(&files.file("csv"))?;
    let (machine, doubts) = machine(&files.data())?;
    let peers = Contest::all(&rows, SpeedPart::has_peers);
    let programs = Contest::all(&rows, |part| part == SpeedPart::Programs);
    let goals = goals(&rows, &peers, &programs);
    let summary = summary(&rows, &peers, &programs, &goals, machine.peers.len());
    let about = "Computed by `harness speed` from [the rows](speed.csv), which also hold all other \
                 algorithms, several threads, changes of motion, and memory. METHODOLOGY.md describes how it is \
                 measured, and what is unfair.";
    let mut page = Page::new("Speed compared with other libraries", about, summary);
    let caption = "Time of the best other library over that of auto, by medians or means, \
                   whichever is worse";
    page.chart(caption, "speed.svg", chart(&peers));
    against_peers(&mut page, &peers);
    against_programs(&mut page, &programs);
    threads(&mut page, &rows);
    page.section("Goals", "");
    page.list(reasons());
    page.section("What was missed", "");
    page.missed(&goals);
    page.list(rows.iter().filter(|row| row.status != Status::Ok).map(without_figures));
    page.section("Machine", "");
    let first = SpeedPart::of(&rows[0]).unwrap_or(SpeedPart::Small);
    page.machine(&machine, &format!("speed/{}/machine.json", first.folder()));
    let confidence = least_confidence(&rows)
        .map(|sure| format!("Intervals of ratios hold with {:.1} % or more.", 100.0 * sure));
    page.list(doubts.iter().map(|doubt| format!("Doubtful: {doubt}")).chain(confidence));
    Ok(Some(page))
}

/// The machine of the first measured part, and the warnings of all parts. A reason that several inputs
/// share is one line.
fn machine(data: &Path) -> Result<(Machine, Vec<String>), Failure> {
    let files = SpeedPart::ALL.map(|part| data.join(part.folder()).join("machine.json"));
    let files = files.iter().filter(|path| path.exists());
    let machines = files.map(|path| Machine::read(path)).collect::<Result<Vec<Machine>, _>>()?;
    let mut doubts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for warning in machines.iter().flat_map(|machine| &machine.warnings) {
        // Of a case or a part: "gas, n = 100000: reason", "two threads: reason".
        let is_place = |place: &str| {
            place.contains(", n = ") || SpeedPart::ALL.iter().any(|part| part.title() == place)
        };
        let (place, reason) = match warning.split_once(": ") {
            Some((place, reason)) if is_place(place) => (Some(place), reason),
            _ => (None, warning.as_str()),
        };
        let places = doubts.entry(reason).or_default();
        places.extend(place.filter(|place| !places.contains(place)));
    }
    let line = |(reason, places): (&str, Vec<&str>)| match places.is_empty() {
        true => reason.to_owned(),
        false => format!("{}: {reason}", places.join("; ")),
    };
    let doubts = doubts.into_iter().map(line).collect();
    Ok((machines.into_iter().next().unwrap_or_default(), doubts))
}

/// The results in a few lines, for the head of the page and for a terminal. `crates` is the number of
/// crates that the peers are from, 0 where it is unknown.
fn summary(
    rows: &[StudyRow],
    peers: &[Contest<'_>],
    programs: &[Contest<'_>],
    goals: &[Statement],
    crates: usize,
) -> Vec<String> {
    let both = |contest: &Contest<'_>| {
        let [median, mean] =
            [By::Median, By::Mean].map(|by| Some(contest.peer_over_auto(by)?.ratio));
        Some([median?, mean?])
    };
    let with_ratios: Vec<[Ratio; 2]> = peers.iter().filter_map(both).collect();
    let ahead = with_ratios.iter().filter(|both| both.iter().all(|r| r.low > 1.0)).count();
    let behind = with_ratios.iter().filter(|both| both.iter().any(|r| r.high < 1.0)).count();
    let crates = if crates == 0 { String::new() } else { format!("{crates} ") };
    let mut lines = Vec::new();
    if !peers.is_empty() {
        lines.push(format!(
            "On {ahead} of {} inputs `auto` is faster than the fastest of the {crates}Rust crates measured, on one \
             thread, by medians and by means. On {behind} one of them is faster than `auto` by either, on {} the \
             intervals do not decide.",
            with_ratios.len(),
            with_ratios.len() - ahead - behind
        ));
    }
    lines.extend(summary_of_programs(programs));
    lines.push(format!("{}.", Verdict::count(Kind::Goal, goals.iter().map(|goal| goal.verdict))));
    let first_look = least_confidence(rows).filter(|sure| *sure < 0.95);
    lines.extend(first_look.map(|sure| match 100.0 * sure {
        0.0 => "Only a first look: a single round gives no interval.".to_owned(),
        percent => {
            format!(
                "Only a first look: with so few rounds, the intervals hold with {percent:.0} %."
            )
        }
    }));
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

/// Nanoseconds as milliseconds, or a dash.
fn ms(ns: Option<f64>) -> String {
    ns.map_or("-".to_owned(), |ns| significant(ns / 1e6))
}

fn median_ms(row: Option<&StudyRow>) -> String {
    ms(row.and_then(|row| row.median_ns).map(|ns| ns as f64))
}

fn interval(ratio: Option<Ratio>) -> String {
    ratio.map_or("-".to_owned(), with_interval)
}

/// The comparison with the peers; nothing without them.
fn against_peers(page: &mut Page, contests: &[Contest<'_>]) {
    if contests.is_empty() {
        return;
    }
    let [(_, falling), (_, settled)] = PILES;
    let about = format!(
        "Times are of the median frame on one thread, in milliseconds. *Means* are of whole rounds; a peer that is best only \
         by means is named there. *Best of ours* and *best fixed* turned out to be the fastest, which is not known \
         beforehand. `falling-pile` and `settled-pile` are recorded from rapier3d, from step {falling} and step {settled} of \
         1/60 s on."
    );
    page.section("Against the best other library", &about);
    let header = "input | pairs | best peer | its ms | auto ms | peer / auto, medians | peer / auto, means | goal |  | \
                  peer / best of ours, means | auto / best fixed";
    page.table(header.split(" | "), contests.iter().map(row));
}

/// The line of an input.
fn row(contest: &Contest<'_>) -> [String; 11] {
    let ratio = |compared: Option<ComparedTimes<'_>>| interval(compared.map(|c| c.ratio));
    let peer = contest.best_peer(By::Median);
    let by_means = contest.peer_over_auto(By::Mean);
    let another = by_means.filter(|by_means| peer.is_some_and(|peer| peer != by_means.other));
    let another = another.map(|c| format!(" {}", c.other.algorithm)).unwrap_or_default();
    let verdict = contest.worse_peer_over_auto().map(|c| AGAINST_PEERS.verdict(c.ratio));
    let over_best = contest.best_peer(By::Mean).and_then(|row| row.over(By::Best));
    let best = contest.best_of_ours().map_or("", |row| &row.algorithm);
    [
        contest.title(),
        contest.rows.iter().find_map(|row| row.pairs).map(thousands).unwrap_or_default(),
        peer.map_or("none".to_owned(), |row| row.algorithm.clone()),
        median_ms(peer),
        median_ms(contest.auto()),
        ratio(contest.peer_over_auto(By::Median)),
        ratio(by_means) + &another,
        AGAINST_PEERS.to_string(),
        verdict.map_or("**no result**".to_owned(), |verdict| verdict.word(Kind::Goal)),
        over_best.map_or("-".to_owned(), |r| significant(r.ratio)) + " " + best,
        ratio(contest.auto_over_fixed()),
    ]
}

/// Several threads against one, for ours and for those peers that use them; nothing where it was not measured.
fn threads(page: &mut Page, rows: &[StudyRow]) {
    let is_one = |row: &&StudyRow| {
        SpeedPart::of(row) == Some(SpeedPart::Threads) && row.threads > 1 && row.median_ns.is_some()
    };
    let several: Vec<&StudyRow> = rows.iter().filter(is_one).collect();
    if several.is_empty() {
        return;
    }
    let peers = "The peers are those with parallel functions: parry3d (traversal, refit) and packed_spatial_index (build, \
                 from 32,000 boxes on).";
    page.section("Several threads", if several.iter().any(|row| row.peer) { peers } else { "" });
    let line = |row: &StudyRow| {
        let threads = row.threads.to_string();
        let ratio = interval(row.over(By::Median).map(inverse));
        [title(row), row.algorithm.clone(), threads, median_ms(Some(row)), ratio]
    };
    let header = ["input", "algorithm", "threads", "ms", "times as fast as on one thread, medians"];
    page.table(header, several.into_iter().map(line));
}

/// A row without figures, with the reason.
fn without_figures(row: &StudyRow) -> String {
    let status = if row.status == Status::Error { "**error**" } else { "skipped" };
    // It may be what a program has printed: as code, no part of it is taken for Markdown.
    let reason = row.reason_text().replace('\n', " ").replace('`', "'");
    format!("{status}: {} on {}: `{reason}`", row.algorithm, title(row))
}

/// The names of all programs, in the order of measuring.
fn names_of_programs<'a>(contests: &[Contest<'a>]) -> Vec<&'a str> {
    let all = contests.iter().flat_map(|contest| contest.others());
    without_repeats(&all.map(|row| &*row.algorithm).collect::<Vec<_>>())
}

/// The result in a sentence; `None` without a ratio.
fn summary_of_programs(contests: &[Contest<'_>]) -> Option<String> {
    let ratios = contests.iter().filter_map(|contest| contest.program_over_best());
    let verdicts: Vec<_> = ratios.map(|(_, ratio)| AGAINST_PROGRAMS.verdict(ratio)).collect();
    let of = |verdict| verdicts.iter().filter(|other| **other == verdict).count();
    (!verdicts.is_empty()).then(|| {
        format!(
            "On {} of {} inputs the fastest of ours is faster than each program that completed, of {}, on one thread, by \
             means. On {} a program is faster.",
            of(Verdict::Met),
            verdicts.len(),
            names_of_programs(contests).join(", "),
            of(Verdict::Missed),
        )
    })
}

/// The section of the page; nothing without programs.
fn against_programs(page: &mut Page, contests: &[Contest<'_>]) {
    if contests.is_empty() {
        return;
    }
    page.section(
        "Against external programs",
        "The input is a trace, which ours play too. A program clocks update and search itself, on one thread. Each column is \
         its time over that of the best of ours, both by means of whole rounds.",
    );
    let names = names_of_programs(contests);
    let row = |contest: &Contest<'_>| {
        let of = |name: &&str| {
            let row = contest.others().find(|row| row.algorithm == **name);
            row.map_or("-".to_owned(), |row| match row.status {
                Status::Ok => interval(row.over(By::Best)),
                Status::Error => "**error**".to_owned(),
                Status::Skipped => "skipped".to_owned(),
            })
        };
        let ours = contest.best_of_ours();
        let pairs = ours.and_then(|row| row.pairs);
        let of_ours = [
            contest.title(),
            pairs.map(thousands).unwrap_or_default(),
            ours.map_or("none".to_owned(), |row| row.algorithm.clone()),
            ms(ours.and_then(|row| row.mean_ns)),
        ];
        of_ours.into_iter().chain(names.iter().map(of)).collect::<Vec<_>>()
    };
    let ours = ["input", "pairs", "best of ours", "its ms"];
    page.table(ours.iter().chain(&names), contests.iter().map(row));
}
