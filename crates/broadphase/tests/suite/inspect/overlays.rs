//! Marks of each algorithm: the overlays that it declares, blocks, the matrix and trees of boxes.

use crate::inspect::counters::work;
use crate::inspect::frames::{Now, Seen, changes, nodes, pairs_of};
use broadphase::inspect::{Change, Mark, Overlay, Rotation, SweepBlock, TreeBox, for_each_region};
use broadphase::{Aabb, BroadPhase, Pair};
use std::collections::HashMap;

/// The overlays of which an algorithm shows a mark.
pub(crate) fn shown(algorithm: &dyn BroadPhase) -> impl Iterator<Item = Overlay> {
    Overlay::ALL.into_iter().filter(|overlay| {
        let mut is_any = false;
        algorithm.inspect().marks(*overlay, &mut |_| is_any = true);
        is_any
    })
}

/// Only declared overlays are shown, some of them in some frames: while pairs are cached, or while none are.
pub(crate) fn check_declared(now: &Now<'_>, seen: &mut Seen) {
    for overlay in shown(now.algorithm) {
        assert!(now.entry.shows(overlay), "{}: {overlay:?} is not declared", now.name);
        seen.add(format!("{} shows {overlay:?}", now.entry.id), 1);
    }
}

/// Blocks hold the objects of their regions in sweep order.
pub(crate) fn check_blocks(now: &Now<'_>, seen: &mut Seen) {
    let Now { name, algorithm, boxes, .. } = *now;
    let mut listed = HashMap::<u32, u32>::new();
    let (mut next, mut last_begin) = ((0, 0), f32::NEG_INFINITY);
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
        *listed.entry(region).or_default() += objects.len() as u32;
        seen.add("objects of blocks", objects.len());
    });
    // One sweep of all boxes has no regions.
    if !listed.is_empty() {
        for_each_region(algorithm.inspect(), &mut |mark| {
            let region = mark.region;
            assert_eq!(listed[&region.index], region.objects, "{name}: objects in blocks");
        });
    }
}

/// The matrix counts the axes on which pairs overlap.
pub(crate) fn check_matrix(now: &Now<'_>, seen: &mut Seen) {
    let Now { entry, name, algorithm, boxes, .. } = *now;
    if !entry.shows(Overlay::Matrix) {
        return;
    }
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
    seen.add("cells of the matrix", cells.len());
}

/// Steps number the inner nodes in the order of the build.
pub(crate) fn check_steps(now: &Now<'_>) {
    let Now { entry, name, algorithm, .. } = *now;
    let boxes = nodes(algorithm);
    let mut steps: Vec<u32> = boxes.iter().filter_map(|b| b.step).collect();
    // Depth first: a parent is the last one above. Trees are divided from the root, or joined from the leaves.
    let mut above: Vec<u32> = Vec::new();
    for TreeBox { depth, step, .. } in &boxes {
        above.truncate(*depth as usize);
        if let (Some(parent), Some(step)) = (above.last(), step) {
            assert_eq!(parent < step, entry.family == "bvh-top-down", "{name}: {parent}, {step}");
        }
        above.extend(step);
    }
    steps.sort_unstable();
    let is_stepwise = matches!(entry.family, "bvh-top-down" | "bvh-bottom-up");
    let inner = boxes.iter().filter(|b| is_stepwise && !b.is_leaf).count();
    assert!(steps.into_iter().eq((1..).take(inner)), "{name}");
}

/// The children of a node along a curve have the two parts of an axis.
pub(crate) fn check_curve(now: &Now<'_>, seen: &mut Seen) {
    let Now { name, algorithm, .. } = *now;
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
        seen.add(format!("{axis:?} divided along a curve"), 1);
    }
}

/// The boxes of a rotation are nodes of the tree.
pub(crate) fn check_rotations(now: &Now<'_>, seen: &mut Seen) {
    let Now { name, algorithm, .. } = *now;
    let (boxes, mut shown) = (nodes(algorithm), 0);
    for change in changes(algorithm) {
        let Change::Rotation(rotation) = change else { continue };
        let Rotation { node, depth, lowered, raised, saved } = rotation;
        for (bounds, depth) in [(node, depth), (raised, depth + 1), (lowered, depth + 2)] {
            let is_there = boxes.iter().any(|b| (b.bounds, b.depth) == (bounds, depth));
            assert!(is_there, "{name}: {rotation:?}");
        }
        assert!(0.0 < saved && saved <= 1.0, "{name}: {rotation:?}");
        shown += 1;
    }
    assert!(shown <= work(algorithm).get("rotations").copied().unwrap_or(0), "{name}");
    seen.add("rotations", shown as usize);
}
