//! The measurement of worlds with planted faults and planted rows.

use super::*;
use crate::commands::tests::process;
use broadphase::registry::Settings;
use broadphase::{Aabb, Frame};
use measure::{Exit, reference};
use sim::atlas::Cell;

/// Three worlds of a terrain, whose triangles have layers, and of which some objects vanish.
fn terrain() -> (Cell, WorldsSpec) {
    let cell = Cell {
        objects: 60,
        placement: sim::atlas::Placement::Terrain,
        movers: 0.1,
        churn: 0.02,
        ..Cell::plain(u64::MAX)
    };
    let mut case = Case::of_cell(cell);
    (case.warmup, case.frames) = (1, 5);
    (cell, WorldsSpec { case, worlds: 3 })
}

fn measured(spec: &WorldsSpec, expected: &Expected) -> Vec<WorldsRow> {
    let process = process();
    let measuring = Measuring { spec, expected, repeats: 2, process: &process };
    measuring.all(1, "r", &mut Vec::new()).unwrap()
}

#[test]
fn world_of_a_cell_has_its_properties_and_a_seed_of_its_own() {
    let (cell, spec) = terrain();
    let mut worlds = [u64::MAX, 0, 1].map(|seed| Cell { seed, ..cell }).map(|cell| cell.start());
    let (mut boxes, mut seen, mut sum, mut total) = (Vec::<Aabb>::new(), Vec::new(), 0, 0);
    for frame in 0..spec.case.total_frames() {
        let mut of_frame = 0;
        for world in &mut worlds {
            world.next_frame(&mut boxes);
            assert!(!seen.contains(&boxes), "worlds differ");
            seen.push(boxes.clone());
            let frame = Frame::new(&boxes).layered(world.layers());
            let mut search = reference().build(&Settings::new(boxes.len()));
            let mut pairs = Vec::new();
            search.pairs(&frame, &mut pairs);
            total += pairs.len();
            of_frame = mix(of_frame ^ checksum_of(&pairs));
        }
        if frame >= spec.case.warmup {
            sum = mix(sum ^ of_frame);
        }
    }
    assert!(total > 0);
    for row in measured(&spec, &Expected::of(&spec, &process()).unwrap()) {
        assert_eq!((row.status, row.checksum), (Status::Ok, Some(Checksum(sum))), "{row:?}");
    }
}

#[test]
fn wrong_checksum_is_an_error_without_figures() {
    let (_, spec) = terrain();
    let mut expected = Expected::of(&spec, &process()).unwrap();
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
    let (_, spec) = terrain();
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
