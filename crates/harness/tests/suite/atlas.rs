//! `harness atlas`: measured, resumed, redrawn and put together of shards, on small cells.

use crate::commands::harness;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::fs;
use std::path::Path;

/// Cells of at most 400 objects, few repetitions: three cells take some seconds.
const SMALL: &str = "atlas --seed 5 --objects-up-to 400 --repeat 1 --threads 1";

fn rows(folder: &Path, file: &str) -> Vec<csv::StringRecord> {
    let mut reader = csv::Reader::from_path(folder.join("atlas").join(file)).unwrap();
    reader.records().map(Result::unwrap).collect()
}

/// Columns of `atlas.csv`.
const CELL: usize = 2;
const INPUT: usize = 4;
const N: usize = 5;
const SEED: usize = 6;
const DESCRIPTION: usize = 7;
const SPEED: usize = 12;
const ALGORITHM: usize = 15;
const AGAIN: usize = 17;
const FRAMES: usize = 19;
const MEAN: usize = 21;
const CHECKSUM: usize = 34;
const STATUS: usize = 47;
const REASON: usize = 48;

/// The columns that distinguish the rows of cells, without second measurements: which champion is measured
/// twice, and which is too slow, depends on times.
fn measured(folders: &[&Path]) -> Vec<String> {
    let all = folders.iter().flat_map(|folder| rows(folder, "cells/atlas.csv"));
    let first = all.filter(|row| &row[AGAIN] == "false");
    let name = |row: csv::StringRecord| {
        [CELL, INPUT, ALGORITHM].map(|column| row[column].to_owned()).join(" ")
    };
    let mut names: Vec<String> = first.map(name).collect();
    names.sort();
    names
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
    for cell in rows.chunk_by(|a, b| a[CELL] == b[CELL]) {
        assert_eq!(cell.iter().filter(|row| &row[AGAIN] == "true").count(), 2, "{cell:?}");
        let (ok, slow): (Vec<_>, Vec<_>) = cell.iter().partition(|row| &row[STATUS] == "ok");
        assert!(slow.iter().all(|row| row[REASON].starts_with("too slow")), "{cell:?}");
        let is_same = |row: &&csv::StringRecord| row[CHECKSUM] == ok[0][CHECKSUM];
        assert!(ok.iter().all(|row| is_same(row) && !row[MEAN].is_empty()), "{cell:?}");
        for needed in ["auto", "sweep-grid"] {
            assert!(ok.iter().any(|row| &row[ALGORITHM] == needed), "{cell:?}");
        }
        let n: u64 = cell[0][N].parse().unwrap();
        assert!(cell[0][INPUT].starts_with("atlas:5:") && (200..=400).contains(&n), "{cell:?}");
    }
    let page = fs::read_to_string(path.join("here/atlas.md")).unwrap();
    for text in [
        "## Goals",
        "## The 10 worst cells",
        "`harness atlas --seed 5 --cell ",
        "| motion ",
        "## Slow frames",
        "(atlas/regret.svg)",
        "fewer than five repetitions",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }

    let svg = path.join("here/atlas/regret.svg");
    let drawn = fs::read(&svg).unwrap();
    fs::remove_file(&svg).unwrap();
    fs::write(path.join("here/atlas.md"), "spoilt").unwrap();
    harness(path, "atlas --redraw --out here --quiet").assert().code(0).stdout(is_empty());
    assert_eq!(fs::read_to_string(path.join("here/atlas.md")).unwrap(), page);
    assert_eq!(fs::read(&svg).unwrap(), drawn);
    harness(path, "atlas --redraw here").assert().code(0);
    assert_eq!(fs::read_to_string(path.join("here/atlas.md")).unwrap(), page);

    harness(path, command).assert().code(1).stderr(contains("atlas.csv exists already"));
    harness(path, &format!("{command} --resume --quiet")).assert().code(0);
    let again = self::rows(&path.join("here"), "cells/atlas.csv");
    assert_eq!(again, rows, "finished cells are not measured again");
    harness(path, &format!("{command} --resume --seed 6"))
        .assert()
        .code(2)
        .stderr(contains("--seed"));
}

#[test]
fn shards_together_are_the_whole_plan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let command = format!("{SMALL} --cells 3 --quiet");
    harness(path, &format!("{command} --out whole")).assert().code(0);
    for shard in 1..=2 {
        harness(path, &format!("{command} --shard {shard}/2 --out s{shard}")).assert().code(0);
        assert!(!path.join(format!("s{shard}/atlas.md")).exists(), "the page is of all shards");
    }
    let [whole, first, second] = ["whole", "s1", "s2"].map(|name| path.join(name));
    assert_eq!(measured(&[&second, &first]), measured(&[&whole]));
    assert_eq!(measured(&[&second]).len(), 5, "one cell of three");

    harness(path, "atlas --redraw s2 s1 --out all").assert().code(0);
    assert_eq!(measured(&[&path.join("all")]), measured(&[&whole]));
    let page = fs::read_to_string(path.join("all/atlas.md")).unwrap();
    assert!(page.contains("On 3 of 3 cells of seed 5"), "{page}");
    assert_eq!(page.matches("## The machine: cells").count(), 1, "one machine: {page}");
    assert!(page.contains("- Shard 1/2: `harness ") && page.contains("- Shard 2/2: `"), "{page}");
    fs::write(path.join("all/atlas.md"), "spoilt").unwrap();
    harness(path, "atlas --redraw all --quiet").assert().code(0);
    assert_eq!(fs::read_to_string(path.join("all/atlas.md")).unwrap(), page);

    for (folders, code, reason) in [
        ("s1", 3, "s1/atlas/cells is shard 1/2, but of its plan 2/2 is missing"),
        ("s1 s1 --out p", 3, "are both shard 1/2"),
        ("s1 s2 s1 --out p", 3, "are both shard 1/2"),
        ("all s1 --out p", 3, "are both shard 1/2"),
        ("s1 whole --out p", 3, "whole/atlas/cells is no shard"),
        ("s1 s2", 2, "--out DIR is needed"),
        ("s1 s2 --out s2", 2, "is one of the folders that are read"),
        ("s1 s2 --out all", 1, "atlas.md exists already"),
        ("none", 3, "cannot read none/atlas/cells/machine.json"),
    ] {
        harness(path, &format!("atlas --redraw {folders}"))
            .assert()
            .code(code)
            .stderr(contains(reason));
    }
    assert!(!path.join("p/atlas.md").exists());
    for name in ["whole", "s2", "all"] {
        let rows = path.join(name).join("atlas/cells/atlas.csv");
        let intact = fs::read_to_string(&rows).unwrap();
        let lines: Vec<&str> = intact.split_inclusive('\n').collect();
        fs::write(&rows, lines[..lines.len() - 1].concat()).unwrap();
        let folders = if name == "s2" { "s1 s2 --out p" } else { name };
        harness(path, &format!("atlas --redraw {folders}"))
            .assert()
            .code(3)
            .stderr(contains("atlas.csv is not as it was written"));
        fs::write(&rows, intact).unwrap();
    }
    harness(path, "atlas --redraw s1 s2 --out all --force").assert().code(0);
    assert_eq!(measured(&[&path.join("all")]), measured(&[&whole]));

    // An atlas that was killed, or is being measured: it has rows, but no page.
    let rows_of = |name: &str| fs::read(path.join(name).join("atlas/cells/atlas.csv")).unwrap();
    let other = command.replace("--seed 5", "--seed 6");
    harness(path, &format!("{other} --out killed")).assert().code(0);
    fs::remove_file(path.join("killed/atlas.md")).unwrap();
    let before = rows_of("killed");
    let together = "atlas --redraw s1 s2 --out killed";
    harness(path, together).assert().code(1).stderr(contains("atlas.csv exists already"));
    for leftover in ["machine.json", "unfinished", "shard-1/machine.json"] {
        let file = path.join("left/atlas/cells").join(leftover);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "{}").unwrap();
        let refused = harness(path, "atlas --redraw s1 s2 --out left").assert().code(1);
        refused.stderr(contains(format!("{leftover} exists already")));
        fs::remove_file(&file).unwrap();
    }
    let kept = path.join("left/atlas/cells/unfinished/case-00000001.json");
    fs::create_dir(kept.parent().unwrap()).unwrap();
    fs::write(&kept, "{}").unwrap();
    harness(path, "atlas --redraw s1 s2 --out left --force").assert().code(0);
    assert!(!kept.parent().unwrap().exists(), "its rows would be taken for new ones");
    fs::remove_file(path.join("left/atlas.md")).unwrap();
    assert_eq!(rows_of("killed"), before);
    assert!(!path.join("killed/atlas.md").exists() && !path.join("left/atlas.md").exists());
    harness(path, &format!("{together} --force")).assert().code(0);
    assert_eq!(measured(&[&path.join("killed")]), measured(&[&whole]));
    harness(path, "atlas --redraw killed --quiet").assert().code(0);
}

#[test]
fn winner_map_is_of_the_whole_registry() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let command = "atlas --map --objects-up-to 250 --repeat 1 --shard 1/6 --quiet --out here";
    harness(path, command).assert().code(0);
    let rows = rows(&path.join("here"), "map/map.csv");
    // Of 7 speeds and 5 shares, at 200 objects, every sixth cell.
    assert_eq!(rows.len(), 2 * broadphase::registry::ALGORITHMS.len());
    assert!(
        rows.iter().all(|entry| &entry[AGAIN] == "false" && entry[INPUT].starts_with("atlas-map:"))
    );
    for algorithm in broadphase::registry::ALGORITHMS {
        assert!(rows.iter().any(|entry| &entry[ALGORITHM] == algorithm.id), "{}", algorithm.id);
    }
}

#[test]
fn traces_are_measured_instead_of_cells() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("other")).unwrap();
    for (boxes, frames, file) in
        [("gas:200", 60, "gas.bpt"), ("jitter:300", 8, "still.bpt"), ("gas:50", 8, "other/gas.bpt")]
    {
        let record = format!("record --boxes {boxes} --frames {frames} --out {file}");
        harness(path, &record).assert().code(0);
    }
    let command = "atlas --trace gas.bpt still.bpt --repeat 1 --threads 1";
    harness(path, &format!("{command} --out here"))
        .assert()
        .code(0)
        .stdout(contains("On 2 traces, 1 thread: `auto` takes "));
    let rows = rows(&path.join("here"), "traces/traces.csv");
    assert_eq!(rows.len(), 2 * 6, "five champions, and one of them again");
    for (row, (input, file, n, frames)) in rows.iter().zip(
        [("gas", "gas.bpt", "200", "60"), ("still", "still.bpt", "300", "8")]
            .into_iter()
            .flat_map(|trace| [trace; 6]),
    ) {
        let columns = [INPUT, N, SEED, DESCRIPTION, SPEED, FRAMES].map(|column| &row[column]);
        assert_eq!(columns, [input, n, "", file, "", frames]);
    }
    let page = fs::read_to_string(path.join("here/atlas.md")).unwrap();
    assert!(page.contains("\n| gas.bpt | 200 | 60 | "), "{page}");
    assert!(page.contains("\n| still.bpt | 300 | 8 | "), "{page}");
    fs::write(path.join("here/atlas.md"), "spoilt").unwrap();
    harness(path, "atlas --redraw here --quiet").assert().code(0);
    assert_eq!(fs::read_to_string(path.join("here/atlas.md")).unwrap(), page);

    harness(path, &format!("{command} --out here --resume --quiet")).assert().code(0);
    assert_eq!(self::rows(&path.join("here"), "traces/traces.csv"), rows, "all were measured");
    for shard in 1..=2 {
        let shard = format!("{command} --shard {shard}/2 --out s{shard} --quiet");
        harness(path, &shard).assert().code(0);
    }
    harness(path, "atlas --redraw s1 s2 --out all --quiet").assert().code(0);
    assert_eq!(self::rows(&path.join("all"), "traces/traces.csv").len(), rows.len());

    harness(path, "record --boxes gas:200 --seed 3 --frames 60 --out gas.bpt --force")
        .assert()
        .code(0);
    harness(path, &format!("{command} --out here --resume"))
        .assert()
        .code(1)
        .stderr(contains("`settings.cases"));
    for (options, code, reason) in [
        ("--trace gas.bpt other/gas.bpt", 2, "another trace is called `gas`"),
        ("--trace gas.csv", 2, "a trace's name ends in .bpt"),
        ("--trace none.bpt", 3, "none.bpt"),
        ("--trace gas.bpt --cells 3", 2, "cannot be used with"),
        ("--trace gas.bpt --map", 2, "cannot be used with"),
        ("--trace gas.bpt --seed 3", 2, "cannot be used with"),
        ("--trace gas.bpt --champions bsp", 2, "name `auto` too"),
    ] {
        let refused = harness(path, &format!("atlas {options} --out no")).assert();
        refused.code(code).stderr(contains(reason));
    }
    assert!(!path.join("no").exists());
}

#[test]
fn one_cell_prints_a_table_of_its_champions() {
    let folder = tempfile::tempdir().unwrap();
    let small = (0..).find(|number| sim::atlas::Cell::draw(5, *number).objects < 400).unwrap();
    let mut printed = harness(
        folder.path(),
        &format!("atlas --seed 5 --cell {small} --repeat 1 --champions auto,bsp --threads 2"),
    )
    .assert()
    .code(0)
    .stderr(is_empty());
    for text in [&*format!("atlas:5:{small}: n = "), "300 frames x 1", " 2 threads", "auto", "bsp"]
    {
        printed = printed.stdout(contains(text.to_owned()));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
}

#[test]
fn entry_over_its_budget_is_skipped_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("{SMALL} --cells 1 --budget 0.000001 --quiet --out here");
    harness(folder.path(), &command).assert().code(0);
    let rows = rows(&folder.path().join("here"), "cells/atlas.csv");
    assert!(rows.iter().all(|row| &row[STATUS] == "skipped" && row[MEAN].is_empty()), "{rows:?}");
    let page = fs::read_to_string(folder.path().join("here/atlas.md")).unwrap();
    assert!(page.contains("- skipped: auto on 1 cells; on cell "), "{page}");
    assert!(page.contains("over the time budget"), "{page}");
}

#[test]
fn options_out_of_range_are_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    for (options, reason) in [
        ("--cells 0", "0 is not in 1..=50000"),
        ("--cells x", "invalid digit"),
        ("--cell -1", "unexpected argument"),
        ("--cell 3 --cells 5", "cannot be used with"),
        ("--cell 3 --out here", "cannot be used with"),
        ("--map --cell 84", "--cell 84: the winner map has no such cell"),
        ("--map --cells 3", "cannot be used with"),
        ("--seed -1", "unexpected argument"),
        ("--objects-up-to 249", "249 is not in 250.."),
        ("--champions bsp", "name `auto` too"),
        ("--champions fog", "possible values: brute-force"),
        ("--threads 0", "0 is not in 1..=1024"),
        ("--repeat 0", "0 is not in 1..=100"),
        ("--budget 0", "a budget must be more than 0 seconds"),
        ("--shard 3/2", "expected K/N, K from 1 to N"),
        ("--cells 2 --objects-up-to 300 --shard 3/3", "the plan has only 2 cases"),
        ("--redraw --cells 3", "cannot be used with"),
        ("--resume --force", "cannot be used with"),
    ] {
        harness(folder.path(), &format!("atlas {options}"))
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(reason));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
