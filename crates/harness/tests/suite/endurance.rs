//! Runs that are killed, stopped or out of disk: what is done stays, and the run can be completed.
#![cfg(unix)]

use crate::commands::{Folder, assert_has, command};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A sweep of some seconds in debug mode: six cells, twenty repetitions each.
const SWEEP: &str = "run --boxes gas:200,terdiman:400 --frames 20 --repeat 20 --out out \
    --algorithms brute-force,bsp,kd-tree";
const CELLS: usize = 6;
const FRAMES: usize = CELLS * 20 * 30;

/// Runs the command with a limit that `ulimit` sets.
fn limited(folder: &Path, limit: &str, arguments: &str) -> Output {
    let binary = env!("CARGO_BIN_EXE_harness");
    let script = format!("ulimit {limit}; exec {binary} {arguments}");
    Command::new("bash").current_dir(folder).args(["-c", &script]).output().unwrap()
}

/// How often these columns of a table stand there.
fn keys(folder: &Folder, table: &str, columns: &[&str]) -> HashMap<String, usize> {
    let mut keys = HashMap::new();
    for row in folder.rows(table) {
        let key: Vec<&str> = columns.iter().map(|column| row[*column].as_str()).collect();
        *keys.entry(key.join(" ")).or_default() += 1;
    }
    keys
}

/// Asserts that the run is complete, and nothing in it doubled.
fn assert_complete(folder: &Folder) {
    let cell = ["input", "n", "algorithm", "threads"];
    let frame = [&cell[..], &["repeat", "frame"]].concat();
    for (table, columns, count) in
        [("out/summary.csv", &cell[..], CELLS), ("out/frames.csv", &frame, FRAMES)]
    {
        let keys = keys(folder, table, columns);
        assert_eq!(keys.len(), count);
        assert!(keys.values().all(|&count| count == 1), "{table}");
    }
    assert_eq!(keys(folder, "out/frames.csv", &["run_id"]).len(), 1);
    assert!(!folder.has("out/unfinished"));
}

/// Waits for a file of a running command.
fn wait_for(file: impl Fn() -> bool, child: &mut Child) {
    let begun = Instant::now();
    while !file() {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        assert!(begun.elapsed() < Duration::from_secs(1800));
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until the first of two cases is done.
fn wait_for_a_case(folder: &Folder, child: &mut Child) {
    wait_for(|| folder.has("out/unfinished/case-00000001.json"), child);
}

/// Sends a signal.
fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
}

#[test]
fn ctrl_c_stops_and_what_is_done_is_not_measured_again() {
    let folder = Folder::new();
    let mut child = command(folder.path(), SWEEP).spawn().unwrap();
    wait_for_a_case(&folder, &mut child);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_has(&errors, &["--out out --resume completes the run", "error: stopped"]);
    let done = folder.rows("out/summary.csv");
    folder.runs(format!("{SWEEP} --resume"));
    assert!(done.len() == CELLS / 2 && folder.rows("out/summary.csv").starts_with(&done));
    assert_complete(&folder);
}

#[test]
#[cfg(target_os = "linux")]
fn run_under_nohup_goes_on_after_a_hangup() {
    let folder = Folder::new();
    let mut nohup = Command::new("nohup");
    nohup.arg(assert_cmd::cargo::cargo_bin!("harness")).args(SWEEP.split_whitespace());
    nohup.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = nohup.spawn().unwrap();
    wait_for_a_case(&folder, &mut child);
    signal(&child, "-HUP");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_complete(&folder);
}

#[test]
fn run_on_a_full_disk_keeps_whole_rows_and_can_be_completed() {
    let folder = Folder::new();
    let output = limited(folder.path(), "-f 100", "record --boxes gas:5000 --frames 9 --out a.bpt");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // Files of at most this many blocks of 1024 bytes: what is beyond fails, as on a full disk. No repetition fits, or all
    // but the frames.
    for (blocks, file, rows) in
        [(4, "out/unfinished/repetition-", 0), (250, "out/frames.csv", CELLS)]
    {
        let folder = Folder::new();
        let output = limited(folder.path(), &format!("-f {blocks}"), SWEEP);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_has(&errors, &[&format!("error: cannot write {file}")]);
        let summary = folder.read("out/summary.csv");
        assert!(summary.ends_with('\n') && summary.lines().count() == 1 + rows, "{summary}");
        assert!(!folder.has("out/frames.csv"));
        folder.runs(format!("{SWEEP} --resume"));
        assert_complete(&folder);
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
        let folder = Folder::new();
        let record = "record --boxes gas:20000 --frames 1000000 --out long.bpt";
        let mut child = command(folder.path(), record).spawn().unwrap();
        wait_for(|| fs::read_dir(folder.path()).unwrap().next().is_some(), &mut child);
        self::signal(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{signal}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn crowd_is_measured_or_skipped_within_a_limit_of_memory() {
    let folder = Folder::new();
    // A trace of two frames of equal boxes.
    let (objects, frames) = (2000_u32, 2_u32);
    let mut bytes = b"BPTRACE1".to_vec();
    for word in [objects, frames, (1.0_f32 / 60.0).to_bits(), 0] {
        bytes.extend(word.to_le_bytes());
    }
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 1.0, 1.0].map(f32::to_le_bytes);
    bytes.extend(corners.concat().repeat((objects * frames) as usize));
    folder.write("crowd.bpt", bytes);
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
        let output = limited(folder.path(), &format!("-v {kibibytes}"), &run);
        assert_eq!(output.status.code(), Some(expected), "{kibibytes} KiB: {output:?}");
        let rows = keys(&folder, &format!("{kibibytes}/summary.csv"), &["status", "reason"]);
        assert!(rows.keys().all(|row| row.starts_with(text)), "{rows:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn endless_rows_do_not_fill_the_memory() {
    let folder = Folder::new();
    folder.write("endless.csv", "\"input\",\"\n");
    let file = fs::OpenOptions::new().write(true).open(folder.at("endless.csv")).unwrap();
    file.set_len(3 << 30).unwrap();
    let output = limited(folder.path(), "-v 1000000", "plot endless.csv --out f.svg");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert_has(&errors, &["endless.csv: its 3.2 GB need about 3.2 GB"]);
}
