//! What each algorithm draws: the overlays that it declares, blocks, the matrix and trees of boxes.

use crate::inspect::counters::work;
use crate::inspect::frames::{for_each_frame_with, nodes, pairs_of, regions};
use broadphase::inspect::{Change, Mark, Overlay, Rotation, SweepBlock, TreeBox};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{Aabb, BroadPhase, Pair};
use std::collections::{HashMap, HashSet};

/// The number of marks that an algorithm shows of each overlay.
fn shown(algorithm: &dyn BroadPhase) -> HashMap<Overlay, usize> {
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
}

#[test]
fn blocks_hold_the_objects_of_their_regions_in_sweep_order() {
    let mut blocks_seen = 0;
    for_each_frame_with(Overlay::Blocks, &[1, 40, 600], |_, name, algorithm, boxes| {
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
            }
            assert_eq!(bounds, all, "{name}: bounds of block {place} of region {region}");
            *listed.entry(region).or_default() += objects.len();
        });
        let of_regions: HashMap<u32, usize> =
            regions(algorithm).iter().map(|r| (r.index, r.objects as usize)).collect();
        blocks_seen += listed.len();
        // One sweep of all boxes has no regions.
        let is_shown = listed.is_empty() || of_regions.is_empty();
        assert!(is_shown || listed == of_regions, "{name}: objects in the blocks of each region");
    });
    assert!(blocks_seen > 500, "{blocks_seen}");
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
fn steps_number_the_inner_nodes_in_the_order_of_the_build() {
    for_each_frame_with(Overlay::TreeBoxes, &[2, 3, 80], |row, name, algorithm, _| {
        let boxes = nodes(algorithm);
        let inner = boxes.iter().filter(|b| !b.is_leaf);
        let mut steps: Vec<u32> = boxes.iter().filter_map(|b| b.step).collect();
        // Depth first: a parent is the last one above. Trees are divided from the root, or joined from the leaves.
        let mut above: Vec<u32> = Vec::new();
        for TreeBox { depth, step, .. } in &boxes {
            above.truncate(*depth as usize);
            if let (Some(parent), Some(step)) = (above.last(), step) {
                assert_eq!(parent < step, row.family == "bvh-top-down", "{name}: {parent}, {step}");
            }
            above.extend(step);
        }
        steps.sort_unstable();
        let is_stepwise = matches!(row.family, "bvh-top-down" | "bvh-bottom-up");
        assert!(steps.into_iter().eq((1..).take(inner.filter(|_| is_stepwise).count())), "{name}");
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
