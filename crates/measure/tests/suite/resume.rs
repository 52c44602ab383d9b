//! A run that was killed or stopped is completed: no row is lost, doubled, cut off or mixed.

use crate::common::{
    TickingClock, changed, crowded, crowded_scene, measure, plan, planted, repetitions, row,
};
use broadphase::registry::Algorithm;
use measure::{
    Case, Instruments, Machine, MeasuredCase, Output, OutputError, RowError, RunError, RunId,
    SummaryRow, Table, Warning, Watch, measure_case_watched, verify_case,
};
use sim::Scene;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use tempfile::TempDir;

const REPEATS: u32 = 2;
const TABLES: [&str; 2] = ["frames.csv", "summary.csv"];

/// Three cases of two algorithms in two repetitions, whose results runs write.
static MEASURED: LazyLock<[(Case, MeasuredCase); 3]> = LazyLock::new(|| {
    let algorithms = ["brute-force", "bsp"].map(row);
    [50, 55, 60].map(|objects| {
        let case = Case::of_scene("crowded", Scene { objects, ..crowded_scene() }, 1, 3);
        let measured = measure(&case, &plan(&algorithms, REPEATS));
        (case, measured)
    })
});

fn machine() -> Machine {
    let settings = serde_json::json!({"repeats": 3});
    Machine::detect(&RunId::now(), vec!["harness".into(), "run".into()]).with_settings(settings)
}

fn open(folder: &Path, replace: bool) -> Result<Output, OutputError> {
    Output::create(folder, Table::of_cells(), replace, &machine())
}

fn try_resume(folder: &Path) -> Result<Output, OutputError> {
    Output::resume(folder, Table::of_cells(), &machine())
}

/// The reason why a run is not resumed.
fn refusal(folder: &Path) -> String {
    try_resume(folder).unwrap_err().to_string()
}

/// Keeps the repetitions of a case that are missing, at most so many. Returns how many it kept.
fn keep_some(output: &mut Output, (case, measured): &(Case, MeasuredCase), most: usize) -> usize {
    let begun = output.take_begun(case);
    let missing = measured.cells.iter().flat_map(repetitions).filter(|one| {
        begun.iter().all(|b| (&b.algorithm, b.repeat) != (&one.algorithm, one.repeat))
    });
    missing.take(most).map(|one| output.keep(case, &one).unwrap()).count()
}

/// Writes the cases that are not done. Returns the number of repetitions that this took.
fn write_rest(output: &mut Output, cases: &[(Case, MeasuredCase)]) -> usize {
    let (id, mut kept) = (output.run_id().to_owned(), 0);
    for of_case @ (case, measured) in cases {
        if output.done_row(&case.labels(&id, "bsp", 1)).is_none() {
            kept += keep_some(output, of_case, usize::MAX);
            let plan = plan(&[], REPEATS);
            let rows = measured.cells.iter().map(|cell| cell.summary(&id, case, &plan));
            output.add_cells(&rows.collect::<Vec<SummaryRow>>()).unwrap();
        }
    }
    kept
}

/// Completes a run. Returns the repetitions that this took, and the lines of both tables without the name of the run, in the
/// order of their texts: a damaged case is done after others.
fn complete(mut output: Output, folder: &Path) -> (usize, [Vec<String>; 2]) {
    let (kept, id) = (write_rest(&mut output, &*MEASURED), output.run_id().to_owned());
    output.finish("now", &[]).unwrap();
    assert!(!folder.join("unfinished").exists());
    let lines = |name| {
        let text = fs::read_to_string(folder.join(name)).unwrap().replace(&id, "ID");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    (kept, TABLES.map(lines))
}

/// The files that a run keeps whose names begin with this, in the order of their names.
fn kept_files(folder: &Path, beginning: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join("unfinished")).into_iter().flatten();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with(beginning));
    files.sort();
    files
}

fn edit(path: &Path, change: impl FnOnce(&mut String)) {
    let intact = fs::read_to_string(path).unwrap();
    let mut text = intact.clone();
    change(&mut text);
    assert_ne!(text, intact);
    fs::write(path, text).unwrap();
}

/// A run of two cases that are done and a third with three repetitions of four.
fn killed() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut output = open(folder.path(), false).unwrap();
    assert_eq!(write_rest(&mut output, &MEASURED[..2]), 8);
    assert_eq!(keep_some(&mut output, &MEASURED[2], 3), 3);
    folder
}

/// The rows of a run that was not disturbed.
static UNDISTURBED: LazyLock<[Vec<String>; 2]> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let (kept, rows) = complete(open(folder.path(), false).unwrap(), folder.path());
    assert_eq!([kept, rows[0].len(), rows[1].len()], [12, 1 + 12 * 4, 1 + 6]);
    rows
});

/// A change of the folder of a run that was killed, and the repetitions that are missing then.
type Moment = (&'static str, fn(&Path), usize);

const MOMENTS: [Moment; 7] = [
    (
        "in the write of a repetition",
        |folder| fs::write(folder.join("unfinished/.unfinished-a"), "{\"labels\":").unwrap(),
        1,
    ),
    (
        "before the rows of the last case were kept",
        |folder| assert_eq!(keep_some(&mut try_resume(folder).unwrap(), &MEASURED[2], 4), 1),
        0,
    ),
    (
        "before these rows were in the table",
        |folder| {
            let table = fs::read(folder.join("summary.csv")).unwrap();
            write_rest(&mut try_resume(folder).unwrap(), &*MEASURED);
            fs::write(folder.join("summary.csv"), table).unwrap();
        },
        0,
    ),
    (
        "before machine.json had the end of the run",
        |folder| {
            write_rest(&mut try_resume(folder).unwrap(), &*MEASURED);
            fs::write(folder.join("frames.csv"), "rows\n").unwrap();
        },
        0,
    ),
    ("all is lost", |folder| fs::remove_dir_all(folder.join("unfinished")).unwrap(), 12),
    ("a case is lost", |folder| fs::remove_file(&kept_files(folder, "case-")[0]).unwrap(), 1),
    (
        "a repetition is lost",
        |folder| fs::remove_file(&kept_files(folder, "repetition-")[0]).unwrap(),
        2,
    ),
];

#[test]
fn killed_run_is_completed_from_any_moment() {
    for (moment, change, missing) in MOMENTS {
        let folder = killed();
        change(folder.path());
        let output = try_resume(folder.path()).unwrap();
        assert_eq!(complete(output, folder.path()), (missing, UNDISTURBED.clone()), "{moment}");
    }
}

/// A change of a kept file. The second path is that of the same one in another run.
type Damage = fn(&Path, &Path);

const DAMAGES: [Damage; 3] = [
    |path, _| edit(path, |text| text.truncate(text.len() / 2)),
    |path, foreign| assert!(fs::copy(foreign, path).is_ok()),
    |path, _| edit(path, |text| *text = text.replacen('b', "c", 1)),
];

#[test]
fn damaged_files_are_reported_and_measured_again() {
    let foreign = killed();
    for (kind, again) in [("repetition-", 2), ("case-", 1)] {
        for (at, apply) in DAMAGES.iter().enumerate() {
            let folder = killed();
            let [path, foreign] = [&folder, &foreign].map(|f| {
                let files = kept_files(f.path(), kind);
                files[at % files.len()].clone()
            });
            apply(&path, &foreign);
            let output = try_resume(folder.path()).unwrap();
            assert!(output.damage().contains(&Warning::damaged(&path)), "{:?}", output.damage());
            // The rows of a case follow from its repetitions, and are lost with one of them.
            assert!(output.damage().len() <= 2, "{:?}", output.damage());
            assert_eq!(complete(output, folder.path()), (again, UNDISTURBED.clone()), "{path:?}");
            let machine = fs::read_to_string(folder.path().join("machine.json")).unwrap();
            assert!(machine.contains("damaged; what it had is measured again"), "{machine}");
        }
    }
}

#[test]
fn repetition_damaged_during_a_run_is_an_error() {
    let folder = killed();
    let mut output = try_resume(folder.path()).unwrap();
    write_rest(&mut output, &*MEASURED);
    edit(&kept_files(folder.path(), "repetition-")[5], |text| text.truncate(50));
    let error = output.finish("now", &[]).unwrap_err().to_string();
    assert!(error.ends_with(".json: it is damaged: --resume measures it again"), "{error}");
    assert!(!folder.path().join("frames.csv").exists());
}

#[test]
fn complete_run_takes_no_rows_and_has_each_warning_once() {
    let folder = tempfile::tempdir().unwrap();
    let single = Warning::new("a single repetition");
    let mut output = open(folder.path(), false).unwrap();
    write_rest(&mut output, &MEASURED[..1]);
    output.finish("now", std::slice::from_ref(&single)).unwrap();

    let mut output = try_resume(folder.path()).unwrap();
    let labels = MEASURED[0].0.labels(output.run_id(), "bsp", 1);
    let row = output.done_row(&labels).unwrap().clone();
    assert!(output.take_begun(&MEASURED[0].0).is_empty());
    assert!(output.done_row(&measure::Labels { n: 61, ..labels }).is_none());
    assert!(matches!(output.add_cells(&[row]), Err(OutputError::Exists(_))));
    output.finish("later", std::slice::from_ref(&single)).unwrap();
    let machine = Machine::read(&folder.path().join("machine.json")).unwrap();
    assert_eq!((machine.finished.as_deref(), machine.resumed.len()), (Some("later"), 1));
    let single = single.to_string();
    assert_eq!(machine.warnings.iter().filter(|warning| **warning == single).count(), 1);
}

#[test]
fn another_measurement_is_not_mixed_in() {
    let settings = machine().with_settings(serde_json::json!({"repeats": 5}));
    let abacus = Machine { cpu: Some("abacus".to_owned()), ..machine() };
    let differ = "machine.json: `settings.repeats` of the run to resume is 3, here it is 5";
    for (text, here, problem) in [
        (None, settings, differ),
        (None, abacus, "here it is \"abacus\""),
        (Some("{"), machine(), "machine.json: line 1, column 1: "),
        (Some("{}"), machine(), "`cpu` of the run to resume is missing"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), false).unwrap());
        if let Some(text) = text {
            fs::write(folder.path().join("machine.json"), text).unwrap();
        }
        let refused = Output::resume(folder.path(), Table::of_cells(), &here);
        let error = refused.unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn a_run_that_is_alive_is_not_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let alive = open(folder.path(), false).unwrap();
    for taken in [try_resume(folder.path()), open(folder.path(), true)] {
        assert!(matches!(taken, Err(OutputError::InUse(_))), "{taken:?}");
    }
    let removed = measure::remove_files(&[folder.path().join("unfinished")]);
    assert!(matches!(removed, Err(OutputError::InUse(_))), "{removed:?}");
    drop(alive);
    try_resume(folder.path()).unwrap();
}

#[test]
fn failed_resume_changes_no_file() {
    let folder = killed();
    edit(&kept_files(folder.path(), "case-")[0], |text| text.push('x'));
    let in_the_way = folder.path().join("unfinished/repetition-a.json");
    fs::create_dir(&in_the_way).unwrap();
    let files = || {
        let all = kept_files(folder.path(), "").into_iter();
        let all = all.chain(["summary.csv", "machine.json"].map(|name| folder.path().join(name)));
        all.map(|path| fs::read(path).ok()).collect::<Vec<_>>()
    };
    let before = files();
    let error = refusal(folder.path());
    assert!(error.contains("repetition-a.json: it is a folder"), "{error}");
    assert_eq!(files(), before);
    fs::remove_dir(in_the_way).unwrap();
    let damage = try_resume(folder.path()).unwrap().damage().len();
    assert_eq!(damage, 1, "it is reported when it is removed");
}

#[test]
fn existing_files_are_replaced_only_on_demand() {
    let folder = killed();
    let own = folder.path().join("unfinished/a.scene");
    fs::write(&own, "precious").unwrap();
    for name in ["summary.csv", "machine.json"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    for file in ["unfinished", "frames.csv"] {
        for refused in [try_resume(folder.path()), open(folder.path(), false)] {
            assert!(matches!(&refused, Err(OutputError::Exists(path)) if path.ends_with(file)));
            assert_eq!(kept_files(folder.path(), "").len(), 14);
        }
        fs::write(folder.path().join("frames.csv"), "precious").unwrap();
    }
    assert_eq!(fs::read_to_string(folder.path().join("frames.csv")).unwrap(), "precious");
    open(folder.path(), true).unwrap().finish("now", &[]).unwrap();
    assert_eq!(kept_files(folder.path(), ""), std::slice::from_ref(&own));
    assert_eq!(fs::read_to_string(own).unwrap(), "precious");
}

/// Changes of the bytes of a table.
const TABLE_DAMAGES: [fn(&mut Vec<u8>); 2] = [
    |bytes| bytes.truncate(bytes.len() - 30),
    |bytes| {
        let digit = bytes.iter_mut().rfind(|byte| byte.is_ascii_digit()).unwrap();
        *digit = if *digit == b'9' { b'8' } else { *digit + 1 };
    },
];

#[test]
fn damaged_tables_are_refused_or_written_again() {
    let folder = killed();
    let [frames, summary] = TABLES.map(|name| folder.path().join(name));
    let intact = fs::read(&summary).unwrap();
    assert_eq!(intact.iter().filter(|&&byte| byte == b'\n').count(), 1 + 4, "after each case");
    for apply in TABLE_DAMAGES {
        let mut bytes = intact.clone();
        apply(&mut bytes);
        fs::write(&summary, bytes).unwrap();
        try_resume(folder.path()).unwrap();
        assert_eq!(fs::read(&summary).unwrap(), intact, "its rows are kept elsewhere");
    }
    complete(try_resume(folder.path()).unwrap(), folder.path());
    for path in [frames, summary] {
        let intact = fs::read(&path).unwrap();
        for apply in TABLE_DAMAGES {
            let mut bytes = intact.clone();
            apply(&mut bytes);
            fs::write(&path, &bytes).unwrap();
            let altered = RowError::Altered(path.clone()).to_string();
            assert_eq!(refusal(folder.path()), altered);
            let read = Machine::read(&folder.path().join("machine.json"));
            assert_eq!(read.unwrap_err().to_string(), altered);
            assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is changed");
        }
        fs::remove_file(&path).unwrap();
        assert!(refusal(folder.path()).starts_with("cannot read "));
        assert!(!path.exists(), "that of a complete run is not made up");
        fs::write(path, intact).unwrap();
    }
    // As if the tables were those of another run.
    let its = try_resume(folder.path()).unwrap().run_id().to_owned();
    edit(&folder.path().join("machine.json"), |text| *text = text.replace(&its, "another"));
    assert!(refusal(folder.path()).contains("frames.csv is not as it was written"));
}

#[test]
fn a_stopped_frame_is_no_disagreement() {
    /// Stops in the middle of a search, and leaves pairs out.
    static CUT_SHORT: Algorithm = planted("cut-short", |settings| {
        changed(settings, |_, _, pairs| {
            STOP.store(true, SeqCst);
            pairs.clear();
        })
    });
    static STOP: AtomicBool = AtomicBool::new(false);
    let algorithms = [&CUT_SHORT];
    let clock = TickingClock::new();
    let watch = Watch { observer: &mut (), stop: &STOP, finished: Vec::new() };
    let instruments = Instruments::new(&clock, None);
    // Its only frame: the flag is not checked again after it.
    let measured = measure_case_watched(&crowded(0, 1), &plan(&algorithms, 1), instruments, watch);
    assert!(matches!(measured, Err(RunError::Stopped)), "{measured:?}");

    STOP.store(false, SeqCst);
    let watch = Watch { observer: &mut (), stop: &STOP, finished: Vec::new() };
    let plan = plan(&algorithms, 1);
    let verified = verify_case(&crowded(0, 1), row("brute-force"), &plan, &clock, watch);
    assert!(matches!(verified, Err(RunError::Stopped)), "{verified:?}");
}
