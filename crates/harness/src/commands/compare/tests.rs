use super::*;
use crate::cli::{Cli, Command};
use crate::commands::tests::{DROPS, PANICS, compare_options, process};
use broadphase::registry::ALGORITHMS;
use clap::Parser;
use measure::{Labels, StageRow, Status, SummaryRow};
use std::fs;
use std::path::PathBuf;

fn exit_code(result: Result<(), Failure>) -> u8 {
    result.map_or_else(|failure| failure.exit().code(), |()| 0)
}

#[test]
fn wrong_or_panicking_algorithm_has_no_ratio() {
    let folder = tempfile::tempdir().unwrap();
    let options = compare_options(folder.path());
    for (b, code) in [(&DROPS, 4), (&PANICS, 1)] {
        let rows =
            algorithms::compare([&ALGORITHMS[0], b], &options, &process(), &mut Machine::default())
                .unwrap();
        let [row] = &rows[..] else { panic!("{rows:?}") };
        assert!(row.ratio.is_none() && row.b_median_ns.is_none());
        assert!(row.reason.as_ref().is_some_and(|r| r.starts_with(b.id)), "{row:?}");
        assert_eq!(exit_code(verdict(&rows, None)), code);
    }
}

/// A file with one row, changed by `change`.
fn file(folder: &Path, name: &str, change: impl FnOnce(&mut SummaryRow)) -> PathBuf {
    let labels = Labels {
        run_id: name.to_owned(),
        input: "s".to_owned(),
        n: 9,
        seed: Some(1),
        algorithm: "bsp".to_owned(),
        threads: 1,
    };
    let mut row = SummaryRow {
        median_ns: Some(1000),
        ci_low_ns: Some(990),
        ci_high_ns: Some(1010),
        checksum: Some(measure::Checksum(7)),
        ..SummaryRow::without_figures(&labels, 10, 3, Status::Ok, None)
    };
    change(&mut row);
    let path = folder.join(name);
    let mut writer = csv::Writer::from_path(&path).unwrap();
    writer.serialize(row).unwrap();
    writer.flush().unwrap();
    path
}

/// Compares a row with a changed one.
fn code_of_change(fail_above: Option<&str>, change: impl FnOnce(&mut SummaryRow)) -> u8 {
    let folder = tempfile::tempdir().unwrap();
    let a = file(folder.path(), "a.csv", |_| {});
    let b = file(folder.path(), "b.csv", change);
    let mut arguments = vec!["harness", "compare", "--quiet"];
    arguments.extend([a.to_str().unwrap(), b.to_str().unwrap()]);
    arguments.extend(fail_above.map(|_| "--fail-above").into_iter().chain(fail_above));
    match Cli::try_parse_from(arguments).unwrap().command {
        Command::Compare(options) => exit_code(compare(&options, &process())),
        other => panic!("{other:?}"),
    }
}

fn slower(factor: u64, percent_wide: u64) -> impl FnOnce(&mut SummaryRow) {
    move |row| {
        row.median_ns = Some(10 * factor);
        row.ci_low_ns = Some(10 * factor - factor * percent_wide / 10);
        row.ci_high_ns = Some(10 * factor + factor * percent_wide / 10);
    }
}

#[test]
fn a_regression_beyond_noise_is_exit_code_5_if_asked_for() {
    assert_eq!(code_of_change(Some("1.05"), |_| {}), 0);
    assert_eq!(code_of_change(Some("1.05"), slower(104, 1)), 0);
    assert_eq!(code_of_change(Some("1.05"), slower(110, 1)), 5);
    assert_eq!(code_of_change(Some("1.2"), slower(110, 1)), 0);
    assert_eq!(code_of_change(None, slower(110, 1)), 0);
    assert_eq!(code_of_change(Some("1.05"), slower(90, 1)), 0);
    // 1.1 times as long, give or take a fifth.
    assert_eq!(code_of_change(Some("1.05"), slower(110, 20)), 0);
}

#[test]
fn missing_or_different_result_does_not_pass() {
    let without = |status, reason: &str| {
        let reason = Some(reason.into());
        move |row: &mut SummaryRow| {
            *row = SummaryRow::without_figures(&row.labels(), 10, 3, status, reason);
        }
    };
    assert_eq!(code_of_change(Some("1.05"), without(Status::Skipped, "no time")), 5);
    assert_eq!(code_of_change(None, without(Status::Skipped, "no time")), 1, "the only cell");
    assert_eq!(code_of_change(None, without(Status::Error, "pair (0, 1) is missing")), 4);
    assert_eq!(
        code_of_change(None, without(Status::Error, "panicked in frame 3 of repetition 0: index")),
        1
    );
    assert_eq!(code_of_change(None, |row| row.checksum = Some(measure::Checksum(8))), 4);
    assert_eq!(code_of_change(None, |row| row.frames = 11), 3);
    assert_eq!(code_of_change(None, |row| row.n = 10), 3, "nothing in common");
}

#[test]
fn undecided_or_missing_cells_do_not_pass() {
    // Of one repetition the interval shows how frames differ, not how runs do.
    let once = |row: &mut SummaryRow| row.repeats = 1;
    assert_eq!(code_of_change(None, once), 0);
    assert_eq!(code_of_change(Some("1.05"), once), 1);

    // A folder in which only one of A's two cells was measured again.
    let folder = tempfile::tempdir().unwrap();
    let b = file(folder.path(), "b.csv", |_| {});
    let a = file(folder.path(), "a.csv", |_| {});
    let text = fs::read_to_string(&a).unwrap();
    let second = text.lines().nth(1).unwrap().replace(",bsp,", ",kd-tree,");
    fs::write(&a, format!("{text}{second}\n")).unwrap();
    let code = |more: &[&str]| {
        let [a, b] = [&a, &b].map(|path| path.to_str().unwrap());
        let arguments = ["harness", "compare", "--quiet", a, b].into_iter();
        match Cli::try_parse_from(arguments.chain(more.iter().copied())).unwrap().command {
            Command::Compare(options) => exit_code(compare(&options, &process())),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&["--fail-above", "1.05"]), 5);
    for option in [["--frames", "3"], ["--threads", "2"], ["--seed", "1"], ["--budget", "1"]] {
        assert_eq!(code(&option), 2, "{option:?} would have no effect");
    }
}

#[test]
fn two_algorithms_without_figures_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = compare_options(folder.path());
    assert_eq!(exit_code(compare(&options, &process())), 0);
    options.effort.budget = Some(std::time::Duration::from_nanos(1));
    assert_eq!(exit_code(compare(&options, &process())), 1);
}

#[test]
fn wrong_summary_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read_to_string(file(folder.path(), "a.csv", |_| {})).unwrap();
    for (text, expected) in [
        (String::new(), "line 1: expected the columns of summary.csv, but `run_id` is missing"),
        (good.replace("median_ns,p95", "middle,p95"), "line 1: expected the columns"),
        (good.replace(",1000,", ",fast,"), "line 2: column 9, `median_ns`: "),
        (good.replace(",1000,", ",2000,"), "line 2: median_ns 2000 lies outside its interval"),
        (good.replace("a.csv,s,9", "a.csv,s"), "line 2: expected 44 columns, found 43"),
        (good.replace(",ok,", ",fine,"), "line 2: unknown variant `fine`, expected one of `ok`"),
        (format!("{good}{}\n", good.lines().nth(1).unwrap()), "line 3: a second row for bsp on s"),
    ] {
        let path = folder.path().join("bad.csv");
        fs::write(&path, text).unwrap();
        let error = measure::SummaryFile::read(&path).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("bad.csv, ") && text.contains(expected), "{text}");
        assert_eq!(Failure::from(error).exit().code(), 3);
    }
}

#[test]
fn other_columns_may_follow_and_ours_may_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "a.csv", |_| {});
    let text = fs::read_to_string(&path).unwrap();
    let cut: Vec<String> = text
        .lines()
        .map(|line| line.split(',').take(25).collect::<Vec<_>>().join(",") + ",more")
        .collect();
    fs::write(&path, cut.join("\n")).unwrap();
    assert_eq!(measure::SummaryFile::read(&path).unwrap().rows.len(), 1);
    let error = measure::SummaryFile::read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("summary.csv"), "of a folder the summary in it: {error}");
}

/// A `stages.csv` in a folder of its own, with two rows, of which the second is changed by `change`.
fn stages(folder: &Path, name: &str, change: impl FnOnce(&mut StageRow)) -> PathBuf {
    let row = |stage: &str, method: &str| {
        format!(
            "{name},zoo,9,1,bsp,1,{stage},{method},tight,100,40,5,,0,300,0,20000,10,2,200,190,210,ok,\n"
        )
    };
    // As before there were times of impact.
    let header = measure::columns::<StageRow>()[..24].join(",");
    let text = format!("{header}\n{}{}", row("volume", "obb"), row("narrow", "sat"));
    let mut rows: Vec<StageRow> =
        csv::Reader::from_reader(text.as_bytes()).into_deserialize().map(Result::unwrap).collect();
    change(&mut rows[1]);
    let path = folder.join(name);
    fs::create_dir(&path).unwrap();
    let mut writer = csv::Writer::from_path(path.join("stages.csv")).unwrap();
    rows.iter().for_each(|row| writer.serialize(row).unwrap());
    writer.flush().unwrap();
    path
}

fn code_of_stages(change: impl FnOnce(&mut StageRow)) -> u8 {
    let folder = tempfile::tempdir().unwrap();
    let a = stages(folder.path(), "a", |_| {});
    let b = stages(folder.path(), "b", change);
    let paths = [a.to_str().unwrap(), b.to_str().unwrap()];
    let arguments = ["harness", "compare", "--quiet", "--fail-above", "1.2", paths[0], paths[1]];
    let Command::Compare(options) = Cli::parse_from(arguments).command else { panic!() };
    exit_code(compare(&options, &process()))
}

#[test]
fn stages_of_two_runs_are_compared() {
    assert_eq!(code_of_stages(|_| {}), 0);
    let slower = |row: &mut StageRow| {
        row.test_ns = Some(300.0);
        (row.ci_low_test_ns, row.ci_high_test_ns) = (Some(290.0), Some(310.0));
    };
    assert_eq!(code_of_stages(slower), 5);
    assert_eq!(code_of_stages(|row| row.passed = Some(39)), 4);
    assert_eq!(code_of_stages(|row| (row.passed, row.band) = (Some(39), Some(1))), 0);
    assert_eq!(code_of_stages(|row| row.tests = Some(99)), 3);
    // What A measured, B must have.
    assert_eq!(code_of_stages(|row| row.method = "gjk".to_owned()), 5);
}
