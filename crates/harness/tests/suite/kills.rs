//! Commands that are killed at random moments: what `--resume` completes is what an undisturbed run writes, times aside.
//!
//! `KILLS` is the number of kills of each command, `KILLS_SEED` the seed of their moments.
#![cfg(unix)]

use crate::commands::{Folder, Row, command};
use broadphase::benchmark::mix;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Kills of each command, without `KILLS`.
const FEW: u64 = 2;
/// Every killed run of this number, on average, is one that was killed before and resumed.
const RESUMED_EVERY: u64 = 3;
const SIGKILL: i32 = 9;

#[test]
fn killed_run_is_completed_as_if_undisturbed() {
    let algorithms = "--algorithms brute-force,bsp,kd-tree,auto";
    survives("run", &format!("--boxes gas:200,plane:300 --frames 20 --repeat 10 {algorithms}"));
}

#[test]
fn killed_bodies_are_completed_as_if_undisturbed() {
    let pairs = "--pairs cube,rod:30 --pairs cube,cube:20:near --pairs rod,rod:200";
    survives("bodies", &format!("{pairs} --narrow sat,gjk --frames 20 --warmup 1 --repeat 2"));
}

/// Not in a debug build, where each run takes a minute. `.ci/extended kills` kills a release build.
#[cfg(not(debug_assertions))]
#[test]
fn killed_thesis_is_completed_as_if_undisturbed() {
    survives("thesis", "--quick --objects 50,60 --frames 8 --repeat 2");
}

#[test]
fn killed_speed_is_completed_as_if_undisturbed() {
    // A trace and a program: the other parts have large inputs, or need peers.
    let inputs = Folder::new();
    write_trace_and_program(&inputs);
    let [trace, program] = ["small.bpt", "program"].map(|name| inputs.at(name));
    let only = "--quick --parts programs --only small --frames 30 --repeat 12";
    let named = format!("--trace '{}' --program '{}'", trace.display(), program.display());
    survives("speed", &format!("{only} {named}"));
}

#[test]
fn killed_atlas_is_completed_as_if_undisturbed() {
    // Which other algorithms are too slow to be measured depends on times.
    let champions = "--champions auto,sweep-grid";
    let cells = "--seed 5 --objects-up-to 250 --cells 8 --repeat 2 --threads 1";
    survives("atlas", &format!("{cells} {champions}"));
}

/// Writes `small.bpt`, and `program`, which prints the lines of a right search of it.
fn write_trace_and_program(folder: &Folder) {
    folder.runs("record --boxes gas:200 --frames 60 --out small.bpt");
    let search = "--algorithms brute-force --warmup 0 --frames 60 --repeat 1 --quiet";
    folder.runs(format!("run small.bpt {search} --out rows"));
    let rows = folder.rows("rows/frames.csv").into_iter();
    let lines = rows.map(|row| format!("1 {} {}\n", row["pairs"], row["checksum"]));
    folder.write("lines", lines.collect::<String>());
    folder.write("program", "#!/bin/sh\ncat \"${0%/*}/lines\"\n");
    fs::set_permissions(folder.at("program"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Kills a command, resumes it, and compares its results with those of an undisturbed run.
fn survives(command: &str, options: &str) {
    let command_line = format!("{command} {options} --out out --quiet");
    let undisturbed = Folder::new();
    let begun = Instant::now();
    undisturbed.runs(&command_line);
    let whole = begun.elapsed();
    let expected = Results::read(&undisturbed);
    assert!(expected.rows.len() > 10, "{expected:?}");

    let seed = from_environment("KILLS_SEED", 1);
    let mut random = Random(command.bytes().fold(seed, |hash, byte| mix(hash ^ u64::from(byte))));
    let resume = format!("{command_line} --resume");
    for number in 0..from_environment("KILLS", FEW) {
        let runs = 1 + usize::from(random.next().is_multiple_of(RESUMED_EVERY));
        let folder = killed(&resume, whole, runs, &mut random);
        // Once more, with nothing left to do.
        for time in 1..=2 {
            folder.runs(&resume);
            let case = format!("{command}, kill {number} of seed {seed}, resumed {time} times");
            expected.assert_equal(&Results::read(&folder), &case);
        }
    }
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    let number = |text: String| text.parse().unwrap_or_else(|_| panic!("{name} is no number"));
    std::env::var(name).map_or(otherwise, number)
}

/// A folder in which a run was killed, and resumed and killed again until `runs` were, each at a random moment
/// of the time that a `whole` run takes.
fn killed(resume: &str, whole: Duration, runs: usize, random: &mut Random) -> Folder {
    // A run may end before its kill.
    for _ in 0..1000 {
        let folder = Folder::new();
        let mut within = || whole.mul_f64(random.next() as f64 / u64::MAX as f64);
        if (0..runs).all(|_| is_killed(&folder, resume, within())) {
            return folder;
        }
    }
    panic!("`{resume}` was never killed in time");
}

/// Starts a run, and kills it after some time. Returns whether it was still running then.
fn is_killed(folder: &Folder, resume: &str, after: Duration) -> bool {
    let mut child = command(folder.path(), resume).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() || output.status.signal() == Some(SIGKILL), "{output:?}");
    !output.status.success()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flat_map(below).collect()
}

/// Columns that are the same in every run. Times, memory and hardware counters are not.
const FIXED: &str = "part cell input n seed algorithm again threads phase stage method passed repeat frame repeats \
                     frames tests pairs hits checksum status reason";

/// What a run leaves, times aside.
#[derive(Debug, PartialEq)]
struct Results {
    files: BTreeSet<PathBuf>,
    /// Each with its file, in order.
    rows: Vec<String>,
}

impl Results {
    fn read(folder: &Folder) -> Self {
        let (mut names, mut rows) = (BTreeSet::new(), Vec::new());
        for path in files(folder.path()) {
            let name = path.strip_prefix(folder.path()).unwrap().to_owned();
            if path.extension().is_some_and(|ending| ending == "csv") {
                let all = folder.rows(name.to_str().unwrap());
                rows.extend(all.iter().map(|row| format!("{} {}", name.display(), fixed(row))));
            }
            // A kill may leave a file that was being written.
            if !name.to_string_lossy().contains(".unfinished-") {
                names.insert(name);
            }
        }
        rows.sort();
        Self { files: names, rows }
    }

    #[track_caller]
    fn assert_equal(&self, other: &Self, case: &str) {
        assert_eq!(self.files, other.files, "{case}");
        let differ = self.rows.iter().zip(&other.rows).find(|(a, b)| a != b);
        assert_eq!(differ, None, "{case}: the first row that differs");
        assert_eq!(self.rows.len(), other.rows.len(), "{case}");
    }
}

/// The fixed columns of a row.
fn fixed(row: &Row) -> String {
    // Which algorithm of a cell is measured twice depends on times.
    let is_again = row.get("again").is_some_and(|again| again == "true");
    let is_known = |name: &&str| !is_again || !["algorithm", "tests"].contains(name);
    let known = FIXED.split(' ').filter(is_known).filter_map(|name| row.get(name));
    known.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Numbers of a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = mix(self.0);
        self.0
    }
}
