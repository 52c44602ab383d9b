//! `harness list`, and standard output.

use crate::commands::{Folder, command};

#[test]
fn list_names_all_algorithms_parameters_and_methods_of_bodies() {
    use narrowphase::{impact::TIMES_OF_IMPACT, narrow::NARROW_PHASES, volume::VOLUMES};
    let folder = Folder::new();
    let [text, reported] = folder.ends(0, "list");
    assert_eq!(reported, "");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = text.lines().map(words).collect();
    let line = "grid-hashed.cell-side 4 Side of a cell, in sides of most objects [a number from 0.5 to 32]";
    assert!(lines.iter().any(|l| l == line), "{text}");
    let volumes = VOLUMES.iter().map(|kind| (kind.id, kind.summary));
    let narrow_phases = NARROW_PHASES.iter().map(|kind| (kind.id, kind.summary));
    let impacts = TIMES_OF_IMPACT.iter().map(|kind| (kind.id, kind.summary));
    let ours = broadphase::registry::ALGORITHMS.iter().map(|entry| (entry.id, entry.summary));
    let all: Vec<_> = ours.chain(volumes).chain(narrow_phases).chain(impacts).collect();
    for (id, summary) in &all {
        let is_line = |l: &String| l.starts_with(&format!("{id} ")) && l.contains(&words(summary));
        assert!(lines.iter().any(is_line), "{id}: {text}");
    }
    let json: Vec<serde_json::Value> = serde_json::from_str(&folder.runs("list --json")).unwrap();
    let rows = json.iter().filter(|row| row["peer"] != true);
    assert!(rows.map(|row| row["id"].as_str().unwrap()).eq(all.iter().map(|(id, _)| *id)));
    let depth = &json.iter().find(|row| row["id"] == "bsp").unwrap()["parameters"][0];
    assert_eq!((&depth["name"], &depth["most"]), (&"depth".into(), &12.0.into()));
}

#[test]
fn closed_standard_output_is_no_error() {
    // Closed from the start: a reader that stops later may stop too late to be noticed.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(Folder::new().path(), "list").stdout(writer).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
