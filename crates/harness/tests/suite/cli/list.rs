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
    let broad = json.as_array().unwrap().iter().filter(|row| row["stage"] == "broad");
    let ours = broad.filter(|row| row["peer"] == false);
    let ids: Vec<&str> = ours.filter_map(|row| row["id"].as_str()).collect();
    assert!(ids.iter().copied().eq(broadphase::registry::ALGORITHMS.iter().map(|a| a.id)));
}

#[test]
fn list_states_every_parameter_with_default_and_range() {
    let folder = folder();
    let output = harness(folder.path(), "list").assert().code(0).get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = "grid-hashed.cell-side 4 Side of a cell, in sides of most objects [a number from 0.5 to 32]";
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.lines().any(|l| words(l) == line), "{text}");
    for entry in broadphase::registry::ALGORITHMS.families() {
        for parameter in entry.parameters {
            let name = format!("{}.{} ", entry.id, parameter.name);
            let lines = text.lines().filter(|l| l.starts_with(&name));
            assert_eq!(lines.filter(|l| l.contains(parameter.meaning)).count(), 1, "{name}");
        }
    }
    let output = harness(folder.path(), "list --json").assert().code(0).get_output().clone();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let bsp = json.as_array().unwrap().iter().find(|row| row["id"] == "bsp").unwrap();
    let depth = &bsp["parameters"][0];
    assert_eq!((&depth["name"], &depth["most"]), (&"depth".into(), &12.0.into()));
}

#[test]
fn list_names_every_method_of_bodies() {
    use narrowphase::{impact::TIMES_OF_IMPACT, narrow::NARROW_PHASES, volume::VOLUMES};
    let folder = folder();
    let volumes = VOLUMES.iter().map(|kind| (kind.id, kind.summary));
    let narrow_phases = NARROW_PHASES.iter().map(|kind| (kind.id, kind.summary));
    let impacts = TIMES_OF_IMPACT.iter().map(|kind| (kind.id, kind.summary));
    let methods: Vec<(&str, &str)> = volumes.chain(narrow_phases).chain(impacts).collect();
    let output = harness(folder.path(), "list").assert().code(0).get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    for (id, summary) in &methods {
        let is_line =
            |l: &str| l.trim_start().starts_with(&format!("{id} ")) && l.contains(summary);
        assert!(text.lines().any(is_line), "{id}: {text}");
    }
    let output = harness(folder.path(), "list --json").assert().code(0).get_output().clone();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = json.as_array().unwrap().iter().filter(|row| row["stage"] != "broad");
    assert!(rows.map(|row| row["id"].as_str().unwrap()).eq(methods.iter().map(|(id, _)| *id)));
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
