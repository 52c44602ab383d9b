//! `--set`, and ids that set parameters.

use crate::commands::{Folder, Row};

#[test]
fn run_measures_one_entry_for_each_value_beside_the_default() {
    let folder = Folder::tiny();
    let run = "run tiny.scene --frames 3 --warmup 1 --repeat 1 --algorithms bsp,kd-tree@depth=2@period=.5 \
               --set bsp.depth=3,5 --set grid-hashed.cell-side=2.50 --out out --quiet";
    folder.runs(run);
    let summary = folder.rows("out/summary.csv");
    let ids: Vec<&str> = summary.iter().map(|row| &*row["algorithm"]).collect();
    let set =
        ["kd-tree@depth=2@period=0.5", "bsp@depth=3", "bsp@depth=5", "grid-hashed@cell-side=2.5"];
    assert_eq!(ids, [&["bsp"], &set[..]].concat());
    let is_right = |row: &Row| row["status"] == "ok" && row["checksum"] == summary[0]["checksum"];
    assert!(summary.iter().all(is_right), "{summary:?}");

    // The same entries in other words are the same run.
    let again = run.replace("@depth=2@period=.5", "@period=0.5@depth=2").replace("3,5", "3,5.0");
    folder.runs(format!("{again} --resume"));
    assert_eq!(folder.rows("out/summary.csv"), summary);
    let other = again.replace("bsp.depth=3", "bsp.depth=4");
    folder.refuses(1, format!("{other} --resume"), "resume");

    for (command, text) in [
        (
            "verify tiny.scene --frames 3 --algorithms bsp@depth=9 --set bsp.depth=1",
            "2 algorithms against brute-force",
        ),
        ("compare bsp bsp@depth=2 tiny.scene --frames 3 --repeat 1 --json", "bsp@depth=2"),
        ("record tiny.scene --algorithm kd-tree@depth=2 --frames 3 --out a.bpt", "3 frames"),
    ] {
        folder.prints(command, &[text]);
    }
}
