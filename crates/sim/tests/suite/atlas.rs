//! Boxes of the atlas: reproducible, valid, and with the properties of their cell.

use broadphase::benchmark::mix;
use broadphase::registry::Settings;
use broadphase::{Aabb, Frame, Layer, Pair, check_boxes};
use sim::GeneratedBoxes;
use sim::atlas::{Cell, Motion, Placement, Sizes, TIME_STEP};

/// The first frames.
pub(crate) fn frames(mut boxes: GeneratedBoxes, count: usize) -> Vec<Vec<Aabb>> {
    let next = |_| {
        let mut frame = Vec::new();
        boxes.next_frame(&mut frame);
        frame
    };
    (0..count).map(next).collect()
}

/// The number of pairs that an algorithm finds in a frame.
pub(crate) fn pairs(algorithm: &str, boxes: &[Aabb], layers: &[Layer]) -> usize {
    let entry = broadphase::registry::find(algorithm).unwrap();
    let mut instance = entry.create(&Settings::new(boxes.len())).unwrap();
    let frame = Frame::new(boxes).time_step(TIME_STEP).layered(layers);
    let mut pairs: Vec<Pair> = Vec::new();
    instance.update(&frame);
    instance.find_pairs(&frame, &mut pairs);
    pairs.len()
}

/// The hash of all coordinates of the first frames, bit by bit.
pub(crate) fn hash(boxes: GeneratedBoxes, count: usize) -> u64 {
    let frames = frames(boxes, count);
    let corners = frames.iter().flatten().flat_map(|b| [b.min, b.max]);
    let floats = corners.flat_map(|v| v.to_array());
    floats.fold(0, |hash, value| mix(hash ^ u64::from(value.to_bits())))
}

/// Objects whose box changed, per pair of successive frames.
pub(crate) fn changed(frames: &[Vec<Aabb>]) -> Vec<Vec<usize>> {
    let of =
        |pair: &[Vec<Aabb>]| (0..pair[0].len()).filter(|&i| pair[0][i] != pair[1][i]).collect();
    frames.windows(2).map(of).collect()
}

/// Every placement with every motion, cycling through the sizes, 500 objects.
fn combinations() -> Vec<Cell> {
    let cells = Placement::ALL.iter().flat_map(|&p| Motion::ALL.iter().map(move |&m| (p, m)));
    let sizes = Sizes::ALL.iter().cycle();
    let cell = |(number, ((placement, motion), &sizes))| {
        let objects = 500;
        Cell { number, objects, placement, motion, sizes, ..Cell::plain(3) }
    };
    (0..).zip(cells.zip(sizes)).map(cell).collect()
}

#[test]
fn every_combination_moves_stays_valid_and_in_its_space() {
    for (speed, churn) in [(0.002, 0.0), (2.0, 0.02)] {
        for cell in combinations() {
            let (cell, name) = (Cell { speed, churn, ..cell }, cell.describe());
            let space = cell.start().space();
            let slack = space.size().max_element() * 1e-5;
            let space = Aabb::new(space.min - slack, space.max + slack);
            let frames = frames(cell.start(), 300);
            for (k, boxes) in frames.iter().enumerate() {
                assert_eq!(boxes.len(), 500, "{name}");
                check_boxes(boxes).unwrap();
                let empty = boxes.iter().filter(|b| b.is_empty()).count();
                assert!(empty == 0 || churn > 0.0, "{name} of frame {k}");
                assert!(space.contains(&Aabb::bounds(boxes)), "{name}, frame {k}");
            }
            let moved = frames[0].iter().zip(&frames[299]).filter(|(a, b)| a != b).count();
            let fewest = match (cell.placement, cell.motion) {
                (Placement::Terrain, Motion::Teleports) => 30,
                (Placement::Terrain, _) => 45,
                (_, Motion::Teleports) => 300,
                _ => 480,
            };
            assert!(moved >= fewest, "{name}: {moved} moved");
        }
    }
}

#[test]
fn same_cell_gives_the_same_boxes_on_every_machine() {
    let of_cells = |cells: &[Cell]| {
        let hashes = cells.iter().map(|&cell| {
            let changing_movers = cell.number % 2 == 1;
            hash(Cell { movers: 0.5, churn: 0.01, changing_movers, ..cell }.start(), 100)
        });
        hashes.fold(0, |all, hash| mix(all ^ hash))
    };
    // One for each placement.
    let hashes: Vec<u64> = combinations().chunks(Motion::ALL.len()).map(of_cells).collect();
    let expected: [u64; 9] = [
        0x145e_9ef1_415b_f06c,
        0x8991_6a10_654d_6e81,
        0x6221_9676_2e74_f841,
        0x8252_e284_300f_bbb4,
        0x73d5_3ede_fbb9_c9f2,
        0x38cf_adb9_c704_9d2c,
        0xb594_2938_1255_b619,
        0x92f6_7341_7454_0bd2,
        0xad5e_115a_3de0_f693,
    ];
    assert_eq!(hashes, expected, "{hashes:#018x?}");
    let cell = Cell::plain(7);
    for other in [Cell { seed: 8, ..cell }, Cell { number: 1, ..cell }] {
        assert_ne!(hash(cell.start(), 1), hash(other.start(), 1), "{other:?}");
    }
}

#[test]
fn drawn_share_moves_the_same_or_others_in_each_frame() {
    for &placement in Placement::ALL {
        for (changing_movers, movers) in [(false, 0.1), (true, 0.1), (false, 0.3)] {
            let cell = Cell { placement, objects: 4000, movers, ..Cell::plain(2) };
            let changed = changed(&frames(Cell { changing_movers, ..cell }.start(), 50));
            let mean = changed.iter().map(Vec::len).sum::<usize>() as f32 / (49.0 * 4000.0);
            // On terrain all bodies move, elsewhere one in ten.
            let on_terrain = placement == Placement::Terrain;
            let expected = if on_terrain { 0.1 } else { movers };
            assert!((mean / expected - 1.0).abs() < 0.1, "{}: {mean}", placement.name());
            let again = |k: usize| changed[k].iter().filter(|i| changed[k + 1].contains(i)).count();
            let share = (0..20).map(again).sum::<usize>() as f32 / (20.0 * 4000.0 * expected);
            assert!((!changing_movers || on_terrain) == (share > 0.5), "{cell:?}: {share} again");
        }
    }
}

#[test]
fn objects_overlap_as_often_as_drawn() {
    for &placement in &Placement::ALL[..7] {
        for &sizes in &Sizes::ALL[..4] {
            for overlaps in [0.1, 1.0, 8.0] {
                let cell = Cell { placement, sizes, overlaps, objects: 4000, ..Cell::plain(4) };
                let boxes = frames(cell.start(), 1).remove(0);
                let found = 2.0 * pairs("box-pruning", &boxes, &[]) as f32 / 4000.0;
                let wanted =
                    if placement == Placement::Stack { overlaps.max(2.0) } else { overlaps };
                let range = if placement == Placement::Gas { 0.5..2.0 } else { 0.3..3.0 };
                assert!(range.contains(&(found / wanted)), "{}: {found}", cell.describe());
            }
        }
    }
}

#[test]
fn vanished_objects_come_back_in_equal_numbers() {
    for placement in [Placement::Gas, Placement::Cloth, Placement::Terrain] {
        let cell = Cell { placement, churn: 0.01, objects: 5000, ..Cell::plain(1) };
        let frames = frames(cell.start(), 300);
        let empty = |boxes: &Vec<Aabb>| boxes.iter().filter(|b| b.is_empty()).count();
        let absent: Vec<usize> = frames.iter().map(empty).collect();
        assert_eq!(absent[0], 0);
        let late = &absent[100..];
        let (low, high) = (*late.iter().min().unwrap(), *late.iter().max().unwrap());
        assert!(low > 0 && high < low + low / 4 + 20, "{}: {low} to {high}", placement.name());
    }
}

#[test]
fn all_stop_and_go_together_and_fallen_objects_rest() {
    let moving = |motion| {
        let frames = frames(Cell { motion, ..Cell::plain(1) }.start(), 300);
        changed(&frames).iter().map(Vec::len).collect::<Vec<_>>()
    };
    let together = moving(Motion::StopAndGo);
    let runs: Vec<usize> =
        together.chunk_by(|a, b| (*a > 0) == (*b > 0)).map(<[usize]>::len).collect();
    assert!(runs.len() > 3 && (5..=60).contains(&runs[0]), "{runs:?}");
    assert!(runs[..runs.len() - 1].iter().all(|&run| run == runs[0]), "{runs:?}");
    let falling = moving(Motion::Fall);
    assert!(falling[0] > 900 && falling[100..].iter().all(|now| (20..400).contains(now)));
}

#[test]
fn giant_surrounds_and_ground_lies_below_everything() {
    for &placement in Placement::ALL {
        for sizes in [Sizes::OneGiant, Sizes::Ground] {
            let frames = frames(Cell { placement, sizes, ..Cell::plain(1) }.start(), 100);
            let longest = |i: &usize| frames[0][*i].size().max_element();
            let k = (0..1000).max_by(|a, b| longest(a).total_cmp(&longest(b))).unwrap();
            let exception = frames[0][k];
            assert!(frames.iter().all(|boxes| boxes[k] == exception), "{}", placement.name());
            let others = || frames.iter().flatten().filter(|b| **b != exception);
            let lies_below =
                |axis: usize| others().all(|b| b.center()[axis] >= exception.max[axis] - 1e-4);
            let holds = match sizes {
                Sizes::OneGiant => others().all(|b| exception.contains(b)),
                _ => (0..3).any(lies_below),
            };
            assert!(holds, "{}, {}", placement.name(), sizes.name());
        }
    }
}

#[test]
fn degenerate_and_extreme_cells_are_played_without_a_panic() {
    for cell in combinations() {
        for objects in [0, 1, 2, 3] {
            for movers in [0.0, f32::NAN, 1.0, 9.0] {
                let cell = Cell { objects, movers, churn: 1.0, changing_movers: true, ..cell };
                for boxes in frames(cell.start(), 10) {
                    check_boxes(&boxes).unwrap();
                    assert_eq!(boxes.len(), objects.max(1) as usize);
                }
            }
        }
        let cell = Cell { objects: 20, ..cell };
        for value in [0.0, -1.0, 1e-30, 1e30, f32::INFINITY, f32::NAN] {
            let (speed, overlaps, churn) = (value, value, value);
            for cell in [Cell { speed, ..cell }, Cell { overlaps, ..cell }, Cell { churn, ..cell }]
            {
                assert!(frames(cell.start(), 5).iter().all(|boxes| boxes.len() == 20));
            }
        }
    }
}
