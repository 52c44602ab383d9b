//! External programs are measured as algorithms are: interleaved, verified frame by frame, within the budget.
#![cfg(unix)]

use crate::common::{NEVER, SetClock, plan, row};
use broadphase::Pair;
use broadphase::benchmark::checksum;
use broadphase::registry::Algorithm;
use measure::{
    Case, Cell, Clock, Exit, FinishedRepetition, Instruments, MonotonicClock, Observer, Outcome,
    OutputError, Phase, Plan, Program, RunError, Watch, measure_case, measure_case_watched,
    record_case,
};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const FRAMES: u32 = 5;

/// A recorded gas, and the lines of a program that is right on it.
struct Recorded {
    folder: tempfile::TempDir,
    case: Case,
    lines: Vec<String>,
}

impl Recorded {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let gas = Case::of_generated("gas:100".parse().unwrap(), 1, FRAMES - 1);
        let path = folder.path().join("gas.bpt");
        let case = record_case(&gas, row("brute-force"), &path, true, &mut (), &NEVER).unwrap();
        let cells = measured(&gas, &plan(&[row("brute-force")], 1)).unwrap();
        let samples = cells[0].samples.iter();
        let lines = samples.map(|s| format!("{} {} {:016x}", 7, s.pairs, s.checksum.0)).collect();
        Self { folder, case, lines }
    }

    /// A shell script.
    fn program(&self, name: &str, script: &str) -> Program {
        program(self.folder.path(), name, script)
    }

    /// A program that prints these lines.
    fn prints(&self, name: &str, lines: &[String]) -> Program {
        self.program(name, &format!("cat <<'END'\n{}\nEND\n", lines.join("\n")))
    }

    /// The outcome of a program that is measured between two algorithms, which must be right.
    fn outcome(&self, program: Program) -> Outcome {
        self.outcome_by(program, &MonotonicClock::new(), &mut ())
    }

    /// The same on a clock that stands still, apart from 100 ns a frame, until the program has printed these `lines`. Then
    /// its budget is over.
    fn outcome_at_the_end_of_time(&self, program: Program, lines: u32) -> Outcome {
        let clock = SetClock::new();
        let mut times = Times { clock: &clock, lines, is_program: false };
        self.outcome_by(program, &clock, &mut times)
    }

    fn outcome_by(
        &self,
        program: Program,
        clock: &dyn Clock,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let algorithms = [row("bsp"), row("sweep-grid")];
        let programs = [program];
        let plan = Plan { programs: &programs, budget: Some(BUDGET), ..plan(&algorithms, 2) };
        let watch = Watch { observer, stop: &NEVER, finished: Vec::new() };
        let instruments = Instruments::new(clock, None);
        let mut cells = measure_case_watched(&self.case, &plan, instruments, watch).unwrap().cells;
        let cell = cells.pop().unwrap();
        assert_eq!((&*cell.algorithm, cell.threads), (programs[0].id(), 1));
        assert!(cells.iter().all(|cell| cell.outcome == Outcome::Ok), "{cells:?}");
        assert!(cell.outcome == Outcome::Ok || cell.frame_rows("", &self.case).count() == 0);
        cell.outcome
    }

    /// A command that starts a process, which does something `first`, then writes its number and goes on. The command ends
    /// when the number is there.
    fn starts(&self, first: &str, goes_on: &str) -> String {
        let file = self.number().display().to_string();
        format!(
            "({first}; sh -c 'echo $$ >\"{file}\"; {goes_on}') &\nuntil [ -s \"{file}\" ]; do sleep 0.01; done\n"
        )
    }

    /// The file with the number of the process.
    fn number(&self) -> PathBuf {
        self.folder.path().join("number")
    }

    /// Waits until the process has ended.
    fn wait_for_its_end(&self) {
        let number = fs::read_to_string(self.number()).unwrap();
        fs::remove_file(self.number()).unwrap();
        let begun = Instant::now();
        loop {
            let mut kill = Command::new("kill");
            let exists = kill.args(["-0", number.trim()]).stderr(Stdio::null()).status().unwrap();
            let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim()));
            // In a container, the first process may never collect it.
            if !exists.success() || stat.is_ok_and(|stat| stat.contains(") Z ")) {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(600), "{number} goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Sets the clock while programs and algorithms run.
struct Times<'a> {
    clock: &'a SetClock,
    lines: u32,
    is_program: bool,
}

impl Observer for Times<'_> {
    fn repetition_begins(&mut self, id: &str, _threads: u32) {
        self.is_program = ![row("bsp").id, row("sweep-grid").id].contains(&id);
    }

    fn frame_done(&mut self, frame: u32) {
        let is_over = self.is_program && frame + 1 == self.lines;
        let ns = if is_over { 2 * BUDGET.as_nanos() as u64 } else { 100 };
        self.clock.now_ns.fetch_add(ns, Ordering::Relaxed);
    }
}

fn program(folder: &Path, name: &str, script: &str) -> Program {
    let path = folder.join(name);
    install(&path, &format!("#!/bin/sh\n{script}"));
    Program::open(&path).unwrap()
}

/// Writes an executable file in another process: a file that this one has open, and every child that a
/// parallel test is just starting, could not be executed.
fn install(path: &Path, text: &str) {
    let mut install = Command::new("install");
    install.args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped());
    let mut child = install.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

fn measured(case: &Case, plan: &Plan<'_>) -> Result<Vec<Cell>, RunError> {
    let clock = MonotonicClock::new();
    Ok(measure_case(case, plan, Instruments::new(&clock, None))?.cells)
}

/// A command that takes as long as the budget.
const HOUR: &str = "exec sleep 3600";

const BUDGET: Duration = Duration::from_secs(3600);

#[test]
fn right_program_is_measured_by_its_own_times() {
    let recorded = Recorded::new();
    let script =
        format!("cmp -s \"$1\" \"{}\" || exit 9\n", recorded.case.trace().unwrap().display());
    let lines = recorded.lines.join("\n");
    let programs = [recorded.program("right", &format!("{script}cat <<'END'\n{lines}\nEND\n"))];
    let algorithms = [row("bsp")];
    let plan = Plan { programs: &programs, ..plan(&algorithms, 3) };
    assert_eq!(plan.cells().collect::<Vec<_>>(), [("bsp", 1), ("right", 1)]);
    let cells = measured(&recorded.case, &plan).unwrap();
    let [bsp, right] = &cells[..] else { panic!("{cells:?}") };
    assert_eq!((&bsp.outcome, &right.outcome), (&Outcome::Ok, &Outcome::Ok));
    assert_eq!(right.samples.len(), 3 * FRAMES as usize);
    for (own, other) in right.samples.iter().zip(&bsp.samples) {
        assert_eq!((own.repeat, own.frame, own.phase), (other.repeat, other.frame, other.phase));
        assert_eq!((own.detection_ns(), own.checksum, own.pairs), (7, other.checksum, other.pairs));
    }
    let warmup = right.samples.iter().filter(|s| s.phase == Phase::Warmup).count();
    assert_eq!(warmup, 3);
    let row = right.summary("", &recorded.case, &plan);
    assert_eq!((row.median_ns, row.repeats, &*row.algorithm), (Some(7), 3, "right"));
}

#[test]
fn wrong_pairs_are_an_error_that_names_the_frame() {
    let recorded = Recorded::new();
    let changed = |frame: usize, line: &str| {
        let mut lines = recorded.lines.clone();
        line.clone_into(&mut lines[frame]);
        recorded.outcome(recorded.prints("wrong", &lines))
    };
    let right: Vec<&str> = recorded.lines[2].split(' ').collect();
    let start = "frame 2 of repetition 0: its pairs differ from brute-force";
    let outcome = changed(2, &format!("7 {} 0123456789abcdef", right[1]));
    assert_eq!(outcome, Outcome::Error(start.to_owned()));
    let outcome = changed(2, &format!("7 1000000 {}", right[2]));
    let expected = format!("{start} (1000000 instead of {})", right[1]);
    assert_eq!(outcome, Outcome::Error(expected));
    assert_eq!(outcome.exit(), Exit::Disagreement);
}

#[test]
fn failing_program_is_an_error_with_its_reason() {
    let recorded = Recorded::new();
    let lines = &recorded.lines;
    let text = lines.join("\n");
    let prints = |start: &str, end: &str| format!("{start}cat <<'END'\n{text}\nEND\n{end}");
    let more = [&lines[..], &lines[..1]].concat();
    let words = [&["searching ...".to_owned()], &lines[..]].concat();
    let slow: Vec<String> = lines.iter().map(|line| format!("999999999{line}")).collect();
    // The script ends soon, or closes its output. What it has started goes on.
    let holds = recorded.starts(":", HOUR);
    let stops = recorded.starts("trap '' HUP; exec >&- 2>&-", "kill -STOP $$; exec sleep 3600");
    let stays = recorded.starts("exec >&- 2>&-", HOUR);
    let went_on = "it ended, but processes that it has started went on";
    for (program, expected) in [
        (recorded.prints("few", &lines[..3]), "it prints 3 lines for 5 frames"),
        (recorded.prints("many", &more), "it prints more lines than the 5 frames"),
        (recorded.program("unbroken", "tr '\\0' x </dev/zero"), "line 1: expected `NANOSECONDS"),
        (recorded.prints("words", &words), "in 16 hexadecimal digits, found `searching ...`"),
        (
            recorded.program("refuses", "echo first >&2; echo no memory >&2; exit 3"),
            "after 0 of 5 frames, exit status: 3: no memory",
        ),
        (recorded.program("crashes", "kill -SEGV $$"), "after 0 of 5 frames, signal: 11"),
        (recorded.prints("hasty", &slow), "the times are nanoseconds"),
        (recorded.program("holds", &prints(&holds, "")), went_on),
        (recorded.program("stops", &prints(&stops, "")), went_on),
        (
            recorded.program("stays", &prints(&stays, "exec >&- 2>&-\nwait\n")),
            "after 5 of 5 frames, it goes on 3 s after its output was closed",
        ),
    ] {
        let id = program.id().to_owned();
        let outcome = recorded.outcome(program);
        let Outcome::Error(failed) = &outcome else { panic!("{id}: {outcome}") };
        assert_eq!(outcome.exit(), Exit::Running, "{id}");
        let is_first = failed.starts_with("failed in repetition 0: ");
        assert!(is_first && failed.contains(expected), "{id}: {failed}");
        if recorded.number().exists() {
            recorded.wait_for_its_end();
        }
    }
    // One that ends soon after the script is no fault: on this clock any time is short.
    let ends = recorded.program("ends", &prints("", "(exec >&- 2>&-; sleep 0.05) &\n"));
    assert_eq!(recorded.outcome_at_the_end_of_time(ends, u32::MAX), Outcome::Ok);
}

#[test]
fn hanging_program_is_killed_at_the_end_of_the_budget() {
    let recorded = Recorded::new();
    let lines = recorded.lines[..2].join("\n");
    let reason = "over the time budget at repetition 0, frame 2";
    // The process that hangs is a child of the script.
    let hangs = format!("{}cat <<'END'\n{lines}\nEND\nwait\n", recorded.starts(":", HOUR));
    let outcome = recorded.outcome_at_the_end_of_time(recorded.program("hangs", &hangs), 2);
    assert_eq!(outcome, Outcome::Skipped(reason.to_owned()));
    recorded.wait_for_its_end();
}

/// Stops the measurement when a program begins.
struct Stops<'a>(&'a AtomicBool);

impl Observer for Stops<'_> {
    fn repetition_begins(&mut self, id: &str, _threads: u32) {
        self.0.store(id == "waits", Ordering::Relaxed);
    }

    fn repetition_done(&mut self, finished: &FinishedRepetition) -> Result<(), OutputError> {
        assert_ne!(finished.algorithm, "waits");
        Ok(())
    }
}

#[test]
fn waiting_for_a_program_can_be_stopped() {
    let recorded = Recorded::new();
    let programs = [recorded.program("waits", "sleep 3600")];
    let algorithms: [&Algorithm; 1] = [row("bsp")];
    let plan = Plan { programs: &programs, ..plan(&algorithms, 1) };
    let stop = AtomicBool::new(false);
    let watch = Watch { observer: &mut Stops(&stop), stop: &stop, finished: Vec::new() };
    let clock = MonotonicClock::new();
    let end = measure_case_watched(&recorded.case, &plan, Instruments::new(&clock, None), watch);
    assert!(matches!(end, Err(RunError::Stopped)), "it was not waited for to its end");
}

#[test]
fn documented_checksums_are_those_of_the_code() {
    let page = include_str!("../../../../docs/trace-file.md");
    let pairs = [Pair::new(0, 1), Pair::new(1, 2)];
    for list in [&pairs[..1], &pairs] {
        let text = format!("`{:016x}`", checksum(list));
        assert!(page.contains(&text), "{list:?}: {text}");
    }
}

#[test]
fn program_that_changes_during_the_run_ends_it() {
    let recorded = Recorded::new();
    let algorithms = [row("bsp")];
    for (name, change) in [("grows", "echo >> \"$0\""), ("removed", "rm \"$0\"")] {
        let script = format!("{change}\ncat <<'END'\n{}\nEND\n", recorded.lines.join("\n"));
        let programs = [recorded.program(name, &script)];
        let plan = Plan { programs: &programs, ..plan(&algorithms, 3) };
        let error = measured(&recorded.case, &plan).unwrap_err();
        let path = programs[0].path().display().to_string();
        assert_eq!(error.to_string(), format!("{path}: the file changed during the run"));
    }
}
