//! `harness thesis`, as short as it exercises everything.

use crate::commands::{Folder, assert_has};

/// Two numbers of objects in each range that a figure of the thesis enlarges.
const SHORT: &str = "thesis --quick --objects 50,300,1000,1001 --frames 2 --repeat 1";
/// Figures of experiments with rendering: those drawn from rows, and pictures.
const DRAWN: &str = "8.4 8.5 8.6 8.7 8.8 8.21 8.22 8.23 8.24 6.3 6.4 8.2 8.3 8.16 8.17-bsp 8.17-kd-tree \
                     8.18-bsp 8.18-kd-tree 8.19 8.20-bsp 8.20-kd-tree";
/// Figures of experiments without rendering.
const UNDRAWN: &str = "8.9 8.10 8.11 8.12 8.13 8.14 8.15 E7-speed E7-size speed-up";

#[test]
fn figures_and_verdicts_come_from_the_rows() {
    let folder = Folder::new();
    folder.prints(format!("{SHORT} --out here"), &["here/thesis.md", "claims: "]);
    let here = |file: &str| format!("here/thesis/{file}");
    let page = folder.read("here/thesis.md");
    let machine = folder.read(&here("E2/machine.json"));
    let machine: serde_json::Value = serde_json::from_str(&machine).unwrap();

    let drawn = !machine["gpu"].is_null();
    let required = std::env::var_os("REQUIRE_GPU").is_some_and(|value| value == "1");
    assert!(drawn || !(required && cfg!(feature = "draw")), "nothing was drawn: {machine}");
    for (figures, is_there) in [(UNDRAWN, true), (DRAWN, drawn)] {
        for figure in figures.split(' ') {
            assert_eq!(folder.has(&here(&format!("figure-{figure}.png"))), is_there, "{figure}");
            let is_linked = page.contains(&format!("(thesis/figure-{figure}."));
            assert_eq!(is_linked, is_there, "{figure}");
        }
    }
    assert_eq!(page.contains("Figure 8.4: nothing was drawn"), !drawn);
    for (experiment, is_drawn) in
        [("E1", true), ("E2", false), ("E3", false), ("E5", true), ("E6", true), ("E7", false)]
    {
        let summary = here(&format!("{experiment}/summary.csv"));
        assert_eq!(folder.has(&summary), drawn || !is_drawn, "{experiment}");
        let rows = if folder.has(&summary) { folder.rows(&summary) } else { Vec::new() };
        assert!(rows.iter().all(|row| row["status"] == "ok"), "{experiment}: {rows:?}");
    }
    assert_has(
        &page,
        &[
            // 47 times is claimed at 5000 objects, where nothing was measured.
            "5000 objects | not measured | not measured | E2, figure 8.11 |",
            "5000 objects: n = 5000 was not measured",
            "- vectorised: 32 claims: ",
            "- scalar: 32 claims: ",
            "  - scalar: brute-force+scalar is the slowest at ",
        ],
    );

    // From the rows alone, which other commands draw as well.
    let svg = here("figure-8.9.svg");
    let before = folder.read(&svg);
    folder.write(&svg, "spoilt");
    assert_eq!(folder.runs("thesis --redraw --out here --quiet"), "");
    assert_eq!((folder.read(&svg), folder.read("here/thesis.md")), (before, page));
    folder.runs("plot here/thesis/E2/summary.csv --figures fps --out f.svg");
}
