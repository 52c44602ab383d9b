//! Tests by object and an algorithm's own work, against its counters.

use crate::common::{inputs, pairs_by_definition, plain, run_frame};
use crate::inspect::frames::{WORLD, for_each_frame, pairs_of, play, regions_of, tests_by_object};
use broadphase::inspect::{NO_REGION, Overlay, Work, region_by_object};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair, PairLimit};
use glam::Vec3;
use std::collections::{HashMap, HashSet};

#[test]
fn tests_by_object_sum_to_twice_the_counter() {
    let mut counted = 0;
    for_each_frame(&[0, 1, 2, 9, 10, 50, 250, 600], |row, name, algorithm, boxes| {
        let tests = tests_by_object(algorithm, boxes.len());
        let sum: u64 = tests.iter().map(|tests| u64::from(*tests)).sum();
        assert_eq!(sum, 2 * algorithm.counters().tests, "{name}");
        counted += sum;
        // `sap-matrix` tests exactly the pairs that it reports. An algorithm that caches pairs does not test
        // them again. All others test at least each pair that they report.
        let mut partners = vec![0; boxes.len()];
        for pair in pairs_by_definition(boxes) {
            partners[pair.a as usize] += 1;
            partners[pair.b as usize] += 1;
        }
        for (object, (tests, partners)) in tests.iter().zip(&partners).enumerate() {
            let fits = match row.family {
                "sap-matrix" => tests == partners,
                "sap-incremental" | "rest-grid" | "neighbour-list" | "auto"
                    if algorithm.counters().rebuilds == 0 =>
                {
                    true
                }
                _ => tests >= partners,
            };
            assert!(fits, "{name}: object {object} has {tests} tests and {partners} partners");
        }
    });
    assert!(counted > 100_000, "the inputs need few tests: {counted}");
}

#[test]
fn reported_pairs_are_tested() {
    for row in ALGORITHMS {
        let mut reported = 0;
        play(row, 70, true, |name, algorithm, _, pairs| {
            let mut tested = HashSet::new();
            algorithm.inspect().replay(&mut |a, b| {
                // Only a cache has an outdated entry of the object.
                assert!(a != b || row.shows(Overlay::CachedPairs), "{name}: {a}");
                tested.insert([a.min(b), a.max(b)]);
            });
            // Copied, not tested.
            let cached = pairs_of(algorithm, Overlay::CachedPairs);
            let is_copied = |pair: &Pair| cached.get(pair) == Some(&1);
            let keeps_pairs = row.family == "sap-incremental" && algorithm.counters().rebuilds == 0;
            for pair in pairs.iter().filter(|pair| !keeps_pairs && !is_copied(pair)) {
                assert!(tested.contains(&[pair.a, pair.b]), "{name}: {pair:?}");
                reported += 1;
            }
        });
        assert!(reported > 500, "{}: {reported}", row.id);
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
fn slices_of_any_length_are_filled() {
    let (_, mut frames) = inputs(60, 3, 5).swap_remove(0);
    frames[2].truncate(40);
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(60)).unwrap();
        assert_eq!(tests_by_object(&*algorithm, 3), [0; 3], "{} before its first frame", entry.id);
        // After an update without a search, also when the number of objects has changed.
        for boxes in &frames {
            algorithm.update(&Frame::new(boxes));
            let all = tests_by_object(&*algorithm, boxes.len());
            let mut first = vec![7; 100];
            region_by_object(algorithm.inspect(), &mut first);
            assert!(first[boxes.len()..].iter().all(|region| *region == NO_REGION), "{}", entry.id);
            let short = tests_by_object(&*algorithm, 10);
            assert_eq!(short, all[..10], "{}", entry.id);
            let long = tests_by_object(&*algorithm, 100);
            assert_eq!(
                (&long[..all.len()], long.iter().sum::<u32>()),
                (&all[..], all.iter().sum())
            );
            region_by_object(algorithm.inspect(), &mut first[..10]);
            assert_eq!(regions_of(&*algorithm, 99), [], "{}", entry.id);
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
