//! `harness run --worlds`.

use super::{folder, harness, rows};
use predicates::str::contains;
use std::fs;
use std::time::Duration;

#[test]
fn worlds_have_a_verified_row_for_each_method() {
    let folder = folder();
    harness(
        folder.path(),
        "run --boxes gas:20,statics:50,atlas:1:20 --worlds 1,40 --frames 3 --warmup 1 --repeat 2 --threads 1,2 --out out",
    )
    .assert()
    .code(0)
    .stdout(contains("gas: 40 worlds of 20 from seed"))
    .stdout(contains("ns a world"));
    let rows = rows(folder.path().join("out/worlds.csv"));
    assert_eq!(rows.len(), 3 * 2 * 2 * 3);
    let [n, worlds, pairs, checksum, proven, status] = [3, 2, 12, 14, 15, 16];
    for row in &rows {
        assert_eq!((&row[status], &row[proven]), ("ok", "true"), "{row:?}");
        assert!(&row[pairs] != "0.0" || &row[worlds] == "1", "{row:?}");
        let same =
            rows.iter().filter(|other| (&other[n], &other[worlds]) == (&row[n], &row[worlds]));
        assert!(
            same.clone().count() == 6 && same.clone().all(|other| other[checksum] == row[checksum])
        );
    }
}

#[test]
fn doubts_about_the_figures_are_printed_and_kept() {
    let folder = folder();
    let run = "run --boxes gas:20 --worlds 4 --frames 3 --warmup 1 --repeat 1 --threads 1";
    let machine = |options: &str| {
        let output = harness(folder.path(), &format!("{run} {options}")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let path = folder.path().join("out/machine.json");
        let machine: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        (machine["warnings"].as_array().unwrap().clone(), String::from_utf8(output.stderr).unwrap())
    };
    let (kept, printed) = machine("--out out");
    let is_debug = kept.iter().any(|warning| warning.as_str().unwrap().starts_with("debug build"));
    assert!(is_debug || !cfg!(debug_assertions), "{kept:?}");
    for warning in &kept {
        let line = format!("warning: {}\n", warning.as_str().unwrap());
        assert!(printed.contains(&line), "{printed}");
    }
    assert_eq!(machine("--out out --force --quiet").1, "");
}

#[cfg(target_os = "linux")]
#[test]
fn worlds_that_do_not_fit_into_memory_are_refused() {
    let folder = folder();
    let command = format!(
        "ulimit -v 2000000; exec {} run --boxes gas:1000 --worlds 4,60000 --out out",
        assert_cmd::cargo::cargo_bin("harness").display()
    );
    let mut shell = assert_cmd::Command::new("sh");
    shell.args(["-c", &command]).current_dir(folder.path()).timeout(Duration::from_secs(1800));
    let reason = "60000 worlds of gas: 60000000 objects need about";
    shell.assert().code(1).stderr(contains(reason)).stderr(contains("of memory can be had"));
    assert!(!folder.path().join("out").exists());
}

#[test]
fn worlds_of_other_inputs_are_refused() {
    let folder = folder();
    for (options, reason) in [
        ("--worlds 4", "--boxes"),
        ("tiny.scene --boxes gas:20 --worlds 4", "cannot be used with"),
        ("--boxes atlas:1:1 --worlds 4 --seed 3", "--seed has no effect: atlas:1:1 is always"),
        ("--boxes atlas:1:1 --worlds 4 --moving 0.5", "--moving has no effect: atlas:1:1 has its"),
        ("--boxes gas:1000000 --worlds 1000", "expected at most 67108864 boxes"),
        ("--boxes gas:20 --worlds 4 --algorithms auto", "cannot be used with"),
    ] {
        let mut refused = harness(folder.path(), &format!("run {options} --out out"));
        refused.assert().code(2).stderr(contains(reason));
        assert!(!folder.path().join("out").exists(), "{options}");
    }
}

#[test]
fn cells_are_measured_as_worlds_and_resumed() {
    let folder = folder();
    let atlas = |options: &str| {
        let words = format!("atlas --worlds 3 --cells 2 --threads 1 --repeat 1 {options}");
        harness(folder.path(), &words)
    };
    let small = "--seed 1 --objects-up-to 250 --out out";
    let printed = atlas(small).output().unwrap();
    assert_eq!(printed.status.code(), Some(0), "{printed:?}");
    let path = folder.path().join("out/atlas/worlds/worlds.csv");
    let rows = rows(path.clone());
    assert_eq!(rows.len(), 2 * 3);
    for row in &rows {
        let [worlds, frames, proven, status] = [&row[2], &row[7], &row[15], &row[16]];
        assert_eq!((worlds, frames, proven, status), ("3", "300", "true", "ok"), "{row:?}");
    }
    // The ratio of a cell, from its rows in the file.
    let ns = |row: usize| rows[row][9].parse::<f64>().unwrap();
    let ratio = |first| ns(first) / ns(first + 1).min(ns(first + 2));
    let worst = &rows[if ratio(0) > ratio(3) { 0 } else { 3 }][1];
    let text = String::from_utf8(printed.stdout).unwrap();
    let begins = "On 2 of 2 cells as 3 worlds each, 1 thread: one call takes ";
    let ends = format!("at worst ({worst}). Brute force found the pairs of 2.\n");
    assert!(text.starts_with(begins) && text.contains(&ends), "{text}");
    assert!(!folder.path().join("out/atlas.md").exists());

    let before = fs::read(&path).unwrap();
    atlas(&format!("{small} --resume")).assert().code(0).stdout(text);
    assert_eq!(fs::read(&path).unwrap(), before, "nothing is measured again");
    atlas(small).assert().code(1).stderr(contains("--force"));
    let other = "--seed 2 --objects-up-to 250 --out out --resume";
    atlas(other).assert().code(1).stderr(contains("of the run to resume is"));
    assert_eq!(fs::read(&path).unwrap(), before, "cells of another seed");
}

#[test]
fn worlds_of_other_atlas_parts_are_refused() {
    let folder = folder();
    for (options, reason) in [
        ("--worlds 3 --map", "cannot be used with"),
        ("--worlds 3 --cell 1", "cannot be used with"),
        ("--worlds 3 --shard 1/2", "cannot be used with"),
        ("--worlds 3 --champions auto", "cannot be used with"),
        ("--worlds 0", "0 is not in 1..=1048576"),
        ("--worlds 1048576 --cells 1", "expected at most 67108864 boxes"),
    ] {
        let mut refused = harness(folder.path(), &format!("atlas {options} --out out"));
        refused.assert().code(2).stderr(contains(reason));
        assert!(!folder.path().join("out").exists(), "{options}");
    }
}
