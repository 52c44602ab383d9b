//! `harness run --worlds`.

use super::{folder, harness};
use measure::{SummaryFile, SummaryRow};
use predicates::str::contains;
use std::fs;
use std::path::Path;

fn rows(folder: &Path) -> Vec<SummaryRow> {
    SummaryFile::read(folder).unwrap().rows
}

#[test]
fn worlds_have_a_verified_row_for_each_method() {
    let folder = folder();
    let run = "run --boxes gas:20,statics:50,atlas:1:20 --worlds 1,40 --frames 3 --warmup 1 --repeat 2 --threads 1,2";
    let mut command = harness(folder.path(), &format!("{run} --out out"));
    command.assert().code(0).stdout(contains("gas --worlds 40: n = 800"));
    let rows = rows(&folder.path().join("out"));
    assert_eq!(rows.len(), 3 * 2 * 2 * 3);
    for row in &rows {
        assert!(row.pairs > Some(0.0) || row.input.ends_with(" 1"), "{row:?}");
        assert!(row.tests.or(row.nodes).or(row.rebuilds).is_none(), "not counted: {row:?}");
        let is_same =
            |other: &&SummaryRow| (&other.input, other.checksum) == (&row.input, row.checksum);
        assert_eq!(rows.iter().filter(is_same).count(), 6);
    }
    let machine = fs::read_to_string(folder.path().join("out/machine.json")).unwrap();
    assert!(!machine.contains("brute force has not"), "all pairs are proven: {machine}");
}

#[test]
fn cells_are_measured_as_worlds_and_resumed() {
    let folder = folder();
    let atlas = |options: &str| {
        let words =
            "atlas --worlds 3 --cells 2 --threads 1 --repeat 1 --objects-up-to 250 --out out";
        harness(folder.path(), &format!("{words} {options}"))
    };
    let printed = atlas("--seed 1").output().unwrap();
    assert_eq!(printed.status.code(), Some(0), "{printed:?}");
    let path = folder.path().join("out/atlas/worlds");
    let rows = rows(&path);
    assert_eq!(rows.len(), 2 * 3);
    assert!(rows.iter().all(|row| row.frames == 300 && row.input.ends_with(" --worlds 3")));
    // The ratio of a cell, from its rows in the file.
    let ns = |row: usize| rows[row].median_ns.unwrap() as f64;
    let ratio = |first| ns(first) / ns(first + 1).min(ns(first + 2));
    let worst = &rows[if ratio(0) > ratio(3) { 0 } else { 3 }].input;
    let text = String::from_utf8(printed.stdout).unwrap();
    let begins = "On 2 of 2 cells as 3 worlds each, 1 thread: one call takes ";
    let ends = format!("at worst ({worst}).\n");
    assert!(text.starts_with(begins) && text.contains(&ends), "{text}");
    assert!(!folder.path().join("out/atlas.md").exists());

    let before = fs::read(path.join("summary.csv")).unwrap();
    atlas("--seed 1 --resume").assert().code(0).stdout(text);
    atlas("--seed 1").assert().code(1).stderr(contains("--force"));
    atlas("--seed 2 --resume").assert().code(1).stderr(contains("of the run to resume is"));
    assert_eq!(fs::read(path.join("summary.csv")).unwrap(), before, "nothing is measured again");
}
