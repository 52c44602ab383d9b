//! `harness run`: rows, tables and folders.

use super::{ALLOCATIONS, CHECKSUM, N, PHASE, STATUS, folder, harness, prints, refused, rows};
use measure::SummaryFile;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::fs;

#[test]
fn run_writes_a_row_for_every_frame_and_cell() {
    let folder = folder();
    let run =
        "run tiny.scene --objects 20,60 --frames 4 --warmup 2 --repeat 3 --threads 1,2 --out out";
    harness(folder.path(), run)
        .assert()
        .code(0)
        .stdout(contains("tiny.scene: n = 20, seed 7, 1 thread, 4 frames x 3"))
        .stdout(contains("tiny.scene: n = 60, seed 7, 2 threads, 4 frames x 3"))
        .stdout(contains("brute-force").and(contains("results in out")));

    // A folder that is refused holds nothing of the second run.
    let again = harness(folder.path(), "run tiny.scene --frames 1 --out out").assert().code(1);
    again.stderr(contains("exists already").and(contains("completes the run").not()));

    let algorithms = broadphase::registry::ALGORITHMS.families().count();
    let frames = rows(folder.path().join("out/frames.csv"));
    assert_eq!(frames.len(), 2 * 2 * algorithms * 3 * 6);
    let warmup = frames.iter().filter(|row| &row[PHASE] == "warmup").count();
    assert_eq!(warmup, 2 * 2 * algorithms * 3 * 2);

    let summary = rows(folder.path().join("out/summary.csv"));
    assert_eq!(summary.len(), 2 * 2 * algorithms);
    for row in &summary {
        assert_eq!(&row[STATUS], "ok", "{row:?}");
        // One trajectory for each n, whatever finds its pairs on however many threads.
        let same_n = summary.iter().filter(|other| other[N] == row[N]);
        assert!(same_n.clone().all(|other| other[CHECKSUM] == row[CHECKSUM]));
        assert!(row[ALLOCATIONS].parse::<f64>().is_ok(), "the binary counts: {row:?}");
    }
    let machine = fs::read_to_string(folder.path().join("out/machine.json")).unwrap();
    assert!(!machine.contains("a single repetition"), "{machine}");
}

#[test]
fn instruction_set_limit_is_applied_and_recorded() {
    let folder = folder();
    let short = "run tiny.scene --frames 2 --warmup 0 --repeat 1 --algorithms box-pruning";
    harness(folder.path(), &format!("{short} --simd scalar --out out --quiet")).assert().code(0);
    let text = fs::read_to_string(folder.path().join("out/machine.json")).unwrap();
    assert!(text.contains("\"simd\": \"scalar\""), "{text}");
    let other = "`simd` of the run to resume is \"scalar\"";
    refused(folder.path(), format!("{short} --out out --resume --quiet"), 1, other);
    let compare = "compare bsp auto tiny.scene --frames 2 --simd scalar --repeat 1 --json";
    prints(folder.path(), compare, "\"simd\": \"scalar\"");
}

#[test]
fn threads_beyond_the_processors_are_a_warning() {
    let folder = folder();
    let processors = std::thread::available_parallelism().unwrap().get();
    let reason = format!("{} threads share {processors} of the machine", processors + 1);
    let short = "--frames 2 --warmup 0 --repeat 1";
    let threads = format!("--threads 1,{}", processors + 1);
    let run = format!("run tiny.scene --algorithms bsp {short}");
    let stderr = |command: &str| {
        let assert = harness(folder.path(), command).assert().code(0);
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    assert!(!stderr(&format!("{run} --out one")).contains("threads share"));
    let warned = stderr(&format!("{run} {threads} --out out"));
    assert_eq!(warned.matches(&reason).count(), 1, "{warned}");
    assert!(stderr(&format!("compare bsp auto tiny.scene {short} {threads}")).contains(&reason));
    harness(folder.path(), "report out").assert().code(0);
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains(&reason));
}

#[test]
fn copied_input_and_folder_resume_and_a_changed_input_does_not() {
    let [folder, copy] = [folder(), folder()];
    harness(folder.path(), "record tiny.scene --frames 2 --out long.bpt").assert().code(0);
    let run = "run long.bpt tiny.scene --warmup 0 --frames 2 --repeat 2 --algorithms bsp --out r";
    harness(folder.path(), run).assert().code(0);
    fs::create_dir(copy.path().join("r")).unwrap();
    for name in ["long.bpt", "tiny.scene", "r/frames.csv", "r/summary.csv", "r/machine.json"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    let resume = format!("{run} --resume");
    harness(copy.path(), &resume).assert().code(0);
    // One box is absent, and the times are as they were.
    let path = copy.path().join("long.bpt");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[24 + 24 * 70 + 3] ^= 0x40;
    fs::write(&path, bytes).unwrap();
    fs::File::options().append(true).open(&path).unwrap().set_modified(modified).unwrap();
    let changed = "`settings.cases[long.bpt].content` of the run to resume is \"x";
    refused(copy.path(), &resume, 1, changed);
}

#[test]
fn run_without_out_makes_and_prints_a_folder() {
    let folder = folder();
    let run = "run tiny.scene --frames 1 --warmup 0 --repeat 1";
    let output = harness(folder.path(), run).assert().code(0).get_output().clone();
    let made: Vec<_> = fs::read_dir(folder.path().join("results")).unwrap().flatten().collect();
    assert_eq!(made.len(), 1);
    let name = made[0].file_name().to_string_lossy().into_owned();
    assert!(name.starts_with("run-20"), "{name}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(&name));
    let machine = fs::read(made[0].path().join("machine.json")).unwrap();
    let machine: serde_json::Value = serde_json::from_slice(&machine).unwrap();
    assert!(machine["warnings"].to_string().contains("a single repetition"), "{machine}");
    // Either there are figures of the counters, or machine.json says why not.
    let counters = machine["hardware_counters"].as_str().unwrap();
    let rows = SummaryFile::read(&made[0].path()).unwrap().rows;
    assert_eq!(rows[0].instructions.is_none(), counters.starts_with("none: "), "{counters}");
}

#[test]
fn json_replaces_the_table_and_quiet_prints_nothing() {
    let folder = folder();
    let short = "run tiny.scene --frames 1 --warmup 0 --repeat 1 --algorithms bsp,kd-tree";
    let json = harness(folder.path(), &format!("{short} --json --out a")).assert().code(0);
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    let cells = json.as_array().unwrap().iter().map(|row| (&row["algorithm"], &row["status"]));
    assert!(cells.eq([(&"bsp".into(), &"ok".into()), (&"kd-tree".into(), &"ok".into())]), "{json}");
    let quiet = harness(folder.path(), &format!("{short} --quiet --out b")).assert().code(0);
    quiet.stdout(is_empty()).stderr(is_empty());
    assert_eq!(rows(folder.path().join("b/summary.csv")).len(), 2);
}

#[test]
fn cell_over_its_budget_is_skipped_with_the_reason() {
    let folder = folder();
    harness(folder.path(), "run tiny.scene --frames 2 --repeat 1 --budget 1e-9 --out out")
        .assert()
        .code(1)
        .stdout(contains("skipped: over the time budget"))
        .stderr(contains("nothing was measured: every row is skipped"));
    let summary = rows(folder.path().join("out/summary.csv"));
    assert!(summary.iter().all(|row| &row[STATUS] == "skipped"));
    assert!(rows(folder.path().join("out/frames.csv")).is_empty());
}

#[test]
fn events_are_optional_columns() {
    let folder = folder();
    let run = "run tiny.scene --frames 4 --warmup 1 --repeat 2 --algorithms bsp,brute-force";
    for (options, out, is_there) in [("", "plain", false), ("--events", "asked", true)] {
        harness(folder.path(), &format!("{run} {options} --out {out}")).assert().code(0);
        let rows = SummaryFile::read(&folder.path().join(out)).unwrap().rows;
        assert!(rows.iter().all(|row| row.events_median_ns.is_some() == is_there), "{rows:?}");
    }
}
