//! Tests by object and an algorithm's own work, against its counters.

use crate::common::{inputs, pairs_by_definition, plain, run_frame};
use crate::inspect::frames::{WORLD, for_each_frame, nodes, pairs_of, play, tests_by_object};
use broadphase::inspect::{Overlay, TreeBox, Work, for_each_region, region_by_object};
use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair, PairLimit};
use glam::Vec3;
use std::collections::HashMap;

/// Panics unless the tests of a frame are as many as counted, each in a mark that shows where both objects met, and no pair
/// was found without one. Returns the number of tests in such marks.
fn check_tests(entry: &Algorithm, name: &str, algorithm: &dyn BroadPhase, boxes: &[Aabb]) -> usize {
    // Of each mark, whether it holds each object.
    let mut marks: Vec<Vec<bool>> = Vec::new();
    for_each_region(algorithm.inspect(), &mut |mark| {
        let mut holds = vec![false; boxes.len()];
        mark.objects.iter().for_each(|object| holds[*object as usize] = true);
        marks.push(holds);
    });
    if !entry.shows(Overlay::Regions) {
        let holds = |node: &TreeBox, b: &Aabb| node.bounds.union(b) == node.bounds;
        let node = |node: &TreeBox| boxes.iter().map(|b| holds(node, b)).collect();
        marks.extend(nodes(algorithm).iter().map(node));
    }
    let is_held: Vec<bool> =
        (0..boxes.len()).map(|object| marks.iter().any(|mark| mark[object])).collect();
    let is_cache = entry.shows(Overlay::CachedPairs);
    // Others compare objects with those of other cells.
    let within =
        !is_cache && !matches!(entry.family, "octree-loose" | "grid-hierarchical" | "kd-sap");
    let (mut tested, mut number, mut placed) = (vec![false; boxes.len() * boxes.len()], 0, 0);
    algorithm.inspect().tests(&mut |a, b, met| {
        number += 1;
        // Only a cache has outdated entries: of the object itself, or in a column without the other one.
        assert!(a != b || is_cache, "{name}: {a}");
        let [a, b] = [a, b].map(|object| object as usize);
        tested[a * boxes.len() + b] = true;
        let Some(met) = met else {
            let is_alone = is_cache || !is_held[a] || !is_held[b];
            return assert!(is_alone, "{name}: {a} and {b} met in no mark");
        };
        let [holds_a, holds_b] = [a, b].map(|object| marks[met as usize][object]);
        assert!(holds_b || (is_cache && holds_a), "{name}: {b} is not in mark {met}");
        assert!(holds_a || !within, "{name}: {a} is not in mark {met}");
        placed += 1;
    });
    assert_eq!(number, algorithm.counters().tests, "{name}");
    let pairs = pairs_by_definition(boxes);
    assert!(entry.family != "sap-matrix" || pairs.len() as u64 == number, "{name}");
    let copied = pairs_of(algorithm, Overlay::CachedPairs);
    let is_copied = |pair: &Pair| copied.get(pair) == Some(&1);
    let keeps_pairs = entry.family == "sap-incremental" && algorithm.counters().rebuilds == 0;
    for pair in pairs.iter().filter(|pair| !keeps_pairs && !is_copied(pair)) {
        let [a, b] = [pair.a, pair.b].map(|object| object as usize);
        let is_tested = tested[a * boxes.len() + b] || tested[b * boxes.len() + a];
        assert!(is_tested, "{name}: {pair:?} is not tested");
    }
    placed
}

#[test]
fn tests_are_counted_and_in_the_marks_where_objects_met() {
    let mut placed = HashMap::<&str, usize>::new();
    for_each_frame(&[0, 1, 2, 10, 250], |entry, name, algorithm, boxes| {
        *placed.entry(entry.id).or_default() += check_tests(entry, name, algorithm, boxes);
    });
    for entry in ALGORITHMS {
        play(entry, 70, true, |name, algorithm, boxes, _| {
            *placed.entry(entry.id).or_default() += check_tests(entry, name, algorithm, boxes);
        });
        let has_marks = entry.shows(Overlay::Regions) || entry.shows(Overlay::TreeBoxes);
        assert_eq!(has_marks, placed[entry.id] > 1000, "{}: {placed:?}", entry.id);
    }
}

#[test]
fn pairs_are_found_in_the_order_of_their_tests() {
    // Sweeps compare blocks, and some pairs are known without a test.
    let is_plain = |entry: &&Algorithm| {
        let is_sweep = entry.shows(Overlay::Blocks) || entry.shows(Overlay::CachedPairs);
        !is_sweep && entry.family != "sap-incremental"
    };
    for entry in ALGORITHMS.iter().filter(is_plain) {
        // Too few objects for two threads.
        for (input, frames) in inputs(120, 2, 3) {
            let mut algorithm = entry.create(&Settings::new(120)).unwrap();
            for boxes in &frames {
                let (frame, mut pairs, mut tests) = (plain(boxes), Vec::new(), Vec::new());
                algorithm.update(&frame);
                algorithm.find_pairs(&frame, &mut pairs);
                algorithm.inspect().tests(&mut |a, b, _| tests.push([a.min(b), a.max(b)]));
                let mut ahead = tests.iter();
                for Pair { a, b } in pairs {
                    let follows = ahead.any(|test| *test == [a, b]);
                    assert!(follows, "{} on {input}: {a} and {b} come too late", entry.id);
                }
            }
        }
    }
}

#[test]
fn objects_that_vanish_leave_nothing() {
    for entry in ALGORITHMS {
        for boxes in [&[][..], &[Aabb::EMPTY; 400]] {
            let mut algorithm = entry.create(&Settings::new(400)).unwrap();
            // Needles across each other: their listings are far more than the pairs that may be found.
            let at = |i: usize| Vec3::new((i % 20) as f32, (i / 20) as f32, 0.0);
            let needles: Vec<_> = (0..400).map(|i| Aabb::new(at(i) - 30.0, at(i) + 30.0)).collect();
            let limit = PairLimit::new(1);
            run_frame(&mut *algorithm, &plain(&needles).most_pairs(&limit));
            assert!(limit.is_exceeded());
            assert_eq!(run_frame(&mut *algorithm, &plain(boxes)), [], "{}", entry.id);
            assert_eq!(algorithm.counters().tests, 0, "{}", entry.id);
            assert!(tests_by_object(&*algorithm, 400) == [0; 400], "{}", entry.id);
        }
    }
}

#[test]
fn structure_without_a_search_is_inspected() {
    let (_, mut frames) = inputs(60, 3, 5).swap_remove(0);
    frames[2].truncate(40);
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(60)).unwrap();
        assert_eq!(tests_by_object(&*algorithm, 3), [0; 3], "{} before its first frame", entry.id);
        for boxes in &frames {
            algorithm.update(&Frame::new(boxes));
            // More or fewer than there are objects.
            let all = tests_by_object(&*algorithm, 100);
            assert_eq!(all[boxes.len()..].iter().sum::<u32>(), 0, "{}", entry.id);
            assert_eq!(tests_by_object(&*algorithm, 10), all[..10], "{}", entry.id);
            region_by_object(algorithm.inspect(), &mut [7; 10]);
            run_frame(&mut *algorithm, &plain(boxes));
        }
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

#[test]
fn own_work_is_no_less_than_what_it_leads_to() {
    let mut seen = HashMap::<&str, u64>::new();
    for_each_frame(&[3, 200], |row, name, algorithm, boxes| {
        let (counters, pairs) = (algorithm.counters(), pairs_by_definition(boxes).len() as u64);
        for (what, count) in work(algorithm) {
            *seen.entry(what).or_default() += count;
            let least = match what {
                "cells written" => counters.axis_overlaps,
                "cells read" => counters.tests.max(pairs),
                // Each exchange that begins an overlap is a test.
                "exchanges" | "node pairs" => counters.tests,
                "objects swept" | "objects sought" | "reinsertions" | "rotations"
                | "cached pairs" => 0,
                other => panic!("{}: {other}", row.id),
            };
            assert!(count >= least, "{name}: {count} {what}, at least {least}");
        }
    });
    // Nearly all objects of these inputs move, so that trees are rebuilt.
    assert_eq!(["rotations", "reinsertions"].map(|work| seen.remove(work)), [Some(0); 2]);
    assert_eq!(seen.len(), 7, "{seen:?}");
    assert!(seen.values().all(|sum| *sum > 0), "{seen:?}");
}

#[test]
fn boxes_at_rest_cause_no_work_of_motion() {
    let boxes: Vec<Aabb> = (0..300)
        .map(|i| Aabb::around_sphere(Vec3::new(i as f32 * 0.01, (i % 7) as f32, 0.0), 0.02))
        .collect();
    for id in ["sap-incremental", "bvh-incremental", "neighbour-list", "auto"] {
        let row = broadphase::registry::find(id).unwrap();
        let mut algorithm = row.create(&Settings::new(boxes.len()).world(WORLD)).unwrap();
        for _ in 0..3 {
            run_frame(&mut *algorithm, &plain(&boxes));
        }
        for what in ["exchanges", "reinsertions", "rotations", "objects sought"] {
            assert_eq!(work(&*algorithm).get(what).copied().unwrap_or(0), 0, "{id}: {what}");
        }
    }
}
