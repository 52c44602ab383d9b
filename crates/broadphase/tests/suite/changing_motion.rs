//! Algorithms that choose by the motion, or cache pairs, are exact while motion and number of objects change.
//! The scenes are large enough for several threads.

use crate::common::{plain, pool, rng, run_frame, vec3};
use crate::inspect::frames::tests_by_object;
use broadphase::benchmark::PairListOrigin;
use broadphase::registry::{ALGORITHMS, Settings, find};
use broadphase::{Aabb, BroadPhase, Frame};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// How the objects move in a frame.
#[derive(Clone, Copy, Debug)]
enum Motion {
    Rest,
    /// Every so many objects, one moves by up to a distance an axis.
    Every(usize, f32),
    /// Every object is drawn again, anywhere.
    Teleport,
    /// All rest, and one object is added.
    Spawn,
}

/// Each change from one way to answer a frame to another: motions, and their numbers of frames.
const PHASES: [(Motion, usize); 10] = [
    (Motion::Rest, 4),
    (Motion::Every(20, 0.5), 5),
    (Motion::Every(1, 0.02), 6),
    (Motion::Teleport, 2),
    (Motion::Rest, 5),
    (Motion::Spawn, 1),
    (Motion::Every(100, 0.5), 4),
    // A cache could be repaired, but a full rebuild is cheaper.
    (Motion::Every(3, 0.5), 4),
    (Motion::Every(1, 0.8), 3),
    (Motion::Every(1, 0.02), 6),
];

/// Enough objects for every algorithm to use several threads.
const OBJECTS: usize = 5000;

/// Half the side of the cube in which this number of objects is as dense as [`OBJECTS`] are in theirs.
fn reach(objects: usize) -> f32 {
    12.0 * (objects as f32 / OBJECTS as f32).cbrt()
}

fn step(motion: Motion, boxes: &mut Vec<Aabb>, rng: &mut ChaCha8Rng) {
    let half = reach(boxes.len());
    let anywhere = |rng: &mut ChaCha8Rng| {
        Aabb::around_sphere(vec3(rng, -half..half), rng.random_range(0.2..0.7))
    };
    match motion {
        Motion::Rest => {}
        Motion::Every(nth, reach) => {
            for b in boxes.iter_mut().step_by(nth) {
                let way = vec3(rng, -1.0..1.0) * reach;
                *b = Aabb::new(b.min + way, b.max + way);
            }
        }
        Motion::Teleport => boxes.fill_with(|| anywhere(rng)),
        Motion::Spawn => boxes.push(anywhere(rng)),
    }
}

/// Runs all phases, each some times as long. Object 0 is a floor, far larger than the others and below them.
fn assert_exact(objects: usize, times: usize) {
    let pools = [1, 3, 2].map(pool);
    let create = |id: &str| find(id).unwrap().create(&Settings::new(objects)).unwrap();
    let mut reference = create("brute-force");
    // The fast algorithms, which choose by the motion.
    let coherent = ALGORITHMS.iter().filter(|entry| entry.keeps_state && entry.vectorised);
    let mut algorithms: Vec<_> = coherent.map(|entry| (entry.id, create(entry.id))).collect();
    let mut rng = rng(31);
    let mut boxes = vec![Aabb::EMPTY; objects];
    step(Motion::Teleport, &mut boxes, &mut rng);
    let below = -reach(objects);
    let floor = Aabb::new(Vec3::new(-1e6, below - 1.0, -1e6), Vec3::new(1e6, below, 1e6));
    let of_phase = |(motion, frames)| std::iter::repeat_n(motion, times * frames);
    let motions = PHASES.into_iter().flat_map(of_phase);
    let (mut frames, mut from_cache) = (0, 0);
    for (number, motion) in motions.enumerate() {
        step(motion, &mut boxes, &mut rng);
        boxes[0] = floor;
        let frame = plain(&boxes);
        let expected = pools[0].install(|| run_frame(&mut *reference, &frame));
        assert!(expected.len() > objects / 2, "too few pairs to compare: {}", expected.len());
        let mut tests = HashMap::new();
        for (id, algorithm) in &mut algorithms {
            // The number of threads changes every three frames.
            let mut pairs = Vec::new();
            pools[number / 3 % 3].install(|| {
                algorithm.update(&frame);
                algorithm.find_pairs(&frame, &mut pairs);
            });
            pairs.sort_unstable();
            let input = &format_args!("{objects} objects, seed 31, {motion:?}");
            PairListOrigin { algorithm: id, input, number, frame }.assert_same(&expected, &pairs);
            if number % 20 == 0 {
                algorithm.validate(&frame);
            }
            let counters = algorithm.counters();
            let all: u64 =
                tests_by_object(&**algorithm, boxes.len()).into_iter().map(u64::from).sum();
            assert_eq!(all, 2 * counters.tests, "{id} on {input}, frame {number}");
            let most = if *id == "neighbour-list" { 40 * objects as u64 } else { u64::MAX };
            assert!(counters.listings < most, "the floor is with every object: {counters:?}");
            tests.insert(*id, counters.tests);
        }
        from_cache += usize::from(tests["auto"] < tests["sweep-grid"] / 2);
        frames += 1;
    }
    let is_mixed = from_cache > frames / 3 && from_cache < frames;
    assert!(is_mixed, "auto answers {from_cache} of {frames} frames from its cache");
}

#[test]
fn pairs_are_exact_while_the_motion_changes() {
    assert_exact(OBJECTS, 3);
    // Enough for each of several threads to list boxes of its own.
    assert_exact(14_000, 1);
}

#[test]
fn a_copy_finds_and_counts_the_same_in_later_frames() {
    for entry in ALGORITHMS {
        let (mut random, mut boxes) = (rng(43), vec![Aabb::EMPTY; 400]);
        let mut structure = entry.create(&Settings::new(boxes.len())).unwrap();
        let mut copies: Vec<Box<dyn BroadPhase>> = Vec::new();
        let of = Motion::Every;
        let moved = [Motion::Rest, of(1, 0.02), of(20, 0.5), of(1, 0.8), Motion::Spawn];
        step(Motion::Teleport, &mut boxes, &mut random);
        for number in 0..40 {
            let frame = plain(&boxes);
            let answer = |structure: &mut dyn BroadPhase| {
                (run_frame(structure, &frame), structure.counters())
            };
            let expected = answer(&mut *structure);
            for copy in &mut copies {
                let found = answer(&mut **copy);
                assert!(found == expected, "{}: {:?}, not {:?}", entry.id, found.1, expected.1);
            }
            if number % 3 == 0 && number < 20 {
                copies.push(structure.try_clone().unwrap());
            }
            step(moved[number / 3 % moved.len()], &mut boxes, &mut random);
        }
    }
}

#[test]
fn cache_is_not_built_again_for_each_object_that_appears() {
    let around = |i: usize| Vec3::from([i % 13, i / 13 % 13, i / 169].map(|at| at as f32 * 1.2));
    for (frames_per_object, most_builds) in [(3, 4), (1, 8)] {
        let mut auto = find("auto").unwrap().build(&Settings::new(OBJECTS));
        let (mut first, mut from_cache, mut builds) = (None, 0, 0);
        for frame in 0..60 {
            // Back and forth.
            let shift = if frame % 2 == 0 { 0.0 } else { 0.01 };
            let place = |i: usize| Aabb::around_sphere(around(i) + shift, 0.5);
            let boxes: Vec<_> = (0..1500 + frame / frames_per_object).map(place).collect();
            run_frame(&mut *auto, &Frame::new(&boxes));
            let counters = auto.counters();
            from_cache += usize::from(counters.tests < *first.get_or_insert(counters.tests) / 2);
            builds += counters.rebuilds;
        }
        let is_kept = from_cache > 50 && builds <= most_builds;
        assert!(is_kept, "1 more in {frames_per_object}: {builds} builds, {from_cache} kept");
    }
}
