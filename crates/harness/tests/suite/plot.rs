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
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        let mut rows = Vec::new();
        for input in ["scenes/random.scene", "scenes/fer.scene"] {
            for (n, ns) in [(50, 2_000), (500, 90_000), (5000, 4_000_000)] {
                for threads in [1, 2] {
                    let ns = ns / u64::from(threads);
                    rows.push(summary_row(input, n, "brute-force", threads, 3 * ns));
                    rows.push(summary_row(input, n, "bsp", threads, ns));
                }
            }
        }
        let none = ",".repeat(15);
        rows.push(format!(
            "run-1,scenes/fer.scene,9000,7,sap-matrix,1,4,2{none},skipped,\"too little, too late\""
        ));
        files.write("summary.csv", table(SUMMARY_HEADER, &rows));
        let frames = (0..4).map(|frame| {
            let phase = if frame == 0 { "warmup" } else { "measure" };
            // As a spreadsheet writes a checksum: no figure needs it, nor the tests.
            let others =
                if frame == 2 { ",5,1,64,0,1.23E+15" } else { "9,5,1,64,0,0123456789abcdef" };
            format!(
                "run-1,scenes/random.scene,50,7,bsp,1,0,{frame},{phase},500,1500,300,700,{others}"
            )
        });
        files.write("frames.csv", table(FRAMES_HEADER, &frames.collect::<Vec<_>>()));
        files
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    fn plot(&self, arguments: &str) -> assert_cmd::assert::Assert {
        harness(self.0.path(), &format!("plot {arguments}")).assert()
    }
}

fn table(header: &str, rows: &[String]) -> String {
    format!("{header}\r\n{}\r\n", rows.join("\r\n"))
}

#[test]
fn one_figure_is_written_under_the_given_names() {
    let files = Files::new();
    // One input only, so that there is one chart.
    let rows = files.read("summary.csv");
    let random: Vec<&str> = rows.lines().filter(|line| !line.contains("fer.scene")).collect();
    files.write("random.csv", random.join("\n"));
    files
        .plot("random.csv --out time.svg,time.png")
        .code(0)
        .stdout(contains("time.svg\n").and(contains("time.png\n")))
        .stderr(is_empty());
    let svg = files.read("time.svg");
    assert!(svg.contains("scenes/random.scene") && svg.contains("bsp, 2 threads"), "{svg}");
    assert!(fs::read(files.0.path().join("time.png")).unwrap().starts_with(b"\x89PNG"));
    // 500 + 1500 + 300 + 700 ns: a third of a million frames per second; the axis has no other mark.
    files.plot("frames.csv --figures fps --out f.svg --quiet").code(0).stdout(is_empty());
    assert!(files.read("f.svg").contains("300k"));
}

#[test]
fn all_figures_get_names_by_figure_and_input() {
    let files = Files::new();
    files.plot("summary.csv frames.csv --figures all --out f.svg").code(0).stderr(contains(
        "left out: sap-matrix on scenes/fer.scene, n = 9000: skipped: too little, too late",
    ));
    let mut made: Vec<String> = fs::read_dir(files.0.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".svg"))
        .collect();
    made.sort_unstable();
    let figures = ["fps", "shares", "speed-up", "threads", "time"];
    let of_both = |figure| ["fer", "random"].map(|input| format!("f-{figure}-{input}.svg"));
    // This summary states no mean: only the input whose frames are there has one.
    let mut expected: Vec<String> = figures.into_iter().flat_map(of_both).collect();
    expected.push("f-mean.svg".to_owned());
    expected.sort_unstable();
    assert_eq!(made, expected);
    assert!(files.read("f-shares-random.svg").contains("drawing"), "frames know of drawing");
    assert!(!files.read("f-shares-fer.svg").contains("drawing"));
}

#[test]
fn other_files_are_refused_by_name_and_line() {
    let files = Files::new();
    let row = summary_row("a", 5, "bsp", 1, 100);
    let rows = |rows: &[&str]| format!("{SUMMARY_HEADER}\n{}\n", rows.join("\n"));
    let unnamed = &SUMMARY_HEADER.replace(",fps,", ",hertz,");
    for (content, line, reason) in [
        (
            &format!("{SUMMARY_HEADER}\n"),
            2,
            "expected a row of measurements, found the end of the file",
        ),
        (unnamed, 1, "pairs_median_ns, fps, status) there is no fps"),
        (&rows(&[&row, &row.replace(",5,", ",many,")]), 3, "column 3, `n`: invalid digit"),
        (&rows(&[&row, &row]), 3, "is in bad.csv, line 2 already"),
    ] {
        files.write("bad.csv", content);
        let place = contains(format!("bad.csv, line {line}: "));
        files.plot("bad.csv --out f.svg").code(3).stderr(place.and(contains(reason)));
    }
    let nothing = "nothing to draw for `threads`: it takes the same case on 1 and on more";
    files.plot("frames.csv --figures threads --out f.svg").code(3).stderr(contains(nothing));
    assert!(!files.0.path().join("f.svg").exists());
}

#[test]
fn files_are_kept_without_force_and_names_give_the_format() {
    let files = Files::new();
    files.write("f.svg", "mine");
    for (arguments, code, reason) in [
        ("--out f.svg", 1, "f.svg exists already"),
        ("--out f.pdf", 2, ".svg"),
        ("--out none/f.svg", 1, "cannot write none/f.svg"),
    ] {
        files.plot(&format!("frames.csv {arguments}")).code(code).stderr(contains(reason));
        assert_eq!(files.read("f.svg"), "mine");
    }
    files.plot("frames.csv --out f.svg --force").code(0);
    // Two inputs of one name do not share a file.
    files.write("a.csv", files.read("summary.csv").replace("scenes/fer", "other/random"));
    files.plot("a.csv --out t.svg").code(0).stdout("t-random.svg\nt-random-2.svg\n");
    assert!(files.read("f.svg").starts_with("<svg"));
}
