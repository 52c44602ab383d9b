//! Cells of the atlas as cases, and the frames that options choose.

use crate::common::{NEVER, row};
use broadphase::Aabb;
use measure::{Case, CaseOptions, Input, record_case};
use sim::atlas::{Cell, Placement};

fn case(input: &Input, options: &CaseOptions) -> Case {
    input.cases(options).unwrap().remove(0)
}

#[test]
fn case_of_a_cell_counts_every_frame() {
    let cell = Cell { objects: 300, placement: Placement::Terrain, movers: 0.05, ..Cell::plain(7) };
    let case = Case::of_cell(cell);
    assert_eq!((case.input.as_str(), case.n, case.seed), ("atlas:7:0", 300, Some(7)));
    assert_eq!((case.warmup, case.frames, case.has_response()), (0, 300, false));
    let (mut expected, mut boxes) = (Vec::new(), Vec::new());
    cell.start().next_frame(&mut expected);
    let mut played = case.prescribed(0, &mut |_| true).unwrap().unwrap();
    played.next_frame(&mut boxes).unwrap();
    assert!(boxes == expected && played.layers().iter().any(|layer| layer.is_static));
    assert_eq!(case.space().union(&Aabb::bounds(&boxes)), case.space());
}

#[test]
fn options_choose_the_frames_but_not_the_seed_of_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bpt");
    let gas = Case::of_generated("gas:9".parse().unwrap(), 0, 20);
    record_case(&gas, row("bsp"), &path, true, &mut (), &NEVER).unwrap();
    let trace = case(&Input::open(&path).unwrap(), &CaseOptions::default());
    assert_eq!((trace.warmup, trace.frames), (2, 18), "a tenth of a trace warms up");
    let input = Input::boxes("atlas:7:12".parse().unwrap());
    assert!(!input.has_seed());
    let all = case(&input, &CaseOptions::default());
    assert_eq!((all.warmup, all.frames), (0, Cell::draw(7, 12).frames()));
    let (warmup, frames, seed) = (Some(3), Some(9), Some(1));
    let some = case(&input, &CaseOptions { warmup, frames, seed, ..CaseOptions::default() });
    assert_eq!((some.warmup, some.frames, some.seed), (3, 9, Some(7)));
    assert_eq!(some.content_hash().unwrap(), all.content_hash().unwrap());
}
