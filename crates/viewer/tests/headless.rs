//! The program without a window: its table, its files, its exit codes.

#![allow(clippy::unwrap_used, reason = "this is a test")]

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use broadphase::families;
use measure::{FrameRow, Phase};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Frames before those that count.
const WARMUP: usize = 10;

/// Two dozen spheres that meet soon.
const TINY: &str = "#!objects 24\n#!radius 0.15\n#!speed 3\ni -1 -1 -1  2 2 2  100 t\n";

/// A folder with a scene, to run the program in.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self::with_scene(TINY)
    }

    fn with_scene(text: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.path().join("tiny.scene"), text).unwrap();
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the program on the scene, without display and without adapter.
    fn run(&self, arguments: &str) -> Assert {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("viewer"));
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG"] {
            command.env_remove(variable);
        }
        command
            .env("WGPU_BACKEND", "vulkan")
            .env("VK_DRIVER_FILES", "/nonexistent")
            .current_dir(self.path())
            .arg("tiny.scene")
            .args(arguments.split_whitespace())
            // Only a guard: what should have been refused could run for days.
            .timeout(Duration::from_secs(120))
            .assert()
    }

    /// All files in it but the scene, at whatever depth, sorted; a folder counts too.
    fn files(&self) -> Vec<PathBuf> {
        fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, found);
                }
                found.push(path);
            }
        }
        let mut found = Vec::new();
        collect(self.path(), &mut found);
        found.retain(|path| !path.ends_with("tiny.scene"));
        found.sort();
        found
    }

    #[track_caller]
    fn assert_untouched(&self) {
        assert_eq!(self.files(), [] as [PathBuf; 0]);
    }

    /// The one file in `results/`, and nothing else.
    #[track_caller]
    fn only_result(&self) -> PathBuf {
        let files = self.files();
        assert!(files.len() == 2 && files[0].ends_with("results"), "{files:?}");
        let name = files[1].file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("tiny-") && name.ends_with(".csv"), "{name}");
        files[1].clone()
    }
}

fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

fn rows(path: &Path) -> Vec<FrameRow> {
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

/// Whether a line of the table is about an algorithm; `*` marks the fastest.
fn has_row(table: &str, algorithm: &str) -> bool {
    let first = |line: &str| line.split_whitespace().next() == Some(algorithm);
    table.lines().any(|line| first(line) && line.trim_end().ends_with("ok"))
}

#[test]
fn all_algorithms_run_and_every_frame_is_written() {
    let folder = Folder::new();
    let assert = folder.run("--headless --frames 3 --csv deep/frames.csv").success();
    assert_eq!(stderr(&assert), "");
    let table = stdout(&assert);
    for row in families() {
        assert!(has_row(&table, row.id), "{}:\n{table}", row.id);
    }
    assert!(table.ends_with("frames: deep/frames.csv\n"), "{table}");

    let rows = rows(&folder.path().join("deep/frames.csv"));
    assert_eq!(rows.len(), families().count() * (WARMUP + 3));
    let mut checksums = HashMap::new();
    for row in &rows {
        assert_eq!((row.input.as_str(), row.n, row.seed), ("tiny.scene", 24, Some(1739)));
        let is_warm = row.frame as usize >= WARMUP;
        assert_eq!(row.phase, if is_warm { Phase::Measure } else { Phase::Warmup });
        let expected = *checksums.entry(row.frame).or_insert(row.checksum);
        assert_eq!(row.checksum, expected, "{} in frame {}", row.algorithm, row.frame);
    }
    assert_eq!(checksums.len(), WARMUP + 3);
    assert!(rows.iter().any(|row| row.pairs > 0));
    for algorithm in families() {
        let own = rows.iter().filter(|row| row.algorithm == algorithm.id).count();
        assert_eq!(own, WARMUP + 3, "{}", algorithm.id);
    }
}

#[test]
fn only_the_chosen_algorithm_runs() {
    let folder = Folder::new();
    let assert = folder.run("--headless --frames 2 --algorithm bsp --csv frames.csv").success();
    for row in families() {
        assert_eq!(has_row(&stdout(&assert), row.id), row.id == "bsp", "{}", row.id);
    }
    let rows = rows(&folder.path().join("frames.csv"));
    assert_eq!(rows.len(), WARMUP + 2);
    assert!(rows.iter().all(|row| row.algorithm == "bsp"));
}

#[test]
fn number_and_seed_can_be_chosen() {
    let folder = Folder::new();
    let run = |arguments: &str| {
        let common = "--headless --frames 1 --algorithm sap-matrix --csv frames.csv";
        folder.run(&format!("{common} {arguments}")).success();
        rows(&folder.path().join("frames.csv"))
    };
    let chosen = run("--objects 31 --seed 8");
    assert!(chosen.iter().all(|row| (row.n, row.seed) == (31, Some(8))));
    let checksums = |rows: &[FrameRow]| rows.iter().map(|row| row.checksum).collect::<Vec<_>>();
    assert_eq!(checksums(&run("--objects 31 --seed 8")), checksums(&chosen));
    assert_ne!(checksums(&run("--objects 31 --seed 9")), checksums(&chosen));
}

#[test]
fn frames_go_to_results_if_nothing_else_is_said() {
    let folder = Folder::new();
    folder.run("--headless --frames 1").success();
    assert_eq!(rows(&folder.only_result()).len(), families().count() * (WARMUP + 1));
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_display_the_scene_runs_all_the_same_and_one_line_tells_why() {
    let folder = Folder::new();
    let assert = folder.run("--frames 2").success();
    let told = stderr(&assert);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 2, "{told}");
    assert!(lines[0].starts_with("No window: no display: "), "{told}");
    assert!(lines[0].contains("set DISPLAY or WAYLAND_DISPLAY"), "{told}");
    assert_eq!(lines[1], "Running the scene without one:");
    let table = stdout(&assert);
    for row in families() {
        assert!(has_row(&table, row.id), "{}:\n{table}", row.id);
    }
    assert_eq!(rows(&folder.only_result()).len(), families().count() * (WARMUP + 2));
}

#[test]
#[cfg(target_os = "linux")]
fn without_display_and_adapter_the_picture_is_left_out_and_one_line_tells_why() {
    let folder = Folder::new();
    let assert = folder.run("--frames 1").success();
    let told = stdout(&assert);
    let about: Vec<&str> = told.lines().filter(|line| line.contains("picture")).collect();
    assert_eq!(about.len(), 1, "{told}");
    assert!(about[0].starts_with("no picture: no graphics adapter found"), "{told}");
    assert!(about[0].contains("apt-get install"), "{told}");
    folder.only_result();
}

#[test]
#[cfg(target_os = "linux")]
fn a_picture_that_was_asked_for_is_an_error_without_an_adapter() {
    for window in ["--headless", ""] {
        let folder = Folder::new();
        let assert = folder.run(&format!("{window} --frames 1 --screenshot picture.png"));
        let assert = assert.code(1);
        let told = stderr(&assert);
        let errors: Vec<&str> = told.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 1, "{told}");
        assert!(errors[0].contains("no picture: no graphics adapter found"), "{told}");
        // The frames are whole all the same; the table is printed, and where they are.
        let csv = folder.only_result();
        assert_eq!(rows(&csv).len(), families().count() * (WARMUP + 1));
        let name = csv.file_name().unwrap().to_str().unwrap();
        let printed = stdout(&assert);
        assert!(printed.contains("brute-force") && printed.contains(name), "{printed}");
    }
}

#[test]
fn a_bad_scene_is_told_with_file_line_and_column() {
    let folder = Folder::with_scene("#!objects 5\ni -1 -1 oops  2 2 2  100 t\n");
    let told = stderr(&folder.run("--headless").code(3));
    assert!(told.contains("tiny.scene:2:9"), "{told}");
    assert!(told.contains("oops"), "the line itself is shown: {told}");
    folder.assert_untouched();
}

#[test]
fn a_scene_that_is_not_there_is_named() {
    let folder = Folder::new();
    fs::remove_file(folder.path().join("tiny.scene")).unwrap();
    let told = stderr(&folder.run("--headless").code(3));
    assert!(told.contains("tiny.scene"), "{told}");
    folder.assert_untouched();
}

#[test]
fn an_unknown_directive_of_a_scene_is_a_warning() {
    let folder = Folder::with_scene(&format!("#!colour red\n{TINY}"));
    let assert = folder.run("--headless --frames 1 --algorithm bsp --csv frames.csv");
    let told = stderr(&assert.success());
    assert!(told.contains("tiny.scene:1:") && told.contains("colour"), "{told}");
}

#[test]
fn objects_that_find_no_room_in_the_scene_are_a_warning() {
    let folder = Folder::new();
    let arguments = "--headless --frames 1 --algorithm bsp --objects 900 --csv frames.csv";
    let told = stderr(&folder.run(arguments).success());
    assert!(told.starts_with("warning: ") && told.lines().count() == 1, "{told}");
}

#[test]
fn an_unknown_algorithm_is_refused_with_the_known_ones() {
    let folder = Folder::new();
    let told = stderr(&folder.run("--headless --algorithm octree").code(2));
    assert!(told.contains("'octree'"), "{told}");
    assert!(families().all(|row| told.contains(row.id)), "{told}");
    folder.assert_untouched();
}

#[test]
fn senseless_numbers_are_refused_as_usage() {
    let folder = Folder::new();
    for arguments in ["--objects=0", "--objects=-5", "--frames=0", "--size=0x0", "--seed=x"] {
        let assert = folder.run(&format!("--headless {arguments}")).code(2);
        let option = arguments.split('=').next().unwrap();
        assert!(stderr(&assert).contains(option), "{}", stderr(&assert));
    }
    folder.assert_untouched();
}

#[test]
fn more_objects_than_memory_holds_are_refused() {
    for window in ["--headless", ""] {
        let folder = Folder::new();
        let assert = folder.run(&format!("{window} --objects 4000000000")).code(1);
        let told = stderr(&assert);
        assert!(told.starts_with("error: tiny.scene: 4000000000 objects and"), "{told}");
        assert!(told.contains("memory") && told.lines().count() == 1, "{told}");
        assert_eq!(stdout(&assert), "");
        folder.assert_untouched();
    }
}

#[test]
fn files_that_cannot_be_written_are_told_before_anything_runs() {
    let run = "--headless --frames 1000000";
    for (files, bad) in [
        ("--csv tiny.scene/frames.csv", "tiny.scene/frames.csv"),
        ("--csv tiny.scene/frames.csv --screenshot picture.png", "tiny.scene/frames.csv"),
        ("--csv frames.csv --screenshot tiny.scene/picture.png", "tiny.scene/picture.png"),
    ] {
        let folder = Folder::new();
        let assert = folder.run(&format!("{run} {files}")).code(1);
        let told = stderr(&assert);
        let expected = format!("error: cannot write {bad}: ");
        assert!(told.starts_with(&expected) && told.lines().count() == 1, "{told}");
        // The cause is told once.
        let cause = told[expected.len()..].trim();
        assert_eq!(told.matches(cause.split(" (").next().unwrap()).count(), 1, "{told}");
        assert_eq!(stdout(&assert), "");
        assert_eq!(fs::read_to_string(folder.path().join("tiny.scene")).unwrap(), TINY);
        folder.assert_untouched();
    }
}

#[test]
fn a_failed_run_keeps_the_frames_of_an_earlier_one() {
    let folder = Folder::new();
    let frames = folder.path().join("frames.csv");
    fs::write(&frames, "earlier").unwrap();
    folder.run("--headless --csv frames.csv --objects 4000000000").code(1);
    assert_eq!(fs::read_to_string(&frames).unwrap(), "earlier");
    assert_eq!(folder.files(), [frames]);
}

#[test]
fn frames_and_picture_do_not_go_to_one_file() {
    let folder = Folder::new();
    let command = "--headless --frames 1 --csv same.out --screenshot ./same.out";
    let told = stderr(&folder.run(command).code(2));
    assert!(told.contains("--csv and --screenshot name the same file"), "{told}");
    folder.assert_untouched();
}

#[test]
fn a_part_that_is_not_there_to_be_drawn_is_told_before_anything_runs() {
    let run = "--headless --frames 1000000 --csv f.csv --screenshot p.png";
    for (arguments, expected) in [
        (
            "--algorithm sap-1-axis --show lists,boxes",
            "sap-1-axis has no boxes to show, only lists",
        ),
        ("--algorithm sap-matrix --planes", "sap-matrix has no planes to show, only lists"),
        ("--algorithm brute-force --show regions", "brute-force has no regions to show"),
        ("--show lists,curve", "no algorithm has all of this to show"),
        ("--show planes,cubes", "expected one of planes, regions, boxes, lists, curve"),
        ("--show regions:2", "regions have no depth"),
    ] {
        let folder = Folder::new();
        let told = stderr(&folder.run(&format!("{run} {arguments}")).code(2));
        assert!(told.starts_with("error: ") && told.contains(expected), "{arguments}: {told}");
        folder.assert_untouched();
    }
}

#[test]
fn parts_of_no_picture_are_refused() {
    for part in ["--show planes", "--planes"] {
        let folder = Folder::new();
        let told = stderr(&folder.run(&format!("--headless --frames 1000000 {part}")).code(2));
        assert!(told.contains("name it with --screenshot"), "{told}");
        folder.assert_untouched();
    }
}

#[test]
fn more_overlaps_than_memory_holds_are_refused_at_once() {
    let folder = Folder::with_scene("#!objects 4000000\n#!radius 1\ni -1 -1 -1  2 2 2  100 t\n");
    let told = stderr(&folder.run("--headless --algorithm bsp").code(1));
    assert!(told.contains("objects and their pairs need about"), "{told}");
    folder.assert_untouched();
}
