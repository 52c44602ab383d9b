//! `harness plot`: from CSV files to figures, and the refusal of other files.

use crate::commands::{Folder, assert_has};
use std::fs;

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
fn files() -> Folder {
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
    let frames = (0..4).map(|frame| {
        let phase = if frame == 0 { "warmup" } else { "measure" };
        // As a spreadsheet writes a checksum: no figure needs it, nor the tests.
        let others = if frame == 2 { ",5,1,64,0,1.23E+15" } else { "9,5,1,64,0,0123456789abcdef" };
        format!("run-1,scenes/random.scene,50,7,bsp,1,0,{frame},{phase},500,1500,300,700,{others}")
    });
    let files = Folder::new();
    for (name, header, rows) in
        [("summary.csv", SUMMARY_HEADER, rows), ("frames.csv", FRAMES_HEADER, frames.collect())]
    {
        files.write(name, format!("{header}\r\n{}\r\n", rows.join("\r\n")));
    }
    files
}

#[test]
fn figures_get_the_given_name_or_names_by_figure_and_input() {
    let files = files();
    // One input only, so that there is one chart.
    let rows = files.read("summary.csv");
    let random: Vec<&str> = rows.lines().filter(|line| !line.contains("fer.scene")).collect();
    files.write("random.csv", random.join("\n"));
    let said = files.ends(0, "plot random.csv --out time.svg,time.png");
    assert_eq!(said, ["time.svg\ntime.png\n", ""]);
    assert_has(&files.read("time.svg"), &["scenes/random.scene", "bsp, 2 threads"]);
    assert!(fs::read(files.at("time.png")).unwrap().starts_with(b"\x89PNG"));
    // 500 + 1500 + 300 + 700 ns: a third of a million frames per second; the axis has no other mark.
    assert_eq!(files.runs("plot frames.csv --figures fps --out f.svg --quiet"), "");
    assert_has(&files.read("f.svg"), &["300k"]);

    let all = "plot summary.csv frames.csv --figures all --out f.svg --force";
    let [printed, reported] = files.ends(0, all);
    let left_out =
        "left out: sap-matrix on scenes/fer.scene, n = 9000: skipped: too little, too late";
    assert_has(&reported, &[left_out]);
    let mut made: Vec<&str> = printed.lines().collect();
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
    let files = files();
    let row = summary_row("a", 5, "bsp", 1, 100);
    let many = row.replace(",5,", ",many,");
    let rows = |rows: &[&str]| format!("{SUMMARY_HEADER}\n{}\n", rows.join("\n"));
    for (content, reason) in [
        (
            SUMMARY_HEADER.to_owned() + "\n",
            "line 2: expected a row of measurements, found the end of the file",
        ),
        (SUMMARY_HEADER.replace(",fps,", ",hertz,"), "line 1: "),
        (
            SUMMARY_HEADER.replace(",fps,", ",hertz,"),
            "pairs_median_ns, fps, status) there is no fps",
        ),
        (rows(&[&row, &many]), "line 3: column 3, `n`: invalid digit"),
        // A line feed within a field, and lines as spreadsheets end them.
        (rows(&[&summary_row("\"a\nb\"", 5, "bsp", 1, 100), &many]), "line 4: column 3, `n`: "),
        (rows(&[&row, &many]).replace('\n', "\r\n"), "line 3: column 3, `n`: invalid digit"),
        (rows(&["a"]), "line 2: expected 25 columns, found 1"),
        (rows(&[&row, &row]), "is in bad.csv, line 2 already"),
    ] {
        files.write("bad.csv", content);
        files.refuses(3, "plot bad.csv --out f.svg", reason);
    }
    let nothing = "nothing to draw for `threads`: it takes the same case on 1 and on more";
    files.refuses(3, "plot frames.csv --figures threads --out f.svg", nothing);
    assert!(!files.has("f.svg"));
}

#[test]
fn files_are_kept_without_force_and_names_give_the_format() {
    let files = files();
    files.write("f.svg", "mine");
    for (out, code, reason) in [
        ("f.svg", 1, "f.svg exists already"),
        ("f.pdf", 2, "the name ends in .svg or .png"),
        ("none/f.svg", 1, "cannot write none/f.svg"),
    ] {
        files.refuses(code, format!("plot frames.csv --out {out}"), reason);
        assert_eq!(files.read("f.svg"), "mine");
    }
    files.runs("plot frames.csv --out f.svg --force");
    // Two inputs of one name do not share a file.
    files.write("a.csv", files.read("summary.csv").replace("scenes/fer", "other/random"));
    assert_eq!(files.runs("plot a.csv --out t.svg"), "t-random.svg\nt-random-2.svg\n");
    assert!(files.read("f.svg").starts_with("<svg"));
}
