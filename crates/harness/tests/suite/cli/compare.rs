//! `harness compare`.

use crate::commands::Folder;

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
