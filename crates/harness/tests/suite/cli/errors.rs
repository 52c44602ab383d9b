//! Wrong command lines, files and folders: exit codes and messages.

use crate::commands::{Folder, assert_has};
use std::fs;

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
    ("record tiny.scene --objects 9,10 --out other.bpt", "a trace has one input"),
    ("verify tiny.scene --algorithms brute-force", "brute-force is what others are compared with"),
    ("run tiny.scene --shard 2/2", "the plan has only 1 cases"),
    ("run --boxes gas:1000000 --worlds 1000", "expected at most 67108864 boxes"),
    ("atlas --champions bsp", "name `auto` too"),
    ("atlas --cell 3", "by `harness run --boxes atlas:SEED:K --warmup 0`"),
    ("atlas --worlds 8", "by `harness run --boxes atlas:SEED:K --worlds W`"),
    ("capacity --boxes gas:9 --threads 2", "the counts are the same on any number of threads"),
    ("verify tiny.scene --out r", "verify writes no files: leave the option out"),
    (
        "speed --parts changes --only gas:20000,fog",
        "no input is called `fog`: name one of brownian,",
    ),
    #[cfg(unix)]
    ("speed --parts programs --program /bin/sh /bin/sh", "another is called `sh`: name the file"),
    #[cfg(unix)]
    ("speed --parts programs --program bin/auto", "another is called `auto`: name the file"),
];

#[test]
fn wrong_command_line_is_exit_code_2_with_a_reason() {
    let folder = Folder::tiny();
    folder.runs("record tiny.scene --out tiny.bpt --frames 6");
    folder.write("gas", folder.read("tiny.scene"));
    folder.write("bin/x", "");
    fs::copy(std::env::current_exe().unwrap(), folder.at("bin/auto")).unwrap();
    for (arguments, reason) in WRONG_COMMAND_LINES {
        let [printed, reported] = folder.ends(2, arguments);
        assert_eq!(printed, "", "{arguments}");
        assert_has(&reported, &[reason]);
    }
    assert!(!folder.has("results"), "nothing is written for a wrong command");
}

#[test]
fn bad_input_file_is_exit_code_3_and_named() {
    let folder = Folder::tiny();
    folder.write("bad.scene", "# fine\ni -1 -1 -1  2 2 x  100 t\n");
    folder.write("bad.bpt", "not a trace, though it is long enough for a header");
    folder.runs("record tiny.scene --out nan.bpt --frames 2");
    let mut bytes = fs::read(folder.at("nan.bpt")).unwrap();
    folder.write("short.bpt", &bytes[..bytes.len() - 1]);
    let second_frame = 24 + 60 * 24;
    bytes[second_frame..second_frame + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    folder.write("nan.bpt", &bytes);
    for (input, reason) in [
        ("missing.scene", "missing.scene"),
        ("bad.scene", "bad.scene:2"),
        ("bad.bpt", "BPTRACE1"),
        ("short.bpt", "short.bpt"),
        ("nan.bpt", "frame 1"),
        // A terminal would show it as `tpb.gas`.
        ("\u{202e}sag.bpt", "\\u{202e}sag.bpt"),
    ] {
        for command in ["run", "verify"] {
            let [_, reported] =
                folder.ends(3, format!("{command} tiny.scene {input} --frames 2 --quiet"));
            assert!(reported.starts_with("error: ") && reported.contains(reason), "{reported}");
            assert!(!reported.contains('\u{202e}'), "it changes the direction of text");
        }
    }
    folder.refuses(3, "record bad.scene --out x.bpt", "bad.scene:2");
    assert!(!folder.has("x.bpt"));
    // Also in what is wrong with the command line. This one sets the title of a terminal.
    let [_, reported] = folder.ends(2, "\u{1b}]0;x\u{7}a.scene");
    assert!(reported.contains("'\\u{1b}]0;x\\u{7}a.scene'") && !reported.contains('\u{1b}'));
}

#[test]
fn unwritable_folder_is_reported_before_measuring() {
    let folder = Folder::tiny();
    folder.write("file", "");
    folder.refuses(1, "verify tiny.scene --objects 4000000000", "4000000000 objects need about");
    // A case that would take hours, were it measured first.
    let long = "run tiny.scene --frames 1000000 --repeat 1 --objects 20000";
    let refusal = "error: cannot make the folder file/deep: ";
    folder.refuses(1, format!("{long} --out file/deep"), refusal);
    folder.write("old/frames.csv", "precious");
    folder.refuses(1, format!("{long} --out old"), "old/frames.csv exists already");
    assert_eq!(folder.read("old/frames.csv"), "precious");
    folder.runs("run tiny.scene --frames 1 --repeat 1 --out old --force");
}

#[test]
fn output_is_never_an_input() {
    let folder = Folder::tiny();
    folder.runs("run tiny.scene --frames 2 --repeat 1 --algorithms bsp --out r");
    // A scene and a table may have any names.
    let scenes = ["s/summary.csv", "s/stages.csv", "s/frames.csv", "k/unfinished/case-1.json"];
    scenes.iter().for_each(|scene| folder.write(scene, folder.read("tiny.scene")));
    folder.write("f.svg", folder.read("r/summary.csv"));
    let rest = "--frames 2 --repeat 1";
    for (command, named) in [
        (format!("run k/unfinished/case-1.json {rest} --out k"), "k/unfinished/case-1.json"),
        (format!("run s/summary.csv {rest} --out s"), "s/summary.csv"),
        (format!("run tiny.scene s/frames.csv {rest} --out s"), "s/frames.csv"),
        (format!("bodies s/stages.csv {rest} --out s"), "s/stages.csv"),
        ("plot f.svg --out new.png,./f.svg".to_owned(), "f.svg"),
    ] {
        let before = folder.read(named);
        for force in ["", " --force"] {
            let reason = format!("{named} is an input: choose another name");
            folder.refuses(2, format!("{command}{force}"), &reason);
        }
        assert_eq!(folder.read(named), before, "{command}");
    }
    assert!(!folder.has("new.png"));
}

#[test]
#[cfg(unix)]
fn pipe_in_place_of_a_file_is_refused_at_once() {
    let folder = Folder::tiny();
    let run = "run tiny.scene --frames 2 --repeat 1 --algorithms bsp --out r";
    folder.write("a/atlas/cells/machine.json", "{}");
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
        folder.runs(format!("{run} --force"));
        let _ = fs::remove_file(folder.at(file));
        let pipe = folder.at(file);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let [_, reported] = folder.ends(code, command);
        // `no regular file`, or `not a regular file`.
        assert_has(&reported, &[file, "regular file"]);
        fs::remove_file(pipe).unwrap();
    }
    assert!(!folder.has("x") && !folder.has("x.svg"));
}

#[test]
#[cfg(unix)]
fn files_of_a_running_study_are_kept() {
    let folder = Folder::new();
    for (command, data, held) in [
        ("atlas --cells 1", "atlas/cells", "atlas/cells/unfinished"),
        ("thesis --quick", "thesis/E2", "thesis/E2/unfinished"),
        // Between two tables.
        ("thesis --quick", "thesis/E1", "thesis"),
    ] {
        let _ = fs::remove_dir_all(folder.at("o"));
        let files = ["machine.json", "summary.csv", "unfinished/case-00000001.json"];
        let files = files.map(|name| format!("o/{data}/{name}"));
        files.iter().for_each(|file| folder.write(file, "rows"));
        // As a run holds it while it measures.
        let lock = fs::File::open(folder.at(&format!("o/{held}"))).unwrap();
        lock.lock().unwrap();
        let reason = format!("o/{held} is being written by another run");
        folder.refuses(1, format!("{command} --out o --force"), &reason);
        assert!(files.iter().all(|file| folder.read(file) == "rows"), "{command}");
    }
}

#[test]
#[cfg(unix)]
fn symbolic_link_is_never_written_through() {
    let folder = Folder::tiny();
    let short = "run tiny.scene --frames 2 --repeat 1 --algorithms bsp,brute-force";
    folder.runs(format!("{short} --out r"));
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
            folder.write("precious", "precious");
            let whole = folder.at(link);
            fs::create_dir_all(whole.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(folder.at(target), &whole).unwrap();
            let [printed, reported] = folder.ends(1, format!("{command} --force"));
            let reason = format!("{link}: it is a symbolic link, which is not written");
            assert!(printed.is_empty() && reported.contains(&reason), "{reported}");
            assert!(whole.is_symlink(), "{command}: the link is gone");
            assert_eq!(folder.read("precious"), "precious");
            assert!(!folder.has("missing"), "{command}: the link was followed");
            fs::remove_file(&whole).unwrap();
            let _ = fs::remove_dir_all(folder.at("new"));
        }
    }
    assert!(!folder.has("free.svg"), "all files are checked before one is written");
}
