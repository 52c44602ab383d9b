//! `harness run`: rows, tables and folders; parameters and many worlds.

use crate::commands::{Folder, Row, assert_has};
use measure::{SummaryFile, SummaryRow};
use std::fs;

#[test]
fn run_writes_a_row_for_every_frame_and_cell() {
    let folder = Folder::tiny();
    let run =
        "run tiny.scene --objects 20,60 --frames 4 --warmup 2 --repeat 3 --threads 1,2 --out out";
    let headings = [
        "tiny.scene: n = 20, seed 7, 1 thread, 4 frames x 3",
        "tiny.scene: n = 60, seed 7, 2 threads, 4 frames x 3",
    ];
    folder.prints(run, &[headings[0], headings[1], "brute-force", "results in out"]);

    // A folder that is refused holds nothing of the second run.
    let [_, reported] = folder.ends(1, "run tiny.scene --frames 1 --out out");
    assert!(reported.contains("exists already") && !reported.contains("completes the run"));

    let cells = 2 * 2 * broadphase::registry::ALGORITHMS.families().count();
    let frames = folder.rows("out/frames.csv");
    assert_eq!(frames.len(), cells * 3 * 6);
    let warmup = frames.iter().filter(|row| row["phase"] == "warmup").count();
    assert_eq!(warmup, cells * 3 * 2);

    let summary = folder.rows("out/summary.csv");
    assert_eq!(summary.len(), cells);
    for row in &summary {
        assert_eq!(row["status"], "ok", "{row:?}");
        // One trajectory for each n, whatever finds its pairs on however many threads.
        let same_n = summary.iter().filter(|other| other["n"] == row["n"]);
        assert!(same_n.clone().all(|other| other["checksum"] == row["checksum"]));
        assert!(row["allocations"].parse::<f64>().is_ok(), "the binary counts: {row:?}");
    }
    let machine = folder.read("out/machine.json");
    assert!(!machine.contains("a single repetition"), "{machine}");
}

#[test]
fn instruction_set_limit_is_applied_and_recorded() {
    let folder = Folder::tiny();
    let short =
        "run tiny.scene --frames 2 --warmup 0 --repeat 1 --algorithms box-pruning --out out";
    folder.runs(format!("{short} --simd scalar --quiet"));
    assert_has(&folder.read("out/machine.json"), &["\"simd\": \"scalar\""]);
    let other = "`simd` of the run to resume is \"scalar\"";
    folder.refuses(1, format!("{short} --resume --quiet"), other);
    let compare = "compare bsp auto tiny.scene --frames 2 --simd scalar --repeat 1 --json";
    folder.prints(compare, &["\"simd\": \"scalar\""]);
}

#[test]
fn threads_beyond_the_processors_are_a_warning() {
    let folder = Folder::tiny();
    let processors = std::thread::available_parallelism().unwrap().get();
    let reason = format!("{} threads share {processors} of the machine", processors + 1);
    let short = "--frames 2 --warmup 0 --repeat 1";
    let threads = format!("--threads 1,{}", processors + 1);
    let run = format!("run tiny.scene --algorithms bsp {short}");
    let reported = |command: String| folder.ends(0, command)[1].clone();
    assert!(!reported(format!("{run} --out one")).contains("threads share"));
    let warned = reported(format!("{run} {threads} --out out"));
    assert_eq!(warned.matches(&reason).count(), 1, "{warned}");
    assert_has(&reported(format!("compare bsp auto tiny.scene {short} {threads}")), &[&reason]);
    folder.runs("report out");
    assert_has(&folder.read("out/report.html"), &[&reason]);
}

#[test]
fn copied_input_and_folder_resume_and_a_changed_input_does_not() {
    let [folder, copy] = [Folder::tiny(), Folder::tiny()];
    folder.runs("record tiny.scene --frames 2 --out long.bpt");
    let run = "run long.bpt tiny.scene --warmup 0 --frames 2 --repeat 2 --algorithms bsp --out r";
    folder.runs(run);
    for name in ["long.bpt", "r/frames.csv", "r/summary.csv", "r/machine.json"] {
        copy.write(name, fs::read(folder.at(name)).unwrap());
    }
    let resume = format!("{run} --resume");
    copy.runs(&resume);
    // One box is absent, and the times are as they were.
    let path = copy.at("long.bpt");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[24 + 24 * 70 + 3] ^= 0x40;
    copy.write("long.bpt", bytes);
    fs::File::options().append(true).open(&path).unwrap().set_modified(modified).unwrap();
    let changed = "`settings.cases[long.bpt].content` of the run to resume is \"x";
    copy.refuses(1, &resume, changed);
}

#[test]
fn run_without_out_makes_and_prints_a_folder() {
    let folder = Folder::tiny();
    let printed = folder.runs("run tiny.scene --frames 1 --warmup 0 --repeat 1");
    let made: Vec<_> = fs::read_dir(folder.at("results")).unwrap().flatten().collect();
    assert_eq!(made.len(), 1);
    let name = made[0].file_name().to_string_lossy().into_owned();
    assert!(name.starts_with("run-20") && printed.contains(&name), "{name}: {printed}");
    let machine = folder.read(&format!("results/{name}/machine.json"));
    let machine: serde_json::Value = serde_json::from_str(&machine).unwrap();
    assert!(machine["warnings"].to_string().contains("a single repetition"), "{machine}");
    // Either there are figures of the counters, or machine.json says why not.
    let counters = machine["hardware_counters"].as_str().unwrap();
    let rows = SummaryFile::read(&made[0].path()).unwrap().rows;
    assert_eq!(rows[0].instructions.is_none(), counters.starts_with("none: "), "{counters}");
}

#[test]
fn options_change_what_is_printed_and_measured() {
    let folder = Folder::tiny();
    let short = "run tiny.scene --frames 3 --warmup 0 --repeat 1 --algorithms bsp,kd-tree";
    let json = folder.runs(format!("{short} --json --out a"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let cells = json.as_array().unwrap().iter().map(|row| (&row["algorithm"], &row["status"]));
    assert!(cells.eq([(&"bsp".into(), &"ok".into()), (&"kd-tree".into(), &"ok".into())]), "{json}");
    assert_eq!(folder.ends(0, format!("{short} --events --quiet --out b")), ["", ""]);
    for (out, has_events) in [("a", false), ("b", true)] {
        let rows = SummaryFile::read(&folder.at(out)).unwrap().rows;
        let is_right = rows.iter().all(|row| row.events_median_ns.is_some() == has_events);
        assert!(is_right && rows.len() == 2, "{rows:?}");
    }
    let [printed, reported] = folder.ends(1, format!("{short} --budget 1e-9 --out c"));
    assert_has(&printed, &["skipped: over the time budget"]);
    assert_has(&reported, &["nothing was measured: every row is skipped"]);
    let is_skipped = |row: &Row| row["status"] == "skipped";
    assert!(folder.rows("c/summary.csv").iter().all(is_skipped));
    assert!(folder.rows("c/frames.csv").is_empty());
}

#[test]
fn run_measures_one_entry_for_each_value_beside_the_default() {
    let folder = Folder::tiny();
    let run = "run tiny.scene --frames 3 --warmup 1 --repeat 1 --algorithms bsp,kd-tree@depth=2@period=.5 \
               --set bsp.depth=3,5 --set grid-hashed.cell-side=2.50 --out out --quiet";
    folder.runs(run);
    let summary = folder.rows("out/summary.csv");
    let ids: Vec<&str> = summary.iter().map(|row| &*row["algorithm"]).collect();
    let set =
        ["kd-tree@depth=2@period=0.5", "bsp@depth=3", "bsp@depth=5", "grid-hashed@cell-side=2.5"];
    assert_eq!(ids, [&["bsp"], &set[..]].concat());
    let is_right = |row: &Row| row["status"] == "ok" && row["checksum"] == summary[0]["checksum"];
    assert!(summary.iter().all(is_right), "{summary:?}");

    // The same entries in other words are the same run.
    let again = run.replace("@depth=2@period=.5", "@period=0.5@depth=2").replace("3,5", "3,5.0");
    folder.runs(format!("{again} --resume"));
    assert_eq!(folder.rows("out/summary.csv"), summary);
    let other = again.replace("bsp.depth=3", "bsp.depth=4");
    folder.refuses(1, format!("{other} --resume"), "resume");

    for (command, text) in [
        (
            "verify tiny.scene --frames 3 --algorithms bsp@depth=9 --set bsp.depth=1",
            "2 algorithms against brute-force",
        ),
        ("compare bsp bsp@depth=2 tiny.scene --frames 3 --repeat 1 --json", "bsp@depth=2"),
        ("record tiny.scene --algorithm kd-tree@depth=2 --frames 3 --out a.bpt", "3 frames"),
    ] {
        folder.prints(command, &[text]);
    }
}

#[test]
fn worlds_have_a_verified_row_for_each_method() {
    let folder = Folder::new();
    let run = "run --boxes gas:20,statics:50,atlas:1:20 --worlds 1,40 --frames 3 --warmup 1 --repeat 2 --threads 1,2";
    folder.prints(format!("{run} --out out"), &["gas --worlds 40: n = 800"]);
    let rows = SummaryFile::read(&folder.at("out")).unwrap().rows;
    assert_eq!(rows.len(), 3 * 2 * 2 * 3);
    for row in &rows {
        assert!(row.pairs > Some(0.0) || row.input.ends_with(" 1"), "{row:?}");
        assert!(row.tests.or(row.nodes).or(row.rebuilds).is_none(), "not counted: {row:?}");
        let is_same =
            |other: &&SummaryRow| (&other.input, other.checksum) == (&row.input, row.checksum);
        assert_eq!(rows.iter().filter(is_same).count(), 6);
    }
    let machine = folder.read("out/machine.json");
    assert!(!machine.contains("brute force has not"), "all pairs are proven: {machine}");
}
