//! The program without a window: its table, its exit codes, and the files that it writes itself. Those of `measure` have their
//! tests there and in the harness.

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use broadphase::registry::ALGORITHMS;
use measure::{FrameRow, Phase};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Frames of warm-up.
const WARMUP: usize = 10;

/// Two dozen spheres that soon collide.
const TINY: &str = "#!objects 24\n#!radius 0.15\n#!speed 3\ni -1 -1 -1  2 2 2  100 t\n";

/// A folder with a scene and a trace of 15 frames, to run the program in.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self::with_scene(TINY)
    }

    fn with_scene(text: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.path("tiny.scene"), text).unwrap();
        crate::common::traces::Trace::new(20, 15).write(&folder.path("a.bpt"));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs the program without display and without adapter. Returns its output, its errors and its exit code.
    fn run(&self, arguments: &str) -> (String, String, i32) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("viewer"));
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG"] {
            command.env_remove(variable);
        }
        let assert: Assert = command
            .env("WGPU_BACKEND", "vulkan")
            .env("VK_DRIVER_FILES", "/nonexistent")
            .current_dir(&self.0)
            .args(arguments.split_whitespace())
            // A run that should have been refused could take days.
            .timeout(Duration::from_secs(600))
            .assert();
        let output = assert.get_output();
        let [out, errors] = [&output.stdout, &output.stderr].map(|text| text_of(text));
        (out, errors, output.status.code().unwrap())
    }

    /// Runs it on the scene to the end. Returns the rows, and what it printed.
    fn rows(&self, arguments: &str) -> (Vec<FrameRow>, String) {
        let run = format!("tiny.scene --headless --frames 2 --csv f.csv --force {arguments}");
        let (table, errors, code) = self.run(&run);
        assert_eq!((errors.as_str(), code), ("", 0), "{arguments}");
        (rows(&self.path("f.csv")), table)
    }

    /// All files and folders in it except its inputs, sorted.
    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries
            .flat_map(|path| match fs::read_dir(&path) {
                Ok(inside) => inside.map(|entry| entry.unwrap().path()).collect(),
                Err(_) => vec![path],
            })
            .collect();
        files.retain(|path| !path.ends_with("tiny.scene") && !path.ends_with("a.bpt"));
        files.sort();
        files
    }

    /// The one file in `results/`, and nothing else.
    #[track_caller]
    fn only_result(&self) -> Vec<FrameRow> {
        let files = self.files();
        let [file] = &files[..] else { panic!("{files:?}") };
        let name = file.strip_prefix(self.path("results")).unwrap().to_str().unwrap();
        assert!(name.starts_with("tiny-") && name.ends_with(".csv"), "{name}");
        rows(file)
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn rows(path: &Path) -> Vec<FrameRow> {
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

/// The algorithms with an ok line, in alphabetical order; `*` marks the fastest.
fn ids_of(table: &str) -> Vec<&str> {
    let ok = table.lines().filter(|line| line.trim_end().ends_with("ok"));
    let mut ids: Vec<&str> = ok.filter_map(|line| line.split_whitespace().next()).collect();
    ids.sort_unstable();
    ids
}

fn families() -> Vec<&'static str> {
    let mut ids: Vec<&str> = ALGORITHMS.families().map(|entry| entry.id).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn chosen_algorithms_run_and_every_frame_is_written() {
    let folder = Folder::new();
    let (all, table) = folder.rows("");
    assert_eq!(ids_of(&table), families());
    assert!(table.ends_with("frames: f.csv\n"), "{table}");
    assert_eq!(all.len(), families().len() * (WARMUP + 2));
    let mut checksums = HashMap::new();
    for row in &all {
        assert_eq!((row.input.as_str(), row.n, row.seed), ("tiny.scene", 24, Some(1739)));
        let is_warm = row.frame as usize >= WARMUP;
        assert_eq!(row.phase, if is_warm { Phase::Measure } else { Phase::Warmup });
        let expected = *checksums.entry(row.frame).or_insert(row.checksum);
        assert_eq!(row.checksum, expected, "{} in frame {}", row.algorithm, row.frame);
    }
    let set = "--algorithm bsp --set bsp.depth=3,5 --set bsp.depth=0";
    let (_, table) = folder.rows(set);
    assert_eq!(ids_of(&table), ["bsp", "bsp@depth=3", "bsp@depth=5"]);
    let [first, again, other] = [8, 8, 9].map(|seed| {
        let (rows, table) = folder.rows(&format!("--algorithm bsp --objects 31 --seed {seed}"));
        assert_eq!(ids_of(&table), ["bsp"]);
        assert!(rows.iter().all(|row| (row.n, row.seed) == (31, Some(seed))));
        rows.iter().map(|row| row.checksum).collect::<Vec<_>>()
    });
    assert!(first == again && first != other);
}

#[test]
#[cfg(target_os = "linux")]
fn scene_runs_where_no_window_and_no_picture_can_be_had() {
    let folder = Folder::new();
    let (table, errors, code) = folder.run("tiny.scene --frames 1");
    let lines: Vec<&str> = errors.lines().collect();
    assert!(lines[0].starts_with("No window: no display: "), "{errors}");
    assert!(lines[0].contains("set DISPLAY or WAYLAND_DISPLAY"), "{errors}");
    assert_eq!((&lines[1..], code), (&["Running the scene without one:"][..], 0));
    assert_eq!(ids_of(&table), families());
    let about: Vec<&str> = table.lines().filter(|line| line.contains("picture")).collect();
    let [line] = about[..] else { panic!("{table}") };
    assert!(line.starts_with("no picture: no graphics adapter found"), "{line}");
    assert!(line.contains("apt-get install"), "{line}");
    assert_eq!(folder.only_result().len(), families().len() * (WARMUP + 1));

    let shown = "--algorithm sap-matrix --show matrix --compare auto --csv frames.csv";
    let (table, errors, _) = folder.run(&format!("tiny.scene --frames 1 {shown}"));
    assert!(errors.ends_with("the picture has no matrix\n"), "{errors}");
    assert_eq!(ids_of(&table), ["auto", "sap-matrix"]);
    // A picture that is asked for is an error. The table is printed, and the frames are complete.
    for window in ["--headless", ""] {
        let folder = Folder::new();
        let (table, errors, code) =
            folder.run(&format!("tiny.scene {window} --frames 1 --screenshot picture.png"));
        let errors: Vec<&str> = errors.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!(errors[0].contains("no picture: no graphics adapter found") && errors.len() == 1);
        assert_eq!((ids_of(&table), code), (families(), 1));
        assert_eq!(folder.only_result().len(), families().len() * (WARMUP + 1));
    }
}

#[test]
fn traces_and_generated_boxes_run_as_scenes_do() {
    let folder = Folder::new();
    // Named as a scene, but it begins as a trace.
    fs::rename(folder.path("a.bpt"), folder.path("b.scene")).unwrap();
    for (input, name, n, seed, frames) in [
        ("b.scene", "b.scene", 20, None, 15),
        ("--boxes gas:30 --moving 0.5 --seed 4 --frames 2", "gas --moving 0.5", 30, Some(4), 12),
    ] {
        // Without a display the same is done, and no picture drawn.
        let (table, ..) = folder.run(&format!("{input} --csv frames.csv --force"));
        assert_eq!(ids_of(&table), families(), "{input}");
        let rows = rows(&folder.path("frames.csv"));
        assert_eq!(rows.len(), families().len() * frames, "{input}");
        let is_its = |row: &FrameRow| (row.input.as_str(), row.n, row.seed) == (name, n, seed);
        assert!(rows.iter().all(is_its), "{input}");
    }
}

#[test]
fn warnings_about_a_scene_do_not_end_the_run() {
    let folder = Folder::with_scene(&format!("#!colour red\n{TINY}"));
    let run = "tiny.scene --headless --frames 1 --algorithm bsp --objects 900 --csv frames.csv";
    let (_, errors, code) = folder.run(run);
    assert!(errors.starts_with("warning: unknown directive `#!colour`"), "{errors}");
    assert!(errors.contains("tiny.scene:1:1") && code == 0, "{errors}");
    assert!(errors.contains("\nwarning: source 1 has no room for "), "{errors}");
}

#[test]
fn refused_runs_leave_no_file() {
    let folder = Folder::new();
    fs::write(folder.path("bad.scene"), "#!objects 5\ni -1 -1 oops  2 2 2  100 t\n").unwrap();
    let whole = fs::read(folder.path("a.bpt")).unwrap();
    fs::write(folder.path("short.bpt"), &whole[..whole.len() - 24]).unwrap();
    let before = folder.files();
    for (arguments, code, expected) in [
        ("bad.scene", 3, "bad.scene:2:9"),
        ("missing.scene", 3, "missing.scene"),
        ("my/fer.scene", 3, "my/fer.scene"),
        ("short.bpt", 3, "it ends before frame 14 is complete"),
        ("a.bpt --objects 7", 2, "--objects is for scenes"),
        ("a.bpt --step 15 --screenshot p.png", 2, "--step 15: a.bpt has the frames 0 to 14"),
        ("a.bpt --seed 7", 2, "a.bpt has no seed"),
        ("a.bpt --frames 99", 2, "a.bpt has 15 frames"),
        ("a.bpt --boxes gas:9", 2, "--boxes"),
        ("--boxes gas:9 --objects 7", 2, "--objects"),
        ("--boxes gas", 2, "NAME:N"),
        ("tiny.scene --moving 0.5", 2, "--boxes"),
        ("--boxes gas:9 --moving 2", 2, "0 to 1"),
        ("tiny.scene --camera 1,2", 2, "YAW,PITCH,DISTANCE"),
        ("tiny.scene --color red", 2, "speed"),
        ("tiny.scene --show volumes --screenshot p", 2, "--show volumes: tiny.scene has no bodies"),
        ("tiny.scene --narrow sat --screenshot p", 2, "--box-kind: tiny.scene has no bodies"),
        ("--boxes gas:9 --volume obb --screenshot p", 2, "gas has no bodies"),
        ("tiny.scene --algorithm bsp --show curve --screenshot p", 2, "bsp has no curve to show"),
        ("tiny.scene --show lists,curve --screenshot p", 2, "no algorithm has all of these"),
        ("tiny.scene --steps 1..2", 2, "--pictures"),
        ("tiny.scene --pictures v --screenshot p.png", 2, "cannot be used with"),
        ("tiny.scene --pictures v --step 3", 2, "cannot be used with"),
        ("tiny.scene --pictures v --steps 3..2", 2, "the first and the last step"),
        ("tiny.scene --objects 4000000000", 1, "tiny.scene: 4000000000 objects need"),
    ] {
        let (output, errors, actual) = folder.run(&format!("{arguments} --headless"));
        assert!(errors.contains(expected), "{arguments}: {errors}");
        assert_eq!((output.as_str(), actual), ("", code), "{arguments}: {errors}");
        assert_eq!(folder.files(), before, "{arguments}");
    }
    let (_, errors, code) = folder.run("tiny.scene --pictures v");
    assert!(errors.contains("--headless") && code == 2, "{errors}");
    let (output, errors, code) = folder.run("tiny.scene --objects 4000000000");
    assert!(errors.starts_with("error: tiny.scene: 4000000000 objects need"), "{errors}");
    assert_eq!((output.as_str(), errors.lines().count(), code), ("", 1, 1));
}

#[test]
fn output_replaces_neither_the_scene_nor_an_existing_file() {
    let folder = Folder::new();
    fs::create_dir(folder.path("deep")).unwrap();
    fs::create_dir(folder.path("v")).unwrap();
    let kept = ["old", "v/own.png"];
    kept.iter().for_each(|name| fs::write(folder.path(name), "precious").unwrap());
    for (output, code, reason) in [
        ("--csv tiny.scene", 2, "--csv names the input"),
        ("--csv deep/../tiny.scene", 2, "--csv names the input"),
        ("--screenshot ./tiny.scene", 2, "--screenshot names the input"),
        ("--csv old", 1, "old exists already"),
        ("--screenshot old", 1, "old exists already"),
        ("--csv f --pictures v", 1, "error: v is not empty: choose a new or empty folder"),
        // Before the run, which would take hours.
        ("--csv f --screenshot tiny.scene/p.png", 1, "error: cannot write tiny.scene/p.png: "),
    ] {
        for force in ["", "--force"].iter().take(code) {
            let run = format!("tiny.scene --headless --frames 1000000 {output} {force}");
            let (table, errors, actual) = folder.run(&run);
            assert!(errors.contains(reason) && errors.lines().count() == 1, "{run}: {errors}");
            assert_eq!((table.as_str(), actual), ("", code as i32), "{run}");
        }
    }
    for name in kept {
        assert_eq!(fs::read_to_string(folder.path(name)).unwrap(), "precious");
    }
    assert_eq!(fs::read_to_string(folder.path("tiny.scene")).unwrap(), TINY);
    assert_eq!(folder.files(), kept.map(|name| folder.path(name)));
    let replaced = "tiny.scene --headless --frames 1 --algorithm bsp --csv old --force";
    assert_eq!(folder.run(replaced).2, 0);
    assert_eq!(rows(&folder.path("old")).len(), WARMUP + 1);
}

#[test]
#[cfg(unix)]
fn picture_is_never_written_through_a_symbolic_link() {
    for target in ["precious", "missing"] {
        let folder = Folder::new();
        fs::write(folder.path("precious"), "precious").unwrap();
        std::os::unix::fs::symlink(target, folder.path("link")).unwrap();
        let run = "tiny.scene --headless --frames 1000000 --csv f.csv --screenshot link --force";
        let (_, errors, code) = folder.run(run);
        assert!(errors.starts_with("error: cannot write link: it is a symbolic link, "));
        assert_eq!((errors.lines().count(), code), (1, 1), "{errors}");
        assert!(folder.path("link").is_symlink() && !folder.path("missing").exists());
        assert_eq!(fs::read_to_string(folder.path("precious")).unwrap(), "precious");
        // Neither an unfinished file nor the folder of results.
        assert_eq!(folder.files().len(), 2, "{:?}", folder.files());
    }
}

#[test]
fn built_in_scenes_run_in_an_empty_folder() {
    let folder = Folder::new();
    let run = "--headless --frames 1 --algorithm auto --csv frames.csv --force";
    for (input, path, name) in [
        ("", "scenes/first.scene", "first.scene"),
        ("fer.scene", "fer.scene", "fer.scene"),
        ("scenes/zoo.scene", "scenes/zoo.scene", "zoo.scene"),
    ] {
        let (_, errors, code) = folder.run(&format!("{input} {run}"));
        let note = format!("{path}: there is no such file; the built-in scene is shown\n");
        assert_eq!((errors, code), (note, 0));
        assert!(rows(&folder.path("frames.csv")).iter().all(|row| row.input == name));
    }
    // A file of that name wins.
    fs::write(folder.path("fer.scene"), TINY).unwrap();
    assert_eq!(folder.run(&format!("fer.scene {run}")).1, "");
    assert!(rows(&folder.path("frames.csv")).iter().all(|row| row.n == 24));
}
