//! The measurement of worlds with planted faults and planted rows.

use super::*;
use crate::commands::tests::process;
use measure::Exit;
use sim::atlas::Cell;

/// Three worlds of a terrain, whose triangles have layers, and of which some objects vanish.
fn terrain() -> WorldsSpec {
    let cell = Cell {
        objects: 60,
        placement: sim::atlas::Placement::Terrain,
        movers: 0.1,
        churn: 0.02,
        ..Cell::plain(u64::MAX)
    };
    let mut case = Case::of_cell(cell);
    (case.warmup, case.frames) = (1, 5);
    WorldsSpec { case, worlds: 3 }
}

fn measured(spec: &WorldsSpec, expected: &Expected) -> Vec<WorldsRow> {
    let process = process();
    let measuring = Measuring { spec, expected, repeats: 2, process: &process };
    measuring.all(1, "r", &mut Vec::new()).unwrap()
}

#[test]
fn wrong_checksum_is_an_error_without_figures() {
    let spec = terrain();
    let mut expected = Expected::of(&spec, &process()).unwrap();
    let right = measured(&spec, &expected);
    let is_right = |row: &WorldsRow| row.status == Status::Ok && row.checksum == right[0].checksum;
    assert!(right.iter().all(|row| is_right(row) && row.pairs > Some(0.0)), "{right:?}");
    expected.checksums[3] ^= 1;
    let rows = measured(&spec, &expected);
    assert_eq!(rows.len(), METHODS.len());
    for row in &rows {
        assert_eq!((row.exit(), row.checksum), (Exit::Disagreement, None), "{row:?}");
        assert!(row.note().contains(" frame 3: pairs "), "{}", row.note());
    }
    assert_eq!(Over::of(&rows), [], "errors have no times");
}

#[test]
fn call_is_compared_with_the_faster_loop() {
    let spec = terrain();
    let rows = |threads, times: [Option<u64>; 3]| {
        METHODS.into_iter().zip(times).map(move |(method, ns)| {
            let mut row = WorldsRow::new(&spec, "r", method, threads, 1, threads == 1);
            row.set_times(ns, ns, &spec);
            row
        })
    };
    let rows: Vec<WorldsRow> = rows.clone()(1, [Some(30), Some(40), Some(20)])
        .chain(rows.clone()(2, [Some(30), Some(40), None]))
        .chain(rows.clone()(3, [None, Some(40), Some(20)]))
        .chain(rows(4, [Some(30), None, None]))
        .collect();
    let input = "atlas:18446744073709551615:0";
    let over = |threads, ratio| Over { input, threads, proven: threads == 1, ratio };
    assert_eq!(Over::of(&rows), [over(1, 1.5), over(2, 0.75)]);
}
