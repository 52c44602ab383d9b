//! The command with planted algorithms and planted rows.

use super::*;
use crate::commands::Command;
use crate::commands::tests::{DROPS, assert_has, assert_refused, command, process};
use crate::study::{assert_published, write_rows};
use broadphase::registry::find;
use measure::{Exit, Status};
use page::{AtlasCells, Spread};

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
    let rows = read(&[folder.path().join("atlas/cells/atlas.csv")]).unwrap();
    let wrong: Vec<&StudyRow> = rows.iter().filter(|row| row.status == Status::Error).collect();
    // The probe may choose the faulty algorithm to be measured twice.
    assert_eq!(wrong.iter().filter(|row| !row.again).count(), 2, "one in each cell: {rows:?}");
    assert!(wrong.iter().all(|row| row.algorithm == "drops" && row.mean_ns.is_none()));
    let number = wrong[0].cell;
    let line = AtlasPart::Cells.fault(wrong[0]);
    let command = format!("`harness run --boxes atlas:7:{number} --warmup 0 --frames 300`");
    assert!(line.contains(&format!("drops on atlas:7:{number}, n = ")), "{line}");
    assert!(line.contains(" is missing; ") && line.ends_with(&command), "{line}");
    let page = fs::read_to_string(folder.path().join("atlas.md")).unwrap();
    assert!(page.contains("- **error**: drops on atlas:7:") && page.contains(&command), "{page}");
    assert!(page.contains(&format!("**{} rows are errors", wrong.len())), "{page}");
}

/// A row with times.
fn row(cell: u32, algorithm: &str, threads: u32, mean_ns: f64) -> StudyRow {
    StudyRow {
        run_id: "r".to_owned(),
        cell,
        input: format!("atlas:9:{cell}"),
        n: 20_000,
        algorithm: algorithm.to_owned(),
        threads,
        mean_ns: Some(mean_ns),
        median_ns: Some(mean_ns as u64),
        late_worst_ns: Some(3 * mean_ns as u64),
        status: Status::Ok,
        ..StudyRow::default()
    }
}

#[test]
fn best_champion_includes_auto_and_no_second_measurement() {
    let faster_again = StudyRow { again: true, ..row(0, "sweep-grid", 1, 1e5) };
    let rows = [row(0, "auto", 1, 1e6), row(0, "sweep-grid", 1, 2e6), faster_again];
    let atlas = AtlasCells::new(&rows);
    let cell = atlas.0[0];
    assert_eq!((cell.regret(1), cell.noise(1)), (Some(1.0), Some(0.05)));
    assert_eq!(cell.best(1).unwrap().algorithm, "auto");
    assert_eq!((cell.regret(2), cell.speed_up("auto")), (None, None));
    assert_eq!(cell.late_frame(1), Some(1.5), "3 ms over a median of 2");
    let figures: Spread = [3.0, f64::NAN, 1.0, 2.0, 10.0].into_iter().collect();
    assert_eq!(figures.percentiles([0, 25, 50, 90, 100]), Some([1.0, 1.0, 2.5, 10.0, 10.0]));
}

#[test]
fn published_atlas_is_that_of_its_rows() {
    let charts = assert_published("atlas", |files| report(&options(""), files));
    assert_has(&charts, &["a champion again (noise)", "goals", "usual sides", "rest-grid"]);
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
        let read = read(&paths).map(drop);
        assert_refused(read, Exit::BadInput, "cell 3 was measured by two runs");
    }
    assert_eq!(read(&[a]).unwrap().len(), 1);
}

#[test]
fn winners_of_committed_maps_are_champions() {
    let results = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let machines = fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path());
    let maps = machines.map(|machine| machine.join("atlas/map/map.csv"));
    let maps: Vec<_> = maps.filter(|map| map.is_file()).collect();
    assert!(!maps.is_empty());
    for map in maps {
        let rows = read(&[&map]).unwrap();
        for (id, _) in page::winners(&page::grids(&rows)) {
            assert!(crate::study::CHAMPIONS.contains(&id), "{id}: {}", map.display());
        }
    }
}
