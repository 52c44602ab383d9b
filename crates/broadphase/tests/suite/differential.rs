//! Every algorithm gives exactly the pairs of the definition, on every input, frame and number of threads.

use crate::common::{Case, Gas, any_case, inputs, pairs_by_definition, plain, pool, run_frame};
use broadphase::benchmark::PairListOrigin;
use broadphase::registry::{ALGORITHMS, Algorithm, Settings, find};
use broadphase::{Aabb, Frame, Layer, Pair};
use glam::Vec3;
use std::sync::atomic::AtomicBool;

const WORLD: Aabb = Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE };

#[test]
fn every_algorithm_equals_the_definition_on_every_input() {
    let mut compared = 0;
    // Sizes on both sides of the thesis' first thresholds for the depth of a tree, and of those between
    // scalar and blockwise code.
    for n in [0, 1, 2, 3, 9, 10, 17, 49, 50, 249, 250, 600] {
        for (seed, world) in [(1, WORLD), (1739, Aabb::EMPTY)] {
            // The larger with one seed only, to save time: `seeds` in `.ci/extended` has many.
            if n > 50 && seed != 1 {
                continue;
            }
            for (input, frames) in inputs(n, 6, seed) {
                let case = Case::new(format!("{input} ({n} objects, seed {seed})"), frames);
                for case in [case.layered(seed), case] {
                    for entry in ALGORITHMS {
                        compared += case.assert_exact(entry, world);
                    }
                }
            }
        }
    }
    assert!(compared > 100_000 * ALGORITHMS.len(), "the inputs hardly overlap: {compared} pairs");
}

/// Each parameter's entry, with it at the least value and at the greatest.
fn at_limits() -> impl Iterator<Item = [Algorithm; 2]> {
    ALGORITHMS.iter().flat_map(|entry| {
        let at = |name, value| entry.with(name, value).expect("a limit is a value");
        entry.parameters.iter().map(move |p| p.range.map(|value| at(p.name, value)))
    })
}

#[test]
fn parameters_at_their_limits_do_not_change_the_pairs() {
    assert!(at_limits().count() >= 15, "{}", at_limits().count());
    // Few objects: a tree of depth 16 is validated leaf by leaf.
    for (n, seed, world) in [(0, 1, WORLD), (1, 1, WORLD), (60, 1, WORLD), (120, 1739, Aabb::EMPTY)]
    {
        for (input, frames) in inputs(n, 4, seed) {
            let case = Case::new(format!("{input} ({n} objects, seed {seed})"), frames);
            for entry in at_limits().flatten() {
                println!("{}", entry.id_with_values());
                case.assert_exact(&entry, world);
            }
        }
    }
}

#[test]
fn parameters_reach_the_structure() {
    let (_, frames) = inputs(3000, 8, 5).swap_remove(0);
    for limits in at_limits() {
        let [least, most] = limits.map(|entry| {
            let mut algorithm = entry.create(&Settings::new(3000)).unwrap();
            let counters = |boxes: &Vec<Aabb>| {
                run_frame(&mut *algorithm, &plain(boxes));
                algorithm.counters()
            };
            frames.iter().map(counters).collect::<Vec<_>>()
        });
        assert_ne!(least, most, "{} counts the same as at its least", limits[1].id_with_values());
    }
}

#[test]
fn random_frames_are_exact() {
    for seed in 0..120 {
        let case = any_case(seed);
        for entry in ALGORITHMS {
            case.assert_exact(entry, WORLD);
            case.layered(seed).assert_exact(entry, Aabb::EMPTY);
        }
    }
}

#[test]
fn pairs_are_exact_on_every_number_of_threads() {
    let (_, frames) = inputs(3000, 4, 5).swap_remove(0);
    let expected: Vec<_> = frames.iter().map(|boxes| pairs_by_definition(boxes)).collect();
    assert!(expected.iter().all(|pairs| pairs.len() > 500));
    let pools = [1, 2, 3, 8].map(pool);
    // The pool of each frame: the same one, or another.
    for order in [[0; 4], [1; 4], [2; 4], [3; 4], [0, 3, 2, 1]] {
        for entry in ALGORITHMS {
            let mut algorithm = entry.create(&Settings::new(3000)).unwrap();
            for (number, boxes) in frames.iter().enumerate() {
                let frame = plain(boxes);
                let found = pools[order[number]].install(|| run_frame(&mut *algorithm, &frame));
                let input = &format_args!("gas of seed 5, pools {order:?}");
                PairListOrigin { algorithm: entry.id, input, number, frame }
                    .assert_same(&expected[number], &found);
            }
        }
    }
}

#[test]
fn several_threads_count_and_order_pairs_as_one_does() {
    // Enough for each step that several threads share. One box is around all.
    const OBJECTS: usize = 40_000;
    let mut gas = Gas::new(5, OBJECTS, 1.0);
    let half = |object| if object == 99 { 2.0 } else { 0.02 };
    let frames: Vec<_> = (0..3).map(|_| gas.step(0.0005, half).to_vec()).collect();
    let is_quadratic = |entry: &Algorithm| ["brute-force", "sap-matrix"].contains(&entry.family);
    for entry in ALGORITHMS.iter().filter(|entry| !is_quadratic(entry)) {
        let on = |threads| {
            let mut algorithm = entry.create(&Settings::new(OBJECTS)).unwrap();
            let mut answer = |boxes: &Vec<Aabb>| {
                let (frame, mut pairs) = (plain(boxes), Vec::new());
                algorithm.update(&frame);
                algorithm.find_pairs(&frame, &mut pairs);
                if entry.family == "octree-loose" {
                    // Its tasks visit a node's neighbours once for all their objects in the node.
                    pairs.sort_unstable();
                }
                (pairs, algorithm.counters())
            };
            pool(threads).install(|| frames.iter().map(&mut answer).collect::<Vec<_>>())
        };
        let one = on(1);
        assert!(one.iter().all(|(pairs, _)| pairs.len() > 2 * OBJECTS), "{}", entry.id);
        assert!(on(3) == one, "{}", entry.id);
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
fn stopped_frame_is_left_early_and_the_next_is_exact() {
    let (_, frames) = inputs(2000, 4, 5).swap_remove(0);
    let expected: Vec<_> = frames.iter().map(|boxes| pairs_by_definition(boxes)).collect();
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(2000)).unwrap();
        for (number, boxes) in frames.iter().enumerate() {
            let stop = AtomicBool::new(number % 2 == 1);
            let frame = Frame::new(boxes).stopped_by(&stop);
            let found = run_frame(&mut *algorithm, &frame);
            let expected = if number % 2 == 1 { &[][..] } else { &expected[number] };
            PairListOrigin { algorithm: entry.id, input: &"gas, stopped at times", number, frame }
                .assert_same(expected, &found);
        }
    }
}

#[test]
fn registry_ids_are_unique_and_can_be_found() {
    for (index, entry) in ALGORITHMS.iter().enumerate() {
        // A variant comes after the entry that it varies.
        let family = ALGORITHMS.iter().position(|other| other.id == entry.family).unwrap();
        assert_eq!((family < index, find(entry.id)), (entry.variant.is_some(), Some(entry)));
    }
    assert_eq!(ALGORITHMS[0].id, "brute-force", "the reference comes first");
}
