//! What each algorithm draws: the overlays that it declares, blocks, the matrix and trees of boxes.

use crate::common::{pairs_by_definition, plain, run_frame};
use crate::inspect::counters::work;
use crate::inspect::frames::{for_each_frame_with, lattice, nodes, pairs_of, regions};
use broadphase::inspect::{Change, Mark, Overlay, Rotation, SweepBlock, TreeBox};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{Aabb, BroadPhase, Pair};
use std::collections::{HashMap, HashSet};

/// The number of marks that an algorithm shows of each overlay.
pub(crate) fn shown(algorithm: &dyn BroadPhase) -> HashMap<Overlay, usize> {
    let mut shown = HashMap::new();
    for overlay in Overlay::ALL {
        algorithm.inspect().marks(overlay, &mut |_| *shown.entry(overlay).or_default() += 1);
    }
    shown
}

#[test]
fn algorithms_show_the_overlays_they_declare() {
    for entry in ALGORITHMS {
        let before = shown(&*entry.create(&Settings::new(100)).unwrap());
        assert!(before.is_empty(), "{} before its first frame: {before:?}", entry.id);
    }
    // Some show a part only in some frames: while pairs are cached, or while none are.
    for overlay in Overlay::ALL {
        let mut seen = HashMap::<&str, HashSet<Overlay>>::new();
        for_each_frame_with(overlay, &[100, 500], |row, name, algorithm, _| {
            for (shown, _) in shown(algorithm) {
                assert!(row.shows(shown), "{name}: {shown:?} is not declared");
                seen.entry(row.id).or_default().insert(shown);
            }
        });
        for entry in ALGORITHMS.iter().filter(|entry| entry.shows(overlay)) {
            let is_seen = seen.get(entry.id).is_some_and(|seen| seen.contains(&overlay));
            assert!(is_seen, "{} never shows {overlay:?}", entry.id);
        }
    }
    // Without a structure, nothing is shown.
    for entry in ALGORITHMS.iter().filter(|entry| entry.overlays.is_empty()) {
        let mut algorithm = entry.create(&Settings::new(60)).unwrap();
        run_frame(&mut *algorithm, &plain(&lattice()));
        assert!(shown(&*algorithm).is_empty(), "{}", entry.id);
    }
}

#[test]
fn blocks_hold_the_objects_of_their_regions_in_sweep_order() {
    let mut pairs_seen = 0;
    for_each_frame_with(Overlay::Blocks, &[1, 40, 600], |_, name, algorithm, boxes| {
        let mut regions_of = vec![HashSet::new(); boxes.len()];
        let mut listed = HashMap::<u32, usize>::new();
        let mut next = (0, 0);
        let mut last_begin = f32::NEG_INFINITY;
        algorithm.inspect().marks(Overlay::Blocks, &mut |mark| {
            let Mark::Block(block) = mark else { panic!("{name}: {mark:?}") };
            let SweepBlock { axis, region, place, objects, bounds } = block;
            if region != next.0 {
                (next, last_begin) = ((region, 0), f32::NEG_INFINITY);
            }
            assert_eq!((region, place), next, "{name}: order of blocks");
            next.1 += 1;
            assert!((1..=SweepBlock::LANES).contains(&objects.len()), "{name}");
            let mut all = Aabb::EMPTY;
            for object in objects {
                let b = &boxes[*object as usize];
                let begin = b.min[axis.index()];
                assert!(last_begin <= begin, "{name}: object {object} is out of order");
                last_begin = begin;
                all = all.union(b);
                regions_of[*object as usize].insert(region);
            }
            assert_eq!(bounds, all, "{name}: bounds of block {place} of region {region}");
            *listed.entry(region).or_default() += objects.len();
        });
        if listed.is_empty() {
            return;
        }
        let of_regions: HashMap<u32, usize> =
            regions(algorithm).iter().map(|r| (r.index, r.objects as usize)).collect();
        // One sweep of all boxes has no regions.
        if !of_regions.is_empty() {
            assert_eq!(listed, of_regions, "{name}: objects in the blocks of each region");
        }
        for pair in pairs_by_definition(boxes) {
            let [a, b] = [pair.a, pair.b].map(|object| &regions_of[object as usize]);
            assert!(!a.is_disjoint(b), "{name}: {pair:?} are in no common sweep");
            pairs_seen += 1;
        }
    });
    assert!(pairs_seen > 3000, "{pairs_seen}");
}

#[test]
fn matrix_counts_the_axes_on_which_pairs_overlap() {
    let mut cells_seen = 0;
    for_each_frame_with(Overlay::Matrix, &[2, 60], |_, name, algorithm, boxes| {
        let cells = pairs_of(algorithm, Overlay::Matrix);
        for b in 0..boxes.len() as u32 {
            for a in 0..b {
                let [one, other] = [a, b].map(|object| &boxes[object as usize]);
                let is_present = !one.is_empty() && !other.is_empty();
                let overlap = one.min.cmple(other.max) & other.min.cmple(one.max);
                let axes = overlap.bitmask().count_ones() as usize;
                let expected = axes.checked_sub(1).filter(|_| is_present);
                assert_eq!(cells.get(&Pair { a, b }).copied(), expected, "{name}: {a}, {b}");
            }
        }
        cells_seen += cells.len();
    });
    assert!(cells_seen > 10_000, "{cells_seen}");
}

#[test]
fn steps_tell_division_from_joining() {
    for_each_frame_with(Overlay::TreeBoxes, &[2, 3, 80], |row, name, algorithm, _| {
        let boxes = nodes(algorithm);
        let inner = boxes.iter().filter(|b| !b.is_leaf).count() as u32;
        let mut steps: Vec<u32> = boxes.iter().filter_map(|b| b.step).collect();
        assert!(boxes.iter().all(|b| !b.is_leaf || b.step.is_none()), "{name}: leaf with a step");
        // The last box of each depth on the way down from the root.
        let mut above: Vec<u32> = Vec::new();
        for tree_box in &boxes {
            above.truncate(tree_box.depth as usize);
            let Some(step) = tree_box.step else { continue };
            let ordered = match row.family {
                "bvh-top-down" => above.last().is_none_or(|parent| *parent < step),
                "bvh-bottom-up" => above.last().is_none_or(|parent| *parent > step),
                other => panic!("{other} has steps"),
            };
            assert!(ordered, "{name}: {step} below {above:?}");
            above.push(step);
        }
        steps.sort_unstable();
        let is_stepwise = matches!(row.family, "bvh-top-down" | "bvh-bottom-up");
        let expected = if is_stepwise { (1..=inner).collect() } else { Vec::new() };
        assert_eq!(steps, expected, "{name}");
    });
}

#[test]
fn children_along_a_curve_have_the_two_parts_of_an_axis() {
    let mut axes_seen = HashMap::new();
    for_each_frame_with(Overlay::Curve, &[2, 3, 80], |_, name, algorithm, _| {
        let boxes = nodes(algorithm);
        for (at, node) in boxes.iter().enumerate() {
            let Some(axis) = node.axis else { continue };
            assert!(!node.is_leaf, "{name}: a leaf with an axis");
            // Depth first: the first child follows, then all that is below it, then the second child.
            let below = boxes[at + 1..].iter().take_while(|b| b.depth > node.depth);
            let below: Vec<&TreeBox> = below.collect();
            let second = below.iter().rposition(|b| b.depth == node.depth + 1).unwrap();
            let (low, high) = below.split_at(second);
            let centers = |part: &[&TreeBox]| -> Vec<f32> {
                let leaves = part.iter().filter(|b| b.is_leaf);
                leaves.map(|b| b.bounds.center()[axis.index()]).collect()
            };
            let last = centers(low).into_iter().fold(f32::NEG_INFINITY, f32::max);
            let first = centers(high).into_iter().fold(f32::INFINITY, f32::min);
            assert!(last < first, "{name}: {last} and {first} on {axis:?}");
            *axes_seen.entry(axis).or_insert(0) += 1;
        }
    });
    assert!(axes_seen.len() == 3 && axes_seen.values().all(|seen| *seen > 20), "{axes_seen:?}");
}

#[test]
fn rotated_boxes_are_nodes_of_the_tree() {
    let mut rotations = 0;
    for_each_frame_with(Overlay::TreeBoxes, &[200], |_, name, algorithm, _| {
        let boxes = nodes(algorithm);
        let mut shown = 0;
        algorithm.inspect().changes(&mut |change| {
            let Change::Rotation(rotation) = change else { return };
            let Rotation { node, depth, lowered, raised, saved } = rotation;
            for (bounds, depth) in [(node, depth), (raised, depth + 1), (lowered, depth + 2)] {
                let is_there = boxes.iter().any(|b| (b.bounds, b.depth) == (bounds, depth));
                assert!(is_there, "{name}: {rotation:?}");
            }
            assert!(0.0 < saved && saved <= 1.0, "{name}: {rotation:?}");
            shown += 1;
        });
        assert!(shown <= work(algorithm).get("rotations").copied().unwrap_or(0), "{name}");
        rotations += shown;
    });
    assert!(rotations > 20, "{rotations}");
}
