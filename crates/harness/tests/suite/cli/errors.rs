//! Wrong command lines, files and folders: exit codes and messages.

use super::{folder, harness, refused};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use std::fs;
#[cfg(unix)]
use std::process::Command;

/// Command lines that are refused, and what the message contains.
const WRONG_COMMAND_LINES: &[(&str, &str)] = &[
    ("run", "name an <INPUT>: a scene file, a trace (.bpt), or --boxes NAME:N"),
    ("run --boxes fog:10", "expected one of gas, cluster"),
    ("run --boxes atlas:7:0 --moving 0.5", "--moving has no effect: atlas:7:0 has its own share"),
    ("run --boxes gas:10 --moving 2", "not a number from 0 to 1"),
    ("verify tiny.bpt --boxes terdiman:9 --seed 3", "--seed has no effect: tiny.bpt, terdiman"),
    ("run gas --boxes gas:60 --seed 7", "two inputs would be `gas`, n = 60"),
    ("run tiny.bpt --objects 9", "--objects is for scenes"),
    ("run tiny.scene --resume", "--resume takes --out DIR"),
    ("compare bsp octree tiny.scene", "`octree` is no algorithm"),
    ("compare bsp bvh-linear+object tiny.scene", "bvh-linear+object was removed: use bvh-linear"),
    ("compare tiny.scene tiny.bpt tiny.scene", "leave the inputs out"),
    ("compare bsp bsp tiny.scene --fail-above 1.1 --repeat 5", "at least --repeat 6"),
    ("run tiny.scene --set bsp.size=3", "bsp has no parameter `size`: it has depth"),
    ("run tiny.scene --algorithms bsp@depth=x", "invalid value 'bsp@depth=x' for '--algorithms"),
    ("run tiny.scene --frames 1000000 --repeat 1000", "too many"),
    ("run tiny.scene --budget 0", "more than 0 seconds"),
    ("run tiny.bpt --frames 7", "has 6 frames, but 0 warm-up and 7 measured"),
    ("record tiny.scene --force --out tiny.scene", "a name that ends in .bpt"),
    ("record tiny.bpt --out other.bpt", "is a trace already"),
    ("verify tiny.scene --algorithms brute-force", "brute-force is what others are compared with"),
    ("run tiny.scene --shard 2/2", "the plan has only 1 cases"),
    ("run --boxes gas:1000000 --worlds 1000", "expected at most 67108864 boxes"),
    ("atlas --champions bsp", "name `auto` too"),
    ("atlas --cell 3", "by `harness run --boxes atlas:SEED:K --warmup 0`"),
    ("atlas --worlds 8", "by `harness run --boxes atlas:SEED:K --worlds W`"),
    ("verify tiny.scene --out r", "verify writes no files: leave the option out"),
    ("capacity --boxes gas:9 --threads 2", "the counts are the same on any number of threads"),
];

#[test]
fn wrong_command_line_is_exit_code_2_with_a_reason() {
    let folder = folder();
    harness(folder.path(), "record tiny.scene --out tiny.bpt --frames 6").assert().code(0);
    fs::copy(folder.path().join("tiny.scene"), folder.path().join("gas")).unwrap();
    for (arguments, reason) in WRONG_COMMAND_LINES {
        harness(folder.path(), arguments)
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(*reason));
    }
    assert!(!folder.path().join("results").exists(), "nothing is written for a wrong command");
}

#[test]
fn bad_input_file_is_exit_code_3_and_named() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("bad.scene"), "# fine\ni -1 -1 -1  2 2 x  100 t\n").unwrap();
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
            ("bad.scene", "bad.scene:2"),
            ("bad.bpt", "BPTRACE1"),
            ("short.bpt", "short.bpt"),
            ("nan.bpt", "frame 1"),
        ] {
            harness(path, &format!("{command} tiny.scene {input} --frames 2 --quiet"))
                .assert()
                .code(3)
                .stderr(starts_with("error: ").and(contains(reason)));
        }
    }
    refused(path, "record bad.scene --out x.bpt", 3, "bad.scene:2");
    assert!(!path.join("x.bpt").exists());
}

#[test]
fn unwritable_folder_is_reported_before_measuring() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("file"), "").unwrap();
    refused(path, "verify tiny.scene --objects 4000000000", 1, "4000000000 objects need about");
    // A case that would take hours, were it measured first.
    let long = "run tiny.scene --frames 1000000 --repeat 1 --objects 20000";
    let refusal = "error: cannot make the folder file/deep: ";
    refused(path, format!("{long} --out file/deep"), 1, refusal);
    fs::create_dir(path.join("old")).unwrap();
    fs::write(path.join("old/frames.csv"), "precious").unwrap();
    refused(path, format!("{long} --out old"), 1, "old/frames.csv exists already");
    assert_eq!(fs::read_to_string(path.join("old/frames.csv")).unwrap(), "precious");
    let force = "run tiny.scene --frames 1 --repeat 1 --out old --force";
    harness(path, force).assert().code(0);
}

#[test]
fn output_is_never_an_input() {
    let folder = folder();
    let path = folder.path();
    let short = "run tiny.scene --frames 2 --repeat 1 --algorithms bsp";
    harness(path, &format!("{short} --out r")).assert().code(0);
    // A scene and a table may have any names.
    for scene in ["summary.csv", "stages.csv", "frames.csv"] {
        fs::create_dir_all(path.join("s")).unwrap();
        fs::copy(path.join("tiny.scene"), path.join("s").join(scene)).unwrap();
    }
    fs::copy(path.join("r/summary.csv"), path.join("f.svg")).unwrap();
    fs::create_dir_all(path.join("k/unfinished")).unwrap();
    fs::copy(path.join("tiny.scene"), path.join("k/unfinished/case-1.json")).unwrap();
    let rest = "--frames 2 --repeat 1";
    for (command, named) in [
        (format!("run k/unfinished/case-1.json {rest} --out k"), "k/unfinished/case-1.json"),
        (format!("run s/summary.csv {rest} --out s"), "s/summary.csv"),
        (format!("run tiny.scene s/frames.csv {rest} --out s"), "s/frames.csv"),
        (format!("bodies s/stages.csv {rest} --out s"), "s/stages.csv"),
        ("plot f.svg --out new.png,./f.svg".to_owned(), "f.svg"),
    ] {
        let before = fs::read(path.join(named)).unwrap();
        for force in ["", " --force"] {
            let refused = harness(path, &format!("{command}{force}")).assert().code(2);
            refused.stderr(contains(format!("{named} is an input: choose another name")));
        }
        assert_eq!(fs::read(path.join(named)).unwrap(), before, "{command}");
    }
    assert!(!path.join("new.png").exists());
}

#[test]
#[cfg(unix)]
fn pipe_in_place_of_a_file_is_refused_at_once() {
    let folder = folder();
    let path = folder.path();
    let run = "run tiny.scene --frames 2 --repeat 1 --algorithms bsp --out r";
    fs::create_dir_all(path.join("a/atlas/cells")).unwrap();
    fs::write(path.join("a/atlas/cells/machine.json"), "{}").unwrap();
    // A reader that opens the pipe waits for ever, and is ended by the time limit.
    for (command, code, file) in [
        ("run p.scene --out x", 3, "p.scene"),
        ("verify p.bpt", 3, "p.bpt"),
        ("plot p.csv --out x.svg", 3, "p.csv"),
        ("compare p.csv r/summary.csv", 3, "p.csv"),
        ("atlas --redraw a", 3, "a/atlas/cells/atlas.csv"),
        ("report r --out x.html", 3, "r/summary.csv"),
        ("report r --out x.html", 3, "r/machine.json"),
        (&format!("{run} --resume"), 1, "r/machine.json"),
        (&format!("{run} --force"), 1, "r/frames.csv"),
    ] {
        harness(path, &format!("{run} --force")).assert().code(0);
        let _ = fs::remove_file(path.join(file));
        assert!(Command::new("mkfifo").arg(path.join(file)).status().unwrap().success());
        let reason = contains("no regular file").or(contains("not a regular file"));
        harness(path, command).assert().code(code).stderr(contains(file).and(reason));
        fs::remove_file(path.join(file)).unwrap();
    }
    assert!(!path.join("x").exists() && !path.join("x.svg").exists());
}

#[test]
#[cfg(unix)]
fn files_of_a_running_study_are_kept() {
    let folder = folder();
    let path = folder.path();
    for (command, data, held) in [
        ("atlas --cells 1", "atlas/cells", "atlas/cells/unfinished"),
        ("thesis --quick", "thesis/E2", "thesis/E2/unfinished"),
        // Between two tables.
        ("thesis --quick", "thesis/E1", "thesis"),
    ] {
        let _ = fs::remove_dir_all(path.join("o"));
        let [data, held] = [data, held].map(|name| path.join("o").join(name));
        let files = ["machine.json", "summary.csv", "unfinished/case-00000001.json"];
        let files = files.map(|name| data.join(name));
        fs::create_dir_all(data.join("unfinished")).unwrap();
        files.iter().for_each(|file| fs::write(file, "rows").unwrap());
        // As a run holds it while it measures.
        let lock = fs::File::open(&held).unwrap();
        lock.lock().unwrap();
        let named = held.strip_prefix(path).unwrap().display();
        refused(
            path,
            format!("{command} --out o --force"),
            1,
            &format!("{named} is being written by another run"),
        );
        assert!(files.iter().all(|file| fs::read(file).unwrap() == b"rows"), "{command}");
    }
}

#[test]
#[cfg(unix)]
fn symbolic_link_is_never_written_through() {
    let folder = folder();
    let path = folder.path();
    let short = "run tiny.scene --frames 2 --repeat 1 --algorithms bsp,brute-force";
    harness(path, &format!("{short} --out r")).assert().code(0);
    for (command, link) in [
        ("record tiny.scene --frames 1 --out new.bpt", "new.bpt"),
        ("plot r/summary.csv --out free.svg,new.png", "new.png"),
        ("report r --out new.html", "new.html"),
        (&format!("{short} --out new"), "new/frames.csv"),
        (&format!("{short} --out new"), "new/unfinished"),
        ("thesis --quick --out new", "new/thesis/E2/summary.csv"),
        ("atlas --cells 1 --out new", "new/atlas/cells/atlas.csv"),
    ] {
        for target in ["precious", "missing"] {
            fs::write(path.join("precious"), "precious").unwrap();
            let whole = path.join(link);
            fs::create_dir_all(whole.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(path.join(target), &whole).unwrap();
            harness(path, &format!("{command} --force"))
                .assert()
                .code(1)
                .stdout(is_empty())
                .stderr(contains(format!("{link}: it is a symbolic link, which is not written")));
            assert!(whole.is_symlink(), "{command}: the link is gone");
            assert_eq!(fs::read_to_string(path.join("precious")).unwrap(), "precious");
            assert!(!path.join("missing").exists(), "{command}: the link was followed");
            fs::remove_file(&whole).unwrap();
            let _ = fs::remove_dir_all(path.join("new"));
        }
    }
    assert!(!path.join("free.svg").exists(), "all files are checked before one is written");
}

#[test]
fn characters_that_change_the_direction_of_text_are_escaped() {
    let folder = folder();
    // A terminal would show it as `tpb.gas`.
    harness(folder.path(), "run \u{202e}sag.bpt")
        .assert()
        .code(3)
        .stderr(contains("\\u{202e}sag.bpt").and(contains("\u{202e}").not()));
    // Also in what is wrong with the command line. This one sets the title of a terminal.
    harness(folder.path(), "\u{1b}]0;x\u{7}a.scene")
        .assert()
        .code(2)
        .stderr(contains("'\\u{1b}]0;x\\u{7}a.scene'").and(contains("\u{1b}").not()));
}
