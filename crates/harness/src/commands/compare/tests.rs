use super::*;
use crate::commands::Command;
use crate::commands::tests::{DROPS, PANICS, command, exit_code, process, short_command};
use ::measure::Checksum;
use broadphase::registry::ALGORITHMS;
use std::fs;

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

fn write<R: Serialize>(path: &Path, rows: &[R]) {
    let mut writer = csv::Writer::from_path(path).unwrap();
    rows.iter().for_each(|row| writer.serialize(row).unwrap());
}

/// The exit code of the comparison of two files with these rows.
fn code<R: Serialize>(name: &str, a: &[R], b: &[R], more: &str) -> u8 {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = [("a", a), ("b", b)].map(|(side, rows)| {
        let path = folder.path().join(side);
        fs::create_dir(&path).unwrap();
        write(&path.join(name), rows);
        path.display().to_string()
    });
    let words = format!("compare --quiet '{a}' '{b}' {more}");
    let Command::Compare(options) = command(&words) else { panic!() };
    exit_code(compare(&options, &process()))
}

fn row() -> SummaryRow {
    SummaryRow {
        input: "s".to_owned(),
        n: 9,
        algorithm: "bsp".to_owned(),
        threads: 1,
        median_ns: Some(1000),
        ci_low_ns: Some(990),
        ci_high_ns: Some(1010),
        checksum: Some(Checksum(7)),
        frames: 10,
        repeats: 3,
        status: Status::Ok,
        ..SummaryRow::default()
    }
}

/// A median in per cent of the row's, with an interval of this half width, per cent.
fn set(row: &mut SummaryRow, percent: u64, width: u64) {
    row.median_ns = Some(10 * percent);
    row.ci_low_ns = Some(10 * percent - percent * width / 10);
    row.ci_high_ns = Some(10 * percent + percent * width / 10);
}

/// Without figures, for a reason.
fn fail(row: &mut SummaryRow, status: Status, reason: &str) {
    let reason = Some(reason.to_owned());
    let SummaryRow { frames, repeats, .. } = *row;
    *row = SummaryRow { frames, repeats, status, reason, ..SummaryRow::of(&row.labels()) };
}

/// Changes a row of B.
type Change<R> = fn(&mut R);

#[test]
fn change_of_a_row_ends_with_its_code() {
    let cases: [(&str, u8, Change<SummaryRow>); 15] = [
        ("--fail-above 1.05", 0, |_| {}),
        ("--fail-above 1.05", 0, |row| set(row, 104, 1)),
        ("--fail-above 1.05", 5, |row| set(row, 110, 1)),
        ("--fail-above 1.2", 0, |row| set(row, 110, 1)),
        ("", 0, |row| set(row, 110, 1)),
        // Within noise.
        ("--fail-above 1.05", 0, |row| set(row, 110, 20)),
        ("--fail-above 1.05", 5, |row| fail(row, Status::Skipped, "no time")),
        // The only cell.
        ("", 1, |row| fail(row, Status::Skipped, "no time")),
        ("", 4, |row| fail(row, Status::Error, "pair (0, 1) is missing")),
        ("", 1, |row| fail(row, Status::Error, "panicked in frame 3 of repetition 0: index")),
        ("", 4, |row| row.checksum = Some(Checksum(8))),
        ("", 3, |row| row.frames = 11),
        // Nothing in common.
        ("", 3, |row| row.n = 10),
        ("", 0, |row| row.repeats = 1),
        // Of one repetition the interval shows how frames differ, not how runs do.
        ("--fail-above 1.05", 1, |row| row.repeats = 1),
    ];
    for (at, (more, expected, change)) in cases.into_iter().enumerate() {
        let mut changed = row();
        change(&mut changed);
        assert_eq!(code("summary.csv", &[row()], &[changed], more), expected, "{at}");
    }
    // The interval is the widest that both allow.
    let wide = SummaryRow { ci_low_ns: Some(800), ci_high_ns: Some(1250), ..row() };
    let [a, b] = [wide, row()].map(|row| Side::of_cell(&row));
    let Ratio { low, ratio, high } = compared(&a, Some(&b)).ratio.unwrap();
    assert_eq!([low, ratio, high], [0.792, 1.0, 1.2625]);
    // Only one of A's two cells was measured again.
    let both = [row(), SummaryRow { algorithm: "kd-tree".to_owned(), ..row() }];
    for (more, expected) in [("", 0), ("--fail-above 1.05", 5), ("--threads 2", 2)] {
        assert_eq!(code("summary.csv", &both, &[row()], more), expected, "{more}");
    }
}

#[test]
fn wrong_summary_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    write(&path, &[row()]);
    let good = fs::read_to_string(&path).unwrap();
    for (text, expected) in [
        (good.replace(",1000,", ",fast,"), "line 2: column 9, `median_ns`: "),
        (good.replace(",1000,", ",2000,"), "line 2: median_ns 2000 lies outside its interval"),
        (format!("{good}{}\n", good.lines().nth(1).unwrap()), "line 3: a second row for bsp on s"),
    ] {
        fs::write(&path, text).unwrap();
        let error = Failure::from(SummaryFile::read(&path).unwrap_err());
        assert!(error.to_string().contains(expected) && error.exit() == Exit::BadInput, "{error}");
    }
}

#[test]
fn change_of_a_stage_ends_with_its_code() {
    let cases: [(u8, Change<StageRow>); 6] = [
        (0, |_| {}),
        (5, |row| {
            (row.test_ns, row.ci_low_test_ns) = (Some(300.0), Some(290.0));
            row.ci_high_test_ns = Some(310.0);
        }),
        (4, |row| row.passed = Some(39)),
        (0, |row| (row.passed, row.band) = (Some(39), Some(1))),
        (3, |row| row.tests = Some(99)),
        // What A measured, B must have.
        (5, |row| row.method = "gjk".to_owned()),
    ];
    let stage = |stage, method: &str| StageRow {
        stage,
        method: method.to_owned(),
        tests: Some(100),
        passed: Some(40),
        false_passed: Some(0),
        ns: Some(20_000),
        frames: 10,
        repeats: 2,
        test_ns: Some(200.0),
        ci_low_test_ns: Some(190.0),
        ci_high_test_ns: Some(210.0),
        status: Status::Ok,
        ..StageRow::default()
    };
    let rows = [stage(Stage::Volume, "obb"), stage(Stage::Narrow, "sat")];
    for (at, (expected, change)) in cases.into_iter().enumerate() {
        let mut changed = rows.clone();
        change(&mut changed[1]);
        assert_eq!(code("stages.csv", &rows, &changed, "--fail-above 1.2"), expected, "{at}");
    }
}
