//! `harness verify`.

use super::{folder, harness, refused};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

#[test]
fn verify_prints_a_line_for_each_case() {
    let folder = folder();
    harness(folder.path(), "verify tiny.scene --objects 20,60 --frames 20 --threads 1,2")
        .assert()
        .code(0)
        .stdout(contains("tiny.scene, n = 20: seed 7, threads 1,2, 20 frames"))
        .stdout(contains("tiny.scene, n = 60: seed 7, threads 1,2, 20 frames"))
        .stdout(contains("no difference"));
    let quiet = harness(folder.path(), "verify tiny.scene --frames 2 --quiet").assert().code(0);
    quiet.stdout(is_empty());
    let output = harness(folder.path(), "verify tiny.scene --frames 2 --json").output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json[0]["findings"].as_array().unwrap().len(), 0);
    assert!(json[0]["pairs_compared"].as_u64().unwrap() > 0);
}

#[test]
fn verify_without_time_for_a_frame_is_exit_code_1() {
    let folder = folder();
    let verify = "verify tiny.scene --frames 2 --algorithms bsp";
    harness(folder.path(), &format!("{verify} --budget 1e-9"))
        .assert()
        .code(1)
        .stdout(contains("1 case(s), 0 pairs compared, 1 skipped: nothing was verified"))
        .stderr(contains("error: nothing was verified: ").and(contains("over the time budget")));
}

#[test]
fn verify_without_a_pair_is_a_failure_unless_allowed() {
    let folder = folder();
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 2\n#!radius 0.001\n#!speed 0\n";
    std::fs::write(folder.path().join("empty.scene"), text).unwrap();
    let verify = "verify empty.scene --frames 3 --algorithms bsp,auto";
    let reason = "empty.scene, n = 2: 0 pairs compared, which verifies nothing";
    harness(folder.path(), verify)
        .assert()
        .code(1)
        .stdout(contains("0 pairs compared: nothing was verified"))
        .stderr(contains(reason));
    // Pairs of other cases do not help.
    refused(folder.path(), "verify empty.scene tiny.scene --frames 3 --algorithms bsp", 1, reason);
    harness(folder.path(), &format!("{verify} --allow-no-pairs"))
        .assert()
        .code(0)
        .stdout(contains("0 pairs compared: no difference"))
        .stderr(is_empty());
}
