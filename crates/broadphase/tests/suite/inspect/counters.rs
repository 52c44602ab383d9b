//! Tests by object and an algorithm's own work, against its counters.

use crate::common::{plain, run_frame};
use crate::inspect::frames::{Now, Seen, nodes, pairs_of};
use broadphase::inspect::{Overlay, Work, for_each_region};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{Aabb, BroadPhase, Pair, PairLimit};
use glam::Vec3;
use std::collections::{HashMap, HashSet};

/// The tests of a frame are as many as counted, each in a mark that shows where both objects met, and no pair was found
/// without one.
pub(crate) fn check_tests(now: &Now<'_>, seen: &mut Seen) {
    let Now { entry, name, algorithm, boxes, pairs, .. } = *now;
    // Whether each mark holds each object.
    let mut marks: Vec<Vec<bool>> = Vec::new();
    for_each_region(algorithm.inspect(), &mut |mark| {
        let mut holds = vec![false; boxes.len()];
        mark.objects.iter().for_each(|object| holds[*object as usize] = true);
        marks.push(holds);
    });
    if !entry.shows(Overlay::Regions) {
        for node in nodes(algorithm) {
            marks.push(boxes.iter().map(|b| node.bounds.union(b) == node.bounds).collect());
        }
    }
    let is_held = |object: usize| marks.iter().any(|mark| mark[object]);
    let is_cache = entry.shows(Overlay::CachedPairs);
    // Others compare objects with those of other cells.
    let within =
        !is_cache && !matches!(entry.family, "octree-loose" | "grid-hierarchical" | "kd-sap");
    let (mut tested, mut number, mut placed) = (HashSet::new(), 0, 0);
    algorithm.inspect().tests(&mut |a, b, met| {
        number += 1;
        tested.insert([a.min(b), a.max(b)]);
        let [a, b] = [a, b].map(|object| object as usize);
        // Only a cache has outdated entries: of the object itself, of an absent one, or in a column without the other one.
        let are_two = a != b && !boxes[a].is_empty() && !boxes[b].is_empty();
        assert!(is_cache || are_two, "{name}: {a} and {b}");
        let Some(met) = met else {
            let is_alone = is_cache || !is_held(a) || !is_held(b);
            return assert!(is_alone, "{name}: {a} and {b} met in no mark");
        };
        let [holds_a, holds_b] = [a, b].map(|object| marks[met as usize][object]);
        assert!(holds_b || (is_cache && holds_a), "{name}: {b} is not in mark {met}");
        assert!(holds_a || !within, "{name}: {a} is not in mark {met}");
        placed += 1;
    });
    assert_eq!(number, algorithm.counters().tests, "{name}");
    assert!(entry.family != "sap-matrix" || pairs.len() as u64 == number, "{name}");
    let copied = pairs_of(algorithm, Overlay::CachedPairs);
    let keeps_pairs = entry.family == "sap-incremental" && algorithm.counters().rebuilds == 0;
    for pair in pairs.iter().filter(|pair| !keeps_pairs && copied.get(pair) != Some(&1)) {
        assert!(tested.contains(&[pair.a, pair.b]), "{name}: {pair:?} is not tested");
    }
    seen.add(format!("tests of {} in marks", entry.id), placed);
}

/// Pairs are found in the order of their tests: there are too few objects for two threads.
pub(crate) fn check_order(now: &Now<'_>) {
    // Sweeps compare blocks, and some pairs are known without a test.
    let is_sweep = now.entry.shows(Overlay::Blocks) || now.entry.shows(Overlay::CachedPairs);
    if is_sweep || now.entry.family == "sap-incremental" {
        return;
    }
    let mut tests = Vec::new();
    now.algorithm.inspect().tests(&mut |a, b, _| tests.push(Pair::new(a, b)));
    let mut ahead = tests.iter();
    for pair in now.found {
        assert!(ahead.any(|test| test == pair), "{}: {pair:?} comes too late", now.name);
    }
}

/// The counts of an algorithm's own work, by name.
pub(crate) fn work(algorithm: &dyn BroadPhase) -> HashMap<&'static str, u64> {
    let mut counts = HashMap::new();
    algorithm.inspect().work(&mut |Work { name, meaning, count, .. }| {
        assert!(!meaning.is_empty() && name.len() <= 15, "{name}");
        assert_eq!(counts.insert(name, count), None, "{name} is reported twice");
    });
    counts
}

/// An algorithm's own work is no less than what it leads to.
pub(crate) fn check_work(now: &Now<'_>, seen: &mut Seen) {
    let counters = now.algorithm.counters();
    for (what, count) in work(now.algorithm) {
        let least = match what {
            "cells written" => counters.axis_overlaps,
            "cells read" => counters.tests.max(now.pairs.len() as u64),
            // Each exchange that begins an overlap is a test.
            "exchanges" | "node pairs" => counters.tests,
            "objects swept" | "objects sought" | "reinsertions" | "rotations" | "cached pairs" => 0,
            other => panic!("{}: {other}", now.name),
        };
        assert!(count >= least, "{}: {count} {what}, at least {least}", now.name);
        seen.add(format!("work: {what}"), count as usize);
    }
}

#[test]
fn objects_that_vanish_leave_nothing() {
    // Needles across each other: their listings are far more than the pairs that may be found.
    let at = |i: usize| Vec3::new((i % 20) as f32, (i / 20) as f32, 0.0);
    let needles: Vec<_> = (0..400).map(|i| Aabb::around_sphere(at(i), 30.0)).collect();
    for entry in ALGORITHMS {
        for boxes in [&[][..], &[Aabb::EMPTY; 400]] {
            let mut algorithm = entry.create(&Settings::new(400)).unwrap();
            let limit = PairLimit::new(1);
            run_frame(&mut *algorithm, &plain(&needles).most_pairs(&limit));
            assert!(limit.is_exceeded());
            assert_eq!(run_frame(&mut *algorithm, &plain(boxes)), [], "{}", entry.id);
            assert_eq!(algorithm.counters().tests, 0, "{}", entry.id);
        }
    }
}
