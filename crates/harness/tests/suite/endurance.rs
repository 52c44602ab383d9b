//! Runs that are killed, stopped or out of disk: what is done stays, and the run can be completed.
#![cfg(unix)]

use crate::commands::command;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A sweep of some seconds in debug mode: six cells, twenty repetitions each.
const SWEEP: &str = "run --boxes gas:200,terdiman:400 --frames 20 --repeat 20 --out out \
    --algorithms brute-force,bsp,kd-tree";
const CELLS: usize = 6;
const FRAMES: usize = CELLS * 20 * 30;

fn run(folder: &Path, arguments: &str) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Runs the command with a limit that `ulimit` sets.
fn limited(folder: &Path, limit: &str, arguments: &str) -> Output {
    let binary = env!("CARGO_BIN_EXE_harness");
    let script = format!("ulimit {limit}; exec {binary} {arguments}");
    Command::new("bash").current_dir(folder).args(["-c", &script]).output().unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Each row's cell (and repetition and frame, for frames.csv), and how often it stands there; the
/// last row may be half.
fn keys(path: &Path, columns: &[&str]) -> HashMap<String, usize> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let places: Vec<usize> =
        columns.iter().map(|c| header.iter().position(|name| name == *c).unwrap()).collect();
    let mut keys = HashMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let key: Vec<&str> = places.iter().map(|&place| &record[place]).collect();
        *keys.entry(key.join(" ")).or_default() += 1;
    }
    keys
}

/// Asserts that the run is complete, and nothing in it doubled.
fn assert_complete(folder: &Path) {
    let cell = ["input", "n", "algorithm", "threads"];
    let summary = keys(&folder.join("out/summary.csv"), &cell);
    assert_eq!(summary.len(), CELLS);
    assert!(summary.values().all(|&count| count == 1), "{summary:?}");
    let frame = [&cell[..], &["repeat", "frame"]].concat();
    let frames = keys(&folder.join("out/frames.csv"), &frame);
    assert_eq!(frames.len(), FRAMES);
    assert!(frames.values().all(|&count| count == 1));
    assert_eq!(keys(&folder.join("out/frames.csv"), &["run_id"]).len(), 1);
    assert!(!folder.join("out/unfinished").exists());
}

/// Waits until a repetition is kept.
fn wait_until_it_measures(folder: &Path, child: &mut Child) {
    let begun = Instant::now();
    let files = || fs::read_dir(folder.join("out/unfinished")).into_iter().flatten();
    while !files().any(|file| file.unwrap().path().extension().is_some_and(|end| end == "json")) {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        assert!(begun.elapsed() < Duration::from_secs(1800));
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn ctrl_c_stops_and_keeps_what_is_done() {
    let folder = folder();
    let mut child = command(folder.path(), SWEEP).spawn().unwrap();
    wait_until_it_measures(folder.path(), &mut child);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("--out out --resume completes the run")
            && errors.contains("error: stopped"),
        "{errors}"
    );
    let output = run(folder.path(), &format!("{SWEEP} --resume"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_complete(folder.path());
}

#[test]
#[cfg(target_os = "linux")]
fn run_under_nohup_goes_on_after_a_hangup() {
    let folder = folder();
    let mut nohup = Command::new("nohup");
    nohup.arg(assert_cmd::cargo::cargo_bin!("harness")).args(SWEEP.split_whitespace());
    nohup.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = nohup.spawn().unwrap();
    wait_until_it_measures(folder.path(), &mut child);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_complete(folder.path());
}

#[test]
fn run_on_a_full_disk_keeps_whole_rows_and_can_be_completed() {
    let folder = folder();
    let output = limited(folder.path(), "-f 100", "record --boxes gas:5000 --frames 9 --out a.bpt");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // Files of at most this many blocks of 1024 bytes: what is beyond fails, as on a full disk. No repetition fits, or all
    // but the frames.
    for (blocks, file, rows) in
        [(4, "out/unfinished/repetition-", 0), (250, "out/frames.csv", CELLS)]
    {
        let folder = self::folder();
        let output = limited(folder.path(), &format!("-f {blocks}"), SWEEP);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(&format!("error: cannot write {file}")), "{errors}");
        let summary = fs::read_to_string(folder.path().join("out/summary.csv")).unwrap();
        assert!(summary.ends_with('\n') && summary.lines().count() == 1 + rows, "{summary}");
        assert!(!folder.path().join("out/frames.csv").exists());
        let output = run(folder.path(), &format!("{SWEEP} --resume"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_complete(folder.path());
    }
}

/// Requests to end, as a shell, a system that shuts down and a terminal that closes send them.
#[test]
fn request_to_end_leaves_no_temporary_file() {
    // Under `nohup` the child would inherit that hangups are ignored. A signal that its parent handles has
    // the default action in it.
    let seen = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGHUP, seen).unwrap();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = folder();
        let record = "record --boxes gas:20000 --frames 1000000 --out long.bpt";
        let mut child = command(folder.path(), record).spawn().unwrap();
        let begun = Instant::now();
        while fs::read_dir(folder.path()).unwrap().next().is_none() {
            assert!(
                child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(1800)
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{signal}");
    }
}

/// A trace of some frames of equal boxes.
#[cfg(target_os = "linux")]
fn write_crowd(folder: &Path, objects: u32, frames: u32) {
    let mut bytes = b"BPTRACE1".to_vec();
    for word in [objects, frames, (1.0_f32 / 60.0).to_bits(), 0] {
        bytes.extend(word.to_le_bytes());
    }
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 1.0, 1.0].map(f32::to_le_bytes);
    bytes.extend(corners.concat().repeat((objects * frames) as usize));
    fs::write(folder.join("crowd.bpt"), bytes).unwrap();
}

/// The command with this much address space, in KiB: its exit code, and what it reports.
#[cfg(target_os = "linux")]
fn run_within(folder: &Path, kibibytes: u64, arguments: &str) -> (Option<i32>, String) {
    let output = limited(folder, &format!("-v {kibibytes}"), arguments);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn crowd_is_measured_or_skipped_within_a_limit_of_memory() {
    let folder = folder();
    write_crowd(folder.path(), 2000, 2);
    let skipped = "skipped frame 0: more than ";
    // What a search keeps of a pair fits into the second limit, but not what events need, too. In the first, lists of all
    // pairs would fit, but not what algorithms keep of them.
    let some = "--algorithms sap-1-axis,box-pruning,grid-hashed";
    for (kibibytes, options, expected, text) in [
        (400_000, "--algorithms all", 1, skipped),
        (1_300_000, some, 0, "ok "),
        (1_300_001, &*format!("{some} --events"), 1, skipped),
    ] {
        let run = format!("run crowd.bpt --warmup 0 --repeat 1 {options} --out {kibibytes}");
        let (code, errors) = run_within(folder.path(), kibibytes, &run);
        assert_eq!(code, Some(expected), "{kibibytes} KiB: {errors}");
        let table = folder.path().join(kibibytes.to_string()).join("summary.csv");
        let rows = keys(&table, &["status", "reason"]);
        assert!(rows.keys().all(|row| row.starts_with(text)), "{rows:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn endless_rows_do_not_fill_the_memory() {
    let folder = folder();
    let path = folder.path().join("endless.csv");
    fs::write(&path, "\"input\",\"\n").unwrap();
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(3 << 30).unwrap();
    let (code, errors) = run_within(folder.path(), 1_000_000, "plot endless.csv --out f.svg");
    assert_eq!(code, Some(3), "{errors}");
    assert!(errors.contains("endless.csv: its 3.2 GB need about 3.2 GB"), "{errors}");
}
