//! `--set`, and ids that set parameters.

use super::{ALGORITHM, CHECKSUM, STATUS, folder, harness, prints, refused, rows};
use std::fs;

#[test]
fn run_measures_one_entry_for_each_value_beside_the_default() {
    let folder = folder();
    let run = "run tiny.scene --frames 3 --warmup 1 --repeat 1 --algorithms bsp,kd-tree@depth=2@period=.5 \
               --set bsp.depth=3,5 --set grid-hashed.cell-side=2.50 --out out --quiet";
    harness(folder.path(), run).assert().code(0);
    let summary = rows(folder.path().join("out/summary.csv"));
    let ids: Vec<&str> = summary.iter().map(|row| &row[ALGORITHM]).collect();
    let set =
        ["kd-tree@depth=2@period=0.5", "bsp@depth=3", "bsp@depth=5", "grid-hashed@cell-side=2.5"];
    assert_eq!(ids, [&["bsp"], &set[..]].concat());
    for row in &summary {
        assert_eq!((&row[STATUS], &row[CHECKSUM]), ("ok", &summary[0][CHECKSUM]), "{row:?}");
    }

    // The same entries in other words are the same run.
    let again = run.replace("@depth=2@period=.5", "@period=0.5@depth=2").replace("3,5", "3,5.0");
    let before = fs::read(folder.path().join("out/summary.csv")).unwrap();
    harness(folder.path(), &format!("{again} --resume")).assert().code(0);
    assert_eq!(fs::read(folder.path().join("out/summary.csv")).unwrap(), before);
    let other = again.replace("bsp.depth=3", "bsp.depth=4");
    refused(folder.path(), format!("{other} --resume"), 1, "resume");
}

#[test]
fn ids_that_set_parameters_are_valid_in_every_command() {
    let folder = folder();
    for (command, text) in [
        (
            "verify tiny.scene --frames 3 --algorithms bsp@depth=9 --set bsp.depth=1",
            "2 algorithms against brute-force",
        ),
        ("compare bsp bsp@depth=2 tiny.scene --frames 3 --repeat 1 --json", "bsp@depth=2"),
        ("record tiny.scene --algorithm kd-tree@depth=2 --frames 3 --out a.bpt", "3 frames"),
    ] {
        prints(folder.path(), command, text);
    }
}
