//! External programs and traces.

use super::planted::{page_of, row};
use super::*;
use crate::commands::speed::inputs::{Input, Inputs, What};
use clap::error::ErrorKind;
use measure::{Case, Instruments, MonotonicClock, Plan, measure_case, record_case, reference};
use sim::GeneratedKind;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Frames of a quick run with `--frames 3`.
const FRAMES: u32 = 33;

/// Writes a shell script. In another process: a file that this one has open, and every child that a parallel
/// test is just starting, could not be executed.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    let mut install = std::process::Command::new("install");
    install.args(["-m", "755", "/dev/stdin"]).arg(&path).stdin(Stdio::piped());
    let mut child = install.spawn().unwrap();
    write!(child.stdin.take().unwrap(), "#!/bin/sh\n{text}").unwrap();
    assert!(child.wait().unwrap().success());
    path
}

fn prints(lines: &[String]) -> String {
    format!("cat <<'END'\n{}\nEND\n", lines.join("\n"))
}

/// Boxes of the tiny run as a trace.
fn trace(kind: GeneratedKind, folder: &Path) -> Case {
    let case = Case::of_generated(inputs::spec(kind, None, 300), FRAMES, 0);
    let path = folder.join("recorded.bpt");
    record_case(&case, reference(), &path, true, &mut (), &AtomicBool::new(false)).unwrap()
}

/// The lines of a program that is right.
fn right_lines(case: &Case) -> Vec<String> {
    let plan = Plan {
        algorithms: &[reference()],
        programs: &[],
        threads: &[1],
        repeats: 1,
        order_seed: 1,
        budget: None,
        memory_limit: u64::MAX,
        events: false,
        checks: measure::Checks::EveryList,
        stages: None,
    };
    let clock = MonotonicClock::new();
    let measured = measure_case(case, &plan, Instruments::new(&clock, None)).unwrap();
    let line = |s: &measure::Sample| format!("1 {} {:016x}", s.pairs, s.checksum);
    measured.cells[0].samples.iter().map(line).collect()
}

fn rows(folder: &Path) -> Vec<StudyRow> {
    super::rows::read(&folder.join("speed.csv")).unwrap()
}

fn page(folder: &Path) -> String {
    fs::read_to_string(folder.join("speed.md")).unwrap()
}

/// The command on these inputs, with ten seconds for each cell, which only a program that hangs takes.
fn speed_on(inputs: &'static Inputs, options: &SpeedOptions) -> Result<(), Failure> {
    let _guard = with_own_instruction_set();
    let mut effort = SpeedEffort::new(options)?;
    effort.inputs = inputs;
    effort.budget = Duration::from_secs(10);
    speed_with(&[], effort, &process())
}

const ONLY_PROGRAMS: &str = "--quick --frames 3 --repeat 2 --parts programs --only gas:300";

#[test]
fn programs_are_verified_and_compared_with_the_fastest_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let right = right_lines(&trace(GeneratedKind::Gas, path));
    let mut wrong = right.clone();
    wrong[31] = "1 5 0123456789abcdef".to_owned();
    let refuses = "echo cannot go on >&2; exit 1\n".to_owned();
    let scripts = [
        ("right", prints(&right)),
        ("wrong", prints(&wrong)),
        ("few", prints(&right[1..])),
        ("many", prints(&[&right[..], &right[..1]].concat())),
        ("garbage", prints(&["pairs: 3".to_owned()])),
        ("refuses", refuses),
        ("hangs", "sleep 3600\n".to_owned()),
    ];
    let paths: Vec<String> = scripts
        .iter()
        .map(|(name, text)| format!("'{}'", script(path, name, text).display()))
        .collect();
    let out = path.join("out");
    let options = options(&out, &format!("{ONLY_PROGRAMS} --program {}", paths.join(" ")));
    let failure = speed_on(&inputs::TINY, &options).unwrap_err();
    assert_eq!(failure.exit(), measure::Exit::Disagreement);

    let rows = rows(&out);
    assert_eq!(rows.len(), 5 + scripts.len());
    let row = |name: &str| rows.iter().find(|row| row.algorithm == name).unwrap();
    let [own, auto] = [row("right"), row("auto")];
    assert_eq!((SpeedPart::of(own), own.peer, own.threads), (Some(SpeedPart::Programs), true, 1));
    assert_eq!((own.median_ns, own.mean_ns, own.status), (Some(1), Some(1.0), Status::Ok));
    assert_eq!((own.pairs, own.checksum, own.repeats), (auto.pairs, auto.checksum, 2));
    assert!(own.over_best.is_some_and(|over| over < 1.0) && !auto.peer);
    assert_faults_of_programs(row);
    let page = page(&out);
    for text in [
        "A program is faster on: gas 300 (right 0.",
        "On 0 of 1 inputs the fastest of ours is faster than each program that completed, of right, wrong, few,",
        " Of their 7 results, 1 were skipped, and 5 are errors.",
        "| input | pairs | best of ours | its ms | right | wrong | few | many | garbage | refuses | hangs |",
        " | **error** | **error** | **error** | **error** | **error** | skipped |\n",
        "- **missed**: right over the fastest of ours, gas 300, means: ",
        "- **error**: garbage on gas 300: `failed in repetition 0: line 1: expected",
        "(speed/programs/machine.json)",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
    assert!(!page.contains("Against the best other library"), "{page}");

    // Complete: nothing is run again.
    fs::remove_file(path.join("right")).unwrap();
    script(path, "right", &prints(&right));
    let again = format!("{ONLY_PROGRAMS} --resume --program {}", paths.join(" "));
    let failure = speed_on(&inputs::TINY, &super::options(&out, &again)).unwrap_err();
    assert_eq!(failure.exit(), measure::Exit::Disagreement);
    // Another program is another run.
    script(path, "right", "exit 1\n");
    let failure = speed_on(&inputs::TINY, &super::options(&out, &again)).unwrap_err();
    assert_ne!(failure.exit(), measure::Exit::Disagreement, "{failure:?}");
}

/// Each program that fails has the reason, and no figures.
fn assert_faults_of_programs<'a>(row_of: impl Fn(&str) -> &'a StudyRow) {
    for (name, status, reason) in [
        (
            "wrong",
            Status::Error,
            "frame 31 of repetition 0: its pairs differ from brute-force (5 instead",
        ),
        ("few", Status::Error, "failed in repetition 0: it prints 32 lines for 33 frames"),
        ("many", Status::Error, "it prints more lines than the 33 frames"),
        ("garbage", Status::Error, "line 1: expected `NANOSECONDS PAIRS CHECKSUM`"),
        ("refuses", Status::Error, "after 0 of 33 frames, exit status: 1: cannot go on"),
        ("hangs", Status::Skipped, "over the time budget at repetition 0, frame 0"),
    ] {
        let row = row_of(name);
        let text = row.reason_text();
        assert!(row.status == status && text.contains(reason), "{row:?}");
        assert_eq!((row.median_ns, row.mean_ns, row.over_best), (None, None, None), "{name}");
    }
}

#[test]
fn ours_play_the_trace_of_the_programs_without_layers() {
    static STATICS: Inputs = Inputs {
        small: &[],
        every: &[Input { what: What::Boxes(GeneratedKind::Statics, None), objects: 300 }],
        changes: &[],
        threads: &[],
    };
    let folder = tempfile::tempdir().unwrap();
    let right = right_lines(&trace(GeneratedKind::Statics, folder.path()));
    let program = script(folder.path(), "right", &prints(&right));
    let out = folder.path().join("out");
    let more =
        format!("--quick --frames 3 --repeat 1 --parts programs --program '{}'", program.display());
    speed_on(&STATICS, &options(&out, &more)).unwrap();
    let rows = rows(&out);
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row.status == Status::Ok && row.pairs == rows[0].pairs));
    assert!(rows.iter().all(|row| row.input == "statics"), "{rows:?}");
}

#[test]
fn wrong_programs_and_parts_are_refused_before_measuring() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let in_folder = |name: &str| path.join(name).to_string_lossy().into_owned();
    script(path, "right", "");
    fs::create_dir(path.join("more")).unwrap();
    script(&path.join("more"), "right", "");
    script(path, "auto", "");
    fs::write(path.join("text"), "").unwrap();
    let [right, twin, auto, text, none] =
        ["right", "more/right", "auto", "text", "none"].map(in_folder);
    for (more, reason) in [
        (format!("--program '{none}'"), "none: no program: "),
        (format!("--program '{}'", path.display()), "no program: it is no file"),
        (format!("--program '{text}'"), "text: the file is not executable"),
        (format!("--program '{right}' '{twin}'"), "another is called `right`"),
        (format!("--program '{right}' --program '{right}'"), "another is called `right`"),
        (format!("--program '{auto}'"), "another is called `auto`"),
        ("--parts programs".to_owned(), "name them by --program PATH"),
        (format!("--parts threads --program '{right}'"), "no effect without the part `programs`"),
        ("--parts threads --only rest-gas-rest".to_owned(), "the parts have none of these inputs"),
        (format!("--trace '{text}'"), "a trace's name ends in .bpt"),
    ] {
        let out = path.join("out");
        let options = options(&out, &format!("--quick {more}"));
        let failure = speed_tiny(&[slow_peer()], &options, &process()).unwrap_err();
        let Failure::Usage(message) = &failure else { panic!("{more}: {failure:?}") };
        assert!(message.contains(reason), "{more}: {message}");
        assert!(!out.exists(), "{more}");
    }
    for wrong in ["--parts", "--parts fast", "--program", "--redraw --program a"] {
        let words = ["harness", "speed"].into_iter().chain(wrong.split(' '));
        let error = Cli::try_parse_from(words).unwrap_err();
        assert_ne!(error.kind(), ErrorKind::UnknownArgument, "{wrong}");
    }
}

#[test]
fn traces_are_inputs_named_after_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let recorded = trace(GeneratedKind::Gas, path);
    let from = recorded.trace().unwrap();
    let named = |name: &str| {
        let to = path.join(name);
        fs::copy(from, &to).unwrap();
        to.to_string_lossy().into_owned()
    };
    let (ragdolls, gas) = (named("ragdolls.bpt"), named("gas.bpt"));
    let speed = |out: &Path, more: &str| {
        let options = options(out, &format!("--quick --repeat 1 {more}"));
        speed_tiny(&[slow_peer()], &options, &process())
    };
    let out = path.join("out");
    speed(&out, &format!("--frames 2 --trace '{ragdolls}' --only ragdolls:300")).unwrap();
    let rows = rows(&out);
    assert_eq!(rows.len(), 6, "champions and the peer");
    for row in &rows {
        assert_eq!((&*row.part, &*row.input, row.n), ("inputs", "ragdolls", 300));
        assert_eq!((row.status, row.frames), (Status::Ok, 2));
    }
    assert!(page(&out).contains("| ragdolls 300 |"));

    let refused = |more: &str| speed(&path.join("other"), more).unwrap_err();
    let failure = refused(&format!("--trace '{gas}'"));
    assert!(matches!(&failure, Failure::Usage(m) if m.contains("another input is called `gas`")));
    let failure = refused(&format!("--trace '{ragdolls}' '{ragdolls}'"));
    assert!(matches!(&failure, Failure::Usage(m) if m.contains("called `ragdolls`")));
    let failure = refused(&format!("--trace '{ragdolls}' --only rag"));
    assert!(matches!(&failure, Failure::Usage(m) if m.contains("one of gas, ragdolls, rest-gas")));
    let failure = refused(&format!("--trace '{ragdolls}' --frames 40 --only ragdolls"));
    assert!(matches!(&failure, Failure::Usage(m) if m.contains("40")), "{failure:?}");
    fs::write(path.join("cut.bpt"), "BPTRACE1").unwrap();
    let failure = refused(&format!("--trace '{}'", path.join("cut.bpt").display()));
    assert_eq!(failure.exit(), measure::Exit::BadInput);
}

/// Rows of ours and of programs on one input, by the program's time over the best of ours.
fn planted(n: u64, programs: &[(&str, f64, f64, f64)]) -> Vec<StudyRow> {
    let ours = StudyRow { part: "programs".to_owned(), ..row(n, "sweep-grid", 1.0) };
    let of = |&(name, over, low, high): &(&str, f64, f64, f64)| StudyRow {
        part: "programs".to_owned(),
        over_best: Some(over),
        over_best_low: Some(low),
        over_best_high: Some(high),
        ..row(n, name, over)
    };
    std::iter::once(ours).chain(programs.iter().map(of)).collect()
}

#[test]
fn page_names_the_inputs_on_which_ours_is_not_ahead() {
    let rows = [
        planted(200, &[("a|b", 0.8, 0.7, 0.9), ("slow", 3.0, 2.5, 3.5)]),
        planted(1_000, &[("a|b", 4.0, 3.5, 4.5), ("slow", 1.02, 0.97, 1.07)]),
        planted(20_000, &[("a|b", 2.0, 1.9, 2.1), ("slow", 5.0, 4.9, 5.1)]),
    ]
    .concat();
    let page = page_of(&rows);
    for text in [
        "On 1 of 3 inputs the fastest of ours is faster than each program that completed, of a|b, slow, on one \
         thread, by means. A program is faster on: gas 200 (a|b 0.800). The intervals do not decide on: gas 1k (slow \
         1.02).",
        "| input | pairs | best of ours | its ms | a\\|b | slow |",
        "| gas 200 | 25,000 | sweep-grid | 1.00 | 0.800 (0.700 to 0.900) | 3.00 (2.50 to 3.50) |",
        "- **missed**: a|b over the fastest of ours, gas 200, means: 0.800",
        "- undecided: slow over the fastest of ours, gas 1k, means: 1.02",
        "- 3 goals: 1 met, 1 missed, 1 undecided.",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
}
