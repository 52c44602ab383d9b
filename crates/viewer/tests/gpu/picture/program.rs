//! Pictures drawn by the program.

use crate::picture::pixels::{changed, colors, load};
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use std::fs;
use std::path::Path;
use viewer::gpu::Gpu;
use viewer::offscreen::Picture;
use viewer::scene_renderer::Theme;

/// Runs the program in a folder, on fer.scene with two frames and 300 objects, unless it is another number.
fn run(folder: &Path, arguments: &str) -> Assert {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("viewer"));
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG"] {
        command.env_remove(variable);
    }
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/fer.scene");
    command.current_dir(folder).arg(scene).args(["--frames", "2"]);
    command.args(with(arguments, "--objects 300").split_whitespace()).assert()
}

/// Arguments with an option, unless they have another value of it.
fn with(arguments: &str, option: &str) -> String {
    let is_there = option.split(' ').next().is_some_and(|name| arguments.contains(name));
    if is_there { arguments.to_owned() } else { format!("{arguments} {option}") }
}

/// The picture that the program saves when called with further arguments.
fn picture(arguments: &str) -> Picture {
    let folder = tempfile::tempdir().unwrap();
    let arguments = with(&with(arguments, "--size 320x200"), "--algorithm kd-tree");
    run(folder.path(), &format!("--headless --csv f.csv --screenshot p.png {arguments}")).success();
    load(&folder.path().join("p.png"))
}

pub(crate) fn screenshot(gpu: &Gpu) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--headless --size 333x202 --csv f.csv --screenshot p.png --force --planes";
    let assert = run(folder.path(), arguments).success();
    let output = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let expected = format!("picture: p.png, drawn by {}\n", gpu.adapter_summary());
    assert!(output.ends_with(&expected), "{output}");
    let picture = load(&folder.path().join("p.png"));
    assert_eq!((picture.width, picture.height), (333, 202));
    assert!(colors(&picture) > 1000, "{} colours", colors(&picture));
    assert!(picture.rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 255));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "a temporary file was left");
}

pub(crate) fn parts(_: &Gpu) {
    let picture = |algorithm: &str, show: &str| picture(&format!("--algorithm {algorithm} {show}"));
    for (algorithm, shows) in [
        ("kd-sap", ["planes:2", "regions", "planes:2,regions"]),
        ("octree-loose", ["boxes:1", "boxes:6", "regions,boxes:6"]),
        ("bvh-linear", ["boxes:3", "curve", "boxes:3,curve"]),
        ("sap-incremental", ["lists"; 3]),
    ] {
        let plain = picture(algorithm, "");
        assert_eq!(changed(&plain, &picture(algorithm, ""), 0), 0.0, "a repeated call");
        assert!(changed(&plain, &picture(algorithm, "--pick 7"), 8) > 0.005, "{algorithm}");
        let shown = shows.map(|show| picture(algorithm, &format!("--show {show}")));
        for (picture, show) in shown.iter().zip(shows) {
            assert!(changed(&plain, picture, 8) > 0.002, "{algorithm} {show}");
        }
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let differ = changed(&shown[a], &shown[b], 8) > 0.001;
            assert_eq!(differ, shows[a] != shows[b], "{algorithm}: {} {}", shows[a], shows[b]);
        }
    }
}

pub(crate) fn marks(_: &Gpu) {
    let mark = Theme::DARK.mark;
    let marked = |step: u32| {
        // Few objects, so that their ends have room.
        let shown = "--objects 24 --size 640x400 --algorithm sap-incremental --show lists";
        let picture = picture(&format!("{shown} --step {step}"));
        let pixels = picture.rgba.as_chunks::<4>().0.iter();
        pixels.filter(|pixel| (0..3).all(|i| pixel[i].abs_diff(mark[i]) < 40)).count()
    };
    assert_eq!(marked(0), 0);
    assert!(marked(30) > 10, "ends were exchanged in the last steps: {}", marked(30));
}

pub(crate) fn sequence(_: &Gpu) {
    let folder = tempfile::tempdir().unwrap();
    let common = "--headless --algorithm kd-tree --size 320x200 --csv f.csv --force";
    let whole = run(folder.path(), &format!("{common} --pictures v --steps 3..5")).success();
    let output = String::from_utf8(whole.get_output().stdout.clone()).unwrap();
    assert!(output.contains("\npictures: v, drawn by "), "{output}");
    let number = |number: u32| load(&folder.path().join(format!("v/{number:06}.png")));
    assert_eq!(fs::read_dir(folder.path().join("v")).unwrap().count(), 3);
    assert!(changed(&number(1), &number(2), 8) > 0.0 && changed(&number(2), &number(3), 8) > 0.0);
    assert_eq!(changed(&number(2), &picture("--step 4"), 0), 0.0, "as a picture of its own");
}

pub(crate) fn legend(_: &Gpu) {
    let (plain, legend) =
        (picture("--size 800x600 --planes"), picture("--size 800x600 --planes --legend"));
    // Bright pixels of text in the upper right corner, scaled with the size of the picture.
    let text = |picture: &Picture, times: u32| {
        let columns = (picture.width - 240 * times)..(picture.width - 10 * times);
        let pixels = columns.flat_map(|x| (20 * times..100 * times).map(move |y| (x, y)));
        pixels.filter(|(x, y)| picture.pixel(*x, *y).iter().take(3).all(|c| *c > 150)).count()
    };
    let times_one = text(&legend, 1);
    assert!(times_one > text(&plain, 1) + 200, "{times_one} {}", text(&plain, 1));
    let double = picture("--size 1600x1440 --planes --legend");
    assert!(text(&double, 2) > 2 * times_one, "{} {times_one}", text(&double, 2));
}

pub(crate) fn no_display(gpu: &Gpu) {
    if !cfg!(target_os = "linux") {
        return; // Elsewhere a window opens.
    }
    let folder = tempfile::tempdir().unwrap();
    let assert = run(folder.path(), "--size 160x90").success();
    let output = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let drawn = output.lines().find_map(|line| line.strip_prefix("picture: ")).unwrap();
    let (path, adapter) = drawn.split_once(", drawn by ").unwrap();
    assert_eq!(adapter, gpu.adapter_summary().to_string());
    let picture = load(&folder.path().join(path));
    assert_eq!((picture.width, picture.height), (160, 90));
    assert!(path.starts_with("results/fer-") && colors(&picture) > 100, "{path}");
}
