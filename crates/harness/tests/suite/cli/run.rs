//! `harness run`: rows, tables and folders.

use super::{ALGORITHM, ALLOCATIONS, CHECKSUM, N, PHASE, STATUS, THREADS, folder, harness, rows};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::fs;

#[test]
fn run_writes_a_row_for_every_frame_and_cell() {
    let folder = folder();
    harness(
        folder.path(),
        "run tiny.scene --objects 20,60 --frames 4 --warmup 2 --repeat 3 --threads 1,2 --out out",
    )
    .assert()
    .code(0)
    .stdout(contains("tiny.scene: n = 20, seed 7, 1 thread, 4 frames x 3"))
    .stdout(contains("tiny.scene: n = 60, seed 7, 2 threads, 4 frames x 3"))
    .stdout(contains("brute-force"))
    .stdout(contains("results in out"));

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
    let cells: std::collections::BTreeSet<_> = summary
        .iter()
        .map(|row| [N, ALGORITHM, THREADS].map(|column| row[column].to_owned()))
        .collect();
    assert_eq!(cells.len(), summary.len());
    assert!(folder.path().join("out/machine.json").is_file());
}

#[test]
fn instruction_set_limit_is_applied_and_recorded() {
    let folder = folder();
    let short =
        "run tiny.scene --frames 2 --warmup 0 --repeat 1 --algorithms box-pruning,sweep-grid";
    harness(folder.path(), &format!("{short} --simd scalar --out out --quiet")).assert().code(0);
    let text = fs::read_to_string(folder.path().join("out/machine.json")).unwrap();
    let machine: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(machine["simd"], "scalar");
    harness(folder.path(), &format!("{short} --out out --resume --quiet"))
        .assert()
        .code(1)
        .stderr(contains("`simd` of the run to resume is \"scalar\""));
    let limited = "tiny.scene --frames 2 --simd scalar";
    harness(folder.path(), &format!("verify {limited}")).assert().code(0);
    harness(
        folder.path(),
        &format!("compare box-pruning sweep-grid {limited} --repeat 1 --warmup 0 --json"),
    )
    .assert()
    .code(0)
    .stdout(contains("\"simd\": \"scalar\""));
}

#[test]
fn threads_beyond_the_processors_are_a_warning() {
    let folder = folder();
    let processors = std::thread::available_parallelism().unwrap().get();
    let reason = format!("{} threads share {processors} of the machine", processors + 1);
    let options = "--frames 2 --warmup 0 --repeat 1";
    for (number, (command, out)) in [
        (format!("run tiny.scene --algorithms bsp {options}"), true),
        (format!("run --boxes gas:50 --worlds 2 {options}"), true),
        (format!("bodies --pairs cube,rod:5 --narrow sat {options}"), true),
        ("atlas --cells 1 --objects-up-to 250 --champions auto,bsp --repeat 1".to_owned(), true),
        (format!("compare bsp auto tiny.scene {options}"), false),
    ]
    .into_iter()
    .enumerate()
    {
        for threads in [1, processors + 1] {
            let result = format!("{number}-{threads}");
            let out = if out { format!("--out {result}") } else { String::new() };
            let command = format!("{command} --threads 1,{threads} {out}");
            let output = harness(folder.path(), &command).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let mut errors = String::from_utf8(output.stderr).unwrap();
            // A study shows warnings on its page.
            for file in ["atlas.md", "machine.json", "atlas/cells/machine.json"] {
                errors +=
                    &fs::read_to_string(folder.path().join(&result).join(file)).unwrap_or_default();
            }
            let expected =
                if threads == 1 { 0 } else { errors.matches("threads share").count().max(1) };
            assert_eq!(errors.matches(&reason).count(), expected, "{command}: {errors}");
        }
    }
    harness(folder.path(), &format!("report 0-{}", processors + 1)).assert().code(0);
    let page = fs::read_to_string(folder.path().join(format!("0-{}/report.html", processors + 1)));
    assert!(page.unwrap().contains(&reason));
}

#[test]
fn copied_input_and_folder_resume_and_a_changed_input_does_not() {
    let [folder, copy] = [folder(), folder()];
    // A trace of 72 MB, of which most is sparse: all boxes are points at the origin.
    let mut header = b"BPTRACE1".to_vec();
    for word in [3, 1_000_000, (1.0_f32 / 60.0).to_bits(), 0] {
        header.extend(word.to_le_bytes());
    }
    let trace = folder.path().join("long.bpt");
    fs::write(&trace, header).unwrap();
    let file = fs::File::options().write(true).open(&trace).unwrap();
    file.set_len(24 + 3 * 24 * 1_000_000).unwrap();
    let run =
        "run long.bpt tiny.scene --warmup 0 --frames 2 --repeat 2 --algorithms bsp,auto --out r";
    harness(folder.path(), run).assert().code(0);
    fs::create_dir(copy.path().join("r")).unwrap();
    for name in ["long.bpt", "tiny.scene", "r/frames.csv", "r/summary.csv", "r/machine.json"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    let resume = format!("{run} --resume");
    harness(copy.path(), &resume).assert().code(0);
    let touched = fs::File::options().append(true).open(copy.path().join("long.bpt")).unwrap();
    touched.set_modified(std::time::UNIX_EPOCH).unwrap();
    harness(copy.path(), &resume).assert().code(0);
    // One box in the middle is absent, and the times are as they were.
    let mut bytes = fs::read(&trace).unwrap();
    bytes[24 + 24 * 1_234_567 + 3] = 0x40;
    fs::write(copy.path().join("long.bpt"), bytes).unwrap();
    touched.set_modified(std::time::UNIX_EPOCH).unwrap();
    harness(copy.path(), &resume)
        .assert()
        .code(1)
        .stderr(contains("`settings.cases[long.bpt].content` of the run to resume is \"x"));
}

#[test]
fn run_without_out_makes_and_prints_a_folder() {
    let folder = folder();
    let output = harness(folder.path(), "run tiny.scene --frames 1 --warmup 0 --repeat 1")
        .assert()
        .code(0)
        .get_output()
        .clone();
    let made: Vec<_> = fs::read_dir(folder.path().join("results")).unwrap().flatten().collect();
    assert_eq!(made.len(), 1);
    let name = made[0].file_name().to_string_lossy().into_owned();
    assert!(name.starts_with("run-20"), "{name}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(&name));
    assert!(made[0].path().join("summary.csv").is_file());
}

#[test]
fn json_replaces_the_table_and_quiet_prints_nothing() {
    let folder = folder();
    let short = "run tiny.scene --frames 1 --warmup 0 --repeat 1 --algorithms bsp,kd-tree";
    let output = harness(folder.path(), &format!("{short} --json --out a"))
        .assert()
        .code(0)
        .get_output()
        .clone();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 2);
    assert_eq!(json[0]["algorithm"], "bsp");
    assert_eq!(json[1]["status"], "ok");
    assert!(json[0]["reason"].is_null());

    harness(folder.path(), &format!("{short} --quiet --out b"))
        .assert()
        .code(0)
        .stdout(is_empty())
        .stderr(is_empty());
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
    let path = folder.path();
    let run = "run tiny.scene --frames 4 --warmup 1 --repeat 2 --algorithms bsp,brute-force";
    harness(path, &format!("{run} --out plain")).assert().code(0).stdout(contains("events").not());
    let shown = contains("events ms").and(contains("began")).and(contains("ended"));
    harness(path, &format!("{run} --events --out asked")).assert().code(0).stdout(shown);
    let mut columns = std::collections::HashMap::new();
    for out in ["plain", "asked"] {
        let file = path.join(out).join("frames.csv");
        let header = csv::Reader::from_path(&file).unwrap().headers().unwrap().clone();
        let place = |name: &str| header.iter().position(|column| column == name).unwrap();
        let places = ["events_ns", "began", "ended", "pairs"].map(place);
        let cells = |row: &csv::StringRecord| places.map(|place| row[place].to_owned());
        columns.insert(out, rows(file).iter().map(cells).collect::<Vec<_>>());
    }
    assert!(
        columns["plain"].iter().all(|[ns, began, ended, _]| [ns, began, ended] == ["", "", ""])
    );
    let number = |text: &String| text.parse::<u64>().unwrap();
    for repetition in columns["asked"].chunks_exact(5) {
        let mut pairs = 0;
        for [ns, began, ended, found] in repetition {
            assert!(number(ns) > 0);
            pairs = pairs + number(began) - number(ended);
            assert_eq!(pairs, number(found));
        }
    }
    // What a run was asked for belongs to it.
    harness(path, &format!("{run} --out asked --resume"))
        .assert()
        .code(1)
        .stderr(contains("events"));
    harness(path, &format!("{run} --events --out asked --resume")).assert().code(0);
    // Files of before have no such columns.
    let old = path.join("old.csv");
    let text = fs::read_to_string(path.join("plain/summary.csv")).unwrap();
    let cut = |line: &str| line.rsplitn(4, ',').last().unwrap().to_owned() + "\r\n";
    fs::write(&old, text.lines().map(cut).collect::<String>()).unwrap();
    for (name, csv) in [("a", "old.csv"), ("b", "asked/summary.csv"), ("c", "asked/frames.csv")] {
        harness(path, &format!("plot {csv} --out {name}.svg")).assert().code(0);
    }
    harness(path, "compare old.csv asked/summary.csv").assert().code(0);
}

#[test]
fn our_columns_follow_those_of_the_contract() {
    let folder = folder();
    harness(folder.path(), "run tiny.scene --frames 3 --repeat 2 --algorithms bsp --out out")
        .assert()
        .code(0);
    let mut summary = csv::Reader::from_path(folder.path().join("out/summary.csv")).unwrap();
    assert_eq!(summary.headers().unwrap().iter().nth(24), Some("reason"));
    let row: std::collections::HashMap<String, String> =
        summary.deserialize().next().unwrap().unwrap();
    let figure = |name: &str| row[name].parse::<f64>().unwrap();
    assert!(figure("nodes") > 1.0 && figure("response_median_ns") > 0.0);
    assert_eq!(figure("allocated_bytes"), 0.0, "a steady frame allocates nothing");
    assert!(figure("peak_heap_bytes") >= figure("heap_bytes"), "{row:?}");
    let text = fs::read_to_string(folder.path().join("out/machine.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let counters = json["hardware_counters"].as_str().unwrap();
    // Either there are figures, or machine.json says why not.
    assert_eq!(row["instructions"].is_empty(), counters.starts_with("none: "), "{counters}");
    assert_eq!(json["settings"]["repeat"], 2);
    assert!(json["finished"].is_string());
}
