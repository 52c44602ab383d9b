//! External programs and traces.

use super::planted::{page_of, row};
use super::*;
use measure::{Case, Instruments, MonotonicClock, Plan, measure_case, record_case, reference};
use sim::GeneratedKind;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;

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
    let algorithms = [reference()];
    let plan = Plan::new(&algorithms, &[1], 1);
    let clock = MonotonicClock::new();
    let measured = measure_case(case, &plan, Instruments::new(&clock, None)).unwrap();
    let line = |s: &measure::FrameRow| format!("1 {} {}", s.pairs, s.checksum);
    measured.cells[0].samples.iter().map(line).collect()
}

#[test]
fn programs_are_verified_and_compared_with_the_fastest_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let right = right_lines(&trace(GeneratedKind::Gas, path));
    let mut wrong = right.clone();
    wrong[31] = "1 5 0123456789abcdef".to_owned();
    let refuses = "echo cannot go on >&2; exit 1\n";
    let scripts = [("right", &*prints(&right)), ("wrong", &prints(&wrong)), ("refuses", refuses)];
    let paths = scripts.map(|(name, text)| format!("'{}'", script(path, name, text).display()));
    let out = path.join("out");
    let words = "--quick --frames 3 --repeat 2 --parts programs --only gas:300 --program";
    let words = format!("{words} {}", paths.join(" "));
    assert_eq!(speed(&out, &words).unwrap_err().exit(), Exit::Disagreement);

    let rows = rows(&out);
    assert_eq!(rows.len(), 5 + scripts.len());
    let row = |name: &str| rows.iter().find(|row| row.algorithm == name).unwrap();
    let [own, auto] = [row("right"), row("auto")];
    assert_eq!((SpeedPart::of(own), own.peer, own.threads), (Some(SpeedPart::Programs), true, 1));
    assert_eq!((own.median_ns, own.mean_ns, own.status), (Some(1), Some(1.0), Status::Ok));
    assert_eq!((own.pairs, own.checksum, own.repeats), (auto.pairs, auto.checksum, 2));
    assert!(own.over_best.is_some_and(|over| over < 1.0) && !auto.peer);
    for (name, reason) in [
        ("wrong", "frame 31 of repetition 0: its pairs differ from brute-force (5 instead"),
        ("refuses", "after 0 of 33 frames, exit status: 1: cannot go on"),
    ] {
        let row = row(name);
        assert!(row.status == Status::Error && row.reason_text().contains(reason), "{row:?}");
        assert_eq!((row.median_ns, row.mean_ns, row.over_best), (None, None, None), "{name}");
    }
    let page = page(&out);
    assert_has(
        &page,
        &[
            "A program is faster on: gas 300 (right 0.",
            "On 0 of 1 inputs the fastest of ours is faster than each program that completed, of right, wrong, refuses,",
            " Of their 3 results, 0 were skipped, and 2 are errors.",
            " | **error** | **error** |\n",
            "- **error**: refuses on gas 300: `failed in repetition 0: ",
            "(speed/programs/machine.json)",
        ],
    );
    assert!(!page.contains("Against the best other library"), "{page}");

    // Another program is another run.
    script(path, "right", "exit 1\n");
    let again = speed(&out, &format!("--resume {words}"));
    assert_refused(again, Exit::Running, "of the run to resume is");
}

#[test]
fn page_names_the_inputs_on_which_ours_is_not_ahead() {
    // Rows of ours and of two programs on one input, by the program's time over the best of ours.
    let planted = |n, [a, slow]: [[f64; 3]; 2]| {
        let row =
            |algorithm, over| StudyRow { part: "programs".to_owned(), ..row(n, algorithm, over) };
        let of = |name, [low, over, high]: [f64; 3]| StudyRow {
            over_best: Some(over),
            over_best_low: Some(low),
            over_best_high: Some(high),
            ..row(name, over)
        };
        [row("sweep-grid", 1.0), of("a|b", a), of("slow", slow)]
    };
    let rows = [
        planted(200, [[0.7, 0.8, 0.9], [2.5, 3.0, 3.5]]),
        planted(1_000, [[3.5, 4.0, 4.5], [0.97, 1.02, 1.07]]),
        planted(20_000, [[1.9, 2.0, 2.1], [4.9, 5.0, 5.1]]),
    ];
    let (page, _) = page_of(&rows.concat());
    assert_has(
        &page,
        &[
            "On 1 of 3 inputs the fastest of ours is faster than each program that completed, of a|b, slow, on one \
             thread, by means. A program is faster on: gas 200 (a|b 0.800). The intervals do not decide on: gas 1k (slow \
             1.02).",
            "| input | pairs | best of ours | its ms | a\\|b | slow |",
            "| gas 200 | 25,000 | sweep-grid | 1.00 | 0.800 (0.700 to 0.900) | 3.00 (2.50 to 3.50) |",
            "- **missed**: a|b over the fastest of ours, gas 200, means: 0.800",
            "- undecided: slow over the fastest of ours, gas 1k, means: 1.02",
            "- 3 goals: 1 met, 1 missed, 1 undecided.",
        ],
    );
}

#[test]
fn programs_of_one_name_are_refused_before_measuring() {
    let folder = tempfile::tempdir().unwrap();
    let [right, auto] = ["right", "auto"].map(|name| script(folder.path(), name, ""));
    let [right, auto] = [right, auto].map(|path| path.display().to_string());
    let out = folder.path().join("out");
    for (more, reason) in [
        (format!("--program '{right}' --program '{right}'"), "another is called `right`"),
        (format!("--program '{auto}'"), "another is called `auto`"),
    ] {
        assert_refused(speed(&out, &format!("--quick {more}")), Exit::Usage, reason);
        assert!(!out.exists(), "{more}");
    }
}
