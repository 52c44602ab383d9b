//! Cells of the atlas as cases.

use crate::common::{NEVER, row};
use broadphase::Aabb;
use measure::{Case, CaseOptions, Input, RunError, record_case};
use sim::atlas::{Cell, Placement};

fn small() -> Cell {
    Cell { objects: 300, placement: Placement::Terrain, movers: 0.05, ..Cell::plain(7) }
}

#[test]
fn case_of_a_cell_counts_every_frame() {
    let case = Case::of_cell(small());
    assert_eq!((case.input.as_str(), case.n, case.seed), ("atlas:7:0", 300, Some(7)));
    assert_eq!((case.warmup, case.frames, case.has_response()), (0, 300, false));
    let mut boxes = Vec::new();
    small().start().next_frame(&mut boxes);
    let mut playback = case.start().unwrap();
    let step = playback.step(|frame| {
        assert!(frame.layers.iter().any(|layer| layer.is_static) && frame.boxes == boxes);
        Ok::<_, RunError>(Vec::new())
    });
    assert!(step.is_ok());
    assert_eq!(case.space().union(&Aabb::bounds(&boxes)), case.space());
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
