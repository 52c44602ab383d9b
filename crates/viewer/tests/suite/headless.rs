//! The program without a window: its table, its files, its exit codes.

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use broadphase::registry::ALGORITHMS;
use measure::{FrameRow, Phase};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Frames of warm-up.
const WARMUP: usize = 10;

/// Two dozen spheres that soon collide.
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
        self.run_on("tiny.scene", arguments)
    }

    /// Runs it on an input.
    fn run_on(&self, input: &str, arguments: &str) -> Assert {
        let command = Command::new(assert_cmd::cargo::cargo_bin!("viewer"));
        self.run_by(command, &format!("{input} {arguments}"))
    }

    /// Runs it by a command.
    fn run_by(&self, mut command: Command, arguments: &str) -> Assert {
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG"] {
            command.env_remove(variable);
        }
        command
            .env("WGPU_BACKEND", "vulkan")
            .env("VK_DRIVER_FILES", "/nonexistent")
            .current_dir(self.path())
            .args(arguments.split_whitespace())
            // A run that should have been refused could take days.
            .timeout(Duration::from_secs(600))
            .assert()
    }

    /// All files and folders in it except the scene, at any depth, sorted.
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

/// Whether the table has an ok line for an algorithm; `*` marks the fastest.
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
    for entry in ALGORITHMS.families() {
        assert!(has_row(&table, entry.id), "{}:\n{table}", entry.id);
    }
    assert!(table.ends_with("frames: deep/frames.csv\n"), "{table}");

    let rows = rows(&folder.path().join("deep/frames.csv"));
    assert_eq!(rows.len(), ALGORITHMS.families().count() * (WARMUP + 3));
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
    for algorithm in ALGORITHMS.families() {
        let own = rows.iter().filter(|entry| entry.algorithm == algorithm.id).count();
        assert_eq!(own, WARMUP + 3, "{}", algorithm.id);
    }
}

#[test]
fn only_the_chosen_algorithm_runs() {
    let folder = Folder::new();
    let assert = folder.run("--headless --frames 2 --algorithm bsp --csv frames.csv").success();
    for entry in ALGORITHMS.families() {
        assert_eq!(has_row(&stdout(&assert), entry.id), entry.id == "bsp", "{}", entry.id);
    }
    let rows = rows(&folder.path().join("frames.csv"));
    assert_eq!(rows.len(), WARMUP + 2);
    assert!(rows.iter().all(|row| row.algorithm == "bsp"));
}

#[test]
fn values_of_parameters_run_beside_the_chosen_algorithm() {
    let folder = Folder::new();
    let set = "--algorithm bsp --set bsp.depth=3,5 --set bsp.depth=0";
    let assert = folder.run(&format!("--headless --frames 2 {set} --csv frames.csv")).success();
    let table = stdout(&assert);
    let ids = ["bsp", "bsp@depth=3", "bsp@depth=5"];
    assert!(ids.iter().all(|id| has_row(&table, id)), "{table}");
    let rows = rows(&folder.path().join("frames.csv"));
    assert_eq!(rows.len(), ids.len() * (WARMUP + 2));
}

#[test]
fn number_of_objects_and_seed_can_be_chosen() {
    let folder = Folder::new();
    let run = |arguments: &str| {
        let common = "--headless --frames 1 --algorithm sap-matrix --csv frames.csv --force";
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
fn frames_go_to_results_by_default() {
    let folder = Folder::new();
    folder.run("--headless --frames 1").success();
    assert_eq!(rows(&folder.only_result()).len(), ALGORITHMS.families().count() * (WARMUP + 1));
}

#[test]
#[cfg(target_os = "linux")]
fn missing_display_is_reported_and_the_scene_runs_without_it() {
    let folder = Folder::new();
    let assert = folder.run("--frames 2").success();
    let message = stderr(&assert);
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 2, "{message}");
    assert!(lines[0].starts_with("No window: no display: "), "{message}");
    assert!(lines[0].contains("set DISPLAY or WAYLAND_DISPLAY"), "{message}");
    assert_eq!(lines[1], "Running the scene without one:");
    let table = stdout(&assert);
    for entry in ALGORITHMS.families() {
        assert!(has_row(&table, entry.id), "{}:\n{table}", entry.id);
    }
    assert_eq!(rows(&folder.only_result()).len(), ALGORITHMS.families().count() * (WARMUP + 2));
}

#[test]
#[cfg(target_os = "linux")]
fn compared_algorithms_run_where_no_window_opens() {
    let folder = Folder::new();
    let shown = "--algorithm sap-matrix --show matrix --compare auto";
    let assert = folder.run(&format!("--frames 2 --csv frames.csv {shown}")).success();
    let message = stderr(&assert);
    assert!(message.ends_with("the picture has no matrix\n"), "{message}");
    let table = stdout(&assert);
    for entry in ALGORITHMS.families() {
        let runs = ["sap-matrix", "auto"].contains(&entry.id);
        assert_eq!(has_row(&table, entry.id), runs, "{}:\n{table}", entry.id);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn picture_in_place_of_a_window_needs_no_results_folder() {
    let folder = Folder::new();
    folder.run("--frames 2 --algorithm bsp --csv frames.csv").success();
    assert_eq!(rows(&folder.path().join("frames.csv")).len(), WARMUP + 2);
}

#[test]
fn output_replaces_neither_the_scene_nor_an_existing_file() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("old"), "precious").unwrap();
    fs::create_dir(path("deep")).unwrap();
    for (option, name, code, reason) in [
        ("--csv", "tiny.scene", 2, "--csv names the input"),
        ("--csv", "deep/../tiny.scene", 2, "--csv names the input"),
        ("--screenshot", "./tiny.scene", 2, "--screenshot names the input"),
        ("--csv", "old", 1, "old exists already"),
        ("--screenshot", "old", 1, "old exists already"),
    ] {
        for force in ["", "--force"].iter().take(code) {
            let command = format!("--headless --frames 1 {option} {name} {force}");
            let assert = folder.run(&command).code(code as i32);
            assert!(stderr(&assert).contains(reason), "{command}: {}", stderr(&assert));
        }
    }
    assert_eq!(fs::read_to_string(path("old")).unwrap(), "precious");
    assert_eq!(fs::read_to_string(path("tiny.scene")).unwrap(), TINY);
    folder.run("--headless --frames 1 --algorithm bsp --csv old --force").success();
    assert_eq!(rows(&path("old")).len(), WARMUP + 1);
}

#[test]
fn control_characters_of_an_argument_are_escaped() {
    let assert = Folder::new().run("--fog\u{1b}]0;x\u{7}").code(2);
    let message = stderr(&assert);
    assert!(
        message.contains("'--fog\\u{1b}]0;x\\u{7}'") && !message.contains('\u{1b}'),
        "{message}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn missing_adapter_leaves_the_picture_out_with_one_line() {
    let folder = Folder::new();
    let assert = folder.run("--frames 1").success();
    let message = stdout(&assert);
    let about: Vec<&str> = message.lines().filter(|line| line.contains("picture")).collect();
    assert_eq!(about.len(), 1, "{message}");
    assert!(about[0].starts_with("no picture: no graphics adapter found"), "{message}");
    assert!(about[0].contains("apt-get install"), "{message}");
    folder.only_result();
}

#[test]
#[cfg(target_os = "linux")]
fn requested_picture_is_an_error_without_an_adapter() {
    for window in ["--headless", ""] {
        let folder = Folder::new();
        let assert = folder.run(&format!("{window} --frames 1 --screenshot picture.png"));
        let assert = assert.code(1);
        let message = stderr(&assert);
        let errors: Vec<&str> =
            message.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 1, "{message}");
        assert!(errors[0].contains("no picture: no graphics adapter found"), "{message}");
        // The frames are complete, and the table and their path are printed.
        let csv = folder.only_result();
        assert_eq!(rows(&csv).len(), ALGORITHMS.families().count() * (WARMUP + 1));
        let name = csv.file_name().unwrap().to_str().unwrap();
        let printed = stdout(&assert);
        assert!(printed.contains("brute-force") && printed.contains(name), "{printed}");
    }
}

#[test]
fn bad_scene_is_reported_with_file_line_and_column() {
    let folder = Folder::with_scene("#!objects 5\ni -1 -1 oops  2 2 2  100 t\n");
    let message = stderr(&folder.run("--headless").code(3));
    assert!(message.contains("tiny.scene:2:9"), "{message}");
    assert!(message.contains("oops"), "the line itself is shown: {message}");
    folder.assert_untouched();
}

#[test]
fn error_names_a_missing_scene() {
    let folder = Folder::new();
    fs::remove_file(folder.path().join("tiny.scene")).unwrap();
    let message = stderr(&folder.run("--headless").code(3));
    assert!(message.contains("tiny.scene"), "{message}");
    folder.assert_untouched();
}

#[test]
fn unknown_directive_of_a_scene_is_a_warning() {
    let folder = Folder::with_scene(&format!("#!colour red\n{TINY}"));
    let assert = folder.run("--headless --frames 1 --algorithm bsp --csv frames.csv");
    let message = stderr(&assert.success());
    assert!(message.contains("tiny.scene:1:") && message.contains("colour"), "{message}");
}

#[test]
fn objects_that_do_not_fit_into_the_scene_are_a_warning() {
    let folder = Folder::new();
    let arguments = "--headless --frames 1 --algorithm bsp --objects 900 --csv frames.csv";
    let message = stderr(&folder.run(arguments).success());
    assert!(message.starts_with("warning: ") && message.lines().count() == 1, "{message}");
}

/// Writes a trace of 20 generated boxes.
fn write_trace(path: &Path, frames: u32) {
    let mut boxes = sim::GeneratedBoxes::new(&"gas:20".parse().unwrap());
    let mut writer = sim::TraceWriter::create(path, 20, 0.01).unwrap();
    let mut frame = Vec::new();
    for _ in 0..frames {
        boxes.next_frame(&mut frame);
        writer.write_frame(&frame).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn traces_and_generated_boxes_run_as_scenes_do() {
    let folder = Folder::new();
    write_trace(&folder.path().join("a.bpt"), 15);
    // Named as a scene, but it begins as a trace.
    write_trace(&folder.path().join("b.scene"), 15);
    for (input, name, n, seed, frames) in [
        ("a.bpt", "a.bpt", 20, None, 15),
        ("b.scene", "b.scene", 20, None, 15),
        ("--boxes gas:40 --frames 5", "gas", 40, Some(1739), 15),
        (
            "--boxes brownian:30 --moving 0.5 --seed 4 --frames 2",
            "brownian --moving 0.5",
            30,
            Some(4),
            12,
        ),
    ] {
        // Without a display the same is done, and no picture drawn.
        for window in ["--headless", ""] {
            let run = folder.run_on(input, &format!("{window} --csv frames.csv --force"));
            let table = stdout(&run.success());
            assert!(
                ALGORITHMS.families().all(|entry| has_row(&table, entry.id)),
                "{input}:\n{table}"
            );
            let rows = rows(&folder.path().join("frames.csv"));
            assert_eq!(rows.len(), ALGORITHMS.families().count() * frames, "{input}");
            for row in &rows {
                assert_eq!((row.input.as_str(), row.n, row.seed), (name, n, seed));
            }
        }
    }
}

#[test]
fn damaged_trace_is_reported_with_its_place() {
    let folder = Folder::new();
    let path = folder.path().join("a.bpt");
    write_trace(&path, 15);
    let whole = fs::read(&path).unwrap();
    let mut bad_box = whole.clone();
    bad_box[24 + 20 * 24 * 6..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    for (bytes, place) in [
        (&whole[..whole.len() - 24], "it ends before frame 14 is complete"),
        (&whole[..7], "byte 0: expected the magic"),
        (&bad_box[..], "frame 6, object 0"),
    ] {
        fs::write(&path, bytes).unwrap();
        let message = stderr(&folder.run_on("a.bpt", "--headless --csv frames.csv").code(3));
        assert!(message.contains("a.bpt: ") && message.contains(place), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    fs::remove_file(&path).unwrap();
    folder.assert_untouched();
}

#[test]
fn options_that_an_input_cannot_follow_are_usage_errors() {
    let folder = Folder::new();
    write_trace(&folder.path().join("a.bpt"), 15);
    for (input, expected) in [
        ("a.bpt --objects 7", "--objects is for scenes"),
        ("a.bpt --step 15 --screenshot p.png", "--step 15: a.bpt has the frames 0 to 14"),
        ("a.bpt --seed 7", "a.bpt has no seed"),
        ("a.bpt --frames 99", "a.bpt has 15 frames"),
        ("a.bpt --boxes gas:9", "--boxes"),
        ("--boxes gas:9 --objects 7", "--objects"),
        ("--boxes gas", "NAME:N"),
        ("tiny.scene --moving 0.5", "--boxes"),
        ("--boxes gas:9 --moving 2", "0 to 1"),
        ("a.bpt --csv a.bpt", "--csv names the input"),
        ("tiny.scene --camera 1,2", "YAW,PITCH,DISTANCE"),
        ("tiny.scene --color red", "speed"),
        (
            "tiny.scene --show volumes --screenshot p.png",
            "--show volumes: tiny.scene has no bodies",
        ),
        (
            "tiny.scene --narrow sat --screenshot p.png",
            "--volume, --narrow and --box-kind: tiny.scene has no bodies",
        ),
        ("tiny.scene --box-kind tight --screenshot p.png", "--box-kind: tiny.scene has no bodies"),
        ("tiny.scene --box-kind fog", "expected one of tight, rotated, sphere"),
        ("tiny.scene --draw lists=on", "not \"lists=on\""),
        ("--boxes gas:9 --volume obb --screenshot p.png", "gas has no bodies"),
    ] {
        let message = stderr(&folder.run_on(input, "--headless").code(2));
        assert!(message.contains(expected), "{input}: {message}");
    }
}

#[test]
fn objects_that_exceed_memory_are_refused() {
    for window in ["--headless", ""] {
        let folder = Folder::new();
        let assert = folder.run(&format!("{window} --objects 4000000000")).code(1);
        let message = stderr(&assert);
        assert!(message.starts_with("error: tiny.scene: 4000000000 objects need"), "{message}");
        assert!(message.contains("memory") && message.lines().count() == 1, "{message}");
        assert_eq!(stdout(&assert), "");
        folder.assert_untouched();
    }
}

#[test]
fn unwritable_files_are_reported_before_the_run() {
    let run = "--headless --frames 1000000";
    for (files, bad) in [
        ("--csv tiny.scene/frames.csv", "tiny.scene/frames.csv"),
        ("--csv tiny.scene/frames.csv --screenshot picture.png", "tiny.scene/frames.csv"),
        ("--csv frames.csv --screenshot tiny.scene/picture.png", "tiny.scene/picture.png"),
    ] {
        let folder = Folder::new();
        let assert = folder.run(&format!("{run} {files}")).code(1);
        let message = stderr(&assert);
        let expected = format!("error: cannot write {bad}: ");
        assert!(message.starts_with(&expected) && message.lines().count() == 1, "{message}");
        // The cause appears once.
        let cause = message[expected.len()..].trim();
        assert_eq!(message.matches(cause.split(" (").next().unwrap()).count(), 1, "{message}");
        assert_eq!(stdout(&assert), "");
        assert_eq!(fs::read_to_string(folder.path().join("tiny.scene")).unwrap(), TINY);
        folder.assert_untouched();
    }
}

#[test]
fn failed_run_keeps_the_frames_of_an_earlier_one() {
    let folder = Folder::new();
    let frames = folder.path().join("frames.csv");
    fs::write(&frames, "earlier").unwrap();
    folder.run("--headless --csv frames.csv --force --objects 4000000000").code(1);
    assert_eq!(fs::read_to_string(&frames).unwrap(), "earlier");
    assert_eq!(folder.files(), [frames]);
}

#[test]
fn missing_part_of_a_structure_is_reported_before_the_run() {
    let run = "--headless --frames 1000000 --csv f.csv --screenshot p.png";
    for (arguments, expected) in [
        (
            "--algorithm sap-1-axis --show lists,boxes",
            "sap-1-axis has no boxes to show, only lists",
        ),
        ("--algorithm sap-matrix --planes", "sap-matrix has no planes to show, only lists"),
        ("--algorithm brute-force --show regions", "brute-force has no regions to show"),
        ("--show lists,curve", "no algorithm has all of these parts to show"),
        ("--show planes,cubes", "expected none or one of planes, regions, boxes, lists, curve"),
        ("--show regions:2", "only planes and boxes have a depth, not regions"),
    ] {
        let folder = Folder::new();
        let message = stderr(&folder.run(&format!("{run} {arguments}")).code(2));
        assert!(
            message.starts_with("error: ") && message.contains(expected),
            "{arguments}: {message}"
        );
        folder.assert_untouched();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn pairs_that_exceed_memory_are_refused() {
    let balls = "#!ball 0 0 0 0 0 0 0.1\n".repeat(4000);
    let folder = Folder::with_scene(&format!("i -1 -1 -1  2 2 2  100 t\n#!objects 0\n{balls}"));
    let mut limited = Command::new("sh");
    let viewer = assert_cmd::cargo::cargo_bin!("viewer").display().to_string();
    // 8 million pairs, for which 2.6 GB are reserved.
    limited.args(["-c", "ulimit -v 2000000; exec \"$@\"", "sh", &viewer]);
    let run = "tiny.scene --headless --algorithm sweep-grid";
    let message = stderr(&folder.run_by(limited, run).code(1));
    assert!(message.contains("error: nothing was measured: frame 0: more than "), "{message}");
    let results = folder.0.path().join("results");
    assert!(fs::read_dir(results).unwrap().next().is_none(), "a file without figures");
}

#[test]
#[cfg(unix)]
fn symbolic_link_is_never_written_through() {
    for option in ["--csv", "--csv frames.csv --screenshot"] {
        for target in ["precious", "missing"] {
            let folder = Folder::new();
            fs::write(folder.path().join("precious"), "precious").unwrap();
            std::os::unix::fs::symlink(target, folder.path().join("link")).unwrap();
            let run = format!("--headless --frames 1000000 {option} link --force");
            let message = stderr(&folder.run(&run).code(1));
            assert!(message.starts_with("error: cannot write link: it is a symbolic link, "));
            assert_eq!(message.lines().count(), 1, "{message}");
            assert!(folder.path().join("link").is_symlink());
            let precious = fs::read_to_string(folder.path().join("precious")).unwrap();
            assert_eq!(precious, "precious");
            assert!(!folder.path().join("missing").exists());
            // Neither an unfinished file nor the folder of results.
            assert_eq!(folder.files().len(), 2, "{:?}", folder.files());
        }
    }
}

/// A run that writes its frames at its end.
#[cfg(unix)]
fn run_by_bash(folder: &Folder, before: &str, frames: u32) -> std::process::Command {
    let viewer = assert_cmd::cargo::cargo_bin!("viewer").display();
    let mut bash = std::process::Command::new("bash");
    let run = format!("--headless --algorithm bsp --frames {frames} --csv frames.csv");
    bash.current_dir(folder.path()).arg("-c");
    bash.arg(format!("{before} exec {viewer} tiny.scene {run}"));
    bash.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
    bash
}

#[test]
#[cfg(unix)]
fn file_beyond_the_size_limit_is_an_error_and_leaves_nothing() {
    let folder = Folder::new();
    let output = run_by_bash(&folder, "ulimit -f 10;", 2000).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(message, "error: cannot write frames.csv: File too large (os error 27)\n");
    folder.assert_untouched();
}

/// A process that is killed if the test fails.
#[cfg(unix)]
struct KilledAtEnd(std::process::Child);

#[cfg(unix)]
impl Drop for KilledAtEnd {
    fn drop(&mut self) {
        // One that has ended and was waited for is not killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg(unix)]
fn request_to_end_leaves_no_temporary_file() {
    // Under `nohup` the child would inherit that hangups are ignored. A signal that its parent handles has the default.
    let seen = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGHUP, seen).unwrap();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = Folder::new();
        let mut run = KilledAtEnd(run_by_bash(&folder, "", 1_000_000).spawn().unwrap());
        let since = Instant::now();
        while folder.files().is_empty() {
            assert!(run.0.try_wait().unwrap().is_none(), "it ended by itself");
            assert!(since.elapsed() < Duration::from_secs(600), "it writes no file");
            std::thread::sleep(Duration::from_millis(5));
        }
        let pid = run.0.id().to_string();
        let killed = std::process::Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(killed.success());
        assert_eq!(run.0.wait().unwrap().code(), Some(130), "{signal}");
        folder.assert_untouched();
    }
}

#[test]
fn built_in_scenes_run_in_an_empty_folder() {
    let folder = Folder::new();
    for (input, note) in [
        ("", "scenes/first.scene: there is no such file; the built-in scene is shown\n"),
        ("fer.scene", "fer.scene: there is no such file; the built-in scene is shown\n"),
        (
            "scenes/zoo.scene",
            "scenes/zoo.scene: there is no such file; the built-in scene is shown\n",
        ),
    ] {
        let run = "--headless --frames 1 --algorithm auto --csv frames.csv --force";
        let assert = folder.run_on(input, run).success();
        assert_eq!(stderr(&assert), note);
        let name = note.split([':', '/']).find(|part| part.ends_with(".scene")).unwrap();
        assert!(rows(&folder.path().join("frames.csv")).iter().all(|row| row.input == name));
    }
    // A file of that name wins.
    fs::write(folder.path().join("fer.scene"), TINY).unwrap();
    let assert = folder.run_on("fer.scene", "--headless --frames 1 --csv own.csv").success();
    assert_eq!(stderr(&assert), "");
    assert!(rows(&folder.path().join("own.csv")).iter().all(|row| row.n == 24));
    folder.run_on("my/fer.scene", "--headless").code(3);
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused_before_the_run() {
    let folder = Folder::new();
    for (arguments, message) in [
        ("--pictures v", "--headless"),
        ("--headless --steps 1..2", "--pictures"),
        ("--headless --pictures v --screenshot p.png", "cannot be used with"),
        ("--headless --pictures v --step 3", "cannot be used with"),
        ("--headless --pictures v --steps 3..2", "the first and the last step"),
    ] {
        let stderr = stderr(&folder.run(arguments).code(2));
        assert!(stderr.contains(message), "{arguments}: {stderr}");
    }
    folder.assert_untouched();
    fs::create_dir(folder.path().join("v")).unwrap();
    fs::write(folder.path().join("v/own.png"), "mine").unwrap();
    let refused = folder.run("--headless --frames 3 --csv f.csv --pictures v").code(1);
    let line = "error: v is not empty: choose a new or empty folder for pictures\n";
    assert_eq!((stdout(&refused), stderr(&refused)), (String::new(), line.to_owned()));
    assert!(!folder.path().join("f.csv").exists());
}
