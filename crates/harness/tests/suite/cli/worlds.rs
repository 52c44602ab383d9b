//! `harness run --worlds`.

use super::{folder, harness, rows};
use predicates::str::contains;
use std::fs;

/// Columns of `worlds.csv`.
const INPUT: usize = 1;
const WORLDS: usize = 2;
const N: usize = 3;
const FRAMES: usize = 7;
const MEDIAN: usize = 9;
const PAIRS: usize = 12;
const CHECKSUM: usize = 14;
const PROVEN: usize = 15;
const STATUS: usize = 16;

#[test]
fn worlds_have_a_verified_row_for_each_method() {
    let folder = folder();
    let run = "run --boxes gas:20,statics:50,atlas:1:20 --worlds 1,40 --frames 3 --warmup 1 --repeat 2 --threads 1,2";
    let output = harness(folder.path(), &format!("{run} --out out")).output().unwrap();
    let [printed, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    for text in ["gas: 40 worlds of 20 from seed", "ns a world"] {
        assert!(printed.contains(text), "{printed}");
    }
    let rows = rows(folder.path().join("out/worlds.csv"));
    assert_eq!(rows.len(), 3 * 2 * 2 * 3);
    for row in &rows {
        assert_eq!((&row[STATUS], &row[PROVEN]), ("ok", "true"), "{row:?}");
        assert!(&row[PAIRS] != "0.0" || &row[WORLDS] == "1", "{row:?}");
        let is_same = |other: &&csv::StringRecord| {
            (&other[N], &other[WORLDS], &other[CHECKSUM]) == (&row[N], &row[WORLDS], &row[CHECKSUM])
        };
        assert_eq!(rows.iter().filter(is_same).count(), 6);
    }
}

#[test]
fn worlds_of_other_inputs_are_refused() {
    let folder = folder();
    for (options, reason) in [
        ("run --boxes atlas:1:1 --worlds 4 --seed 3", "--seed has no effect: atlas:1:1 is always"),
        ("run --boxes atlas:1:1 --worlds 4 --moving 0.5", "--moving has no effect: atlas:1:1 has"),
        ("run --boxes gas:1000000 --worlds 1000", "expected at most 67108864 boxes"),
        ("atlas --worlds 1048576 --cells 1", "expected at most 67108864 boxes"),
    ] {
        let mut refused = harness(folder.path(), &format!("{options} --out out"));
        refused.assert().code(2).stderr(contains(reason));
        assert!(!folder.path().join("out").exists(), "{options}");
    }
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
    let path = folder.path().join("out/atlas/worlds/worlds.csv");
    let rows = rows(path.clone());
    assert_eq!(rows.len(), 2 * 3);
    for row in &rows {
        let columns = [WORLDS, FRAMES, PROVEN, STATUS].map(|column| &row[column]);
        assert_eq!(columns, ["3", "300", "true", "ok"], "{row:?}");
    }
    // The ratio of a cell, from its rows in the file.
    let ns = |row: usize| rows[row][MEDIAN].parse::<f64>().unwrap();
    let ratio = |first| ns(first) / ns(first + 1).min(ns(first + 2));
    let worst = &rows[if ratio(0) > ratio(3) { 0 } else { 3 }][INPUT];
    let text = String::from_utf8(printed.stdout).unwrap();
    let begins = "On 2 of 2 cells as 3 worlds each, 1 thread: one call takes ";
    let ends = format!("at worst ({worst}). Brute force found the pairs of 2.\n");
    assert!(text.starts_with(begins) && text.contains(&ends), "{text}");
    assert!(!folder.path().join("out/atlas.md").exists());

    let before = fs::read(&path).unwrap();
    atlas("--seed 1 --resume").assert().code(0).stdout(text);
    atlas("--seed 1").assert().code(1).stderr(contains("--force"));
    atlas("--seed 2 --resume").assert().code(1).stderr(contains("of the run to resume is"));
    assert_eq!(fs::read(&path).unwrap(), before, "nothing is measured again");
}
