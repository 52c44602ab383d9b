//! Commands that are killed at random moments: what `--resume` completes is what an undisturbed run writes,
//! times aside, also where what is kept of it was damaged in between. Where a table of a complete part was damaged, it is
//! that, or refused.
//!
//! `KILLS` is the number of kills of each command, `KILLS_SEED` the seed of moments and damages. A table of
//! the kills is printed, which `--nocapture` shows.
#![cfg(unix)]

use broadphase::benchmark::mix;
use measure::FrameRow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Kills of each command, without `KILLS`.
const FEW: u64 = 2;
/// Every kill of this number is followed by damage to a file of what is kept, or to a table.
const DAMAGED_EVERY: u64 = 4;
/// Every killed run of this number, on average, is one that was killed before and resumed.
const RESUMED_EVERY: usize = 3;
const SIGKILL: i32 = 9;
/// The folder of what is kept.
const KEPT: &str = "unfinished";

#[test]
fn killed_run_is_completed_as_if_undisturbed() {
    let algorithms = "--algorithms brute-force,bsp,kd-tree,auto";
    survives("run", &format!("--boxes gas:200,plane:300 --frames 20 --repeat 20 {algorithms}"));
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
    let inputs = tempfile::tempdir().unwrap();
    let [trace, program] = ["small.bpt", "program"].map(|name| inputs.path().join(name));
    write_trace_and_program(inputs.path());
    let only = "--quick --parts programs --only small --frames 30 --repeat 12";
    let named = format!("--trace {} --program {}", trace.display(), program.display());
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
fn write_trace_and_program(folder: &Path) {
    for arguments in [
        "record --boxes gas:200 --frames 60 --out small.bpt",
        "run small.bpt --algorithms brute-force --warmup 0 --frames 60 --repeat 1 --out rows --quiet",
    ] {
        let output = harness(folder, arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let mut reader = csv::Reader::from_path(folder.join("rows/frames.csv")).unwrap();
    let lines = reader.deserialize().map(|row: Result<FrameRow, csv::Error>| {
        let FrameRow { pairs, checksum, .. } = row.unwrap();
        format!("1 {pairs} {checksum}\n")
    });
    fs::write(folder.join("lines"), lines.collect::<String>()).unwrap();
    let program = folder.join("program");
    fs::write(&program, "#!/bin/sh\ncat \"${0%/*}/lines\"\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Kills a command, resumes it, and compares its results with those of an undisturbed run.
fn survives(command: &str, options: &str) {
    let command_line = format!("{command} {options} --out out --quiet");
    let undisturbed = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let output = harness(undisturbed.path(), &command_line).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let whole = begun.elapsed();
    let expected = Results::read(undisturbed.path());
    assert!(expected.rows.len() > 10, "{expected:?}");

    let seed = from_environment("KILLS_SEED", 1);
    let mut random = Random(command.bytes().fold(seed, |hash, byte| mix(hash ^ u64::from(byte))));
    let resume = format!("{command_line} --resume");
    let mut tally: BTreeMap<&str, Tally> = BTreeMap::new();
    for number in 0..from_environment("KILLS", FEW) {
        let damage = (number % DAMAGED_EVERY == 1).then(|| random.choose(&DAMAGES));
        let runs = 1 + usize::from(random.below(RESUMED_EVERY) == 0);
        let damage_it = damage.map(|(_, damage)| damage);
        let (folder, damaged) = killed(&resume, whole, runs, damage_it, &mut random);
        let output = harness(folder.path(), &resume).output().unwrap();
        let name = damage.map_or("intact", |(name, _)| name);
        let file = damaged.as_ref().and_then(|path| path.file_name()?.to_str()).unwrap_or(KEPT);
        let case = format!("{command}, kill {number} of seed {seed}, {file} {name}");
        let errors = String::from_utf8_lossy(&output.stderr);
        let is_refused = file.ends_with(".csv") && output.status.code() == Some(1);
        if is_refused {
            assert!(errors.contains(file), "{case}: {output:?}");
        } else {
            assert!(output.status.success(), "{case}: {output:?}");
            expected.assert_equal(&Results::read(folder.path()), &case);
        }
        let tally = tally.entry(name).or_default();
        tally.runs += 1;
        tally.kills += runs;
        tally.refused += usize::from(is_refused);
        tally.warnings += usize::from(errors.contains("is measured again"));
    }
    println!("{command}: {:.1} s undisturbed; every completed run equals it", whole.as_secs_f64());
    println!("  {:<20} runs  kills    warnings of a damaged file  refused tables", "damage");
    for (name, Tally { runs, kills, warnings, refused }) in tally {
        println!("  {name:<20} {runs:>4}  {kills:>5}  {warnings:>29}  {refused:>14}");
    }
}

/// Runs whose files were treated alike.
#[derive(Default)]
struct Tally {
    runs: usize,
    kills: usize,
    warnings: usize,
    refused: usize,
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    let number = |text: String| text.parse().unwrap_or_else(|_| panic!("{name} is no number"));
    std::env::var(name).map_or(otherwise, number)
}

fn harness(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("harness"));
    command.current_dir(folder).args(arguments.split_whitespace());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A folder in which a run was killed, and resumed and killed again until `runs` were, each at a random moment
/// of the time that a `whole` run takes. Then a file of what is kept or a table was damaged, whose path is returned.
fn killed(
    resume: &str,
    whole: Duration,
    runs: usize,
    damage: Option<Damage>,
    random: &mut Random,
) -> (tempfile::TempDir, Option<PathBuf>) {
    // A run may end before its kill, and keeps nothing at its begin and end.
    for _ in 0..1000 {
        let folder = tempfile::tempdir().unwrap();
        if !(0..runs).all(|_| is_killed(folder.path(), resume, random.within(whole))) {
            continue;
        }
        let Some(damage) = damage else { return (folder, None) };
        let (mut kept, mut tables) = (Vec::new(), Vec::new());
        for path in files(folder.path()) {
            let is_kept = path.parent().is_some_and(|folder| folder.ends_with(KEPT));
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("json") if is_kept => kept.push(path),
                Some("csv") => tables.push(path),
                _ => {}
            }
        }
        if !kept.is_empty() {
            // As often a kept file as one of the tables.
            let files = if random.below(2) == 0 { &mut kept } else { &mut tables };
            files.sort();
            let file = files.swap_remove(random.below(files.len()));
            damage(&file, random);
            return (folder, Some(file));
        }
    }
    panic!("`{resume}` was never killed in time");
}

/// Starts a run, and kills it after some time. Returns whether it was still running then.
fn is_killed(folder: &Path, resume: &str, after: Duration) -> bool {
    let mut child = harness(folder, resume).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() || output.status.signal() == Some(SIGKILL), "{output:?}");
    !output.status.success()
}

/// A change of a file on the disk.
type Damage = fn(&Path, &mut Random);

const DAMAGES: [(&str, Damage); 8] = [
    ("deleted", |file, _| fs::remove_file(file).unwrap()),
    ("without a line", |file, random| {
        edit(file, |lines| drop(lines.remove(random.below(lines.len()))));
    }),
    ("with a line doubled", |file, random| {
        edit(file, |lines| {
            let line = random.below(lines.len());
            lines.insert(line, lines[line].clone());
        });
    }),
    ("doubled", |file, _| edit(file, |lines| lines.extend_from_within(..))),
    ("truncated", |file, random| {
        let length = random.below(fs::metadata(file).unwrap().len() as usize);
        let file = OpenOptions::new().write(true).open(file).unwrap();
        file.set_len(length as u64).unwrap();
    }),
    ("with a byte changed", |file, random| {
        let mut bytes = fs::read(file).unwrap();
        let place = random.below(bytes.len());
        bytes[place] ^= 1 + random.below(255) as u8;
        fs::write(file, bytes).unwrap();
    }),
    ("with a block zeroed", |file, random| {
        let mut bytes = fs::read(file).unwrap();
        let place = random.below(bytes.len());
        let end = bytes.len().min(place + 64);
        bytes[place..end].fill(0);
        fs::write(file, bytes).unwrap();
    }),
    ("with NULs appended", |file, _| {
        let bytes = [fs::read(file).unwrap(), vec![0; 64]].concat();
        fs::write(file, bytes).unwrap();
    }),
];

/// Changes the lines of a file, each with its end.
fn edit(path: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    change(&mut lines);
    fs::write(path, lines.concat()).unwrap();
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flat_map(below).collect()
}

/// Columns that are the same in every run. Times, memory and hardware counters are not.
const FIXED: [&str; 19] = [
    "part",
    "cell",
    "input",
    "n",
    "seed",
    "algorithm",
    "again",
    "threads",
    "phase",
    "repeat",
    "frame",
    "repeats",
    "frames",
    "tests",
    "pairs",
    "hits",
    "checksum",
    "status",
    "reason",
];

/// What a run leaves, times aside.
#[derive(Debug, PartialEq)]
struct Results {
    files: BTreeSet<PathBuf>,
    /// Each with its file, in order.
    rows: Vec<String>,
}

impl Results {
    fn read(folder: &Path) -> Self {
        let (mut names, mut rows) = (BTreeSet::new(), Vec::new());
        for path in files(folder) {
            let name = path.strip_prefix(folder).unwrap().to_owned();
            if path.extension().is_some_and(|ending| ending == "csv") {
                let row = |row| format!("{} {row}", name.display());
                rows.extend(fixed_rows(&path).into_iter().map(row));
            }
            // A kill may leave a file that was being written, and only an undisturbed thesis has its time.
            let text = name.to_string_lossy();
            if !text.contains(".unfinished-") && !text.ends_with("wall-seconds.txt") {
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

/// The fixed columns of each row.
fn fixed_rows(path: &Path) -> Vec<String> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        let field = |name: &str| {
            let place = header.iter().position(|column| column == name)?;
            Some(&record[place])
        };
        // Which algorithm of a cell is measured twice depends on times.
        let is_again = field("again") == Some("true");
        let is_known = |name: &&&str| !is_again || !["algorithm", "tests"].contains(*name);
        let known = FIXED.iter().filter(is_known);
        known.filter_map(|name| field(name)).collect::<Vec<_>>().join(" ")
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// Numbers of a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = mix(self.0);
        self.0
    }

    /// Less than `bound`.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A moment of a stretch of time.
    fn within(&mut self, whole: Duration) -> Duration {
        whole.mul_f64(self.next() as f64 / u64::MAX as f64)
    }
}
