//! The command line: what it prints, what it writes, and with which code it ends.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;

/// A folder with a scene of 60 crowded spheres, `tiny.scene`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 60\n#!radius 0.1\n#!speed 2\n#!seed 7\n";
    fs::write(folder.path().join("tiny.scene"), text).unwrap();
    folder
}

/// The binary in a folder, with arguments separated by blanks.
fn harness(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::cargo_bin("harness").unwrap();
    command.current_dir(folder).args(arguments.split_whitespace());
    // What is not refused as it should be may run for hours.
    command.timeout(Duration::from_secs(60));
    command
}

fn rows(path: PathBuf) -> Vec<csv::StringRecord> {
    csv::Reader::from_path(path).unwrap().into_records().map(Result::unwrap).collect()
}

/// Column of `frames.csv`.
const PHASE: usize = 8;
/// Columns of `summary.csv`.
const N: usize = 2;
const ALGORITHM: usize = 4;
const THREADS: usize = 5;
const PAIRS: usize = 16;
const ALLOCATIONS: usize = 19;
const CHECKSUM: usize = 22;
const STATUS: usize = 23;

#[test]
fn list_names_every_algorithm_with_its_source() {
    let folder = folder();
    let mut expected = harness(folder.path(), "list").assert().code(0).stderr(is_empty());
    for algorithm in broadphase::ALGORITHMS {
        expected = expected.stdout(contains(algorithm.id)).stdout(contains(algorithm.source));
    }
    let output = harness(folder.path(), "list --json").assert().code(0).get_output().clone();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours = json.as_array().unwrap().iter().filter(|row| row["peer"] == false);
    let ids: Vec<&str> = ours.filter_map(|row| row["id"].as_str()).collect();
    assert!(ids.iter().copied().eq(broadphase::ALGORITHMS.iter().map(|a| a.id)));
}

#[test]
#[cfg(not(feature = "peers"))]
fn a_build_without_peers_knows_none() {
    let folder = folder();
    harness(folder.path(), "list").assert().code(0).stdout(contains("peers").not());
    let run = "run --boxes gas:50 --algorithms peers";
    harness(folder.path(), run)
        .assert()
        .code(2)
        .stderr(contains("possible values: all, all+variants, brute"));
}

#[test]
#[cfg(feature = "peers")]
fn peers_are_listed_and_measured_like_any_other() {
    let folder = folder();
    let path = folder.path();
    harness(path, "list").assert().code(0).stdout(contains("\npeers (parry3d "));
    let run = "--frames 4 --repeat 2 --out out --boxes gas:300 --algorithms";
    harness(path, &format!("run {run} peers,bsp")).assert().code(0);
    let summary = rows(path.join("out/summary.csv"));
    assert!(summary.iter().all(|row| &row[STATUS] == "ok"), "{summary:?}");
    let peers = peers::PEERS.iter().map(|peer| peer.id);
    let ids: Vec<&str> = summary.iter().map(|row| &row[ALGORITHM]).collect();
    assert!(ids.iter().copied().eq(std::iter::once("bsp").chain(peers)), "{ids:?}");
    let machine = fs::read_to_string(path.join("out/machine.json")).unwrap();
    let (name, version) = peers::VERSIONS[0];
    assert!(machine.contains(&format!("\"{name} {version}\"")), "{machine}");
    harness(path, &format!("run {run} rstar --force")).assert().code(0);
    assert_eq!(rows(path.join("out/summary.csv")).len(), 1);
    harness(path, "compare bsp obvhs --boxes gas:300 --frames 3").assert().code(0);
}

#[test]
#[cfg(not(feature = "peers"))]
fn speed_says_how_to_build_the_others_in() {
    let folder = folder();
    let refusal = harness(folder.path(), "speed --quick --out out").assert().code(1);
    let told = refusal.stdout(is_empty()).get_output().stderr.clone();
    let told = String::from_utf8(told).unwrap();
    assert!(told.contains("cargo run --release -p harness --features peers -- speed"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(!folder.path().join("out").exists());
}

#[test]
#[cfg(feature = "peers")]
fn speed_measures_ours_beside_all_peers() {
    let folder = folder();
    let path = folder.path();
    let short = "speed --quick --only gas:200 --frames 3 --repeat 1 --out out";
    harness(path, short).assert().code(0).stdout(contains("out/speed.md"));
    let page = fs::read_to_string(path.join("out/speed.md")).unwrap();
    for peer in peers::PEERS {
        assert!(page.contains(&format!("| *{}* |", peer.id)), "{page}");
    }
    let (name, version) = peers::VERSIONS[0];
    assert!(page.contains(&format!("{name} {version}")), "{page}");
    harness(path, short).assert().code(1).stderr(contains("exists already"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder();
    // Nobody reads from the start: a reader that stops later may stop too late to be noticed.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("harness"))
        .current_dir(folder.path())
        .arg("list")
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn run_writes_a_row_for_every_frame_and_every_cell() {
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

    let algorithms = broadphase::families().count();
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
fn the_instruction_set_is_limited_told_and_part_of_the_run() {
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
fn run_without_out_makes_a_folder_of_its_own_and_says_which() {
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
fn json_replaces_the_table_and_quiet_leaves_nothing() {
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
fn a_cell_without_time_is_skipped_with_its_reason() {
    let folder = folder();
    harness(folder.path(), "run tiny.scene --frames 2 --repeat 1 --budget 1e-9 --out out")
        .assert()
        .code(0)
        .stdout(contains("skipped: over the time budget"));
    let summary = rows(folder.path().join("out/summary.csv"));
    assert!(summary.iter().all(|row| &row[STATUS] == "skipped"));
    assert!(rows(folder.path().join("out/frames.csv")).is_empty());
}

#[test]
fn verify_finds_no_difference_and_prints_a_line_for_each_case() {
    let folder = folder();
    harness(folder.path(), "verify tiny.scene --objects 20,60 --frames 20 --threads 1,2")
        .assert()
        .code(0)
        .stdout(contains("tiny.scene, n = 20: seed 7, threads 1,2, 20 frames"))
        .stdout(contains("tiny.scene, n = 60: seed 7, threads 1,2, 20 frames"))
        .stdout(contains("no difference"));
    harness(folder.path(), "verify tiny.scene --frames 2 --quiet")
        .assert()
        .code(0)
        .stdout(is_empty());
    let output = harness(folder.path(), "verify tiny.scene --frames 2 --json").output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json[0]["findings"].as_array().unwrap().len(), 0);
    assert!(json[0]["pairs_compared"].as_u64().unwrap() > 0);
}

#[test]
fn a_recorded_scene_has_the_checksums_of_the_scene() {
    let folder = folder();
    harness(folder.path(), "record tiny.scene --out tiny.bpt --frames 6 --algorithm bsp")
        .assert()
        .code(0)
        .stdout(contains("6 frames of 60 boxes"));
    let length = fs::metadata(folder.path().join("tiny.bpt")).unwrap().len();
    assert_eq!(length, 24 + 6 * 60 * 24);
    harness(
        folder.path(),
        "run tiny.scene tiny.bpt --frames 5 --warmup 1 --repeat 1 --algorithms kd-tree --out out",
    )
    .assert()
    .code(0);
    let summary = rows(folder.path().join("out/summary.csv"));
    assert_eq!(summary.len(), 2);
    assert_eq!(summary[0][CHECKSUM], summary[1][CHECKSUM]);
    harness(folder.path(), "verify tiny.bpt").assert().code(0).stdout(contains("6 frames"));

    let refused = harness(folder.path(), "record tiny.scene --out tiny.bpt --frames 1").assert();
    refused.code(1).stderr(contains("tiny.bpt exists already").and(contains("--force")));
    assert_eq!(fs::metadata(folder.path().join("tiny.bpt")).unwrap().len(), length);
    harness(folder.path(), "record tiny.scene --out tiny.bpt --frames 1 --force").assert().code(0);
    assert_eq!(fs::metadata(folder.path().join("tiny.bpt")).unwrap().len(), 24 + 60 * 24);
}

#[test]
fn generated_boxes_are_measured_verified_and_recorded() {
    let folder = folder();
    let path = folder.path();
    harness(path, "run --boxes gas:200,terdiman:300 --seed 9 --frames 3 --repeat 1 --out out")
        .assert()
        .code(0)
        .stdout(contains("gas: n = 200, seed 9, 1 thread"))
        .stdout(contains("terdiman: n = 300, seed 42, 1 thread"))
        .stdout(contains("fastest"));
    let summary = rows(path.join("out/summary.csv"));
    assert_eq!(summary.len(), 2 * broadphase::families().count());
    let common = "--boxes brownian:150 --moving 0.5 --frames 4";
    harness(path, &format!("record {common} --out b.bpt")).assert().code(0);
    harness(path, &format!("run {common} b.bpt --warmup 0 --repeat 1 --out both")).assert().code(0);
    let summary = rows(path.join("both/summary.csv"));
    assert!(summary.iter().all(|row| row[CHECKSUM] == summary[0][CHECKSUM]), "{summary:?}");
    let inputs: std::collections::BTreeSet<&str> = summary.iter().map(|row| &row[1]).collect();
    assert!(inputs.into_iter().eq(["b.bpt", "brownian --moving 0.5"]));
    let kinds = sim::GeneratedKind::ALL.map(|kind| format!("{}:150", kind.name())).join(",");
    let cases = format!("{} case(s)", sim::GeneratedKind::ALL.len());
    harness(path, &format!("verify --boxes {kinds} --frames 5 --threads 1,2"))
        .assert()
        .code(0)
        .stdout(contains(cases).and(contains("no difference")));
}

#[test]
fn cell_of_the_atlas_is_run_recorded_and_verified() {
    let folder = folder();
    let path = folder.path();
    // The first small cell of the seed whose boxes a trace holds completely.
    let is_small = |cell: &sim::atlas::Cell| {
        cell.objects < 1000 && cell.placement != sim::atlas::Placement::Terrain
    };
    let cell = (0..).map(|number| sim::atlas::Cell::draw(7, number)).find(is_small).unwrap();
    let name = cell.name();
    harness(path, &format!("record --boxes {name} --frames 9 --out a.bpt")).assert().code(0);
    harness(path, &format!("run --boxes {name} a.bpt --frames 9 --warmup 0 --repeat 1 --out out"))
        .assert()
        .code(0)
        .stdout(contains(format!("{name}: n = {}, seed 7", cell.objects)));
    let summary = rows(path.join("out/summary.csv"));
    assert!(summary.iter().all(|row| row[CHECKSUM] == summary[0][CHECKSUM]), "{summary:?}");
    harness(path, &format!("verify --boxes {name} --frames 5 --threads 1,2"))
        .assert()
        .code(0)
        .stdout(contains("no difference"));
}

#[test]
fn scenes_with_layers_are_verified_measured_and_recorded_without_them() {
    let folder = folder();
    let path = folder.path();
    let cloud = "i -1 -1 -1  2 2 2";
    let text = format!(
        "{cloud}  34 t\n{cloud}  33 t\n{cloud}  33 t\n#!objects 90\n#!radius 0.1\n#!speed 2\n\
         #!layer source 1 static\n#!layer source 2 group 1 meets 0,1\n#!layer source 3 group 2 \
         meets 0,2\n"
    );
    fs::write(path.join("layered.scene"), text).unwrap();
    harness(path, "verify layered.scene --boxes statics:200 --frames 20 --threads 1,2")
        .assert()
        .code(0)
        .stdout(contains("2 case(s)").and(contains("no difference")));
    // Without its layers the same scene has more pairs; so has its trace, which has none.
    let note = "a trace holds boxes alone, the layers are not recorded";
    harness(path, "record layered.scene --frames 5 --out l.bpt")
        .assert()
        .code(0)
        .stderr(contains(note));
    harness(path, "record tiny.scene --frames 5 --out t.bpt")
        .assert()
        .code(0)
        .stderr(contains(note).not());
    let measure = "--warmup 0 --frames 5 --repeat 1 --algorithms bsp,brute-force";
    harness(path, &format!("run layered.scene l.bpt {measure} --out out")).assert().code(0);
    let summary = rows(path.join("out/summary.csv"));
    let pairs = |row: usize| summary[row][PAIRS].parse::<f64>().unwrap();
    assert_eq!((pairs(0), pairs(2)), (pairs(1), pairs(3)));
    assert!(pairs(0) > 0.0 && pairs(0) < 0.8 * pairs(2), "{summary:?}");
}

#[test]
fn events_are_measured_on_demand_and_rows_without_them_are_read_as_well() {
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
fn our_columns_stand_behind_those_of_the_contract() {
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

#[test]
fn compare_prints_the_ratio_of_two_algorithms() {
    let folder = folder();
    let compare = "compare brute-force bsp tiny.scene --boxes gas:3000 --frames 5 --repeat 6";
    harness(folder.path(), compare)
        .assert()
        .code(0)
        .stdout(contains("B / A").and(contains("(97 %)")))
        .stdout(contains("B is").and(contains("times as fast")));
    let output = harness(folder.path(), &format!("{compare} --json")).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &json["rows"][1];
    assert_eq!((&row["input"], &row["n"]), (&"gas".into(), &3000.into()));
    let [low, ratio, high] =
        ["low", "ratio", "high"].map(|name| row["ratio"][name].as_f64().unwrap());
    assert!(low <= ratio && ratio <= high && high < 1.0, "n² against n: {row}");
    // The other way round, brute force is a regression.
    harness(
        folder.path(),
        "compare bsp brute-force --boxes gas:3000 --frames 5 --repeat 6 --fail-above 1.05",
    )
    .assert()
    .code(5)
    .stderr(contains("error: regression, more than 1.05 times: brute-force against bsp on gas"));
}

#[test]
fn compare_reads_two_summaries_or_their_folders() {
    let folder = folder();
    for out in ["a", "b"] {
        harness(folder.path(), &format!("run tiny.scene --frames 3 --repeat 2 --out {out}"))
            .assert()
            .code(0);
    }
    harness(folder.path(), "compare a b/summary.csv")
        .assert()
        .code(0)
        .stdout(contains("kd-tree").and(contains("verdict")));
    harness(folder.path(), "compare a/frames.csv b")
        .assert()
        .code(3)
        .stderr(contains("a/frames.csv, line 1: expected the columns of summary.csv"));
    harness(folder.path(), "compare a missing.csv")
        .assert()
        .code(3)
        .stderr(contains("missing.csv"));
}

#[test]
fn a_wrong_command_line_is_exit_code_2_with_a_reason() {
    let folder = folder();
    harness(folder.path(), "record tiny.scene --out tiny.bpt --frames 6").assert().code(0);
    fs::copy(folder.path().join("tiny.scene"), folder.path().join("gas")).unwrap();
    for (arguments, reason) in [
        ("", "Usage: harness"),
        ("fly", "unrecognized subcommand"),
        ("run", "name an <INPUT>: a scene file, a trace (.bpt), or --boxes NAME:N"),
        ("run --boxes gas", "`gas`: expected NAME:N"),
        ("run --boxes fog:10", "expected one of gas, cluster"),
        ("run --boxes gas:0", "a number of objects after the colon"),
        ("run --boxes atlas:7", "`atlas:7`: expected atlas:SEED:NUMBER"),
        ("run --boxes atlas:7:x", "a cell after the second colon"),
        (
            "run --boxes atlas:7:0 --moving 0.5",
            "--moving has no effect: atlas:7:0 has its own share",
        ),
        ("verify --boxes atlas:7:0 --seed 3", "--seed has no effect: atlas:7:0 is"),
        ("run --boxes gas:10 --moving 2", "not a number from 0 to 1"),
        ("run tiny.scene --moving 0.5", "--boxes"),
        ("run --boxes terdiman:9 --moving 0.5", "--moving has no effect: terdiman stands still"),
        ("record --boxes terdiman:9 --moving 0.5 --out x.bpt", "--moving has no effect"),
        ("record --boxes terdiman:9 --seed 3 --out x.bpt", "--seed has no effect: terdiman is"),
        ("record --boxes gas:9 --algorithm bsp --out x.bpt", "cannot be used with"),
        ("verify tiny.bpt --boxes terdiman:9 --seed 3", "--seed has no effect: tiny.bpt, terdiman"),
        ("run gas --boxes gas:60 --seed 7", "two inputs would be `gas`, n = 60"),
        ("run --boxes gas:10 --objects 20", "--objects is for scenes"),
        ("run tiny.scene --simd mmx", "[possible values: best, avx2, sse4.2, scalar]"),
        ("run tiny.scene --resume", "--out"),
        ("run tiny.scene --out x --resume --force", "cannot be used with"),
        ("compare bsp", "<B>"),
        ("compare bsp octree tiny.scene", "`octree` is no algorithm"),
        ("compare bsp kd-tree", "name an <INPUT>"),
        ("compare tiny.scene tiny.bpt tiny.scene", "leave the inputs out"),
        ("compare bsp kd-tree tiny.scene --fail-above no", "not a ratio above 0"),
        ("compare bsp bsp tiny.scene --fail-above 1.1 --repeat 5", "at least --repeat 6"),
        (
            "run tiny.scene --algorithms octree",
            "[possible values: all, all+variants, brute-force, brute-force+scalar, bsp",
        ),
        ("run tiny.scene --objects 0", "0 is not in 1..="),
        ("run tiny.scene --objects 20,x", "invalid digit"),
        ("run tiny.scene --objects 5000000000", "is not in 1..=4294967295"),
        ("run tiny.scene --frames 0", "0 is not in 1..=1000000"),
        ("run tiny.scene --frames 99999999999999999999", "number too large"),
        ("run tiny.scene --frames 1000000 --repeat 1000", "too many"),
        ("run tiny.scene --repeat 0", "0 is not in 1..="),
        ("run tiny.scene --threads 0", "0 is not in 1..=1024"),
        ("run tiny.scene --budget -1", "unexpected argument '-1'"),
        ("run tiny.scene --budget=-1", "more than 0 seconds"),
        ("run tiny.scene --budget nan", "more than 0 seconds"),
        ("run tiny.scene --budget soon", "not a number of seconds"),
        ("run tiny.bpt --objects 9", "--objects is for scenes"),
        ("run tiny.bpt --frames 7", "has 6 frames, but 0 warm-up and 7 measured"),
        ("run tiny.bpt --warmup 6", "has 6 frames, but 6 warm-up and 1 measured"),
        ("verify tiny.scene --algorithms bsp,quadtree", "possible values"),
        ("record tiny.scene", "--out"),
        ("record --out x.bpt", "required"),
        ("record tiny.scene --boxes gas:10 --out x.bpt", "cannot be used with"),
        ("record tiny.scene --out tiny.txt", "ends in .bpt"),
        ("record tiny.bpt --out other.bpt", "is a trace already"),
    ] {
        harness(folder.path(), arguments)
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(reason));
    }
    assert!(!folder.path().join("results").exists(), "nothing is written for a wrong command");
}

#[test]
fn help_is_no_error() {
    let folder = folder();
    harness(folder.path(), "--help").assert().code(0).stdout(contains("Exit codes: 0 ok"));
    harness(folder.path(), "run --help").assert().code(0).stdout(contains("--budget"));
}

#[test]
fn a_bad_input_file_is_exit_code_3_and_is_named() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("bad.scene"), "# fine\ni -1 -1 -1  2 2 x  100 t\n").unwrap();
    fs::write(path.join("empty.scene"), "").unwrap();
    fs::write(path.join("bad.bpt"), "not a trace, though it is long enough for a header").unwrap();
    harness(path, "record tiny.scene --out nan.bpt --frames 2").assert().code(0);
    let mut bytes = fs::read(path.join("nan.bpt")).unwrap();
    fs::write(path.join("short.bpt"), &bytes[..bytes.len() - 1]).unwrap();
    let second_frame = 24 + 60 * 24;
    bytes[second_frame..second_frame + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(path.join("nan.bpt"), &bytes).unwrap();

    for command in ["run", "verify"] {
        for (input, reason) in [
            ("missing.scene", "missing.scene"),
            ("missing.bpt", "missing.bpt"),
            ("bad.scene", "bad.scene:2"),
            ("empty.scene", "empty.scene"),
            ("bad.bpt", "BPTRACE1"),
            ("short.bpt", "short.bpt"),
            ("nan.bpt", "frame 1"),
            (".", "."),
        ] {
            harness(path, &format!("{command} tiny.scene {input} --frames 2 --quiet"))
                .assert()
                .code(3)
                .stderr(starts_with("error: ").and(contains(reason)));
        }
    }
    harness(path, "record bad.scene --out x.bpt").assert().code(3).stderr(contains("bad.scene:2"));
    assert!(!path.join("x.bpt").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_noticed_before_measuring() {
    let folder = folder();
    fs::write(folder.path().join("file"), "").unwrap();
    // A case that would take hours, were it measured first.
    let long = "run tiny.scene --frames 1000000 --repeat 1 --objects 20000";
    harness(folder.path(), &format!("{long} --out file/deep"))
        .assert()
        .code(1)
        .stderr(contains("error: cannot make the folder file/deep: "));

    fs::create_dir(folder.path().join("old")).unwrap();
    fs::write(folder.path().join("old/frames.csv"), "precious").unwrap();
    harness(folder.path(), &format!("{long} --out old"))
        .assert()
        .code(1)
        .stderr(contains("old/frames.csv exists already").and(contains("--force")));
    assert_eq!(fs::read_to_string(folder.path().join("old/frames.csv")).unwrap(), "precious");
    harness(folder.path(), "run tiny.scene --frames 1 --repeat 1 --out old --force")
        .assert()
        .code(0);
}

#[test]
fn more_objects_than_memory_are_refused_before_they_are_made() {
    let folder = folder();
    for command in ["run", "verify"] {
        harness(folder.path(), &format!("{command} tiny.scene --objects 4000000000"))
            .assert()
            .code(1)
            .stderr(contains("4000000000 objects and their pairs need about"));
    }
    harness(folder.path(), "record tiny.scene --objects 4000000000 --out x.bpt")
        .assert()
        .code(1)
        .stderr(contains("objects and their pairs need about"));
    assert!(!folder.path().join("results").exists());
}

#[test]
fn warnings_of_a_scene_are_shown_unless_quiet() {
    let folder = folder();
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 3\n#!wobble 7\n";
    fs::write(folder.path().join("odd.scene"), text).unwrap();
    let command = "verify odd.scene --frames 1";
    harness(folder.path(), command).assert().code(0).stderr(contains("wobble"));
    harness(folder.path(), &format!("{command} --quiet")).assert().code(0).stderr(is_empty());
}

#[test]
fn verify_needs_something_to_compare() {
    let folder = folder();
    harness(folder.path(), "verify tiny.scene --algorithms brute-force --frames 2")
        .assert()
        .code(2)
        .stderr(contains("brute-force is what others are compared with"));
}
