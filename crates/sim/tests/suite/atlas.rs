//! Boxes of the atlas: reproducible, valid, and with the properties of their cell.

use broadphase::benchmark::mix;
use broadphase::registry::Settings;
use broadphase::{Aabb, Frame, Pair, check_boxes};
use sim::atlas::{Cell, Motion, Placement, Sizes};

fn frames(cell: &Cell, count: usize) -> Vec<Vec<Aabb>> {
    let mut boxes = cell.start();
    let next = |_| {
        let mut frame = Vec::new();
        boxes.next_frame(&mut frame);
        frame
    };
    (0..count).map(next).collect()
}

fn pairs(cell: &Cell, boxes: &[Aabb]) -> usize {
    let entry = broadphase::registry::find("box-pruning").unwrap();
    let mut instance = entry.create(&Settings::new(boxes.len())).unwrap();
    let start = cell.start();
    let frame = Frame::new(boxes).time_step(sim::generated::TIME_STEP).layered(start.layers());
    let mut pairs: Vec<Pair> = Vec::new();
    instance.update(&frame);
    instance.find_pairs(&frame, &mut pairs);
    pairs.len()
}

/// The hash of all coordinates of a hundred frames, bit by bit.
fn hash(cell: &Cell) -> u64 {
    let frames = frames(cell, 100);
    let corners = frames.iter().flatten().flat_map(|b| [b.min, b.max]);
    let floats = corners.flat_map(|v| v.to_array());
    floats.fold(0, |hash, value| mix(hash ^ u64::from(value.to_bits())))
}

/// Every placement with every motion, cycling through the sizes, 500 objects.
fn combinations() -> Vec<Cell> {
    let mut cells = Vec::new();
    for &placement in Placement::ALL {
        for &motion in Motion::ALL {
            let number = cells.len() as u32;
            let sizes = Sizes::ALL[cells.len() % Sizes::ALL.len()];
            let objects = 500;
            let cell = Cell { number, objects, placement, motion, sizes, ..Cell::plain(3) };
            cells.push(cell);
        }
    }
    cells
}

#[test]
fn every_combination_stays_valid_and_in_its_space() {
    for (speed, churn) in [(0.002, 0.0), (2.0, 0.02)] {
        for cell in combinations() {
            let cell = Cell { speed, churn, ..cell };
            let space = cell.start().space();
            let slack = space.size().max_element() * 1e-5;
            for (k, boxes) in frames(&cell, 300).iter().enumerate() {
                assert_eq!(boxes.len(), 500, "{}", cell.describe());
                check_boxes(boxes).unwrap();
                let empty = boxes.iter().filter(|b| b.is_empty()).count();
                assert!(empty == 0 || churn > 0.0, "{} of frame {k}", cell.describe());
                let all = Aabb::bounds(boxes);
                assert!(
                    all.min.cmpge(space.min - slack).all()
                        && all.max.cmple(space.max + slack).all(),
                    "{}, frame {k}: {all:?} in {space:?}",
                    cell.describe()
                );
            }
        }
    }
}

#[test]
fn every_motion_moves_objects_in_every_placement() {
    for cell in combinations() {
        let frames = frames(&cell, 100);
        let moved = frames[0].iter().zip(&frames[99]).filter(|(a, b)| a != b).count();
        let fewest = match (cell.placement, cell.motion) {
            (Placement::Terrain, Motion::Teleports) => 30,
            (Placement::Terrain, _) => 45,
            (_, Motion::Teleports) => 300,
            _ => 480,
        };
        assert!(moved >= fewest, "{}: {moved} moved", cell.describe());
    }
}

#[test]
fn same_cell_gives_the_same_boxes_on_every_machine() {
    let hashes: Vec<u64> = Motion::ALL
        .iter()
        .map(|&motion| hash(&Cell { motion, movers: 0.5, ..Cell::plain(7) }))
        .collect();
    let expected: [u64; 11] = [
        0xd50b_2bc5_0eed_6694,
        0x2737_76bc_648d_d725,
        0xa0e9_bf18_b36d_d442,
        0xe01c_3aca_6bb2_f829,
        0x7f0c_7ff9_591e_2c0c,
        0xc356_7e3b_e9d3_6872,
        0x1072_28f6_75e7_125b,
        0x36e3_9b22_d815_3407,
        0x4b40_8923_8bba_7fca,
        0x5516_e287_ead9_6de2,
        0x939a_4cda_5a41_b2b4,
    ];
    assert_eq!(hashes, expected, "{hashes:#018x?}");
    let placements: Vec<u64> = Placement::ALL
        .iter()
        .zip(Sizes::ALL.iter().cycle())
        .map(|(&placement, &sizes)| hash(&Cell { placement, sizes, churn: 0.01, ..Cell::plain(7) }))
        .collect();
    let expected: [u64; 9] = [
        0xf7d3_f9e9_4363_8739,
        0x2749_ee71_cc8f_a7e9,
        0x7916_140d_522b_a488,
        0x3797_be15_58b2_1b81,
        0xc6a7_f27e_125a_8b78,
        0x436b_fa9a_caaa_bee4,
        0xcc25_76ea_33b3_62c9,
        0xe280_1d7a_637b_c1bc,
        0x3063_d1cc_29f6_2803,
    ];
    assert_eq!(placements, expected, "{placements:#018x?}");
}

#[test]
fn seed_and_number_give_other_boxes() {
    let cell = Cell::plain(7);
    assert_ne!(hash(&cell), hash(&Cell { seed: 8, ..cell }));
    assert_ne!(hash(&cell), hash(&Cell { number: 1, ..cell }));
    assert_eq!(Cell::draw(5, 9), Cell::draw(5, 9));
    assert_ne!(Cell::draw(5, 9), Cell { seed: 5, number: 9, ..Cell::draw(6, 9) });
}

/// Objects whose box changed, per pair of successive frames.
fn changed(frames: &[Vec<Aabb>]) -> Vec<Vec<usize>> {
    let of =
        |pair: &[Vec<Aabb>]| (0..pair[0].len()).filter(|&i| pair[0][i] != pair[1][i]).collect();
    frames.windows(2).map(of).collect()
}

#[test]
fn same_movers_move_in_each_frame_and_the_others_rest() {
    for &motion in &[Motion::Flight, Motion::Jitter, Motion::RandomWalk, Motion::Pushes] {
        let changed = changed(&frames(&Cell { motion, movers: 0.1, ..Cell::plain(2) }, 50));
        assert_eq!(changed[0].len(), 100);
        assert!(changed.iter().all(|movers| *movers == changed[0]), "{}", motion.name());
    }
}

#[test]
fn changing_movers_differ_and_have_the_drawn_share() {
    for &placement in Placement::ALL {
        let cell = Cell { placement, objects: 4000, movers: 0.1, ..Cell::plain(2) };
        let cell = Cell { changing_movers: true, ..cell };
        let changed = changed(&frames(&cell, 50));
        let mean = changed.iter().map(Vec::len).sum::<usize>() as f64 / (49.0 * 4000.0);
        assert!((0.09..0.11).contains(&mean), "{}: {mean}", placement.name());
        let again = |k: usize| changed[k].iter().filter(|i| changed[k + 1].contains(i)).count();
        let share = (0..20).map(again).sum::<usize>() as f64 / (20.0 * 400.0);
        // On terrain all bodies move, elsewhere one in ten.
        let all_again = placement == Placement::Terrain;
        assert!(all_again == (share > 0.5), "{}: {share} again", placement.name());
    }
}

#[test]
fn patch_of_a_cloth_moves_the_drawn_share_of_triangles() {
    for movers in [0.05, 0.3, 1.0] {
        let placement = Placement::Cloth;
        let cell = Cell { placement, objects: 4000, movers, ..Cell::plain(2) };
        let share = changed(&frames(&cell, 2))[0].len() as f32 / 4000.0;
        assert!((share / movers - 1.0).abs() < 0.2, "{share} for {movers}");
    }
}

#[test]
fn objects_overlap_as_often_as_drawn() {
    for &placement in &Placement::ALL[..7] {
        for &sizes in &Sizes::ALL[..4] {
            for overlaps in [0.1, 1.0, 8.0] {
                let cell = Cell { placement, sizes, overlaps, objects: 4000, ..Cell::plain(4) };
                let boxes = frames(&cell, 1).remove(0);
                let found = 2.0 * pairs(&cell, &boxes) as f32 / 4000.0;
                let wanted =
                    if placement == Placement::Stack { overlaps.max(2.0) } else { overlaps };
                let ratio = found / wanted;
                let range = if placement == Placement::Gas { 0.5..2.0 } else { 0.3..3.0 };
                assert!(range.contains(&ratio), "{}: {found}", cell.describe());
            }
        }
    }
}

#[test]
fn vanished_objects_come_back_in_equal_numbers() {
    for placement in [Placement::Gas, Placement::Cloth, Placement::Terrain] {
        let cell = Cell { placement, churn: 0.01, objects: 5000, ..Cell::plain(1) };
        let absent: Vec<usize> = frames(&cell, 300)
            .iter()
            .map(|boxes| boxes.iter().filter(|b| b.is_empty()).count())
            .collect();
        assert_eq!(absent[0], 0);
        let late = &absent[100..];
        let (low, high) = (*late.iter().min().unwrap(), *late.iter().max().unwrap());
        assert!(low > 0 && high < low + low / 4 + 20, "{}: {low} to {high}", placement.name());
    }
}

#[test]
fn stop_and_go_rests_and_moves_for_the_same_number_of_frames() {
    let cell = Cell { motion: Motion::StopAndGo, ..Cell::plain(1) };
    let moves: Vec<bool> = changed(&frames(&cell, 300)).iter().map(|m| !m.is_empty()).collect();
    let runs: Vec<usize> = moves.chunk_by(|a, b| a == b).map(<[bool]>::len).collect();
    assert!(runs.len() > 3 && (5..=60).contains(&runs[0]), "{runs:?}");
    assert!(runs[..runs.len() - 1].iter().all(|&run| run == runs[0]), "{runs:?}");
}

#[test]
fn fallen_objects_land_and_rest() {
    let cell = Cell { motion: Motion::Fall, ..Cell::plain(1) };
    let changed = changed(&frames(&cell, 300));
    assert!(changed[0].len() > 900);
    let late: Vec<usize> = changed[100..].iter().map(Vec::len).collect();
    assert!(late.iter().all(|&falling| (20..400).contains(&falling)), "{late:?}");
}

#[test]
fn giant_surrounds_and_ground_lies_below_everything() {
    for &placement in Placement::ALL {
        let cell = Cell { placement, ..Cell::plain(1) };
        let [giant, ground] = [Sizes::OneGiant, Sizes::Ground].map(|sizes| {
            let frames = frames(&Cell { sizes, ..cell }, 100);
            let longest = |i: &usize| frames[0][*i].size().max_element();
            let k = (0..1000).max_by(|a, b| longest(a).total_cmp(&longest(b))).unwrap();
            assert!(frames.iter().all(|boxes| boxes[k] == frames[0][k]), "{}", placement.name());
            (k, frames)
        });
        let (k, frames) = giant;
        for boxes in &frames {
            assert_eq!(Aabb::bounds(boxes), boxes[k], "{}", placement.name());
        }
        let (k, frames) = ground;
        let lies_below = |axis: usize| {
            let (top, others) = (frames[0][k].max[axis], frames.iter().flatten());
            others.filter(|b| **b != frames[0][k]).all(|b| b.center()[axis] >= top - 1e-4)
        };
        assert!((0..3).any(lies_below), "{}", placement.name());
    }
}

#[test]
fn degenerate_cells_are_played_without_a_panic() {
    for cell in combinations() {
        for objects in [0, 1, 2, 3] {
            let churn = 1.0;
            for movers in [0.0, f32::NAN, 1.0, 9.0] {
                let cell = Cell { objects, movers, churn, changing_movers: true, ..cell };
                for boxes in frames(&cell, 10) {
                    check_boxes(&boxes).unwrap();
                    assert_eq!(boxes.len(), objects.max(1) as usize);
                }
            }
        }
    }
}

#[test]
fn extreme_hand_built_cells_are_played_without_a_panic() {
    let extremes = [0.0, -1.0, 1e-30, 1e30, f32::INFINITY, f32::NAN];
    for cell in combinations() {
        for value in extremes {
            let cell = Cell { objects: 20, ..cell };
            let speed = frames(&Cell { speed: value, ..cell }, 5);
            let overlaps = frames(&Cell { overlaps: value, ..cell }, 5);
            let churn = frames(&Cell { churn: value, ..cell }, 5);
            assert!([speed, overlaps, churn].iter().flatten().all(|boxes| boxes.len() == 20));
        }
    }
}
