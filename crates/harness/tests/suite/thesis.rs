//! `harness thesis`, as short as it exercises everything.

use crate::commands::harness;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;

/// Two numbers of objects in each range that a figure of the thesis enlarges.
const SHORT: &str = "thesis --quick --objects 50,300,1000,1001 --frames 2 --repeat 1";
/// Figures of experiments with rendering: those drawn from rows, and pictures.
const DRAWN: &str = "8.4 8.5 8.6 8.7 8.8 8.21 8.22 8.23 8.24 6.3 6.4 8.2 8.3 8.16 8.17-bsp 8.17-kd-tree \
                     8.18-bsp 8.18-kd-tree 8.19 8.20-bsp 8.20-kd-tree";
/// Figures of experiments without rendering.
const UNDRAWN: &str = "8.9 8.10 8.11 8.12 8.13 8.14 8.15 E7-speed E7-size speed-up";

#[test]
fn figures_and_verdicts_come_from_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    harness(path, &format!("{SHORT} --out here"))
        .assert()
        .code(0)
        .stdout(contains("here/thesis.md").and(contains("claims: ")));
    let data = path.join("here/thesis");
    let page = fs::read_to_string(path.join("here/thesis.md")).unwrap();
    let machine = fs::read_to_string(data.join("E2/machine.json")).unwrap();
    let machine: serde_json::Value = serde_json::from_str(&machine).unwrap();

    let drawn = !machine["gpu"].is_null();
    let required = std::env::var_os("REQUIRE_GPU").is_some_and(|value| value == "1");
    assert!(drawn || !(required && cfg!(feature = "draw")), "nothing was drawn: {machine}");
    for (figures, is_there) in [(UNDRAWN, true), (DRAWN, drawn)] {
        for figure in figures.split(' ') {
            assert_eq!(data.join(format!("figure-{figure}.png")).is_file(), is_there, "{figure}");
            let is_linked = page.contains(&format!("(thesis/figure-{figure}."));
            assert_eq!(is_linked, is_there, "{figure}");
        }
    }
    assert_eq!(page.contains("Figure 8.4: nothing was drawn"), !drawn);
    for experiment in ["E1", "E2", "E3", "E5", "E6", "E7"] {
        let rows = fs::read_to_string(data.join(experiment).join("summary.csv"));
        assert_eq!(rows.is_ok(), drawn || ["E2", "E3", "E7"].contains(&experiment), "{experiment}");
        assert!(rows.unwrap_or_default().lines().skip(1).all(|row| row.contains(",ok,")));
    }
    for text in [
        // 47 times is claimed at 5000 objects, where nothing was measured.
        "5000 objects | not measured | not measured | E2, figure 8.11 |",
        "5000 objects: n = 5000 was not measured",
        "after an ideal split about 50 times fewer: 49995000 pairs; 97280 in 512 leaves of equal load, 514 times fewer",
        "- vectorised: 32 claims: ",
        "- scalar: 32 claims: ",
        "  - scalar: brute-force+scalar is the slowest at ",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }

    // From the rows alone, which other commands draw as well.
    let svg = data.join("figure-8.9.svg");
    let before = fs::read(&svg).unwrap();
    fs::remove_file(&svg).unwrap();
    harness(path, "thesis --redraw --out here --quiet").assert().code(0).stdout("");
    assert_eq!(fs::read(&svg).unwrap(), before);
    assert_eq!(fs::read_to_string(path.join("here/thesis.md")).unwrap(), page);
    harness(path, "plot here/thesis/E2/summary.csv --figures fps --out f.svg").assert().code(0);
}
