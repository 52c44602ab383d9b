use super::*;
use crate::commands::Command;
use crate::commands::tests::{DROPS, PANICS, command, process, short_command};
use ::measure::{Checksum, Labels};
use broadphase::registry::ALGORITHMS;
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

fn exit_code(result: Result<(), Failure>) -> u8 {
    result.map_or_else(|failure| failure.exit().code(), |()| 0)
}

#[test]
fn algorithm_without_figures_has_no_ratio() {
    let folder = tempfile::tempdir().unwrap();
    let words = "compare bsp bsp SCENE";
    let Command::Compare(mut options) = short_command(folder.path(), words) else { panic!() };
    for (b, code) in [(&DROPS, 4), (&PANICS, 1)] {
        let rows =
            measure([&ALGORITHMS[0], b], &options, &process(), &mut Machine::default()).unwrap();
        let [row] = &rows[..] else { panic!("{rows:?}") };
        assert!(row.ratio.is_none() && row.b_median_ns.is_none());
        assert!(row.reason.as_ref().is_some_and(|r| r.starts_with(b.id)), "{row:?}");
        assert_eq!(exit_code(verdict(&rows, None)), code);
    }
    assert_eq!(exit_code(compare(&options, &process())), 0);
    options.effort.budget = Some(std::time::Duration::from_nanos(1));
    assert_eq!(exit_code(compare(&options, &process())), 1);
}

fn row() -> SummaryRow {
    let labels = Labels {
        run_id: "r".to_owned(),
        input: "s".to_owned(),
        n: 9,
        seed: Some(1),
        algorithm: "bsp".to_owned(),
        threads: 1,
    };
    SummaryRow {
        median_ns: Some(1000),
        ci_low_ns: Some(990),
        ci_high_ns: Some(1010),
        checksum: Some(Checksum(7)),
        frames: 10,
        repeats: 3,
        status: Status::Ok,
        ..SummaryRow::of(&labels)
    }
}

fn file<R: Serialize>(path: PathBuf, rows: &[R]) -> PathBuf {
    let mut writer = csv::Writer::from_path(&path).unwrap();
    rows.iter().for_each(|row| writer.serialize(row).unwrap());
    writer.flush().unwrap();
    path
}

/// The exit code of the comparison of files with these rows.
fn code<R: Serialize>(name: &str, a: &[R], b: &[R], more: &[&str]) -> u8 {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|part| folder.path().join(part));
    let [a, b] = [(&paths[0], a), (&paths[1], b)].map(|(path, rows)| {
        fs::create_dir(path).unwrap();
        file(path.join(name), rows).to_string_lossy().into_owned()
    });
    let words = format!("compare --quiet '{a}' '{b}' {}", more.join(" "));
    let Command::Compare(options) = command(&words) else { panic!() };
    exit_code(compare(&options, &process()))
}

/// Compares a row with a changed one.
fn code_of_change(fail_above: Option<&str>, change: impl FnOnce(&mut SummaryRow)) -> u8 {
    let mut changed = row();
    change(&mut changed);
    let more: Vec<&str> = fail_above.map_or(Vec::new(), |limit| vec!["--fail-above", limit]);
    code("summary.csv", &[row()], &[changed], &more)
}

#[test]
fn a_regression_beyond_noise_is_exit_code_5_if_asked_for() {
    let slower = |factor: u64, percent_wide: u64| {
        move |row: &mut SummaryRow| {
            row.median_ns = Some(10 * factor);
            row.ci_low_ns = Some(10 * factor - factor * percent_wide / 10);
            row.ci_high_ns = Some(10 * factor + factor * percent_wide / 10);
        }
    };
    for (limit, factor, percent_wide, code) in [
        (Some("1.05"), 100, 1, 0),
        (Some("1.05"), 104, 1, 0),
        (Some("1.05"), 110, 1, 5),
        (Some("1.2"), 110, 1, 0),
        (None, 110, 1, 0),
        // 1.1 times as long, give or take a fifth.
        (Some("1.05"), 110, 20, 0),
    ] {
        assert_eq!(code_of_change(limit, slower(factor, percent_wide)), code, "{factor}");
    }
}

#[test]
fn missing_or_different_result_does_not_pass() {
    let without = |status, reason: &str| {
        let reason = Some(reason.into());
        move |row: &mut SummaryRow| {
            let cell = SummaryRow::of(&row.labels());
            *row = SummaryRow { frames: 10, repeats: 3, status, reason, ..cell };
        }
    };
    assert_eq!(code_of_change(Some("1.05"), without(Status::Skipped, "no time")), 5);
    assert_eq!(code_of_change(None, without(Status::Skipped, "no time")), 1, "the only cell");
    assert_eq!(code_of_change(None, without(Status::Error, "pair (0, 1) is missing")), 4);
    let panicked = "panicked in frame 3 of repetition 0: index";
    assert_eq!(code_of_change(None, without(Status::Error, panicked)), 1);
    assert_eq!(code_of_change(None, |row| row.checksum = Some(Checksum(8))), 4);
    assert_eq!(code_of_change(None, |row| row.frames = 11), 3);
    assert_eq!(code_of_change(None, |row| row.n = 10), 3, "nothing in common");
}

#[test]
fn undecided_or_missing_cells_do_not_pass() {
    // Of one repetition the interval shows how frames differ, not how runs do.
    let once = |row: &mut SummaryRow| row.repeats = 1;
    assert_eq!(code_of_change(None, once), 0);
    assert_eq!(code_of_change(Some("1.05"), once), 1);

    // Only one of A's two cells was measured again.
    let other = SummaryRow { algorithm: "kd-tree".to_owned(), ..row() };
    let code = |more: &[&str]| code("summary.csv", &[row(), other.clone()], &[row()], more);
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&["--fail-above", "1.05"]), 5);
    assert_eq!(code(&["--threads", "2"]), 2, "it would have no effect");
}

#[test]
fn wrong_summary_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path().join("a.csv"), &[row()]);
    let good = fs::read_to_string(&path).unwrap();
    for (text, expected) in [
        (good.replace(",1000,", ",fast,"), "line 2: column 9, `median_ns`: "),
        (good.replace(",1000,", ",2000,"), "line 2: median_ns 2000 lies outside its interval"),
        (format!("{good}{}\n", good.lines().nth(1).unwrap()), "line 3: a second row for bsp on s"),
    ] {
        fs::write(&path, text).unwrap();
        let error = Failure::from(::measure::SummaryFile::read(&path).unwrap_err());
        assert!(error.to_string().contains(expected) && error.exit() == Exit::BadInput, "{error}");
    }
}

#[test]
fn stages_of_two_runs_are_compared() {
    // As before there were times of impact.
    let header = ::measure::columns::<StageRow>()[..24].join(",");
    let row = |stage: &str, method: &str| {
        let figures = "tight,100,40,5,,0,300,0,20000,10,2,200,190,210,ok,";
        format!("r,zoo,9,1,bsp,1,{stage},{method},{figures}\n")
    };
    let text = format!("{header}\n{}{}", row("volume", "obb"), row("narrow", "sat"));
    let rows: Vec<StageRow> =
        csv::Reader::from_reader(text.as_bytes()).into_deserialize().map(Result::unwrap).collect();
    let code = |change: fn(&mut StageRow)| {
        let mut changed = rows.clone();
        change(&mut changed[1]);
        code("stages.csv", &rows, &changed, &["--fail-above", "1.2"])
    };
    assert_eq!(code(|_| {}), 0);
    let slower = |row: &mut StageRow| {
        row.test_ns = Some(300.0);
        (row.ci_low_test_ns, row.ci_high_test_ns) = (Some(290.0), Some(310.0));
    };
    assert_eq!(code(slower), 5);
    assert_eq!(code(|row| row.passed = Some(39)), 4);
    assert_eq!(code(|row| (row.passed, row.band) = (Some(39), Some(1))), 0);
    assert_eq!(code(|row| row.tests = Some(99)), 3);
    // What A measured, B must have.
    assert_eq!(code(|row| row.method = "gjk".to_owned()), 5);
}
