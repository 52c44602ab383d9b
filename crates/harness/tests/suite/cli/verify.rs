//! `harness verify` and `harness compare`.

use crate::commands::{Folder, assert_has};

#[test]
fn verify_prints_a_line_for_each_case() {
    let folder = Folder::tiny();
    let lines = [20, 60].map(|n| format!("tiny.scene, n = {n}: seed 7, threads 1,2, 20 frames"));
    let verify = "verify tiny.scene --objects 20,60 --frames 20 --threads 1,2";
    folder.prints(verify, &[&lines[0], &lines[1], "no difference"]);
    assert_eq!(folder.runs("verify tiny.scene --frames 2 --quiet"), "");
    let json = folder.runs("verify tiny.scene --frames 2 --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["findings"].as_array().unwrap().len(), 0);
    assert!(json[0]["pairs_compared"].as_u64().unwrap() > 0);
}

#[test]
fn verify_of_nothing_is_a_failure_unless_allowed() {
    let folder = Folder::tiny();
    let [printed, reported] =
        folder.ends(1, "verify tiny.scene --frames 2 --algorithms bsp --budget 1e-9");
    let nothing = "1 case(s), 0 pairs compared, 1 skipped: nothing was verified";
    assert_has(&printed, &[nothing]);
    assert_has(&reported, &["error: nothing was verified: ", "over the time budget"]);

    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 2\n#!radius 0.001\n#!speed 0\n";
    folder.write("empty.scene", text);
    let verify = "verify empty.scene --frames 3 --algorithms bsp,auto";
    let [printed, reported] = folder.ends(1, verify);
    let reason = "empty.scene, n = 2: 0 pairs compared, which verifies nothing";
    assert_has(&printed, &["0 pairs compared: nothing was verified"]);
    assert_has(&reported, &[reason]);
    // Pairs of other cases do not help.
    folder.refuses(1, "verify empty.scene tiny.scene --frames 3 --algorithms bsp", reason);
    let [printed, reported] = folder.ends(0, format!("{verify} --allow-no-pairs"));
    assert_has(&printed, &["0 pairs compared: no difference"]);
    assert_eq!(reported, "");
}

#[test]
fn compare_prints_the_ratio_of_two_algorithms_or_files() {
    let folder = Folder::tiny();
    let compare = "compare brute-force bsp tiny.scene --boxes gas:1000 --frames 3 --repeat 6";
    folder.prints(compare, &["B / A", "(97 %)"]);
    let json = folder.runs(format!("{compare} --json"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let row = &json["rows"][1];
    assert_eq!(
        (&row["input"], &row["n"], &row["a"]),
        (&"gas".into(), &1000.into(), &"brute-force".into())
    );
    let [low, ratio, high] =
        ["low", "ratio", "high"].map(|name| row["ratio"][name].as_f64().unwrap());
    assert!(low <= ratio && ratio <= high, "{row}");

    for out in ["a", "b"] {
        let run = "run tiny.scene --algorithms bsp,kd-tree --frames 3 --repeat 2";
        folder.runs(format!("{run} --out {out}"));
    }
    folder.prints("compare a b/summary.csv", &["kd-tree", "verdict"]);
    let wrong = "a/frames.csv, line 1: expected the columns of summary.csv";
    folder.refuses(3, "compare a/frames.csv b", wrong);
    folder.refuses(3, "compare a missing.csv", "missing.csv");
}
