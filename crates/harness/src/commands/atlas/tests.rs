//! The command with planted algorithms and planted rows.

use super::*;
use crate::commands::Command;
use crate::commands::tests::{DROPS, assert_refused, command, process};
use crate::study::{StudyRow, write_rows};
use broadphase::registry::find;
use measure::{Exit, Status};
use std::fs;

fn options(words: &str) -> AtlasOptions {
    let Command::Atlas(options) = command(&format!("atlas {words}")) else { panic!() };
    options
}

#[test]
fn wrong_pair_is_reported_with_the_cell_that_reproduces_it() {
    let folder = tempfile::tempdir().unwrap();
    let atlas = |algorithms: &[&Algorithm], words: &str| {
        let words = format!("--seed 7 --repeat 1 --threads 1 {words}");
        atlas_of(algorithms, &options(&words), &process()).unwrap_err().exit()
    };
    let out = folder.path().to_string_lossy();
    let words = format!("--cells 2 --objects-up-to 400 --out '{out}' --quiet");
    let algorithms = [&DROPS, find("auto").unwrap(), find("sweep-grid").unwrap()];
    for resume in ["", " --resume"] {
        assert_eq!(atlas(&algorithms, &(words.clone() + resume)), Exit::Disagreement);
    }
    let rows = rows::read(&[folder.path().join("atlas/cells/atlas.csv")]).unwrap();
    let wrong: Vec<&StudyRow> = rows.iter().filter(|row| row.status == Status::Error).collect();
    // The probe may choose the faulty algorithm to be measured twice.
    assert_eq!(wrong.iter().filter(|row| !row.again).count(), 2, "one in each cell: {rows:?}");
    assert!(wrong.iter().all(|row| row.algorithm == "drops" && row.mean_ns.is_none()));
    let number = wrong[0].cell;
    let line = measuring::fault(wrong[0], AtlasPart::Cells);
    let command = format!("`harness run --boxes atlas:7:{number} --warmup 0 --frames 300`");
    assert!(line.contains(&format!("drops on atlas:7:{number}, n = ")), "{line}");
    assert!(line.contains(" is missing; ") && line.ends_with(&command), "{line}");
    let page = fs::read_to_string(folder.path().join("atlas.md")).unwrap();
    assert!(page.contains("- **error**: drops on atlas:7:") && page.contains(&command), "{page}");
    assert!(page.contains(&format!("**{} rows are errors", wrong.len())), "{page}");
}

/// A row of which only the cell, the algorithm and its time matter.
fn row(cell: u32, algorithm: &str, threads: u32, mean_ns: f64) -> StudyRow {
    StudyRow {
        run_id: "r".to_owned(),
        cell,
        input: format!("atlas:9:{cell}"),
        n: 20_000,
        seed: Some(9),
        description: "gas, equal".to_owned(),
        motion: "flight".to_owned(),
        speed: Some(0.05),
        movers: Some(1.0),
        algorithm: algorithm.to_owned(),
        threads,
        frames: 300,
        repeats: 5,
        mean_ns: Some(mean_ns),
        median_ns: Some(mean_ns as u64),
        early_ns: Some(2.0 * mean_ns),
        late_worst_ns: Some(3 * mean_ns as u64),
        pairs: Some(1.0),
        proven: true,
        status: Status::Ok,
        ..StudyRow::default()
    }
}

/// The page of planted rows of a part, and its first chart.
fn page_of(part: AtlasPart, rows: &[StudyRow], sheet: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let data = part_folder(folder.path(), part);
    write_rows(&data.join(part.file()), rows).unwrap();
    assert_eq!(rows::read(&[data.join(part.file())]).unwrap(), rows);
    fs::write(data.join("machine.json"), sheet).unwrap();
    let words = format!("--redraw '{}' --quiet", folder.path().display());
    atlas_of(&[], &options(&words), &process()).unwrap();
    let chart = if part == AtlasPart::Map { "winners-speed.svg" } else { "regret.svg" };
    let svg = fs::read_to_string(folder.path().join("atlas").join(chart)).unwrap_or_default();
    (fs::read_to_string(folder.path().join("atlas.md")).unwrap(), svg)
}

#[track_caller]
fn assert_has(page: &str, texts: &[&str]) {
    texts.iter().for_each(|text| assert!(page.contains(text), "{text}\n{page}"));
}

/// Ten cells: `auto` takes 1.0, 1.1 and so on of `sweep-grid`, and gains 1.6 by two threads.
fn ten_cells() -> Vec<StudyRow> {
    let cell = |cell: u32| {
        let auto = 1e6 * (1.0 + 0.1 * f64::from(cell));
        let again = StudyRow { again: true, ..row(cell, "sweep-grid", 1, 1.02e6) };
        let on_two = [row(cell, "sweep-grid", 2, 1e6), row(cell, "auto", 2, auto / 1.6)];
        let on_one = [row(cell, "sweep-grid", 1, 1e6), row(cell, "auto", 1, auto), again];
        on_one.into_iter().chain(on_two)
    };
    (0..10).flat_map(cell).collect()
}

#[test]
fn page_judges_regret_and_threads_by_the_spread_over_cells() {
    let mut rows = ten_cells();
    let slow = "too slow: the median of its first 40 frames is 35 times that of auto";
    rows.push(StudyRow {
        mean_ns: None,
        status: Status::Skipped,
        reason: Some(slow.to_owned()),
        ..row(9, "box-pruning", 1, 0.0)
    });
    // Two of the planned cells are not measured yet.
    let sheet = r#"{"settings": {"cases": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}}"#;
    let (page, svg) = page_of(AtlasPart::Cells, &rows, sheet);
    assert_has(
        &page,
        &[
            "On 10 of 12 cells of seed 9, 1 thread: `auto` takes 1.45 times as long as the best champion in the median, \
             1.80 at the 90th percentile, 1.90 at worst.",
            "- 5 goals: 2 met, 3 missed. They were set for 300 cells.",
            "| auto over the best champion, one thread, median | 1.45 | at most 1.04 | **missed** |",
            "| auto, one thread over two, n from 10000, 10th percentile | 1.60 | at least 1.2 | met |",
            "| 1 | 10 | 1.45 | 1.80 | 1.90 | 1.45 | 1.80 | 1.90 | 1.02 | 1.02 | 1.02 |",
            "| 1.90 | 1.02 | 20,000 | gas, equal | sweep-grid | 1000 | 1900 | `harness run --boxes atlas:9:9 --warmup 0 --frames 300` |",
            "| motion flight | 10 | 1.45 | 1.80 | 1.90 |",
            "| box-pruning | 0 | - | - | - | 10 |",
            "| auto | 10 | 1.60 | 1.60 | 1.60 |",
            "| 5.70 | 20,000 | gas, equal | `harness run --boxes atlas:9:9 --warmup 0 --frames 300` |",
            "- skipped: box-pruning on 1 cells; on cell 9: too slow: the median of its first 40 frames",
            "![Regret of all cells in ascending order](atlas/regret.svg)",
            "- [Rows](atlas/cells/atlas.csv) of 5 repetitions. The pairs of 10 of 10 cells were compared with brute force.",
        ],
    );
    assert!(svg.contains("a champion again (noise)") && svg.contains("goals"), "{svg}");
}

#[test]
fn best_champion_includes_auto_and_no_second_measurement() {
    let faster_again = StudyRow { again: true, ..row(0, "sweep-grid", 1, 1e5) };
    let rows = [row(0, "auto", 1, 1e6), row(0, "sweep-grid", 1, 2e6), faster_again];
    let atlas = figures::AtlasCells::new(&rows);
    let cell = atlas.0[0];
    assert_eq!((cell.regret(1), cell.noise(1)), (Some(1.0), Some(0.05)));
    assert_eq!(cell.best(1).unwrap().algorithm, "auto");
    assert_eq!((cell.regret(2), cell.speed_up("auto")), (None, None));
    assert_eq!(cell.late_frame(1), Some(1.5), "3 ms over a median of 2");
}

#[test]
fn winner_map_names_the_fastest_of_each_cell() {
    let on_map = |cell, n, speed, id: &str, ns| StudyRow {
        grid: "speed".to_owned(),
        n,
        speed: Some(speed),
        ..row(cell, id, 1, ns)
    };
    let rows = [
        on_map(0, 200, 0.1, "bsp", 1e6),
        on_map(0, 200, 0.1, "kd-tree", 1.5e6),
        on_map(1, 200, 1.0, "bsp", 3e6),
        on_map(1, 200, 1.0, "kd-tree", 2e6),
        on_map(2, 2000, 0.1, "kd-tree", 2e6),
        StudyRow { status: Status::Error, ..on_map(2, 2000, 0.1, "bsp", 1e6) },
    ];
    let (page, svg) = page_of(AtlasPart::Map, &rows, "{}");
    assert_has(
        &page,
        &[
            "- Cells won of the winner map: `kd-tree` 2, `bsp` 1.",
            "![Winners over speed](atlas/winners-speed.svg)",
            "| kd-tree | 2 |",
            "## Rows of the winner map without figures\n\n- **error**: bsp on atlas:9:2",
            "`harness atlas --map --seed 9`",
        ],
    );
    assert!(["1.50", "kd-tree", "usual sides"].iter().all(|text| svg.contains(text)), "{svg}");
    assert!(!page.contains("## Regret"), "no cells were measured");
}

#[test]
fn rows_of_two_runs_are_never_of_one_cell() {
    let folder = tempfile::tempdir().unwrap();
    let one = row(3, "sweep-grid", 1, 1.0);
    let other = StudyRow { run_id: "s".to_owned(), ..row(3, "auto", 1, 1.0) };
    let [a, b, both] = ["a", "b", "both"].map(|name| folder.path().join(name));
    write_rows(&a, std::slice::from_ref(&one)).unwrap();
    write_rows(&b, std::slice::from_ref(&other)).unwrap();
    write_rows(&both, &[one, other]).unwrap();
    for paths in [vec![&a, &b], vec![&both]] {
        let read = rows::read(&paths).map(drop);
        assert_refused(read, Exit::BadInput, "cell 3 was measured by two runs");
    }
    assert_eq!(rows::read(&[a]).unwrap().len(), 1);
}

#[test]
fn winners_of_committed_maps_are_champions() {
    let results = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let machines = fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path());
    let maps = machines.map(|machine| machine.join("atlas/map/map.csv"));
    let maps: Vec<_> = maps.filter(|map| map.is_file()).collect();
    assert!(!maps.is_empty());
    for map in maps {
        let rows = rows::read(&[&map]).unwrap();
        for (id, _) in figures::winners(&figures::grids(&rows)) {
            assert!(crate::study::CHAMPIONS.contains(&id), "{id}: {}", map.display());
        }
    }
}
