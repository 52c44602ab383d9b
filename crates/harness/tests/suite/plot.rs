//! `harness plot`: from CSV files to figures, and the refusal of other files.

use crate::commands::harness;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::fs;
use tempfile::TempDir;

const SUMMARY_HEADER: &str = "run_id,input,n,seed,algorithm,threads,frames,repeats,median_ns,p95_ns,\
    min_ns,ci_low_ns,ci_high_ns,update_median_ns,pairs_median_ns,tests,pairs,hits,heap_bytes,\
    allocations,fps,collision_share,checksum,status,reason";
const FRAMES_HEADER: &str = "run_id,input,n,seed,algorithm,threads,repeat,frame,phase,update_ns,\
    pairs_ns,response_ns,render_ns,tests,pairs,hits,heap_bytes,allocations,checksum";

/// A row of `summary.csv`.
fn summary_row(input: &str, n: u32, algorithm: &str, threads: u32, ns: u64) -> String {
    let (low, high, update, fps) = (ns - ns / 10, ns + ns / 10, ns / 4, 1e9 / ns as f64);
    format!(
        "run-1,{input},{n},7,{algorithm},{threads},4,2,{ns},{high},{low},{low},{high},{update},{},\
         9.0,5.0,1.0,64,0.0,{fps},0.5,0123456789abcdef,ok,",
        ns - update
    )
}

/// A folder with a `summary.csv` of two algorithms on two scenes, two threads and a skipped row, and
/// the `frames.csv` of one cell of the same run.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = vec![SUMMARY_HEADER.to_owned()];
    for input in ["scenes/random.scene", "scenes/fer.scene"] {
        for (n, ns) in [(50, 2_000), (500, 90_000), (5000, 4_000_000)] {
            for threads in [1, 2] {
                let ns = ns / u64::from(threads);
                lines.push(summary_row(input, n, "brute-force", threads, 3 * ns));
                lines.push(summary_row(input, n, "bsp", threads, ns));
            }
        }
    }
    lines.push(format!(
        "run-1,scenes/fer.scene,9000,7,sap-matrix,1,4,2{},skipped,\"too little, too late\"",
        ",".repeat(15)
    ));
    fs::write(folder.path().join("summary.csv"), lines.join("\r\n") + "\r\n").unwrap();
    let frames: Vec<String> = (0..4)
        .map(|frame| {
            let phase = if frame == 0 { "warmup" } else { "measure" };
            format!("run-1,scenes/random.scene,50,7,bsp,1,0,{frame},{phase},500,1500,300,700,9,5,1,64,0,0123456789abcdef")
        })
        .collect();
    let frames = format!("{FRAMES_HEADER}\r\n{}\r\n", frames.join("\r\n"));
    fs::write(folder.path().join("frames.csv"), frames).unwrap();
    folder
}

fn text(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn one_figure_is_written_under_the_given_names() {
    let folder = folder();
    // One input only, so that there is one chart.
    let random: String = text(&folder, "summary.csv")
        .lines()
        .filter(|line| !line.contains("fer.scene"))
        .map(|line| format!("{line}\r\n"))
        .collect();
    fs::write(folder.path().join("random.csv"), random).unwrap();
    harness(folder.path(), "plot random.csv --out time.svg,time.png")
        .assert()
        .code(0)
        .stdout(contains("time.svg\n").and(contains("time.png\n")))
        .stderr(is_empty());
    let svg = text(&folder, "time.svg");
    for word in
        ["scenes/random.scene", "objects", "update + pairs per frame [ms]", "bsp, 2 threads"]
    {
        assert!(svg.contains(word), "{word}");
    }
    assert!(fs::read(folder.path().join("time.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn all_figures_get_names_by_figure_and_input() {
    let folder = folder();
    harness(folder.path(), "plot summary.csv frames.csv --figures all --out f.svg")
        .assert()
        .code(0)
        .stderr(contains(
            "left out: sap-matrix on scenes/fer.scene, n = 9000: skipped: too little, too late",
        ));
    let mut made: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".svg"))
        .collect();
    made.sort_unstable();
    let figures = ["fps", "shares", "speed-up", "threads", "time"];
    let mut expected: Vec<String> = figures
        .iter()
        .flat_map(|figure| ["fer", "random"].map(|input| format!("f-{figure}-{input}.svg")))
        .collect();
    // This summary states no mean: only the input whose frames are there has one.
    expected.push("f-mean.svg".to_owned());
    expected.sort_unstable();
    assert_eq!(made, expected);
    assert!(text(&folder, "f-shares-random.svg").contains("drawing"), "frames know of drawing");
    assert!(!text(&folder, "f-shares-fer.svg").contains("drawing"));
}

#[test]
fn frames_alone_make_figures_too() {
    let folder = folder();
    harness(folder.path(), "plot frames.csv --figures fps --out f.svg --quiet")
        .assert()
        .code(0)
        .stdout(is_empty());
    // 500 + 1500 + 300 + 700 ns: a third of a million frames per second; the axis has no other mark.
    assert!(text(&folder, "f.svg").contains("300k"));
}

#[test]
fn the_share_of_moving_objects_is_an_axis() {
    let folder = folder();
    let rows: Vec<String> =
        [("gas", 8_000), ("gas --moving 0.1", 2_000), ("gas --moving 0.5", 5_000)]
            .map(|(input, ns)| summary_row(input, 1000, "bsp", 1, ns))
            .to_vec();
    let csv = format!("{SUMMARY_HEADER}\n{}\n", rows.join("\n"));
    fs::write(folder.path().join("moving.csv"), csv).unwrap();
    harness(folder.path(), "plot moving.csv --figures moving --out m.svg").assert().code(0);
    let svg = text(&folder, "m.svg");
    assert!(svg.contains("objects that move") && svg.contains("gas, 1000 objects"));
}

#[test]
fn a_figure_without_data_is_refused_with_what_it_takes() {
    let folder = folder();
    harness(folder.path(), "plot frames.csv --figures threads --out f.svg")
        .assert()
        .code(3)
        .stderr(contains("nothing to draw for `threads`: it takes the same case on 1 and on more"));
    assert!(!folder.path().join("f.svg").exists());
}

#[test]
fn other_files_are_refused_by_name_and_line() {
    let folder = folder();
    let row = summary_row("a", 5, "bsp", 1, 100);
    for (content, line, reason) in [
        ("", 1, "expected the header of summary.csv or frames.csv, found nothing"),
        (
            &format!("{SUMMARY_HEADER}\n"),
            2,
            "expected a row of measurements, found the end of the file",
        ),
        ("a,b\n1,2\n", 1, "expected the columns of summary.csv or frames.csv"),
        (
            &SUMMARY_HEADER.replace(",fps,", ",hertz,"),
            1,
            "of summary.csv (run_id, input, n, algorithm, threads, median_ns, update_median_ns, \
             pairs_median_ns, fps, status) there is no fps",
        ),
        (
            &format!("{SUMMARY_HEADER}\n{row}\n{}\n", row.replace(",5,", ",many,")),
            3,
            "column 3, `n`: invalid digit",
        ),
        (&format!("{SUMMARY_HEADER}\n{row}\nrun-1,a\n"), 3, "expected 25 columns, found 2"),
        (&format!("{SUMMARY_HEADER}\n{row}\n{row}\n"), 3, "is in bad.csv, line 2 already"),
        (
            &format!("{SUMMARY_HEADER}\n{}\n", row.replace(",ok,", ",fine,")),
            2,
            "unknown variant `fine`, expected one of `ok`",
        ),
    ] {
        fs::write(folder.path().join("bad.csv"), content).unwrap();
        harness(folder.path(), "plot bad.csv --out f.svg")
            .assert()
            .code(3)
            .stderr(contains(format!("bad.csv, line {line}: ")).and(contains(reason)));
        assert!(!folder.path().join("f.svg").exists());
    }
    fs::write(folder.path().join("bad.csv"), b"\xff\xfe\x00").unwrap();
    harness(folder.path(), "plot bad.csv --out f.svg").assert().code(3).stderr(contains("bad.csv"));
    harness(folder.path(), "plot none.csv --out f.svg")
        .assert()
        .code(3)
        .stderr(contains("cannot read none.csv"));
    harness(folder.path(), "plot . --out f.svg").assert().code(3).stderr(contains("cannot read ."));
}

#[test]
fn the_same_cell_of_two_runs_is_refused() {
    let folder = folder();
    let other = text(&folder, "summary.csv").replace("run-1", "run-2");
    fs::write(folder.path().join("other.csv"), other).unwrap();
    harness(folder.path(), "plot summary.csv other.csv --out f.svg")
        .assert()
        .code(3)
        .stderr(contains("other.csv, line 2: ").and(contains("is in summary.csv, line 2 already")));
}

#[test]
fn files_are_kept_without_force_and_names_give_the_format() {
    let folder = folder();
    fs::write(folder.path().join("f.svg"), "mine").unwrap();
    harness(folder.path(), "plot frames.csv --out f.svg")
        .assert()
        .code(1)
        .stderr(contains("f.svg exists already").and(contains("--force")));
    assert_eq!(text(&folder, "f.svg"), "mine");
    harness(folder.path(), "plot frames.csv --out f.svg --force").assert().code(0);
    assert!(text(&folder, "f.svg").starts_with("<svg"));
    harness(folder.path(), "plot frames.csv --out f.pdf").assert().code(2).stderr(contains(".svg"));
    harness(folder.path(), "plot frames.csv --out none/f.svg")
        .assert()
        .code(1)
        .stderr(contains("cannot write none/f.svg"));
    harness(folder.path(), "plot frames.csv --figures pie --out f.svg").assert().code(2);
}
