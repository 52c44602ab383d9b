//! `harness bodies --experiments`, as short as it exercises everything.

use crate::commands::{harness, prints, refused};
use std::fs;

const SHORT: &str = "bodies --experiments --quick --frames 1 --warmup 0 --repeat 1";

#[test]
fn verdicts_of_experiments_come_from_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    prints(folder.path(), SHORT, "26 claims: ");
    // The folder of the machine, without --out.
    let mut folders = fs::read_dir(folder.path().join("results")).unwrap();
    let here = folders.next().unwrap().unwrap().path();
    assert!(folders.next().is_none(), "{here:?} is not the only folder");
    let data = here.join("bodies");
    let page = fs::read_to_string(here.join("bodies.md")).unwrap();
    for experiment in
        ["moving", "resting", "rotating", "vertices", "coherence", "volumes", "parts", "radii"]
    {
        let rows = fs::read_to_string(data.join(experiment).join("stages.csv")).unwrap();
        assert!(rows.lines().count() > 1, "{experiment}");
        assert!(rows.lines().skip(1).all(|row| row.contains(",ok,")), "{experiment}: {rows}");
    }
    assert!(data.join("areas/summary.csv").is_file());
    for text in
        ["| 001, first attempt; moving |", "| 004; areas |", "(bodies/vertices.svg)", "## Machine"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("is missing"), "a claim names what is not measured: {page}");
    assert_eq!(page.matches("](bodies/").count(), 5, "four charts and the machine");

    harness(folder.path(), "bodies --experiments --redraw --quiet").assert().code(0).stdout("");
    assert_eq!(fs::read_to_string(here.join("bodies.md")).unwrap(), page);
    refused(folder.path(), SHORT, 1, "bodies.md exists already");
}
