//! A run that was killed or stopped is completed: no row is lost, doubled, cut off or mixed.

use crate::common::{TickingClock, crowded, crowded_scene, plan, row};
use broadphase::registry::Algorithm;
use measure::{
    Case, FinishedRepetition, Instruments, Machine, MeasuredCase, Observer, Output, OutputError,
    Plan, RunError, RunId, SummaryFile, Warning, Watch, measure_case_watched,
};
use sim::Scene;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
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

fn files(folder: &Path) -> [String; 2] {
    ["frames.csv", "summary.csv"].map(|name| fs::read_to_string(folder.join(name)).unwrap())
}

/// The rows without the name of the run.
fn nameless(folder: &Path) -> [String; 2] {
    let id = SummaryFile::read(folder).unwrap().rows[0].run_id.clone();
    files(folder).map(|text| text.replace(&id, "ID"))
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
        assert!(!folder.path().join("unfinished.jsonl").exists());
    }
}

/// Files as a kill within a write leaves them.
fn torn(folder: &Path) {
    for (name, piece) in [
        ("frames.csv", "id,crowded,60,1739,brute-force,1,0,0,warmup,10,1"),
        ("summary.csv", "id,\"crow"),
        ("unfinished.jsonl", "{\"input\":\"crowded\",\"n\":60,\"seed\":17"),
    ] {
        let mut file = OpenOptions::new().append(true).open(folder.join(name)).unwrap();
        file.write_all(piece.as_bytes()).unwrap();
    }
}

/// A change of the lines of a journal.
type Damage = fn(&mut Vec<String>);

/// Each with the first line that is damaged: the first line has the lengths, each other a repetition.
const DAMAGES: [(&str, Damage, u64); 9] = [
    ("a line is deleted", |lines| drop(lines.remove(2)), 3),
    ("the first repetitions are deleted", |lines| drop(lines.drain(1..3)), 2),
    ("a line is doubled", |lines| lines.insert(2, lines[1].clone()), 3),
    ("two lines are exchanged", |lines| lines.swap(2, 3), 3),
    ("an algorithm is another", |lines| replace(&mut lines[3], "\"bsp\"", "\"brute-force\""), 0),
    (
        "a number of threads is another",
        |lines| replace(&mut lines[1], "threads\":1", "threads\":2"),
        2,
    ),
    ("a frame is far away", |lines| replace(&mut lines[1], "frame\":3", "frame\":1000000"), 2),
    ("a checksum is another", |lines| replace(&mut lines[2], "checksum\":", "checksum\":1"), 3),
    ("a line is no JSON", |lines| lines[1].insert(9, '\0'), 2),
];

fn replace(line: &mut String, from: &str, to: &str) {
    *line = line.replacen(from, to, 1);
}

#[test]
fn damaged_repetitions_are_reported_and_measured_again() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 3));
    let whole = tempfile::tempdir().unwrap();
    let mut output = Output::create(whole.path(), false, &machine()).unwrap();
    let measured = measure_some(&mut output, &case, &plan, usize::MAX).0.unwrap();
    write(&mut output, &case, &plan, &measured);
    output.finish("now", &[]).unwrap();

    for (name, damage, line) in DAMAGES {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::create(folder.path(), false, &machine()).unwrap();
        assert_eq!(measure_some(&mut output, &case, &plan, 5).1, 5);
        drop(output);
        let path = folder.path().join("unfinished.jsonl");
        let intact = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = intact.lines().map(str::to_owned).collect();
        damage(&mut lines);
        assert_ne!(lines.join("\n"), intact.trim_end(), "{name}");
        let line = if line > 0 { line } else { first_difference(&lines, &intact) };
        fs::write(&path, lines.join("\n") + "\n").unwrap();

        let mut output = Output::resume(folder.path(), &machine()).unwrap();
        let warning = Warning::Damaged { path, line };
        assert_eq!(output.damage(), Some(&warning), "{name}");
        let (measured, kept) = measure_some(&mut output, &case, &plan, usize::MAX);
        assert_eq!(kept as u64, 6 - (line - 2), "{name}: what follows is measured again");
        write(&mut output, &case, &plan, &measured.unwrap());
        output.finish("now", &[]).unwrap();
        assert_eq!(nameless(folder.path()), nameless(whole.path()), "{name}");
        let machine = fs::read_to_string(folder.path().join("machine.json")).unwrap();
        assert!(machine.contains("damaged; the repetitions from there on"), "{machine}");
    }
}

/// The number of the first line that differs, from 1.
fn first_difference(lines: &[String], text: &str) -> u64 {
    1 + lines.iter().zip(text.lines()).position(|(a, b)| a != b).unwrap() as u64
}

#[test]
fn repetitions_out_of_order_are_measured_again() {
    let algorithms = [row("bsp")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 3));
    let folder = tempfile::tempdir().unwrap();
    let mut output = Output::create(folder.path(), false, &machine()).unwrap();
    let right = measure_some(&mut output, &case, &plan, usize::MAX).0.unwrap();
    drop(output);
    let kept = || Output::resume(folder.path(), &machine()).unwrap().take_begun(&case);
    type Change = fn(&mut Vec<FinishedRepetition>);
    let changes: [(&str, Change); 4] = [
        ("one is missing", |kept| drop(kept.remove(1))),
        ("one is there twice", |kept| kept.insert(1, kept[0].clone())),
        ("a frame is missing", |kept| kept[0].samples.truncate(4)),
        ("a frame is another", |kept| kept[2].samples[1].frame = 1_000_000),
    ];
    for (name, change) in changes {
        let mut finished = kept();
        assert_eq!(finished.len(), 3);
        change(&mut finished);
        let stop = AtomicBool::new(false);
        let clock = TickingClock::new();
        let watch = Watch { observer: &mut (), stop: &stop, finished };
        let measured =
            measure_case_watched(&case, &plan, Instruments::new(&clock, None), watch).unwrap();
        let frames = |measured: &MeasuredCase| -> Vec<_> {
            let samples = measured.cells[0].samples.iter();
            samples.map(|sample| (sample.repeat, sample.frame, sample.checksum)).collect()
        };
        assert_eq!(frames(&measured), frames(&right), "{name}");
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
    for name in ["frames.csv", "summary.csv", "unfinished.jsonl"] {
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
fn cells_written_before_the_end_of_a_case_are_not_doubled() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (case, plan) = (crowded(1, 4), plan(&algorithms, 2));
    let folder = tempfile::tempdir().unwrap();
    let mut output = Output::create(folder.path(), false, &machine()).unwrap();
    let measured = measure_some(&mut output, &case, &plan, usize::MAX).0.unwrap();
    let id = output.run_id().to_owned();
    let cell = &measured.cells[0];
    output.append(cell.frame_rows(&id, &case), &cell.summary(&id, &case, &plan)).unwrap();
    let first = files(folder.path());
    drop(output); // killed between two cells

    let mut output = Output::resume(folder.path(), &machine()).unwrap();
    let (measured, kept) = measure_some(&mut output, &case, &plan, 0);
    assert_eq!(kept, 0);
    write(&mut output, &case, &plan, &measured.unwrap());
    let [frames, summary] = files(folder.path());
    assert!(frames.starts_with(&first[0]) && summary.starts_with(&first[1]));
    assert_eq!(SummaryFile::read(folder.path()).unwrap().rows.len(), 2);
    assert_eq!(frames.lines().count(), 1 + 2 * 2 * 5);
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

/// What happens to a journal. The first path is its own, the second that of another run.
type Loss = fn(&Path, &Path);

const LOSSES: [(&str, Loss); 4] = [
    ("removed", |path, _| fs::remove_file(path).unwrap()),
    ("emptied", |path, _| fs::write(path, "").unwrap()),
    ("of another run", |path, other| {
        fs::copy(other, path).unwrap();
    }),
    ("cut within its first line", |path, _| {
        OpenOptions::new().write(true).open(path).unwrap().set_len(20).unwrap();
    }),
];

/// How a run ends, and how many rows of its summary are of cases that are done.
type End = (fn(&mut Output, &Path, &[Case], &Plan<'_>), usize);

const ENDS: [(&str, End); 4] = [
    (
        "before the first case is done",
        (
            |output, _, cases, plan| {
                assert_eq!(measure_some(output, &cases[0], plan, 3).1, 3);
            },
            0,
        ),
    ),
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
                append_first_cell(output, &cases[1], plan);
                OpenOptions::new().write(true).open(summary).unwrap().set_len(length).unwrap();
            },
            2,
        ),
    ),
];

fn append_first_cell(output: &mut Output, case: &Case, plan: &Plan<'_>) {
    let measured = measure_some(output, case, plan, usize::MAX).0.unwrap();
    let (id, cell) = (output.run_id().to_owned(), &measured.cells[0]);
    output.append(cell.frame_rows(&id, case), &cell.summary(&id, case, plan)).unwrap();
}

#[test]
fn without_a_journal_the_begun_case_is_measured_again() {
    let algorithms = [row("brute-force"), row("bsp")];
    let plan = plan(&algorithms, 2);
    let scene = |objects| Scene { objects, ..crowded_scene() };
    let cases = [50, 55, 60].map(|objects| Case::of_scene("crowded", scene(objects), 1, 3));
    let whole = tempfile::tempdir().unwrap();
    let mut output = Output::create(whole.path(), false, &machine()).unwrap();
    complete(&mut output, &cases, &plan);
    output.finish("now", &[]).unwrap();
    let other = begun();

    for (loss, lose) in LOSSES {
        for (end, (run, believed)) in ENDS {
            let folder = tempfile::tempdir().unwrap();
            let mut output = Output::create(folder.path(), false, &machine()).unwrap();
            run(&mut output, folder.path(), &cases, &plan);
            drop(output);
            torn(folder.path());
            let [path, of_other] = [&folder, &other].map(|f| f.path().join("unfinished.jsonl"));
            lose(&path, &of_other);

            let mut output = Output::resume(folder.path(), &machine()).unwrap();
            let warning = Warning::Damaged { path, line: 1 };
            assert_eq!(output.damage(), Some(&warning), "{loss}, {end}");
            let rows = SummaryFile::read(folder.path()).unwrap().rows.len();
            assert_eq!(rows, believed, "{loss}, {end}");
            complete(&mut output, &cases, &plan);
            output.finish("now", &[]).unwrap();
            assert_eq!(nameless(folder.path()), nameless(whole.path()), "{loss}, {end}");
        }
    }
}

#[test]
fn journal_of_an_earlier_case_is_not_believed() {
    let algorithms = [row("brute-force"), row("bsp")];
    let (case, plan) = (crowded(1, 3), plan(&algorithms, 2));
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("unfinished.jsonl");
    let mut output = Output::create(folder.path(), false, &machine()).unwrap();
    let measured = measure_some(&mut output, &case, &plan, usize::MAX).0.unwrap();
    let earlier = fs::read(&journal).unwrap();
    write(&mut output, &case, &plan, &measured);
    drop(output);
    // As if it had been killed between `machine.json` and the next journal.
    fs::write(&journal, earlier).unwrap();

    let mut output = Output::resume(folder.path(), &machine()).unwrap();
    assert_eq!(output.damage(), None);
    assert!(output.take_begun(&case).is_empty());
    assert_eq!(SummaryFile::read(folder.path()).unwrap().rows.len(), 2);
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
fn damaged_tables_are_refused_or_cut_back() {
    let algorithms = [row("brute-force"), row("bsp")];
    let plan = plan(&algorithms, 2);
    let [done, begun] = [50, 60]
        .map(|objects| Case::of_scene("crowded", Scene { objects, ..crowded_scene() }, 1, 3));
    for is_finished in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::create(folder.path(), false, &machine()).unwrap();
        complete(&mut output, std::slice::from_ref(&done), &plan);
        match is_finished {
            true => output.finish("now", &[]).unwrap(),
            false => {
                assert_eq!(measure_some(&mut output, &begun, &plan, 1).1, 1);
                drop(output);
            }
        }
        let files = ["frames.csv", "summary.csv", "machine.json", "unfinished.jsonl"]
            .map(|name| folder.path().join(name))
            .map(|path| (fs::read(&path).ok(), path));
        let restore = || {
            for (bytes, path) in &files {
                match bytes {
                    Some(bytes) => fs::write(path, bytes).unwrap(),
                    None => drop(fs::remove_file(path)),
                }
            }
        };
        for (intact, path) in &files[..2] {
            for (damage, apply) in TABLE_DAMAGES {
                restore();
                let intact = intact.as_ref().unwrap();
                let mut bytes = intact.clone();
                apply(&mut bytes);
                assert_ne!(&bytes, intact, "{damage}");
                fs::write(path, &bytes).unwrap();
                let case = format!("{}, {damage}, finished: {is_finished}", path.display());
                match Output::resume(folder.path(), &machine()) {
                    // Rows behind those of the last case that is done may be of one that was begun.
                    Ok(_) => {
                        assert!(!is_finished && bytes.starts_with(intact), "{case}");
                        assert_eq!(&fs::read(path).unwrap(), intact, "{case}");
                    }
                    Err(error) => {
                        let text = error.to_string();
                        let reasons = [
                            "were written; measure",
                            "is not as it was written",
                            "columns are not",
                        ];
                        assert!(reasons.iter().any(|r| text.contains(r)), "{case}: {text}");
                        assert!(text.starts_with(path.to_str().unwrap()), "{case}: {text}");
                        assert!(!bytes.starts_with(intact) || is_finished, "{case}: {text}");
                        assert_eq!(fs::read(path).unwrap(), bytes, "{case}: nothing is changed");
                    }
                }
            }
        }
        restore();
        let (machine_json, name) = (&files[2].1, &machine().run_id);
        let text = fs::read_to_string(machine_json).unwrap();
        let its = SummaryFile::read(folder.path()).unwrap().rows[0].run_id.clone();
        fs::write(machine_json, text.replace(&its, &format!("{name}-other"))).unwrap();
        let error = Output::resume(folder.path(), &machine()).unwrap_err().to_string();
        assert!(error.contains("frames.csv is not as it was written"), "{error}");
    }
}

#[test]
fn finished_run_needs_no_journal() {
    let algorithms = [row("brute-force")];
    let plan = plan(&algorithms, 1);
    for text in ["", "{}\n"] {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::create(folder.path(), false, &machine()).unwrap();
        complete(&mut output, &[crowded(1, 3)], &plan);
        output.finish("now", &[]).unwrap();
        fs::write(folder.path().join("unfinished.jsonl"), text).unwrap();

        let output = Output::resume(folder.path(), &machine()).unwrap();
        assert_eq!(output.damage(), None, "nothing is measured again");
        assert_eq!(SummaryFile::read(folder.path()).unwrap().rows.len(), 1);
    }
}

#[test]
fn changed_files_are_refused_by_name() {
    let other_columns = "run_id,input\r\n".repeat(100);
    for (name, text, problem) in [
        ("frames.csv", &*other_columns, "frames.csv, line 1: the columns are not those"),
        ("summary.csv", &*other_columns, "summary.csv, line 1: the columns are not those"),
        ("frames.csv", "short", "frames.csv, line 1: the file has 5 bytes, but "),
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
    static CUT_SHORT: broadphase::registry::Algorithm =
        crate::common::planted("cut-short", |settings| {
            Box::new(CutShort(row("brute-force").build(settings)))
        });
    static STOP: AtomicBool = AtomicBool::new(false);
    struct CutShort(Box<dyn broadphase::BroadPhase>);
    impl broadphase::BroadPhase for CutShort {
        fn update(&mut self, frame: &broadphase::Frame<'_>) {
            self.0.update(frame);
        }
        fn find_pairs(&mut self, _: &broadphase::Frame<'_>, _: &mut Vec<broadphase::Pair>) {
            STOP.store(true, SeqCst);
        }
        fn counters(&self) -> broadphase::Counters {
            self.0.counters()
        }
        fn heap_bytes(&self) -> usize {
            0
        }
        fn validate(&self, _: &broadphase::Frame<'_>) {}
    }
    let algorithms = [&CUT_SHORT];
    let clock = TickingClock::new();
    let watch = Watch { observer: &mut (), stop: &STOP, finished: Vec::new() };
    let instruments = Instruments::new(&clock, None);
    // Its only frame: the flag is not checked again after it.
    let measured = measure_case_watched(&crowded(0, 1), &plan(&algorithms, 1), instruments, watch);
    assert!(matches!(measured, Err(RunError::Stopped)), "{measured:?}");

    STOP.store(false, SeqCst);
    let plan = measure::VerifyPlan {
        methods: &measure::StageMethods::all(),
        folder: None,
        reference: row("brute-force"),
        algorithms: &algorithms,
        threads: &[1],
        budget: None,
        memory_limit: u64::MAX,
        stop: &STOP,
    };
    let verified = measure::verify_case(&crowded(0, 1), &plan, &mut ());
    assert!(matches!(verified, Err(RunError::Stopped)), "{verified:?}");
}
