//! `harness atlas`: measured, resumed, redrawn and put together of shards, on small cells.

use crate::commands::{harness, prints, refused};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A row by the names of its columns.
type Row = BTreeMap<String, String>;

fn rows(folder: &Path, file: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(folder.join("atlas").join(file)).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// The columns that distinguish the rows of cells, without second measurements: which champion is measured
/// twice, and which is too slow, depends on times.
fn measured(folders: &[&Path]) -> Vec<[String; 3]> {
    let all = folders.iter().flat_map(|folder| rows(folder, "cells/atlas.csv"));
    let first = all.filter(|row| row["again"] == "false");
    let name = |row: Row| ["cell", "input", "algorithm"].map(|column| row[column].clone());
    let mut names: Vec<[String; 3]> = first.map(name).collect();
    names.sort();
    names
}

/// Spoils the page, and asserts that it is drawn again from its rows.
fn assert_redrawn(folder: &Path, name: &str) {
    let file = folder.join(name).join("atlas.md");
    let page = fs::read_to_string(&file).unwrap();
    fs::write(&file, "spoilt").unwrap();
    harness(folder, &format!("atlas --redraw {name} --quiet")).assert().code(0).stdout(is_empty());
    assert_eq!(fs::read_to_string(file).unwrap(), page);
}

#[test]
fn cells_are_measured_and_redrawn_from_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let command = "atlas --seed 5 --cells 2 --objects-up-to 400 --repeat 2 --out here";
    harness(path, command)
        .assert()
        .code(0)
        .stdout(contains("On 2 of 2 cells of seed 5, 1 thread").and(contains("here/atlas.md")));
    let rows = rows(&path.join("here"), "cells/atlas.csv");
    // Five champions and one of them again, on one and two threads.
    assert_eq!(rows.len(), 2 * 2 * 6);
    for cell in rows.chunk_by(|a, b| a["cell"] == b["cell"]) {
        assert_eq!(cell.iter().filter(|row| row["again"] == "true").count(), 2, "{cell:?}");
        let (ok, slow): (Vec<&Row>, Vec<&Row>) = cell.iter().partition(|row| row["status"] == "ok");
        assert!(slow.iter().all(|row| row["reason"].starts_with("too slow")), "{cell:?}");
        let is_same = |row: &&Row| row["checksum"] == ok[0]["checksum"];
        assert!(ok.iter().all(|row| is_same(row) && !row["mean_ns"].is_empty()), "{cell:?}");
        let n: u64 = cell[0]["n"].parse().unwrap();
        assert!(cell[0]["input"].starts_with("atlas:5:") && (200..=400).contains(&n), "{cell:?}");
    }
    fs::remove_file(path.join("here/atlas/regret.svg")).unwrap();
    assert_redrawn(path, "here");
    assert!(path.join("here/atlas/regret.svg").is_file());

    refused(path, command, 1, "atlas.csv exists already");
    harness(path, &format!("{command} --resume --quiet")).assert().code(0);
    let again = self::rows(&path.join("here"), "cells/atlas.csv");
    assert_eq!(again, rows, "finished cells are not measured again");
}

#[test]
fn shards_together_are_the_whole_plan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let small = "atlas --seed 5 --objects-up-to 400 --repeat 1 --threads 1 --cells 3 --quiet";
    harness(path, &format!("{small} --out whole")).assert().code(0);
    for shard in 1..=2 {
        harness(path, &format!("{small} --shard {shard}/2 --out s{shard}")).assert().code(0);
        assert!(!path.join(format!("s{shard}/atlas.md")).exists(), "the page is of all shards");
    }
    let [whole, first, second] = ["whole", "s1", "s2"].map(|name| path.join(name));
    assert_eq!(measured(&[&second, &first]), measured(&[&whole]));
    assert_eq!(measured(&[&second]).len(), 5, "one cell of three");

    harness(path, "atlas --redraw s2 s1 --out all").assert().code(0);
    assert_eq!(measured(&[&path.join("all")]), measured(&[&whole]));
    let page = fs::read_to_string(path.join("all/atlas.md")).unwrap();
    assert!(page.contains("On 3 of 3 cells of seed 5"), "{page}");
    for shard in 1..=2 {
        assert!(
            page.contains(&format!("[more](atlas/cells/shard-{shard}/machine.json)")),
            "{page}"
        );
    }
    assert_redrawn(path, "all");

    for (folders, code, reason) in [
        ("s1", 3, "s1/atlas/cells is shard 1/2, but of its plan 2/2 is missing"),
        ("s1 s2", 2, "--out DIR is needed"),
        ("s1 s2 --out s2", 2, "is one of the folders that are read"),
        ("s1 s2 --out all", 1, "atlas.md exists already"),
        ("none", 3, "cannot read none/atlas/cells/machine.json"),
    ] {
        refused(path, format!("atlas --redraw {folders}"), code, reason);
    }
    // An atlas that was killed, or is being measured: it has files, but no page.
    let left = path.join("left/atlas/cells/unfinished/case-00000001.json");
    fs::create_dir_all(left.parent().unwrap()).unwrap();
    fs::write(&left, "{}").unwrap();
    refused(path, "atlas --redraw s1 s2 --out left", 1, "exists already");
    assert!(left.exists() && !path.join("left/atlas.md").exists());
    harness(path, "atlas --redraw s1 s2 --out left --force --quiet").assert().code(0);
    assert_eq!(measured(&[&path.join("left")]), measured(&[&whole]));
}

#[test]
fn traces_are_measured_instead_of_cells() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("other")).unwrap();
    for (boxes, frames, file) in
        [("gas:200", 8, "gas.bpt"), ("jitter:300", 8, "still.bpt"), ("gas:50", 8, "other/gas.bpt")]
    {
        let record = format!("record --boxes {boxes} --frames {frames} --out {file}");
        harness(path, &record).assert().code(0);
    }
    let command = "atlas --trace gas.bpt still.bpt --repeat 1 --threads 1";
    prints(path, format!("{command} --out here"), "On 2 traces, 1 thread: `auto` takes ");
    let rows = rows(&path.join("here"), "traces/traces.csv");
    let columns = |at: usize| ["input", "n", "description", "frames"].map(|c| &*rows[at][c]);
    assert_eq!(rows.len(), 2 * 6, "five champions, and one of them again");
    assert_eq!(columns(0), ["gas", "200", "gas.bpt", "8"]);
    assert_eq!(columns(6), ["still", "300", "still.bpt", "8"]);
    assert_redrawn(path, "here");
    let same = "atlas --trace gas.bpt other/gas.bpt --out no";
    refused(path, same, 2, "another trace is called `gas`");
    assert!(!path.join("no").exists());
}
