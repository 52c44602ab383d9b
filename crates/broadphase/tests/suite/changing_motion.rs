//! Algorithms that choose by the motion, or cache pairs, are exact while motion and number of objects change.
//! The scenes are large enough for several threads.

use crate::common::{plain, rng, run_frame, vec3};
use broadphase::benchmark::PairListOrigin;
use broadphase::inspect::tests_by_object;
use broadphase::registry::{ALGORITHMS, Settings, find};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Layer, Pair};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPool;

/// Enough objects for every algorithm to use several threads.
const OBJECTS: usize = 5000;

/// Enough for several threads to list the boxes of a build, each in lists of its own.
const MANY_OBJECTS: usize = 14_000;

/// How the objects move in a frame.
#[derive(Clone, Copy, Debug)]
enum Motion {
    Rest,
    Jitter,
    /// Every `n`-th object moves by up to 0.5 an axis.
    Some(usize),
    All,
    /// Every object is drawn again, anywhere.
    Teleport,
    /// All rest, and one object is added.
    Spawn,
}

/// Each motion, and its number of frames.
const PHASES: [(Motion, usize); 12] = [
    (Motion::Rest, 8),
    (Motion::All, 4),
    (Motion::Rest, 14),
    (Motion::Some(20), 8),
    (Motion::Teleport, 1),
    (Motion::Jitter, 24),
    (Motion::Teleport, 2),
    (Motion::Rest, 14),
    (Motion::Spawn, 3),
    (Motion::Some(100), 14),
    (Motion::Rest, 20),
    // A cache could be repaired, but a full rebuild is cheaper.
    (Motion::Some(10), 16),
];

/// Each change from one way to answer a frame to another, where several threads list the boxes.
const CHANGES: [(Motion, usize); 8] = [
    (Motion::Rest, 4),
    (Motion::Some(20), 5),
    (Motion::Jitter, 5),
    (Motion::Teleport, 2),
    (Motion::Rest, 5),
    (Motion::Some(3), 4),
    (Motion::All, 3),
    (Motion::Jitter, 6),
];

/// Half the side of the cube in which this number of objects is as dense as [`OBJECTS`] are in theirs.
fn reach(objects: usize) -> f32 {
    12.0 * (objects as f32 / OBJECTS as f32).cbrt()
}

fn step(motion: Motion, boxes: &mut Vec<Aabb>, rng: &mut ChaCha8Rng) {
    let half = reach(boxes.len());
    let anywhere = |rng: &mut ChaCha8Rng| {
        Aabb::around_sphere(vec3(rng, -half..half), rng.random_range(0.2..0.7))
    };
    for (object, b) in boxes.iter_mut().enumerate() {
        let reach = match motion {
            Motion::Rest | Motion::Spawn => continue,
            Motion::Jitter => 0.02,
            Motion::Some(nth) if object.is_multiple_of(nth) => 0.5,
            Motion::Some(_) => continue,
            Motion::All => 0.8,
            Motion::Teleport => {
                *b = anywhere(rng);
                continue;
            }
        };
        let way = vec3(rng, -1.0..1.0) * reach;
        *b = Aabb::new(b.min + way, b.max + way);
    }
    if matches!(motion, Motion::Spawn) {
        boxes.push(anywhere(rng));
    }
}

fn pairs_of(algorithm: &mut dyn BroadPhase, boxes: &[Aabb], pool: &ThreadPool) -> Vec<Pair> {
    let frame = Frame::new(boxes);
    let mut pairs = Vec::new();
    pool.install(|| {
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
    });
    pairs.sort_unstable();
    pairs
}

/// Runs some phases; with a floor, object 0 is a plate far larger than the others and below them.
fn assert_exact(objects: usize, phases: &[(Motion, usize)], with_floor: bool) {
    let pools = [1, 3, 2]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let create = |id: &str| find(id).unwrap().create(&Settings::new(objects)).unwrap();
    let mut reference = create("brute-force");
    // The fast algorithms, which choose by the motion.
    let coherent = ALGORITHMS.iter().filter(|entry| entry.keeps_state && entry.vectorised);
    let ids: Vec<&str> = coherent.map(|entry| entry.id).collect();
    let mut algorithms: Vec<_> = ids.iter().map(|id| create(id)).collect();
    let [auto, list, search] = ["auto", "neighbour-list", "sweep-grid"]
        .map(|id| ids.iter().position(|other| *other == id).unwrap());
    let mut rng = rng(31);
    let mut boxes = vec![Aabb::EMPTY; objects];
    step(Motion::Teleport, &mut boxes, &mut rng);
    let below = -reach(objects);
    let floor = Aabb::new(Vec3::new(-1e6, below - 1.0, -1e6), Vec3::new(1e6, below, 1e6));
    let (mut number, mut most_cached, mut from_cache) = (0, 0, 0);
    for (motion, frames) in phases.iter().copied() {
        for _ in 0..frames {
            step(motion, &mut boxes, &mut rng);
            if with_floor {
                boxes[0] = floor;
            }
            let expected = pairs_of(&mut *reference, &boxes, &pools[0]);
            assert!(expected.len() > objects / 2, "too few pairs to compare: {}", expected.len());
            for (id, algorithm) in ids.iter().zip(&mut algorithms) {
                // The number of threads changes every three frames.
                let pairs = pairs_of(&mut **algorithm, &boxes, &pools[number / 3 % 3]);
                let input =
                    &format_args!("{objects} objects, seed 31, {motion:?}, floor {with_floor}");
                PairListOrigin { algorithm: id, input, number, frame: plain(&boxes) }
                    .assert_same(&expected, &pairs);
                let mut by_object = vec![0; boxes.len()];
                tests_by_object(algorithm.inspect(), &mut by_object);
                let all: u64 = by_object.into_iter().map(u64::from).sum();
                assert_eq!(all, 2 * algorithm.counters().tests, "{id} on {input}, frame {number}");
            }
            if number % 20 == 0 {
                algorithms.iter().for_each(|a| a.validate(&Frame::new(&boxes)));
            }
            let [by_auto, by_full_search] =
                [auto, search].map(|at| algorithms[at].counters().tests);
            from_cache += usize::from(by_auto < by_full_search / 2);
            most_cached = most_cached.max(algorithms[list].counters().listings);
            number += 1;
        }
    }
    let is_mixed = from_cache > number / 3 && from_cache < number;
    assert!(is_mixed, "auto answers {from_cache} of {number} frames from its cache");
    assert!(most_cached < 40 * objects as u64, "{most_cached} pairs cached of {objects} objects");
}

#[test]
fn pairs_are_exact_while_the_motion_changes() {
    assert_exact(OBJECTS, &PHASES, false);
}

#[test]
fn large_floor_is_not_cached_with_every_object() {
    assert_exact(OBJECTS, &PHASES, true);
}

#[test]
fn pairs_are_exact_where_several_threads_list_the_boxes() {
    assert_exact(MANY_OBJECTS, &CHANGES, false);
}

/// The pairs of a frame, then the counters of the structure.
fn answer(structure: &mut dyn BroadPhase, frame: &Frame<'_>) -> (Vec<Pair>, Counters) {
    (run_frame(structure, frame), structure.counters())
}

#[test]
fn a_copy_finds_and_counts_the_same_in_later_frames() {
    for entry in ALGORITHMS {
        let (mut random, mut boxes) = (rng(43), vec![Aabb::EMPTY; 400]);
        let mut structure = entry.create(&Settings::new(boxes.len())).unwrap();
        let mut copies: Vec<Box<dyn BroadPhase>> = Vec::new();
        let motions = [Motion::Teleport].into_iter();
        let moved = [Motion::Rest, Motion::Jitter, Motion::Some(20), Motion::All, Motion::Spawn];
        for motion in motions.chain((0..40).map(|frame| moved[frame / 3 % moved.len()])) {
            step(motion, &mut boxes, &mut random);
            let frame = plain(&boxes);
            let expected = answer(&mut *structure, &frame);
            for copy in &mut copies {
                let found = answer(&mut **copy, &frame);
                let name = entry.id;
                assert!(found == expected, "{name}: {:?}, not {:?}", found.1, expected.1);
            }
            if copies.len() < 20 {
                copies.push(structure.try_clone().unwrap());
            }
        }
    }
}

#[test]
fn cache_is_not_built_again_for_each_object_that_appears() {
    let around = |i: usize| [i % 13, i / 13 % 13, i / 169].map(|at| at as f32 * 1.2);
    for (frames_per_object, most_builds) in [(3, 4), (1, 8)] {
        let mut auto = find("auto").unwrap().build(&Settings::new(OBJECTS));
        let (mut first, mut from_cache, mut builds) = (None, 0, 0);
        for frame in 0..60 {
            // Back and forth.
            let shift = Vec3::splat(if frame % 2 == 0 { 0.0 } else { 0.01 });
            let place = |i: usize| Vec3::from(around(i)) + shift;
            let number = 1500 + frame / frames_per_object;
            let boxes: Vec<_> = (0..number).map(|i| Aabb::around_sphere(place(i), 0.5)).collect();
            run_frame(&mut *auto, &Frame::new(&boxes));
            let counters = auto.counters();
            from_cache += usize::from(counters.tests < *first.get_or_insert(counters.tests) / 2);
            builds += counters.rebuilds;
        }
        assert!(
            from_cache > 50 && builds <= most_builds,
            "one more in {frames_per_object} frames: {builds} builds, {from_cache} frames from the cache"
        );
    }
}

/// The frames, of the first 12, in which `auto` changes its structure: the choice of columns in the first one, and builds. The
/// last number is that of its tests over those of a full search.
fn changes_of_auto(way: impl Fn(usize) -> Vec3) -> (Vec<usize>, f64) {
    let settings = Settings::new(OBJECTS);
    let [mut auto, mut search] =
        ["auto", "sweep-grid"].map(|id| find(id).unwrap().build(&settings));
    let (mut changes, mut rng) = (Vec::new(), rng(7));
    let mut boxes = vec![Aabb::EMPTY; OBJECTS];
    step(Motion::Teleport, &mut boxes, &mut rng);
    for frame in 0..12 {
        assert_eq!(run_frame(&mut *auto, &plain(&boxes)), run_frame(&mut *search, &plain(&boxes)));
        if auto.counters().rebuilds > 0 {
            changes.push(frame);
        }
        for (object, b) in boxes.iter_mut().enumerate() {
            *b = Aabb::new(b.min + way(object), b.max + way(object));
        }
    }
    (changes, auto.counters().tests as f64 / search.counters().tests as f64)
}

#[test]
fn second_frame_is_cached_unless_half_are_too_fast() {
    let (changes, tests) = changes_of_auto(|_| Vec3::ZERO);
    assert!(changes.starts_with(&[0, 1]) && tests < 0.2, "at rest: {changes:?}, {tests}");
    let (changes, tests) = changes_of_auto(|_| Vec3::X * 0.001);
    assert!(changes.starts_with(&[0, 1]) && tests < 0.2, "slow: {changes:?}, {tests}");
    let (changes, tests) = changes_of_auto(|object| Vec3::X * [2.0, -2.0, 3.0][object % 3]);
    assert!(!changes.contains(&1) && tests > 0.5, "fast: {changes:?}, {tests}");
}

#[test]
fn changing_layers_build_no_cache_in_every_frame() {
    let mut auto = find("auto").unwrap().build(&Settings::new(OBJECTS));
    let mut boxes = vec![Aabb::EMPTY; OBJECTS];
    step(Motion::Teleport, &mut boxes, &mut rng(7));
    let mut builds = 0;
    for frame in 0..40 {
        let layer = |object: usize| if object == frame { Layer::STATIC } else { Layer::ALL };
        let layers: Vec<_> = (0..OBJECTS).map(layer).collect();
        run_frame(&mut *auto, &plain(&boxes).layered(&layers));
        builds += auto.counters().rebuilds;
    }
    assert!(builds < 25, "{builds} builds in 40 frames");
}

#[test]
fn pairs_with_absent_objects_are_no_tests() {
    for entry in ALGORITHMS {
        let (mut random, mut boxes) = (rng(43), vec![Aabb::EMPTY; 200]);
        step(Motion::Teleport, &mut boxes, &mut random);
        boxes[..150].fill(Aabb::EMPTY);
        let mut structure = entry.create(&Settings::new(boxes.len())).unwrap();
        run_frame(&mut *structure, &plain(&boxes));
        let tests = structure.counters().tests;
        assert!(tests <= 50 * 49 / 2, "{}: {tests} tests of 50 objects", entry.id);
    }
}
