//! Cells of the atlas as cases.

use crate::common::{NEVER, row};
use broadphase::Aabb;
use measure::{BoxesSpec, Case, CaseOptions, Input, record_case};
use sim::atlas::{Cell, Placement};

fn small() -> Cell {
    Cell { objects: 300, placement: Placement::Terrain, movers: 0.05, ..Cell::plain(7) }
}

#[test]
fn case_of_a_cell_counts_every_frame() {
    let case = Case::of_cell(small());
    assert_eq!((case.input.as_str(), case.n, case.seed), ("atlas:7:0", 300, Some(7)));
    assert_eq!((case.warmup, case.frames, case.has_response()), (0, 300, false));
    let mut playback = case.start().unwrap();
    playback.advance().unwrap();
    assert!(playback.layers().iter().any(|layer| layer.is_static));
    let all = Aabb::bounds(playback.frame().boxes);
    assert_eq!(case.space().union(&all), case.space());
    let mut boxes = Vec::new();
    small().start().next_frame(&mut boxes);
    assert_eq!(playback.frame().boxes, boxes);
}

#[test]
fn content_hash_covers_every_property_of_a_cell() {
    let hash = |cell| Case::of_cell(cell).content_hash().unwrap();
    let cell = small();
    for other in [
        Cell { seed: 8, ..cell },
        Cell { number: 1, ..cell },
        Cell { speed: 0.051, ..cell },
        Cell { movers: 0.06, ..cell },
        Cell { churn: 0.01, ..cell },
    ] {
        assert_ne!(hash(cell), hash(other), "{other:?}");
    }
    assert_eq!(hash(cell), hash(small()));
}

#[test]
fn boxes_are_named_by_kind_or_by_cell() {
    let cell: BoxesSpec = "atlas:7:12".parse().unwrap();
    assert_eq!(cell, BoxesSpec::Cell(Cell::draw(7, 12)));
    assert!(!cell.takes_moving() && cell.with_moving(Some(0.5)) == cell);
    let gas: BoxesSpec = "gas:100".parse().unwrap();
    assert!(gas.takes_moving() && gas.with_moving(Some(0.5)) != gas);
    assert_eq!((cell.name().as_str(), gas.name().as_str()), ("atlas:7:12", "gas"));
}

#[test]
fn options_choose_the_frames_but_not_the_seed_of_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bpt");
    let gas = Case::of_generated("gas:9".parse().unwrap(), 0, 20);
    record_case(&gas, row("bsp"), &path, true, &mut (), &NEVER).unwrap();
    let trace = Input::open(&path).unwrap().cases(&CaseOptions::default()).unwrap().remove(0);
    assert_eq!((trace.warmup, trace.frames), (2, 18), "a tenth of a trace warms up");
    let input = Input::boxes("atlas:7:12".parse().unwrap());
    assert!(!input.has_seed());
    let all = input.cases(&CaseOptions::default()).unwrap().remove(0);
    assert_eq!((all.warmup, all.frames), (0, Cell::draw(7, 12).frames()));
    let options =
        CaseOptions { warmup: Some(3), frames: Some(9), seed: Some(1), ..CaseOptions::default() };
    let some = input.cases(&options).unwrap().remove(0);
    assert_eq!((some.warmup, some.frames, some.seed), (3, 9, Some(7)));
    assert_eq!(some.content_hash().unwrap(), all.content_hash().unwrap());
}
