//! Every algorithm gives exactly the pairs of the definition, on every input, frame and number of threads.

use crate::common::{Case, inputs, plain, run_frame};
use broadphase::benchmark::PairListOrigin;
use broadphase::registry::{ALGORITHMS, Algorithm, Parameter, Settings};
use broadphase::{Aabb, Layer, Pair};
use glam::Vec3;
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

const WORLD: Aabb = Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE };

#[test]
fn every_algorithm_equals_the_definition_on_every_input() {
    let (mut cases, mut frames_run, mut compared) = (0, 0, 0);
    // Sizes on both sides of the thesis' first thresholds for the depth of a tree, and of those between
    // scalar and blockwise code.
    for n in [0, 1, 2, 3, 9, 10, 17, 49, 50, 249, 250, 600] {
        for (seed, world) in [(1, WORLD), (1739, Aabb::EMPTY)] {
            // The largest with one seed only, to save time: `seeds` in `.ci/extended` has many.
            if n > 250 && seed != 1 {
                continue;
            }
            for (input, frames) in inputs(n, 6, seed) {
                let case = Case::new(format!("{input} ({n} objects, seed {seed})"), frames);
                for case in [case.layered(seed), case] {
                    for entry in ALGORITHMS {
                        compared += case.assert_exact(entry, world);
                        cases += 1;
                        frames_run += case.frames();
                    }
                }
            }
        }
    }
    println!("{cases} cases, {frames_run} frames, {compared} pairs compared");
    assert!(compared > 100_000 * ALGORITHMS.len(), "the inputs hardly overlap: {compared} pairs");
}

/// Every entry of the registry with one of its parameters at the least or greatest value.
fn at_limits() -> Vec<(String, Algorithm)> {
    let at = |entry: &'static Algorithm, parameter: &Parameter, value| {
        let set = entry.with(parameter.name, value).expect("a limit is a value");
        (set.id_with_values(), set)
    };
    let limits = |entry: &'static Algorithm| {
        entry.parameters.iter().flat_map(move |p| p.range.map(|value| at(entry, p, value)))
    };
    ALGORITHMS.iter().flat_map(limits).collect()
}

#[test]
fn parameters_at_their_limits_do_not_change_the_pairs() {
    let entries = at_limits();
    assert!(entries.len() >= 30, "{}", entries.len());
    // Few objects: a tree of depth 16 is validated leaf by leaf.
    for (n, seed, world) in [(0, 1, WORLD), (1, 1, WORLD), (60, 1, WORLD), (120, 1739, Aabb::EMPTY)]
    {
        for (input, frames) in inputs(n, 4, seed) {
            let case = Case::new(format!("{input} ({n} objects, seed {seed})"), frames);
            for (id, entry) in &entries {
                println!("{id} on {input}, {n} objects");
                case.assert_exact(entry, world);
            }
        }
    }
}

#[test]
fn parameters_reach_the_structure() {
    let (_, frames) = inputs(3000, 8, 5).swap_remove(0);
    let work = |entry: &Algorithm| {
        let mut algorithm = entry.create(&Settings::new(3000)).unwrap();
        let mut counters = Vec::new();
        let mut pairs = Vec::new();
        for boxes in &frames {
            pairs.clear();
            algorithm.update(&plain(boxes));
            algorithm.find_pairs(&plain(boxes), &mut pairs);
            counters.push(algorithm.counters());
        }
        counters
    };
    for entry in ALGORITHMS {
        for parameter in entry.parameters {
            let [least, most] = parameter
                .range
                .map(|v| work(&entry.with(parameter.name, v).expect("a limit is a value")));
            assert_ne!(least, most, "{}.{} changes nothing", entry.id, parameter.name);
        }
    }
}

#[test]
fn ninety_frames_are_exact() {
    for (input, frames) in inputs(120, 90, 7) {
        let case = Case::new(input, frames);
        for entry in ALGORITHMS {
            case.assert_exact(entry, WORLD);
        }
    }
}

#[test]
fn pairs_are_exact_on_every_number_of_threads() {
    let (_, frames) = inputs(3000, 3, 5).swap_remove(0);
    let expected: Vec<_> = frames.iter().map(|f| crate::common::pairs_by_definition(f)).collect();
    assert!(expected.iter().all(|pairs| pairs.len() > 500));
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for entry in ALGORITHMS {
            let mut algorithm = entry.create(&Settings::new(3000)).unwrap();
            for (number, (boxes, expected)) in frames.iter().zip(&expected).enumerate() {
                let frame = plain(boxes);
                let found = pool.install(|| run_frame(&mut *algorithm, &frame));
                let input = &format_args!("gas of seed 5, {threads} threads");
                PairListOrigin { algorithm: entry.id, input, number, frame }
                    .assert_same(expected, &found);
            }
        }
    }
}

#[test]
fn number_of_threads_may_change_between_frames() {
    let threads = [1, 8, 3, 2, 1];
    let (_, frames) = inputs(3000, threads.len(), 5).swap_remove(0);
    let expected: Vec<_> = frames.iter().map(|f| crate::common::pairs_by_definition(f)).collect();
    let pools = threads.map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(3000)).unwrap();
        for (number, (boxes, pool)) in frames.iter().zip(&pools).enumerate() {
            let frame = plain(boxes);
            let found = pool.install(|| run_frame(&mut *algorithm, &frame));
            let input = &format_args!("gas of seed 5, {} threads in this frame", threads[number]);
            PairListOrigin { algorithm: entry.id, input, number, frame }
                .assert_same(&expected[number], &found);
        }
    }
}

#[test]
fn layers_changed_between_frames_take_effect() {
    let boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 3];
    let still = [Layer::STATIC; 3];
    let loner = [Layer::ALL, Layer { mask: 0, ..Layer::ALL }];
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(3)).unwrap();
        let mut pairs = |layers| run_frame(&mut *algorithm, &plain(&boxes).layered(layers));
        for _ in 0..3 {
            assert_eq!(pairs(&[]).len(), 3, "{}", entry.id);
            assert_eq!(pairs(&still), [], "{}", entry.id);
            assert_eq!(pairs(&still[..2]), [Pair::new(0, 2), Pair::new(1, 2)], "{}", entry.id);
            assert_eq!(pairs(&loner), [Pair::new(0, 2)], "{}", entry.id);
        }
    }
}

#[test]
fn find_pairs_appends_to_the_list() {
    let boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 2];
    let frame = broadphase::Frame::new(&boxes);
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(2)).unwrap();
        let before = Pair::new(5, 6);
        let mut pairs = vec![before];
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
        assert_eq!(pairs, [before, Pair::new(0, 1)], "{}", entry.id);
    }
}

#[test]
fn pairs_of_vanished_objects_are_not_reported_again() {
    let near = [Aabb::new(Vec3::ZERO, Vec3::ONE); 3];
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(3)).unwrap();
        assert_eq!(run_frame(&mut *algorithm, &plain(&near)).len(), 3, "{}", entry.id);
        assert_eq!(run_frame(&mut *algorithm, &plain(&[Aabb::EMPTY; 3])), [], "{}", entry.id);
        assert_eq!(run_frame(&mut *algorithm, &plain(&[])), [], "{}", entry.id);
        assert_eq!(run_frame(&mut *algorithm, &plain(&near)).len(), 3, "{}", entry.id);
    }
}

#[test]
fn stopped_frame_is_left_early_and_the_next_is_exact() {
    let (_, frames) = inputs(2000, 4, 5).swap_remove(0);
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(2000)).unwrap();
        for (number, boxes) in frames.iter().enumerate() {
            if number % 2 == 0 {
                let frame = plain(boxes);
                let found = run_frame(&mut *algorithm, &frame);
                PairListOrigin { algorithm: entry.id, input: &"gas of seed 5", number, frame }
                    .assert_same(&crate::common::pairs_by_definition(boxes), &found);
                continue;
            }
            let stop = AtomicBool::new(true);
            let frame = broadphase::Frame::new(boxes).stopped_by(&stop);
            let mut pairs = Vec::new();
            algorithm.update(&frame);
            algorithm.find_pairs(&frame, &mut pairs);
            assert_eq!(pairs, [], "{}: a stopped search reports pairs", entry.id);
            algorithm.validate(&frame);
        }
    }
}

#[test]
fn registry_ids_are_unique_and_can_be_found() {
    for (index, row) in ALGORITHMS.iter().enumerate() {
        // A variant comes after the entry that it varies.
        let family = ALGORITHMS.iter().position(|other| other.id == row.family).unwrap();
        let own = ALGORITHMS.iter().position(|other| other.id == row.id).unwrap();
        assert!(family <= own, "{}", row.id);
        assert_eq!(row.variant.is_some(), family != own, "{}", row.id);
        assert_eq!((own, broadphase::registry::find(row.id)), (index, Some(row)));
    }
    assert_eq!(ALGORITHMS[0].id, "brute-force", "the reference comes first");
    assert!(broadphase::registry::find("no-such-algorithm").is_none());
}

/// A box whose coordinates are often on a coarse lattice, so that boxes touch, coincide and lie on planes of a
/// tree; else of any size. Every eighth side is inverted.
fn any_box() -> impl Strategy<Value = Aabb> {
    let coordinate = prop_oneof![
        4 => (-8i32..=8).prop_map(|i| i as f32 * 0.125),
        2 => -1.0f32..1.0,
        1 => -1e7f32..1e7,
    ];
    let side = prop_oneof![
        4 => (0i32..=4).prop_map(|i| i as f32 * 0.125),
        2 => 0.0f32..0.5,
        1 => 0.0f32..1e7,
        1 => Just(-0.125f32),
    ];
    ([coordinate.clone(), coordinate.clone(), coordinate], [side.clone(), side.clone(), side])
        .prop_map(|(corner, sides)| {
            let corner = Vec3::from(corner);
            Aabb::new(corner, corner + Vec3::from(sides))
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_frames_are_exact(
        frames in prop::collection::vec(prop::collection::vec(any_box(), 0..70), 1..5),
        seed in 0u64..1000,
    ) {
        let case = Case::new("random frames", frames);
        for entry in ALGORITHMS {
            case.assert_exact(entry, WORLD);
            case.layered(seed).assert_exact(entry, Aabb::EMPTY);
        }
    }
}
