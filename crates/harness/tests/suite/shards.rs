//! `run --shard`: a plan that several processes measure, with its page and figures.

use crate::commands::{harness, refused};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;

/// Four cases, two algorithms.
const PLAN: &str = "run --boxes gas:30,gas:60,plane:40,line:50 --algorithms brute-force,bsp \
                    --frames 3 --repeat 1 --threads 1,2 --quiet";

/// The columns that distinguish the rows of a summary, and their checksums.
fn rows(folder: &Path, names: &[&str]) -> Vec<String> {
    let mut rows = Vec::new();
    for name in names {
        let mut reader = csv::Reader::from_path(folder.join(name).join("summary.csv")).unwrap();
        for row in reader.records().map(Result::unwrap) {
            rows.push([1, 2, 3, 4, 5, 22, 23].map(|column| row[column].to_owned()).join(" "));
        }
    }
    rows.sort();
    rows
}

/// Refused by `report` and by `plot`, which write nothing.
#[track_caller]
fn assert_refused(folder: &Path, folders: &str, reason: &str) {
    for command in ["report --out p.html", "plot --out p.svg"] {
        let assert = harness(folder, &format!("{command} {folders}")).assert().code(3);
        assert.stderr(contains(reason.to_owned()));
    }
    assert!(!folder.join("p.svg").exists() && !folder.join("p.html").exists());
}

#[test]
fn shards_together_are_the_whole_plan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    harness(path, &format!("{PLAN} --out whole")).assert().code(0);
    for shard in 1..=3 {
        let run = format!("{PLAN} --shard {shard}/3 --out s{shard}");
        harness(path, &run).assert().code(0);
    }
    assert_eq!(rows(path, &["s1", "s2", "s3"]), rows(path, &["whole"]));
    assert_eq!(rows(path, &["s1"]).len(), 2 * 4, "cases 0 and 3");
    assert_eq!(rows(path, &["s2"]).len(), 4, "all algorithms and threads of a case stay together");

    harness(path, "report s3 s1 s2 --out page.html").assert().code(0);
    let page = fs::read_to_string(path.join("page.html")).unwrap();
    for text in ["gas: n = 30,", "plane: n = 40,", "line: n = 50,", "<h2>Machines</h2>"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let plot = harness(path, "plot s1 s2 s3 --figures time --out t.svg").assert().code(0);
    plot.stdout(contains("t-gas.svg").and(contains("t-line.svg")));

    refused(path, "report s1 s2 s3", 2, "--out F.html");
    harness(path, "plot s1 t-gas.svg --out p.svg").assert().code(2);
    assert_refused(path, "s1", "s1 is shard 1/3, but of its plan 2/3, 3/3 are missing");
}
