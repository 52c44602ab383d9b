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

/// A sweep of some seconds in debug mode: twelve cells, forty repetitions each.
const SWEEP: &str = "run --boxes gas:200,plane:300,terdiman:400 --frames 20 --repeat 40 --out out \
    --algorithms brute-force,bsp,kd-tree,sap-matrix";
const CELLS: usize = 12;
const FRAMES: usize = CELLS * 40 * 30;

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
    // Files of at most this many blocks of 1024 bytes: what is beyond fails, as on a full disk. No repetition fits, or all
    // but the frames.
    for (blocks, file, rows) in
        [(4, "out/unfinished/repetition-", 0), (1000, "out/frames.csv", CELLS)]
    {
        let folder = folder();
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

#[test]
fn trace_cut_short_is_bad_input() {
    let folder = folder();
    let record = "record --boxes gas:5000 --frames 200 --out long.bpt";
    assert_eq!(run(folder.path(), record).status.code(), Some(0));
    let measure = "run long.bpt --algorithms bsp --repeat 500 --out out";
    let mut child = command(folder.path(), measure).spawn().unwrap();
    wait_until_it_measures(folder.path(), &mut child);
    let file = fs::OpenOptions::new().write(true).open(folder.path().join("long.bpt")).unwrap();
    file.set_len(24 + 5000 * 24 * 3 + 7).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("error: long.bpt: ") && errors.contains("frame"), "{errors}");
}

#[test]
fn file_beyond_the_size_limit_is_an_error_and_leaves_nothing() {
    let folder = folder();
    let record = "record --boxes gas:5000 --frames 9 --out long.bpt";
    let output = limited(folder.path(), "-f 100", record);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("error: long.bpt: cannot "), "{errors}");
    assert!(errors.ends_with(": File too large (os error 27)\n"), "{errors}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
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

#[test]
#[cfg(target_os = "linux")]
fn cell_beyond_the_limit_of_address_space_is_skipped() {
    for kibibytes in [262_144, 400_000] {
        let folder = folder();
        let run = "run --boxes gas:3000000 --frames 2 --repeat 1 --algorithms bsp --out out";
        let (code, errors) = run_within(folder.path(), kibibytes, run);
        assert_eq!(code, Some(1), "{errors}");
        let rows = keys(&folder.path().join("out/summary.csv"), &["status", "reason"]);
        let reason = rows.keys().next().unwrap();
        assert!(reason.starts_with("skipped gas: 3000000 objects need about"), "{rows:?}");
    }
}

/// The command with this much address space, in KiB: its exit code, and what it reports.
#[cfg(target_os = "linux")]
fn run_within(folder: &Path, kibibytes: u64, arguments: &str) -> (Option<i32>, String) {
    let output = limited(folder, &format!("-v {kibibytes}"), arguments);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn table_of_many_cells_is_refused_within_a_limit_of_memory() {
    use std::fmt::Write as _;
    let folder = folder();
    let mut text =
        "run_id,input,n,seed,algorithm,threads,repeat,frame,phase,update_ns,pairs_ns\r\n"
            .to_owned();
    for seed in 0..300_000 {
        write!(text, "a-long-run-id,gas,50,{seed},bsp,1,0,0,measure,1,2\r\n").unwrap();
    }
    fs::write(folder.path().join("frames.csv"), text).unwrap();
    let (code, errors) = run_within(folder.path(), 300_000, "plot frames.csv --out x.svg");
    assert_eq!(code, Some(3), "{errors}");
    assert!(errors.contains(" cells up to here need about "), "{errors}");
}

#[test]
#[cfg(target_os = "linux")]
fn balls_over_all_cells_take_little_memory() {
    let folder = folder();
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n".to_owned();
    let balls = "#!ball 0 0 0 0 0 0 9\n".repeat(33_000);
    fs::write(folder.path().join("balls.scene"), text + &balls).unwrap();
    let run = "run balls.scene --frames 1 --warmup 0 --repeat 1 --algorithms bsp --out out";
    let (code, errors) = run_within(folder.path(), 1_000_000, run);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("nothing was measured"), "{errors}");
    let rows = keys(&folder.path().join("out/summary.csv"), &["status", "reason"]);
    let reason = rows.keys().next().unwrap();
    assert!(reason.starts_with("skipped frame 0: more than "), "{rows:?}");
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

#[test]
#[cfg(target_os = "linux")]
fn crowd_is_measured_or_skipped_within_a_limit_of_memory() {
    let folder = folder();
    write_crowd(folder.path(), 4000, 3);
    let statuses = |kibibytes: u64, options: &str, expected: i32| {
        let out = format!("out-{kibibytes}");
        let run = format!("run crowd.bpt --warmup 0 --repeat 1 {options} --out {out}");
        let (code, errors) = run_within(folder.path(), kibibytes, &run);
        assert_eq!(code, Some(expected), "{kibibytes} KiB: {errors}");
        keys(&folder.path().join(out).join("summary.csv"), &["algorithm", "status", "reason"])
    };
    let skipped = "skipped frame 0: more than ";
    // In 900 MB, lists of all pairs would fit, but not what algorithms keep of them.
    for (kibibytes, options) in
        [(600_000, "--algorithms all"), (900_000, "--algorithms all --events")]
    {
        let rows = statuses(kibibytes, options, 1);
        assert!(rows.keys().all(|row| row.contains(skipped)), "{rows:?}");
    }
    // In 4 GB, what a search keeps of a pair fits, but not what events need, too.
    let options = "--algorithms sap-1-axis,box-pruning,grid-hashed --frames 1";
    let rows = statuses(4_000_000, options, 0);
    assert!(rows.keys().all(|row| row.ends_with(" ok ")), "{rows:?}");
    let rows = statuses(4_100_000, &format!("{options} --events"), 1);
    assert!(rows.keys().all(|row| row.contains(skipped)), "{rows:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn verify_skips_pairs_beyond_memory_and_record_fails() {
    let folder = folder();
    write_crowd(folder.path(), 4000, 1);
    let verify = "verify crowd.bpt --boxes gas:50 --frames 1 --algorithms bsp";
    let output = limited(folder.path(), "-v 600000", verify);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\n  skipped: frame 0: more than "), "{text}");
    assert!(
        text.contains("gas, n = 50: ") && text.contains(", 1 skipped: no difference"),
        "{text}"
    );

    // Where no case is verified, that is said.
    let verify = "verify crowd.bpt --algorithms bsp --quiet";
    let (code, errors) = run_within(folder.path(), 600_000, verify);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("nothing was verified: frame 0: more than "), "{errors}");

    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n".to_owned();
    let balls = "#!ball 0 0 0 0 0 0 0.1\n".repeat(4000);
    fs::write(folder.path().join("balls.scene"), text + &balls).unwrap();
    let record = "record balls.scene --frames 1 --out balls.bpt";
    let (code, errors) = run_within(folder.path(), 600_000, record);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("balls.scene, frame 0: more than "), "{errors}");
    assert!(!folder.path().join("balls.bpt").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn more_traces_than_files_may_be_open_are_measured() {
    let folder = folder();
    write_crowd(folder.path(), 2, 1);
    let name = |number: usize| format!("{number}.bpt");
    for number in 0..100 {
        fs::copy(folder.path().join("crowd.bpt"), folder.path().join(name(number))).unwrap();
    }
    let traces: Vec<String> = (0..100).map(name).collect();
    let run = format!("run {} --algorithms bsp --repeat 1 --quiet --out out", traces.join(" "));
    let output = limited(folder.path(), "-n 64", &run);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(keys(&folder.path().join("out/summary.csv"), &["input"]).len(), 100);
}

#[test]
#[cfg(target_os = "linux")]
fn endless_rows_and_kept_files_do_not_fill_the_memory() {
    let folder = folder();
    let endless = |name: &str, start: &str| {
        let path = folder.path().join(name);
        fs::write(&path, start).unwrap();
        fs::OpenOptions::new().write(true).open(path).unwrap().set_len(3 << 30).unwrap();
    };
    for start in ["", "\"", "\"input\",\"\n"] {
        endless("endless.csv", start);
        let plot = "plot endless.csv --out f.svg";
        let (code, errors) = run_within(folder.path(), 1_000_000, plot);
        assert_eq!(code, Some(3), "{errors}");
        assert!(errors.contains("endless.csv: a row has more than 1048576 bytes"), "{errors}");
    }
    let short = "run --boxes gas:50 --frames 2 --repeat 1 --algorithms bsp --quiet --out out";
    assert_eq!(run_within(folder.path(), 1_000_000, short), (Some(0), String::new()));
    fs::create_dir(folder.path().join("out/unfinished")).unwrap();
    endless("out/unfinished/repetition-a.json", "{");
    // A finished run has no use for it.
    let manifest = folder.path().join("out/machine.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let lines = text.lines().filter(|line| !line.contains("\"finished\""));
    fs::write(&manifest, lines.collect::<String>()).unwrap();
    let resume = format!("{short} --resume");
    let (code, errors) = run_within(folder.path(), 1_000_000, &resume);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("repetition-a.json: its 3.2 GB need about 16.1 GB"), "{errors}");
    assert!(errors.contains("without this file, what it has is measured again"), "{errors}");
}
