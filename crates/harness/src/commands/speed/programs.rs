//! External programs: those of the command line, and how they compare with ours.

use super::goals;
use super::inputs::title;
use super::parts::SpeedPart;
use super::rows::By;
use crate::failure::Failure;
use crate::registry;
use crate::study::numbers::with_interval;
use crate::study::{Page, Statement, StudyRow, Verdict};
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

/// The programs and the fastest of ours on one input, on one thread.
pub(super) struct Contest<'a> {
    input: &'a str,
    n: u64,
    ours: Option<&'a StudyRow>,
    programs: Vec<&'a StudyRow>,
}

impl<'a> Contest<'a> {
    /// One for each input on which there are programs, in the order of measuring.
    pub(super) fn all(rows: &'a [StudyRow]) -> Vec<Self> {
        rows.chunk_by(|a, b| (&a.part, &a.input, a.n) == (&b.part, &b.input, b.n))
            .filter(|case| SpeedPart::of(&case[0]) == Some(SpeedPart::Programs))
            .map(|case| {
                let (programs, ours): (Vec<_>, Vec<_>) = case.iter().partition(|row| row.peer);
                let measured = ours.into_iter().filter(|row| row.time(By::Mean).is_some());
                let ours = measured.min_by_key(|row| row.time(By::Mean));
                Self { input: &case[0].input, n: case[0].n, ours, programs }
            })
            .collect()
    }

    fn title(&self) -> String {
        title(self.input, self.n)
    }

    /// The fastest program, and its time over that of the fastest of ours, by means of whole rounds.
    fn fastest(&self) -> Option<(&'a StudyRow, Ratio)> {
        let ratios = self.programs.iter().filter_map(|row| Some((*row, row.over_best()?)));
        goals::AGAINST_PROGRAMS.worst(ratios, |(_, ratio)| *ratio)
    }

    /// The goal against the fastest program.
    pub(super) fn goal(&self) -> Option<Statement> {
        let (row, ratio) = self.fastest()?;
        let what = format!("{} over the fastest of ours, {}, means", row.algorithm, self.title());
        Some(Statement::goal(what, ratio, goals::AGAINST_PROGRAMS))
    }
}

/// The names of all programs, in the order of measuring.
fn names<'a>(contests: &[Contest<'a>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for row in contests.iter().flat_map(|contest| &contest.programs) {
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
        .filter_map(|contest| contest.fastest().map(|(row, ratio)| (contest, row, ratio)))
        .collect();
    let with = |verdict: Verdict| -> Vec<String> {
        let those = fastest.iter().filter(|(.., ratio)| verdict_on(*ratio) == verdict);
        let text = |(contest, row, ratio): &(&Contest<'_>, &StudyRow, Ratio)| {
            format!("{} ({} {})", contest.title(), row.algorithm, significant(ratio.ratio))
        };
        those.map(text).collect()
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
    let results = || contests.iter().flat_map(|contest| &contest.programs);
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

fn verdict_on(ratio: Ratio) -> Verdict {
    goals::AGAINST_PROGRAMS.verdict(ratio)
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
    let header: Vec<&str> = ours.into_iter().chain(names.iter().copied()).collect();
    let row = |contest: &Contest<'_>| {
        let of = |name: &&str| {
            let row = contest.programs.iter().find(|row| row.algorithm == **name);
            row.map_or("-".to_owned(), |row| against(row))
        };
        let ms = contest.ours.and_then(|row| row.mean_ns).map(|ns| significant(ns / 1e6));
        let pairs = contest.ours.and_then(|row| row.pairs);
        let of_ours = [
            contest.title(),
            pairs.map(thousands).unwrap_or_default(),
            contest.ours.map_or("none".to_owned(), |row| row.algorithm.clone()),
            ms.unwrap_or("-".to_owned()),
        ];
        of_ours.into_iter().chain(names.iter().map(of)).collect()
    };
    page.wide_table(&header, contests.iter().map(row));
}

/// The cell of a program.
fn against(row: &StudyRow) -> String {
    match row.status {
        Status::Ok => row.over_best().map_or("-".to_owned(), with_interval),
        Status::Error => "**error**".to_owned(),
        Status::Skipped => "skipped".to_owned(),
    }
}
