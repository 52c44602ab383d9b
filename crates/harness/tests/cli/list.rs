//! `harness list`, and standard output.

use super::{folder, harness};
use predicates::str::{contains, is_empty};
use std::process::Stdio;

#[test]
fn list_names_every_algorithm_with_its_source() {
    let folder = folder();
    let mut expected = harness(folder.path(), "list").assert().code(0).stderr(is_empty());
    for algorithm in broadphase::registry::ALGORITHMS {
        expected = expected.stdout(contains(algorithm.id)).stdout(contains(algorithm.source));
    }
    let output = harness(folder.path(), "list --json").assert().code(0).get_output().clone();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours = json.as_array().unwrap().iter().filter(|row| row["peer"] == false);
    let ids: Vec<&str> = ours.filter_map(|row| row["id"].as_str()).collect();
    assert!(ids.iter().copied().eq(broadphase::registry::ALGORITHMS.iter().map(|a| a.id)));
}

#[test]
fn closed_standard_output_is_no_error() {
    let folder = folder();
    // Closed from the start: a reader that stops later may stop too late to be noticed.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("harness"))
        .current_dir(folder.path())
        .arg("list")
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}
