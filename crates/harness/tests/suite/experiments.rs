//! `harness bodies --experiments`, as short as it exercises everything.

use crate::commands::{Folder, assert_has};
use std::fs;

const SHORT: &str = "bodies --experiments --quick --frames 1 --warmup 0 --repeat 1";

#[test]
fn verdicts_of_experiments_come_from_the_rows() {
    let folder = Folder::new();
    folder.prints(SHORT, &["26 claims: "]);
    // The folder of the machine, without --out.
    let mut folders = fs::read_dir(folder.at("results")).unwrap();
    let name = folders.next().unwrap().unwrap().file_name().into_string().unwrap();
    let here = |file: &str| format!("results/{name}/{file}");
    assert!(folders.next().is_none(), "{name} is not the only folder");
    let page = folder.read(&here("bodies.md"));
    for experiment in
        ["moving", "resting", "rotating", "vertices", "coherence", "volumes", "parts", "radii"]
    {
        let rows = folder.rows(&here(&format!("bodies/{experiment}/stages.csv")));
        assert!(!rows.is_empty(), "{experiment}");
        assert!(rows.iter().all(|row| row["status"] == "ok"), "{experiment}: {rows:?}");
    }
    assert!(folder.has(&here("bodies/areas/summary.csv")));
    let texts =
        ["| 001, first attempt; moving |", "| 004; areas |", "(bodies/vertices.svg)", "## Machine"];
    assert_has(&page, &texts);
    assert!(!page.contains("is missing"), "a claim names what is not measured: {page}");
    assert_eq!(page.matches("](bodies/").count(), 5, "four charts and the machine");

    assert_eq!(folder.runs("bodies --experiments --redraw --quiet"), "");
    assert_eq!(folder.read(&here("bodies.md")), page);
    folder.refuses(1, SHORT, "bodies.md exists already");
}
