//! `harness compare`.

use super::{folder, harness, refused};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn compare_prints_the_ratio_of_two_algorithms() {
    let folder = folder();
    let compare = "compare brute-force bsp tiny.scene --boxes gas:1000 --frames 3 --repeat 6";
    harness(folder.path(), compare)
        .assert()
        .code(0)
        .stdout(contains("B / A").and(contains("(97 %)")));
    let output = harness(folder.path(), &format!("{compare} --json")).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &json["rows"][1];
    assert_eq!((&row["input"], &row["n"]), (&"gas".into(), &1000.into()));
    let [low, ratio, high] =
        ["low", "ratio", "high"].map(|name| row["ratio"][name].as_f64().unwrap());
    assert!(low <= ratio && ratio <= high, "{row}");
}

#[test]
fn compare_reads_two_summaries_or_their_folders() {
    let folder = folder();
    for out in ["a", "b"] {
        let run = "run tiny.scene --algorithms bsp,kd-tree --frames 3 --repeat 2";
        harness(folder.path(), &format!("{run} --out {out}")).assert().code(0);
    }
    let compare = harness(folder.path(), "compare a b/summary.csv").assert().code(0);
    compare.stdout(contains("kd-tree").and(contains("verdict")));
    let wrong = "a/frames.csv, line 1: expected the columns of summary.csv";
    refused(folder.path(), "compare a/frames.csv b", 3, wrong);
    refused(folder.path(), "compare a missing.csv", 3, "missing.csv");
}
