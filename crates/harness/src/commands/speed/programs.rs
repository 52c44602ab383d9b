//! External programs: those of the command line, and how they compare with ours.

use super::contest::Contest;
use super::goals;
use crate::failure::Failure;
use crate::registry;
use crate::study::numbers::with_interval;
use crate::study::{Page, StudyRow, Verdict};
use measure::numbers::{significant, thousands};
use measure::{Program, Ratio, Status};
use std::collections::HashSet;
use std::path::PathBuf;

/// Opens the programs. Refused where two would have the same name in the rows, or one that of an algorithm.
pub(super) fn open(paths: &[PathBuf]) -> Result<Vec<Program>, Failure> {
    let mut names = HashSet::new();
    let open = |path: &PathBuf| {
        let program = Program::open(path).map_err(|e| Failure::Usage(format!("--program {e}")))?;
        let name = program.id().to_owned();
        if registry::offered().find(&name).is_some() || !names.insert(name.clone()) {
            return Err(Failure::Usage(format!(
                "--program {}: another is called `{name}`: name the file otherwise",
                path.display()
            )));
        }
        Ok(program)
    };
    paths.iter().map(open).collect()
}

/// The names of all programs, in the order of measuring.
fn names<'a>(contests: &[Contest<'a>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for row in contests.iter().flat_map(|contest| contest.others()) {
        if !names.contains(&&*row.algorithm) {
            names.push(&row.algorithm);
        }
    }
    names
}

/// The result in a sentence or two; `None` without a ratio.
pub(super) fn summary(contests: &[Contest<'_>]) -> Option<String> {
    let fastest: Vec<_> = contests
        .iter()
        .filter_map(|contest| Some((contest, contest.program_over_best()?)))
        .collect();
    let with = |verdict: Verdict| -> Vec<String> {
        let of = |ratio: Ratio| goals::AGAINST_PROGRAMS.verdict(ratio);
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
        names(contests).join(", "),
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
pub(super) fn write(page: &mut Page, contests: &[Contest<'_>]) {
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
    let names = names(contests);
    let ours = ["input", "pairs", "best of ours", "its ms"];
    let header = ours.into_iter().chain(names.iter().copied());
    let row = |contest: &Contest<'_>| {
        let of = |name: &&str| {
            let row = contest.others().find(|row| row.algorithm == **name);
            row.map_or("-".to_owned(), against)
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
fn against(row: &StudyRow) -> String {
    match row.status {
        Status::Ok => row.over_best().map_or("-".to_owned(), with_interval),
        Status::Error => "**error**".to_owned(),
        Status::Skipped => "skipped".to_owned(),
    }
}
