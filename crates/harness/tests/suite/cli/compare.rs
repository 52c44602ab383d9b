//! `harness compare`.

use super::{folder, harness};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn compare_prints_the_ratio_of_two_algorithms() {
    let folder = folder();
    let compare = "compare brute-force bsp tiny.scene --boxes gas:1000 --frames 3 --repeat 6";
    harness(folder.path(), compare)
        .assert()
        .code(0)
        .stdout(contains("B / A").and(contains("(97 %)")))
        .stdout(contains("B is").and(contains("times as fast")));
    let output = harness(folder.path(), &format!("{compare} --json")).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &json["rows"][1];
    assert_eq!((&row["input"], &row["n"]), (&"gas".into(), &1000.into()));
    let [low, ratio, high] =
        ["low", "ratio", "high"].map(|name| row["ratio"][name].as_f64().unwrap());
    assert!(low <= ratio && ratio <= high && high < 1.0, "n² against n: {row}");
    // The other way round, brute force is a regression.
    harness(
        folder.path(),
        "compare bsp brute-force --boxes gas:1000 --frames 3 --repeat 6 --fail-above 1.05",
    )
    .assert()
    .code(5)
    .stderr(contains("error: regression, more than 1.05 times: brute-force against bsp on gas"));
}

#[test]
fn compare_reads_two_summaries_or_their_folders() {
    let folder = folder();
    for out in ["a", "b"] {
        harness(
            folder.path(),
            &format!("run tiny.scene --algorithms bsp,kd-tree --frames 3 --repeat 2 --out {out}"),
        )
        .assert()
        .code(0);
    }
    harness(folder.path(), "compare a b/summary.csv")
        .assert()
        .code(0)
        .stdout(contains("kd-tree").and(contains("verdict")));
    harness(folder.path(), "compare a/frames.csv b")
        .assert()
        .code(3)
        .stderr(contains("a/frames.csv, line 1: expected the columns of summary.csv"));
    harness(folder.path(), "compare a missing.csv")
        .assert()
        .code(3)
        .stderr(contains("missing.csv"));
}
