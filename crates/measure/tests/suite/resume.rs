//! A run that was killed or stopped is completed: no row is lost, doubled, cut off or mixed.

use crate::common::{
    TickingClock, changed, crowded, crowded_scene, plan, planted, row, verify_plan,
};
use broadphase::registry::Algorithm;
use measure::{
    Case, FinishedRepetition, Instruments, Machine, MeasuredCase, Observer, Output, OutputError,
    Plan, RowError, RunError, RunId, SummaryFile, SummaryRow, Table, Warning, Watch,
    measure_case_watched,
};
use sim::Scene;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use tempfile::TempDir;

fn machine() -> Machine {
    let settings = serde_json::json!({"repeats": 3});
    Machine::detect(&RunId::now(), vec!["harness".into(), "run".into()]).with_settings(settings)
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn create(folder: &Path) -> Output {
    Output::create(folder, Table::of_cells(), false, &machine()).unwrap()
}

fn replace_all(folder: &Path) -> Result<Output, OutputError> {
    Output::create(folder, Table::of_cells(), true, &machine())
}

fn try_resume(folder: &Path) -> Result<Output, OutputError> {
    Output::resume(folder, Table::of_cells(), &machine())
}

fn resume(folder: &Path) -> Output {
    try_resume(folder).unwrap()
}

/// The reason why a run is not resumed.
fn refusal(folder: &Path) -> String {
    try_resume(folder).unwrap_err().to_string()
}

/// Keeps repetitions, and stops after some of them.
struct Keeper<'a> {
    output: &'a mut Output,
    case: &'a Case,
    left: usize,
    stop: &'a AtomicBool,
    kept: usize,
}

impl Observer for Keeper<'_> {
    fn repetition_done(&mut self, repetition: &FinishedRepetition) -> Result<(), OutputError> {
        self.output.keep(self.case, repetition)?;
        self.kept += 1;
        self.left = self.left.saturating_sub(1);
        self.stop.store(self.left == 0, SeqCst);
        Ok(())
    }
}

/// Measures until this number of repetitions is kept. Returns how many are.
fn measure_some(
    output: &mut Output,
    case: &Case,
    plan: &Plan<'_>,
    repetitions: usize,
) -> (Result<MeasuredCase, RunError>, usize) {
    let clock = TickingClock::new();
    let stop = AtomicBool::new(repetitions == 0);
    let finished = output.take_begun(case);
    let mut keeper = Keeper { output, case, left: repetitions, stop: &stop, kept: 0 };
    let watch = Watch { observer: &mut keeper, stop: &stop, finished };
    let measured = measure_case_watched(case, plan, Instruments::new(&clock, None), watch);
    (measured, keeper.kept)
}

/// Measures the cases that are not done. Returns how many repetitions that took.
fn measure_rest(output: &mut Output, cases: &[Case], plan: &Plan<'_>) -> usize {
    let mut repetitions = 0;
    for case in cases {
        let id = output.run_id().to_owned();
        let is_done = |row: &&Algorithm| output.done_row(&case.labels(&id, row.id, 1)).is_some();
        if !plan.algorithms.iter().all(is_done) {
            let (measured, kept) = measure_some(output, case, plan, usize::MAX);
            let cells = measured.unwrap().cells;
            let rows: Vec<SummaryRow> =
                cells.iter().map(|cell| cell.summary(&id, case, plan)).collect();
            output.add_cells(&rows).unwrap();
            repetitions += kept;
        }
    }
    repetitions
}

/// [`measure_rest`] of a run that is complete then.
fn complete(mut output: Output, cases: &[Case], plan: &Plan<'_>) -> usize {
    let repetitions = measure_rest(&mut output, cases, plan);
    output.finish("now", &[]).unwrap();
    repetitions
}

const TABLES: [&str; 2] = ["frames.csv", "summary.csv"];

/// The lines of both tables without the name of the run, in the order of their texts: a damaged case is done after others.
fn rows(folder: &Path) -> [Vec<String>; 2] {
    let id = SummaryFile::read(folder).unwrap().rows[0].run_id.clone();
    TABLES.map(|name| {
        let text = fs::read_to_string(folder.join(name)).unwrap().replace(&id, "ID");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    })
}

/// The files that a run keeps whose names begin with this, in the order of their names.
fn kept_files(folder: &Path, beginning: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join("unfinished")).into_iter().flatten();
    let is_wanted =
        |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(beginning);
    let mut files: Vec<PathBuf> =
        files.map(|file| file.unwrap().path()).filter(is_wanted).collect();
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

const ALGORITHMS: [&str; 2] = ["brute-force", "bsp"];

fn three_cases() -> [Case; 3] {
    let scene = |objects| Scene { objects, ..crowded_scene() };
    [50, 55, 60].map(|objects| Case::of_scene("crowded", scene(objects), 1, 3))
}

/// A run of two cases that are done and a third with three repetitions of four.
fn killed(plan: &Plan<'_>) -> TempDir {
    let (folder, cases) = (folder(), three_cases());
    let mut output = create(folder.path());
    assert_eq!(measure_rest(&mut output, &cases[..2], plan), 8);
    assert_eq!(measure_some(&mut output, &cases[2], plan, 3).1, 3);
    folder
}

/// The rows of a run of all three cases that was not disturbed.
fn undisturbed(plan: &Plan<'_>) -> [Vec<String>; 2] {
    let folder = folder();
    assert_eq!(complete(create(folder.path()), &three_cases(), plan), 12);
    let rows = rows(folder.path());
    assert_eq!([rows[0].len(), rows[1].len()], [1 + 12 * 4, 1 + 6]);
    rows
}

#[test]
fn run_stopped_after_any_repetition_is_completed() {
    let algorithms = ALGORITHMS.map(row);
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 3));
    let cases = std::slice::from_ref(&case);
    let whole = folder();
    assert_eq!(complete(create(whole.path()), cases, &plan), 6);

    for before in 1..6 {
        let folder = folder();
        let mut output = create(folder.path());
        let (stopped, kept) = measure_some(&mut output, &case, &plan, before);
        assert!(matches!(stopped, Err(RunError::Stopped)));
        assert_eq!(kept, before);
        let id = output.run_id().to_owned();
        drop(output);
        // As a kill within a write leaves it.
        fs::write(folder.path().join("unfinished/.unfinished-a"), "{\"labels\":").unwrap();

        let output = resume(folder.path());
        assert_eq!((output.run_id(), output.damage()), (&*id, &[][..]));
        assert_eq!(complete(output, cases, &plan), 6 - before);
        assert_eq!(rows(folder.path()), rows(whole.path()));
        assert!(!folder.path().join("unfinished").exists());
    }
}

/// A moment at which a run was killed, and the repetitions that are missing then.
type Moment = (&'static str, fn(&Path, &Plan<'_>), usize);

const MOMENTS: [Moment; 4] = [
    ("between two repetitions", |_, _| (), 1),
    (
        "before the rows of the last case were kept",
        |folder, plan| {
            measure_some(&mut resume(folder), &three_cases()[2], plan, usize::MAX).0.unwrap();
        },
        0,
    ),
    (
        "before these rows were in the table",
        |folder, plan| {
            let table = fs::read(folder.join("summary.csv")).unwrap();
            measure_rest(&mut resume(folder), &three_cases(), plan);
            assert_eq!(kept_files(folder, "case-").len(), 3);
            fs::write(folder.join("summary.csv"), table).unwrap();
        },
        0,
    ),
    (
        "before machine.json had the end of the run",
        |folder, plan| {
            measure_rest(&mut resume(folder), &three_cases(), plan);
            fs::write(folder.join("frames.csv"), "rows\n").unwrap();
        },
        0,
    ),
];

#[test]
fn killed_run_is_completed_from_any_moment() {
    let algorithms = ALGORITHMS.map(row);
    let plan = plan(&algorithms, 2);
    let expected = undisturbed(&plan);
    for (moment, run, missing) in MOMENTS {
        let folder = killed(&plan);
        run(folder.path(), &plan);
        let output = resume(folder.path());
        assert_eq!(output.damage(), [], "{moment}");
        assert_eq!(complete(output, &three_cases(), &plan), missing, "{moment}");
        assert_eq!(rows(folder.path()), expected, "{moment}");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

/// A change of a kept file. The second path is that of another one of its kind, the third that of the same one in another
/// run.
type Damage = (&'static str, fn(&Path, &Path, &Path));

const DAMAGES: [Damage; 8] = [
    ("emptied", |path, _, _| fs::write(path, "").unwrap()),
    ("cut within its hash", |path, _, _| edit(path, |text| text.truncate(text.len() - 9))),
    ("cut within its content", |path, _, _| edit(path, |text| text.truncate(text.len() / 2))),
    ("doubled", |path, _, _| edit(path, |text| *text = text.repeat(2))),
    ("another one", |path, other, _| copy(other, path)),
    ("of another run", |path, _, foreign| copy(foreign, path)),
    ("with a letter exchanged", |path, _, _| edit(path, |text| *text = text.replacen('b', "c", 1))),
    ("with a zeroed block", |path, _, _| {
        edit(path, |text| text.replace_range(40..104, &"\0".repeat(64)));
    }),
];

#[test]
fn damaged_files_are_reported_and_measured_again() {
    let algorithms = ALGORITHMS.map(row);
    let plan = plan(&algorithms, 2);
    let (expected, foreign) = (undisturbed(&plan), killed(&plan));
    for (kind, count) in [("repetition-", 11), ("case-", 2)] {
        for (at, (damage, apply)) in DAMAGES.iter().enumerate() {
            let folder = killed(&plan);
            let [files, foreign] = [&folder, &foreign].map(|f| kept_files(f.path(), kind));
            assert_eq!(files.len(), count);
            let path = &files[at % count];
            apply(path, &files[(at + 1) % count], &foreign[at % count]);

            let output = resume(folder.path());
            let damaged = Warning::Damaged(path.clone());
            assert!(output.damage().contains(&damaged), "{damage}: {:?}", output.damage());
            // The rows of a case follow from its repetitions, and are lost with one of them.
            assert!(output.damage().len() <= 2, "{damage}: {:?}", output.damage());
            let again = 1 + usize::from(kind == "repetition-");
            assert_eq!(complete(output, &three_cases(), &plan), again, "{damage}");
            assert_eq!(rows(folder.path()), expected, "{damage}");
            let machine = fs::read_to_string(folder.path().join("machine.json")).unwrap();
            assert!(machine.contains("damaged; what it had is measured again"), "{machine}");
        }
    }
}

#[test]
fn missing_kept_files_are_measured_again() {
    let algorithms = ALGORITHMS.map(row);
    let plan = plan(&algorithms, 2);
    let expected = undisturbed(&plan);
    type Loss = (&'static str, fn(&Path), usize);
    let losses: [Loss; 3] = [
        ("folder", |folder| fs::remove_dir_all(folder.join("unfinished")).unwrap(), 12),
        ("first case", |folder| fs::remove_file(&kept_files(folder, "case-")[0]).unwrap(), 1),
        (
            "all repetitions",
            |folder| {
                let files = kept_files(folder, "repetition-");
                files.iter().for_each(|path| fs::remove_file(path).unwrap());
            },
            12,
        ),
    ];
    for (lost, lose, again) in losses {
        let folder = killed(&plan);
        lose(folder.path());
        assert_eq!(complete(resume(folder.path()), &three_cases(), &plan), again, "{lost}");
        assert_eq!(rows(folder.path()), expected, "{lost}");
    }
}

#[test]
fn repetition_damaged_during_a_run_is_an_error() {
    let algorithms = ALGORITHMS.map(row);
    let plan = plan(&algorithms, 2);
    let folder = killed(&plan);
    let mut output = resume(folder.path());
    measure_rest(&mut output, &three_cases(), &plan);
    edit(&kept_files(folder.path(), "repetition-")[5], |text| text.truncate(50));
    let error = output.finish("now", &[]).unwrap_err().to_string();
    assert!(error.ends_with(".json: it is damaged: --resume measures it again"), "{error}");
    assert!(!folder.path().join("frames.csv").exists());
    assert_eq!(complete(resume(folder.path()), &three_cases(), &plan), 1);
    assert_eq!(rows(folder.path()), undisturbed(&plan));
}

#[test]
fn a_complete_case_is_known_again() {
    let algorithms = [row("bsp")];
    let (case, plan) = (crowded(0, 2), plan(&algorithms, 1));
    let folder = folder();
    let mut output = create(folder.path());
    measure_rest(&mut output, std::slice::from_ref(&case), &plan);
    output.finish("now", &[Warning::SingleRepetition]).unwrap();

    let mut output = resume(folder.path());
    let labels = case.labels(output.run_id(), "bsp", 1);
    let row = output.done_row(&labels).unwrap().clone();
    assert!(output.take_begun(&case).is_empty());
    let other = measure::Labels { n: 61, ..labels };
    assert!(output.done_row(&other).is_none());
    assert!(matches!(output.add_cells(&[row]), Err(OutputError::Exists(_))));
    output.finish("later", &[Warning::SingleRepetition]).unwrap();
    let machine = Machine::read(&folder.path().join("machine.json")).unwrap();
    assert_eq!((machine.finished.as_deref(), machine.resumed.len()), (Some("later"), 1));
    let single = Warning::SingleRepetition.to_string();
    assert_eq!(machine.warnings.iter().filter(|warning| **warning == single).count(), 1);
}

#[test]
fn another_measurement_is_not_mixed_in() {
    let folder = folder();
    create(folder.path());
    let error = |other: &Machine| {
        Output::resume(folder.path(), Table::of_cells(), other).unwrap_err().to_string()
    };
    let settings = machine().with_settings(serde_json::json!({"repeats": 5}));
    let expected = "machine.json: `settings.repeats` of the run to resume is 3, here it is 5";
    assert!(error(&settings).contains(expected), "{}", error(&settings));
    let abacus = Machine { cpu: Some("abacus".to_owned()), ..machine() };
    assert!(error(&abacus).contains("`cpu`") && error(&abacus).contains("here it is \"abacus\""));
    resume(folder.path());
}

#[test]
fn a_run_that_is_alive_is_not_taken_up() {
    let folder = folder();
    let alive = create(folder.path());
    for taken in [try_resume(folder.path()), replace_all(folder.path())] {
        assert!(matches!(taken, Err(OutputError::InUse(_))), "{taken:?}");
    }
    let removed = measure::remove_files(&[folder.path().join("unfinished")]);
    assert!(matches!(removed, Err(OutputError::InUse(_))), "{removed:?}");
    drop(alive);
    resume(folder.path());
}

#[test]
fn resume_without_a_run_begins_one_and_keeps_other_files() {
    let folder = folder();
    resume(&folder.path().join("new"));
    let text = "run_id,input\r\n".repeat(100);
    fs::write(folder.path().join("frames.csv"), &text).unwrap();
    let resumed = try_resume(folder.path());
    assert!(matches!(resumed, Err(OutputError::Exists(_))), "{resumed:?}");
    assert_eq!(fs::read_to_string(folder.path().join("frames.csv")).unwrap(), text);
    assert!(!folder.path().join("unfinished").exists());
}

#[test]
fn failed_resume_changes_no_file() {
    let algorithms = ALGORITHMS.map(row);
    let folder = killed(&plan(&algorithms, 2));
    edit(&kept_files(folder.path(), "case-")[0], |text| text.push('x'));
    let files = || {
        let kept = kept_files(folder.path(), "").into_iter();
        let all = kept.chain(["summary.csv", "machine.json"].map(|name| folder.path().join(name)));
        all.map(|path| fs::read(path).ok()).collect::<Vec<_>>()
    };
    let before = files();
    let machine_json = folder.path().join("machine.json");
    let protect = |is_protected: bool| {
        let mut permissions = fs::metadata(&machine_json).unwrap().permissions();
        permissions.set_readonly(is_protected);
        fs::set_permissions(&machine_json, permissions).unwrap();
    };
    protect(true);
    let error = refusal(folder.path());
    assert!(error.contains("machine.json: the file is write-protected"), "{error}");
    assert_eq!(files(), before);
    protect(false);

    let in_the_way = folder.path().join("unfinished/repetition-a.json");
    fs::create_dir(&in_the_way).unwrap();
    let error = refusal(folder.path());
    assert!(error.contains("repetition-a.json: it is a folder"), "{error}");
    fs::remove_dir(in_the_way).unwrap();
    assert_eq!(files(), before);
    assert_eq!(resume(folder.path()).damage().len(), 1, "it is reported when it is removed");
}

#[test]
fn kept_files_are_replaced_only_on_demand() {
    let algorithms = ALGORITHMS.map(row);
    let folder = killed(&plan(&algorithms, 2));
    let own = folder.path().join("unfinished/a.scene");
    fs::write(&own, "precious").unwrap();
    for name in ["summary.csv", "machine.json"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("unfinished.jsonl"), "{}\n").unwrap();
    for refused in [
        try_resume(folder.path()),
        Output::create(folder.path(), Table::of_cells(), false, &machine()),
    ] {
        let is_named = |path: &Path| path.ends_with("unfinished");
        assert!(matches!(&refused, Err(OutputError::Exists(path)) if is_named(path)));
        assert_eq!(kept_files(folder.path(), "").len(), 14);
    }
    replace_all(folder.path()).unwrap().finish("now", &[]).unwrap();
    assert_eq!(kept_files(folder.path(), ""), std::slice::from_ref(&own));
    assert_eq!(fs::read_to_string(own).unwrap(), "precious");
    assert!(!folder.path().join("unfinished.jsonl").exists(), "an earlier version kept it");
}

/// A change of the bytes of a table.
type TableDamage = (&'static str, fn(&mut Vec<u8>));

const TABLE_DAMAGES: [TableDamage; 4] = [
    ("a line is doubled", |bytes| {
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        bytes.splice(0..0, bytes[..end].to_vec());
    }),
    ("the end is cut off", |bytes| bytes.truncate(bytes.len() - 30)),
    ("NULs are appended", |bytes| bytes.extend([0; 64])),
    ("a figure is another", |bytes| {
        let digit = bytes.iter_mut().rfind(|byte| byte.is_ascii_digit()).unwrap();
        *digit = if *digit == b'9' { b'8' } else { *digit + 1 };
    }),
];

#[test]
fn damaged_tables_are_refused_or_written_again() {
    let algorithms = ALGORITHMS.map(row);
    let plan = plan(&algorithms, 2);
    let folder = killed(&plan);
    let [frames, summary] = TABLES.map(|name| folder.path().join(name));
    let intact = fs::read(&summary).unwrap();
    for (_, apply) in TABLE_DAMAGES {
        let mut bytes = intact.clone();
        apply(&mut bytes);
        fs::write(&summary, bytes).unwrap();
        resume(folder.path());
        assert_eq!(fs::read(&summary).unwrap(), intact, "its rows are kept elsewhere");
    }
    complete(resume(folder.path()), &three_cases(), &plan);
    for path in [frames, summary] {
        let intact = fs::read(&path).unwrap();
        for (damage, apply) in TABLE_DAMAGES {
            let mut bytes = intact.clone();
            apply(&mut bytes);
            fs::write(&path, &bytes).unwrap();
            let expected = RowError::Altered(path.clone()).to_string();
            assert_eq!(refusal(folder.path()), expected, "{damage}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "{damage}: nothing is changed");
        }
        fs::remove_file(&path).unwrap();
        assert!(refusal(folder.path()).starts_with("cannot read "));
        assert!(!path.exists(), "that of a complete run is not made up");
        fs::write(path, intact).unwrap();
    }
    // As if the tables were those of another run.
    let its = resume(folder.path()).run_id().to_owned();
    edit(&folder.path().join("machine.json"), |text| *text = text.replace(&its, "another"));
    assert!(refusal(folder.path()).contains("frames.csv is not as it was written"));
}

#[test]
fn finished_run_needs_no_kept_files() {
    let (algorithms, folder) = (ALGORITHMS.map(row), folder());
    complete(create(folder.path()), &[crowded(1, 3)], &plan(&algorithms, 1));
    let unfinished = folder.path().join("unfinished");
    fs::create_dir(&unfinished).unwrap();
    fs::write(unfinished.join("case-00000001.json"), "{}\n").unwrap();
    let output = resume(folder.path());
    assert_eq!(output.damage(), [], "nothing is measured again");
    output.finish("now", &[]).unwrap();
    assert!(!unfinished.exists());
    assert_eq!(SummaryFile::read(folder.path()).unwrap().rows.len(), 2);
}

#[test]
fn changed_machine_file_is_refused_with_the_reason() {
    for (text, problem) in
        [("{", "machine.json: line 1, column 1: "), ("{}", "`cpu` of the run to resume is missing")]
    {
        let folder = folder();
        create(folder.path());
        fs::write(folder.path().join("machine.json"), text).unwrap();
        let error = refusal(folder.path());
        assert!(error.contains(problem), "{error}");
    }
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
    let plan = measure::VerifyPlan { stop: &STOP, ..verify_plan(&algorithms) };
    let verified = measure::verify_case(&crowded(0, 1), &plan, &mut ());
    assert!(matches!(verified, Err(RunError::Stopped)), "{verified:?}");
}
