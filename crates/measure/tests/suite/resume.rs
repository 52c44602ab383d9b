//! A run that was killed or stopped is completed: no row is lost, doubled, cut off or mixed.

use crate::common::{
    TickingClock, changed, crowded, crowded_scene, plan, planted, row, verify_plan,
};
use broadphase::registry::Algorithm;
use measure::{
    Case, FinishedRepetition, Instruments, Machine, MeasuredCase, Observer, Output, OutputError,
    Plan, RunError, RunId, SummaryFile, Warning, Watch, measure_case_watched,
};
use sim::Scene;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use tempfile::TempDir;

fn machine() -> Machine {
    let mut machine = Machine::detect(&RunId::now(), vec!["harness".into(), "run".into()]);
    machine.settings = serde_json::json!({"repeats": 3});
    machine
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

/// Measures until this number of repetitions is kept.
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

fn write(output: &mut Output, case: &Case, plan: &Plan<'_>, measured: &MeasuredCase) {
    let id = output.run_id().to_owned();
    for cell in &measured.cells {
        output.append(cell.frame_rows(&id, case), &cell.summary(&id, case, plan)).unwrap();
    }
    output.case_done().unwrap();
}

fn files_of(folder: &Path) -> [String; 2] {
    ["frames.csv", "summary.csv"].map(|name| fs::read_to_string(folder.join(name)).unwrap())
}

/// The rows without the name of the run.
fn nameless(folder: &Path) -> [String; 2] {
    let id = SummaryFile::read(folder).unwrap().rows[0].run_id.clone();
    files_of(folder).map(|text| text.replace(&id, "ID"))
}

#[test]
fn run_stopped_after_any_repetition_is_completed() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 3));
    let whole = tempfile::tempdir().unwrap();
    let mut output = Output::create(whole.path(), false, &machine()).unwrap();
    let (measured, kept) = measure_some(&mut output, &case, &plan, usize::MAX);
    assert_eq!(kept, 6);
    write(&mut output, &case, &plan, &measured.unwrap());
    output.finish("now", &[]).unwrap();

    for before in 1..6 {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::create(folder.path(), false, &machine()).unwrap();
        let (stopped, kept) = measure_some(&mut output, &case, &plan, before);
        assert!(matches!(stopped, Err(RunError::Stopped)));
        assert_eq!(kept, before);
        let id = output.run_id().to_owned();
        drop(output);
        torn(folder.path());

        let mut output = Output::resume(folder.path(), &machine()).unwrap();
        assert_eq!(output.run_id(), id, "the rows are those of one run");
        let (measured, kept) = measure_some(&mut output, &case, &plan, usize::MAX);
        assert_eq!(kept, 6 - before, "what was kept is not measured again");
        write(&mut output, &case, &plan, &measured.unwrap());
        output.finish("now", &[]).unwrap();
        assert_eq!(nameless(folder.path()), nameless(whole.path()));
        assert!(!folder.path().join("unfinished").exists());
    }
}

/// Files as a kill within a write leaves them.
fn torn(folder: &Path) {
    for (name, piece) in [
        ("frames.csv", "id,crowded,60,1739,brute-force,1,0,0,warmup,10,1"),
        ("summary.csv", "id,\"crow"),
        (
            "unfinished/.unfinished-a",
            "0123456789abcdef\n{\"input\":\"crowded\",\"n\":60,\"seed\":17",
        ),
    ] {
        let mut file =
            OpenOptions::new().append(true).create(true).open(folder.join(name)).unwrap();
        file.write_all(piece.as_bytes()).unwrap();
    }
}

/// The files of a run whose names begin with this, in the order of their names.
fn kept_files(folder: &Path, beginning: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join("unfinished")).unwrap().map(|file| file.unwrap().path());
    let is_wanted =
        |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(beginning);
    let mut files: Vec<PathBuf> = files.filter(is_wanted).collect();
    files.sort();
    files
}

/// A change of the file of a repetition. The second path is that of another repetition, the third that of the same one in
/// another run.
type Damage = fn(&Path, &Path, &Path);

const DAMAGES: [(&str, Damage); 13] = [
    ("emptied", |path, _, _| fs::write(path, "").unwrap()),
    ("cut within its hash", |path, _, _| edit(path, |text| text.truncate(9))),
    ("cut within its frames", |path, _, _| edit(path, |text| text.truncate(text.len() / 2))),
    ("doubled", |path, _, _| edit(path, |text| *text = text.repeat(2))),
    ("of another repetition", |path, other, _| copy(other, path)),
    ("of another run", |path, _, foreign| copy(foreign, path)),
    ("with another algorithm", |path, _, _| {
        edit(path, |text| {
            let names = ["\"algorithm\":\"bsp\"", "\"algorithm\":\"brute-force\""];
            let at = usize::from(text.contains(names[1]));
            *text = text.replacen(names[at], names[1 - at], 1);
        });
    }),
    ("with another number of threads", |path, _, _| replace(path, "threads\":1", "threads\":2")),
    ("with a frame far away", |path, _, _| replace(path, "frame\":3", "frame\":1000000")),
    ("with another checksum", |path, _, _| replace(path, "checksum\":", "checksum\":1")),
    ("with a NUL", |path, _, _| edit(path, |text| text.insert(30, '\0'))),
    ("with NULs at its end", |path, _, _| edit(path, |text| text.push_str(&"\0".repeat(64)))),
    ("with a zeroed block", |path, _, _| {
        edit(path, |text| text.replace_range(40..104, &"\0".repeat(64)));
    }),
];

fn edit(path: &Path, change: impl FnOnce(&mut String)) {
    let intact = fs::read_to_string(path).unwrap();
    let mut text = intact.clone();
    change(&mut text);
    assert_ne!(text, intact);
    fs::write(path, text).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

fn replace(path: &Path, from: &str, to: &str) {
    edit(path, |text| *text = text.replacen(from, to, 1));
}

#[test]
fn damaged_repetition_is_reported_and_measured_again() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 3));
    let [whole, foreign] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut output = Output::create(whole.path(), false, &machine()).unwrap();
    let measured = measure_some(&mut output, &case, &plan, usize::MAX).0.unwrap();
    write(&mut output, &case, &plan, &measured);
    output.finish("now", &[]).unwrap();
    let mut output = Output::create(foreign.path(), false, &machine()).unwrap();
    assert_eq!(measure_some(&mut output, &case, &plan, 5).1, 5);

    for (at, (name, damage)) in DAMAGES.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::create(folder.path(), false, &machine()).unwrap();
        assert_eq!(measure_some(&mut output, &case, &plan, 5).1, 5);
        drop(output);
        let files = kept_files(folder.path(), "repetition-");
        let foreign = kept_files(foreign.path(), "repetition-");
        assert_eq!(files.len(), 5);
        let (path, other) = (&files[at % 5], &files[(at + 1) % 5]);
        damage(path, other, &foreign[at % 5]);

        let mut output = Output::resume(folder.path(), &machine()).unwrap();
        assert_eq!(output.damage(), [Warning::Damaged(path.clone())], "{name}");
        let (measured, kept) = measure_some(&mut output, &case, &plan, usize::MAX);
        assert_eq!(kept, 2, "{name}: the damaged one and the missing one");
        write(&mut output, &case, &plan, &measured.unwrap());
        output.finish("now", &[]).unwrap();
        assert_eq!(nameless(folder.path()), nameless(whole.path()), "{name}");
        let machine = fs::read_to_string(folder.path().join("machine.json")).unwrap();
        assert!(machine.contains("damaged; what it had is measured again"), "{machine}");
    }
}

#[test]
fn only_repetitions_that_do_not_fit_are_measured_again() {
    let algorithms = [row("bsp")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 3));
    let folder = tempfile::tempdir().unwrap();
    let mut output = Output::create(folder.path(), false, &machine()).unwrap();
    measure_some(&mut output, &case, &plan, usize::MAX).0.unwrap();
    drop(output);
    let kept = || Output::resume(folder.path(), &machine()).unwrap().take_begun(&case);
    type Change = fn(&mut Vec<FinishedRepetition>);
    let changes: [(&str, Change, usize); 6] = [
        ("one is missing", |kept| drop(kept.remove(1)), 1),
        ("one is there twice", |kept| kept.insert(1, kept[0].clone()), 0),
        ("they are in another order", |kept| kept.rotate_left(1), 0),
        ("one is beyond the plan", |kept| kept[1].repeat = 7, 1),
        ("a frame is missing", |kept| kept[0].samples.truncate(4), 1),
        ("a frame is another", |kept| kept[2].samples[1].frame = 1_000_000, 1),
    ];
    for (name, change, again) in changes {
        let mut finished = kept();
        finished.sort_by_key(|repetition| repetition.repeat);
        assert_eq!(finished.len(), 3);
        change(&mut finished);
        let stop = AtomicBool::new(false);
        let clock = TickingClock::new();
        let mut counter = Counter(0);
        let watch = Watch { observer: &mut counter, stop: &stop, finished };
        measure_case_watched(&case, &plan, Instruments::new(&clock, None), watch).unwrap();
        assert_eq!(counter.0, again, "{name}");
    }
}

/// Counts repetitions.
struct Counter(usize);

impl Observer for Counter {
    fn repetition_done(&mut self, _: &FinishedRepetition) -> Result<(), OutputError> {
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn files_that_change_during_a_run_stop_it() {
    let algorithms = [row("bsp")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 2));
    type Change = fn(&Path);
    let changes: [(&str, Change); 3] = [
        ("removed", |path| fs::remove_file(path).unwrap()),
        ("shortened", |path| {
            OpenOptions::new().write(true).open(path).unwrap().set_len(9).unwrap()
        }),
        ("replaced", |path| {
            let copy = path.with_extension("copy");
            fs::copy(path, &copy).unwrap();
            fs::rename(copy, path).unwrap();
        }),
    ];
    for name in ["frames.csv", "summary.csv"] {
        for (change, apply) in changes {
            let folder = tempfile::tempdir().unwrap();
            let mut output = Output::create(folder.path(), false, &machine()).unwrap();
            assert_eq!(measure_some(&mut output, &case, &plan, 1).1, 1);
            let path = folder.path().join(name);
            apply(&path);
            let (measured, kept) = measure_some(&mut output, &case, &plan, usize::MAX);
            assert_eq!(kept, 0);
            let Err(RunError::Output(OutputError::Changed(changed))) = measured else {
                panic!("{name} {change}: {:?}", measured.map(|_| ()));
            };
            assert_eq!(changed, path, "{change}");
        }
    }
}

#[test]
fn a_complete_case_is_known_again() {
    let algorithms = [row("bsp")];
    let (case, plan) = (crowded(0, 2), plan(&algorithms, 1));
    let folder = tempfile::tempdir().unwrap();
    let mut output = Output::create(folder.path(), false, &machine()).unwrap();
    let measured = measure_some(&mut output, &case, &plan, usize::MAX).0.unwrap();
    write(&mut output, &case, &plan, &measured);
    output.finish("now", &[Warning::SingleRepetition]).unwrap();

    let mut output = Output::resume(folder.path(), &machine()).unwrap();
    let labels = case.labels(output.run_id(), "bsp", 1);
    assert_eq!(output.done_row(&labels).unwrap().algorithm, "bsp");
    assert!(output.take_begun(&case).is_empty());
    let other = measure::Labels { n: 61, ..labels };
    assert!(output.done_row(&other).is_none());
    output.finish("later", &[Warning::SingleRepetition]).unwrap();
    let text = fs::read_to_string(folder.path().join("machine.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["finished"], "later");
    assert_eq!(json["resumed"].as_array().unwrap().len(), 1);
    let warnings = json["warnings"].as_array().unwrap();
    assert_eq!(
        warnings.iter().filter(|w| *w == &Warning::SingleRepetition.to_string()).count(),
        1,
        "stated once: {text}"
    );
}

fn begun() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    Output::create(folder.path(), false, &machine()).unwrap();
    folder
}

#[test]
fn another_measurement_is_not_mixed_in() {
    let folder = begun();
    let mut other = machine();
    other.settings = serde_json::json!({"repeats": 5});
    let error = Output::resume(folder.path(), &other).unwrap_err().to_string();
    let expected = "`settings.repeats` of the run to resume is 3, here it is 5";
    assert!(error.contains(expected) && error.contains("machine.json"), "{error}");
    let mut other = machine();
    other.cpu = Some("abacus".to_owned());
    let error = Output::resume(folder.path(), &other).unwrap_err().to_string();
    assert!(error.contains("`cpu`") && error.contains("here it is \"abacus\""), "{error}");
    Output::resume(folder.path(), &machine()).unwrap();
}

#[test]
fn a_run_that_is_alive_is_not_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let alive = Output::create(folder.path(), false, &machine()).unwrap();
    let resumed = Output::resume(folder.path(), &machine());
    assert!(matches!(resumed, Err(OutputError::InUse(_))), "{resumed:?}");
    let forced = Output::create(folder.path(), true, &machine());
    assert!(matches!(forced, Err(OutputError::InUse(_))), "{forced:?}");
    drop(alive);
    Output::resume(folder.path(), &machine()).unwrap();
}

#[test]
fn resume_without_a_run_begins_one_and_keeps_other_files() {
    let folder = tempfile::tempdir().unwrap();
    Output::resume(&folder.path().join("new"), &machine()).unwrap();
    // Killed between the first file and the last.
    let half = begun();
    fs::remove_file(half.path().join("machine.json")).unwrap();
    Output::resume(half.path(), &machine()).unwrap();

    let text = "run_id,input\r\n".repeat(100);
    fs::write(folder.path().join("frames.csv"), &text).unwrap();
    let resumed = Output::resume(folder.path(), &machine());
    assert!(matches!(resumed, Err(OutputError::Exists(_))), "{resumed:?}");
    assert_eq!(fs::read_to_string(folder.path().join("frames.csv")).unwrap(), text);
}

/// Measures the cases that are not done.
fn complete(output: &mut Output, cases: &[Case], plan: &Plan<'_>) {
    for case in cases {
        let id = output.run_id().to_owned();
        let is_done = |row: &&Algorithm| output.done_row(&case.labels(&id, row.id, 1)).is_some();
        if !plan.algorithms.iter().all(is_done) {
            let measured = measure_some(output, case, plan, usize::MAX).0.unwrap();
            write(output, case, plan, &measured);
        }
    }
}

/// How a run ends, and how many rows of its summary are of cases that are done.
type End = (fn(&mut Output, &Path, &[Case], &Plan<'_>), usize);

const ENDS: [(&str, End); 3] = [
    (
        "between two repetitions",
        (
            |output, _, cases, plan| {
                complete(output, &cases[..2], plan);
                assert_eq!(measure_some(output, &cases[2], plan, 3).1, 3);
            },
            4,
        ),
    ),
    (
        "between two cells",
        (
            |output, _, cases, plan| {
                complete(output, &cases[..1], plan);
                append_first_cell(output, &cases[1], plan);
            },
            2,
        ),
    ),
    (
        "between the tables",
        (
            |output, folder, cases, plan| {
                complete(output, &cases[..1], plan);
                let summary = folder.join("summary.csv");
                let length = fs::metadata(&summary).unwrap().len();
                complete(output, &cases[1..2], plan);
                OpenOptions::new().write(true).open(summary).unwrap().set_len(length).unwrap();
            },
            4,
        ),
    ),
];

fn append_first_cell(output: &mut Output, case: &Case, plan: &Plan<'_>) {
    let measured = measure_some(output, case, plan, usize::MAX).0.unwrap();
    let (id, cell) = (output.run_id().to_owned(), &measured.cells[0]);
    output.append(cell.frame_rows(&id, case), &cell.summary(&id, case, plan)).unwrap();
}

fn three_cases() -> [Case; 3] {
    let scene = |objects| Scene { objects, ..crowded_scene() };
    [50, 55, 60].map(|objects| Case::of_scene("crowded", scene(objects), 1, 3))
}

#[test]
fn killed_run_is_completed_from_any_moment() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (plan, cases) = (plan(&algorithms, 2), three_cases());
    let whole = tempfile::tempdir().unwrap();
    let mut output = Output::create(whole.path(), false, &machine()).unwrap();
    complete(&mut output, &cases, &plan);
    output.finish("now", &[]).unwrap();

    for (end, (run, believed)) in ENDS {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::create(folder.path(), false, &machine()).unwrap();
        run(&mut output, folder.path(), &cases, &plan);
        drop(output);
        torn(folder.path());

        let mut output = Output::resume(folder.path(), &machine()).unwrap();
        assert_eq!(output.damage(), [], "{end}");
        let rows = SummaryFile::read(folder.path()).unwrap().rows.len();
        assert_eq!(rows, believed, "{end}");
        complete(&mut output, &cases, &plan);
        output.finish("now", &[]).unwrap();
        assert_eq!(nameless(folder.path()), nameless(whole.path()), "{end}");
    }
}

#[test]
fn damaged_case_is_reported_and_measured_again() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (plan, cases) = (plan(&algorithms, 2), three_cases());
    let lines = |folder: &Path| {
        nameless(folder).map(|text| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        })
    };
    let whole = tempfile::tempdir().unwrap();
    let mut output = Output::create(whole.path(), false, &machine()).unwrap();
    complete(&mut output, &cases, &plan);
    output.finish("now", &[]).unwrap();

    type Loss = fn(&Path);
    let losses: [(&str, Loss); 3] = [
        ("emptied", |path| fs::write(path, "").unwrap()),
        ("cut", |path| edit(path, |text| text.truncate(text.len() - 1))),
        ("with another row", |path| replace(path, "brute-force", "bsp")),
    ];
    for at in 0..3 {
        for (loss, lose) in losses {
            let folder = tempfile::tempdir().unwrap();
            let mut output = Output::create(folder.path(), false, &machine()).unwrap();
            complete(&mut output, &cases, &plan);
            drop(output);
            let path = kept_files(folder.path(), "case-").swap_remove(at);
            lose(&path);

            let mut output = Output::resume(folder.path(), &machine()).unwrap();
            assert_eq!(output.damage(), [Warning::Damaged(path)], "{loss}");
            assert_eq!(SummaryFile::read(folder.path()).unwrap().rows.len(), 4, "{loss}");
            complete(&mut output, &cases, &plan);
            drop(output);
            // Once more, with nothing left to do.
            let output = Output::resume(folder.path(), &machine()).unwrap();
            assert_eq!(output.damage(), []);
            output.finish("now", &[]).unwrap();
            assert_eq!(lines(folder.path()), lines(whole.path()), "{loss}");
        }
    }
}

#[test]
fn repetitions_of_a_case_that_is_done_are_not_taken_again() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (case, plan) = (crowded(1, 3), plan(&algorithms, 2));
    let folder = tempfile::tempdir().unwrap();
    let mut output = Output::create(folder.path(), false, &machine()).unwrap();
    let measured = measure_some(&mut output, &case, &plan, usize::MAX).0.unwrap();
    let files = kept_files(folder.path(), "repetition-");
    let earlier = files.iter().map(|path| (path, fs::read(path).unwrap())).collect::<Vec<_>>();
    write(&mut output, &case, &plan, &measured);
    assert_eq!(kept_files(folder.path(), "repetition-"), Vec::<PathBuf>::new());
    drop(output);
    // As if it had been killed before they were removed.
    earlier.iter().for_each(|(path, text)| fs::write(path, text).unwrap());

    let mut output = Output::resume(folder.path(), &machine()).unwrap();
    assert_eq!(output.damage(), []);
    complete(&mut output, std::slice::from_ref(&case), &plan);
    output.finish("now", &[]).unwrap();
    assert_eq!(SummaryFile::read(folder.path()).unwrap().rows.len(), 2);
    assert!(!folder.path().join("unfinished").exists());
}

/// A run of two complete cases that was killed in the third, and what its tables hold.
fn killed(plan: &Plan<'_>) -> (TempDir, [String; 2]) {
    let (folder, cases) = (tempfile::tempdir().unwrap(), three_cases());
    let mut output = Output::create(folder.path(), false, &machine()).unwrap();
    complete(&mut output, &cases[..2], plan);
    assert_eq!(measure_some(&mut output, &cases[2], plan, 3).1, 3);
    let tables = files_of(folder.path());
    (folder, tables)
}

#[test]
fn rows_that_are_not_kept_are_never_cut_off() {
    let algorithms = [row("brute-force"), row("bsp")];
    let plan = plan(&algorithms, 2);
    type Loss = fn(&Path);
    let losses: [(&str, Loss); 4] = [
        ("folder", |kept| fs::remove_dir_all(kept).unwrap()),
        ("files", |kept| {
            fs::remove_dir_all(kept).unwrap();
            fs::create_dir(kept).unwrap();
        }),
        ("first case", |kept| fs::remove_file(kept.join("case-00000001.json")).unwrap()),
        ("last case", |kept| fs::remove_file(kept.join("case-00000002.json")).unwrap()),
    ];
    for (lost, lose) in losses {
        let (folder, tables) = killed(&plan);
        let path = folder.path();
        lose(&path.join("unfinished"));
        let error = Output::resume(path, &machine()).unwrap_err().to_string();
        let expected = format!("frames.csv has rows that {}", path.join("unfinished").display());
        assert!(error.contains(&expected), "{lost}: {error}");
        assert_eq!(files_of(path), tables, "{lost}");
        // As the message says.
        for table in ["frames.csv", "summary.csv"] {
            fs::remove_file(path.join(table)).unwrap();
        }
        let mut output = Output::resume(path, &machine()).unwrap();
        complete(&mut output, &three_cases(), &plan);
        output.finish("now", &[]).unwrap();
        assert_eq!(SummaryFile::read(path).unwrap().rows.len(), 6, "{lost}");
    }
}

#[test]
fn failed_resume_changes_no_file() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (folder, tables) = killed(&plan(&algorithms, 2));
    let kept = folder.path().join("unfinished");
    edit(&kept.join("case-00000001.json"), |text| text.push('x'));
    let files = || kept_files(folder.path(), "").into_iter().map(|path| fs::read(path).ok());
    let before: Vec<_> = files().collect();
    let resume = || Output::resume(folder.path(), &machine()).unwrap_err().to_string();

    let machine_json = folder.path().join("machine.json");
    let protect = |is_protected: bool| {
        let mut permissions = fs::metadata(&machine_json).unwrap().permissions();
        permissions.set_readonly(is_protected);
        fs::set_permissions(&machine_json, permissions).unwrap();
    };
    protect(true);
    let error = resume();
    assert!(error.contains("machine.json: the file is write-protected"), "{error}");
    assert_eq!((files_of(folder.path()), files().collect()), (tables.clone(), before.clone()));
    protect(false);

    let in_the_way = kept.join("repetition-a.json");
    fs::create_dir(&in_the_way).unwrap();
    let error = resume();
    assert!(error.contains("repetition-a.json: it is a folder"), "{error}");
    fs::remove_dir(in_the_way).unwrap();
    assert_eq!((files_of(folder.path()), files().collect()), (tables, before));
    let damage = Output::resume(folder.path(), &machine()).unwrap().damage().len();
    assert_eq!(damage, 1, "it is reported when it is removed");
}

#[test]
fn missing_and_emptied_tables_are_written_from_what_is_kept() {
    let algorithms = [row("brute-force"), row("bsp")];
    let plan = plan(&algorithms, 2);
    let (folder, tables) = killed(&plan);
    for name in ["frames.csv", "summary.csv"] {
        let path = folder.path().join(name);
        for change in [|path: &Path| fs::remove_file(path), |path: &Path| fs::write(path, "")] {
            change(&path).unwrap();
            Output::resume(folder.path(), &machine()).unwrap();
            assert_eq!(files_of(folder.path()), tables, "{name}");
        }
    }
    let mut output = Output::resume(folder.path(), &machine()).unwrap();
    complete(&mut output, &three_cases(), &plan);
    output.finish("now", &[]).unwrap();
    fs::remove_file(folder.path().join("summary.csv")).unwrap();
    let error = Output::resume(folder.path(), &machine()).unwrap_err().to_string();
    assert!(error.starts_with("cannot read ") && error.contains("summary.csv"), "{error}");
    assert!(!folder.path().join("summary.csv").exists(), "that of a complete run is not made up");
}

#[test]
fn repetitions_of_another_case_stay_when_a_case_is_done() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (plan, cases) = (plan(&algorithms, 2), three_cases());
    let (folder, _) = killed(&plan);
    edit(&folder.path().join("unfinished/case-00000001.json"), |text| text.push('x'));
    let repetitions = kept_files(folder.path(), "repetition-");
    assert_eq!(repetitions.len(), 3);
    let mut output = Output::resume(folder.path(), &machine()).unwrap();
    complete(&mut output, &cases[..1], &plan);
    assert_eq!(kept_files(folder.path(), "repetition-"), repetitions);
    complete(&mut output, &cases[2..], &plan);
    assert_eq!(kept_files(folder.path(), "repetition-"), Vec::<PathBuf>::new());
    assert_eq!(kept_files(folder.path(), "case-").len(), 3);
}

#[test]
fn kept_files_are_replaced_only_on_demand() {
    let algorithms = [row("bsp")];
    let (folder, _) = killed(&plan(&algorithms, 3));
    for name in ["frames.csv", "summary.csv", "machine.json"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("unfinished.jsonl"), "{}\n").unwrap();
    for resume in [true, false] {
        let refused = match resume {
            true => Output::resume(folder.path(), &machine()),
            false => Output::create(folder.path(), false, &machine()),
        };
        let is_named = |path: &Path| path.ends_with("unfinished");
        assert!(
            matches!(&refused, Err(OutputError::Exists(path)) if is_named(path)),
            "{refused:?}"
        );
        assert_eq!(kept_files(folder.path(), "").len(), 5);
    }
    Output::create(folder.path(), true, &machine()).unwrap().finish("now", &[]).unwrap();
    assert!(!folder.path().join("unfinished").exists());
    assert!(!folder.path().join("unfinished.jsonl").exists(), "an earlier version kept it");
}

#[test]
fn other_files_in_the_folder_of_kept_files_stay() {
    let folder = begun();
    let own = folder.path().join("unfinished/a.scene");
    fs::write(&own, "precious").unwrap();
    Output::create(folder.path(), true, &machine()).unwrap().finish("now", &[]).unwrap();
    assert_eq!(fs::read_to_string(own).unwrap(), "precious");
}

/// A change of the bytes of a table.
type TableDamage = fn(&mut Vec<u8>);

const TABLE_DAMAGES: [(&str, TableDamage); 11] = [
    ("a line is deleted", |bytes| edit_lines(bytes, |lines| drop(lines.remove(1)))),
    ("the last line is deleted", |bytes| edit_lines(bytes, |lines| drop(lines.pop()))),
    ("a line is doubled", |bytes| edit_lines(bytes, |lines| lines.insert(1, lines[1].clone()))),
    ("two lines are exchanged", |bytes| edit_lines(bytes, |lines| lines.swap(1, 2))),
    ("the rows are doubled", |bytes| edit_lines(bytes, |lines| lines.extend_from_within(1..))),
    ("a foreign line is inserted", |bytes| {
        edit_lines(bytes, |lines| lines.insert(2, b"x,y,1\r\n".to_vec()));
    }),
    ("a foreign line is appended", |bytes| bytes.extend(b"x,y,1\r\n")),
    ("NULs are appended", |bytes| bytes.extend([0; 64])),
    ("a block is zeroed", |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle..middle + 32].fill(0);
    }),
    ("a bit is flipped", |bytes| *bytes.iter_mut().nth_back(9).unwrap() ^= 1),
    ("a figure is another", |bytes| {
        let digit = bytes.iter_mut().rfind(|byte| byte.is_ascii_digit()).unwrap();
        *digit = if *digit == b'9' { b'8' } else { *digit + 1 };
    }),
];

fn edit_lines(bytes: &mut Vec<u8>, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    change(&mut lines);
    *bytes = lines.concat();
}

#[test]
fn damaged_tables_are_refused_or_written_again() {
    let algorithms = [row("brute-force"), row("bsp")];
    let plan = plan(&algorithms, 2);
    let (folder, intact) = killed(&plan);
    let frames = folder.path().join("frames.csv");
    // Its rows are kept elsewhere.
    edit(&frames, |text| text.truncate(text.len() / 2));
    replace(&frames, "bsp", "bsq");
    Output::resume(folder.path(), &machine()).unwrap();
    assert_eq!(files_of(folder.path()), intact);

    let mut output = Output::resume(folder.path(), &machine()).unwrap();
    complete(&mut output, &three_cases(), &plan);
    output.finish("now", &[]).unwrap();
    let refuse = || Output::resume(folder.path(), &machine()).unwrap_err().to_string();
    for path in [frames, folder.path().join("summary.csv")] {
        let intact = fs::read(&path).unwrap();
        for (damage, apply) in TABLE_DAMAGES {
            let mut bytes = intact.clone();
            apply(&mut bytes);
            assert_ne!(bytes, intact, "{damage}");
            fs::write(&path, &bytes).unwrap();
            let error = refuse();
            assert_eq!(
                error,
                OutputError::Altered(path.clone()).to_string(),
                "{}, {damage}",
                path.display()
            );
            assert_eq!(fs::read(&path).unwrap(), bytes, "{damage}: nothing is changed");
        }
        fs::write(path, intact).unwrap();
    }
    rename_run(folder.path());
    assert!(refuse().contains("frames.csv is not as it was written"));
}

/// Gives a run another name, as if tables and kept files were those of another.
fn rename_run(folder: &Path) {
    let its = SummaryFile::read(folder).unwrap().rows[0].run_id.clone();
    edit(&folder.join("machine.json"), |text| *text = text.replace(&its, "another"));
}

#[test]
fn kept_files_of_another_run_are_measured_again() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (folder, _) = killed(&plan(&algorithms, 2));
    rename_run(folder.path());
    let output = Output::resume(folder.path(), &machine()).unwrap();
    assert_eq!(output.damage().len(), 5, "two cases and three repetitions");
    assert!(files_of(folder.path()).iter().all(|text| text.lines().count() == 1));
}

#[test]
fn finished_run_needs_no_kept_files() {
    let algorithms = [row("brute-force")];
    let plan = plan(&algorithms, 1);
    for text in ["", "{}\n"] {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::create(folder.path(), false, &machine()).unwrap();
        complete(&mut output, &[crowded(1, 3)], &plan);
        output.finish("now", &[]).unwrap();
        fs::create_dir(folder.path().join("unfinished")).unwrap();
        fs::write(folder.path().join("unfinished/case-00000001.json"), text).unwrap();

        let output = Output::resume(folder.path(), &machine()).unwrap();
        assert_eq!(output.damage(), [], "nothing is measured again");
        assert_eq!(SummaryFile::read(folder.path()).unwrap().rows.len(), 1);
    }
}

#[test]
fn changed_files_are_refused_by_name() {
    for (name, text, problem) in [
        ("machine.json", "{", "machine.json, line 1: "),
        ("machine.json", "{}", "`cpu` of the run to resume is missing"),
    ] {
        let folder = begun();
        fs::write(folder.path().join(name), text).unwrap();
        let error = Output::resume(folder.path(), &machine()).unwrap_err().to_string();
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
