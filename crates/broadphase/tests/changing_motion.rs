//! What keeps something from frame to frame is exact when the motion changes, with so many objects
//! that threads share the work, and while their number changes.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::{Aabb, BroadPhase, Frame, Pair, Settings, find};
use common::{rng, vec3};
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPool;

/// Enough for all to share their work out.
const OBJECTS: usize = 5000;

/// How all, or some, of the objects move in a frame.
#[derive(Clone, Copy, Debug)]
enum Motion {
    Rest,
    Jitter,
    /// One in so many goes far.
    Some(usize),
    All,
    /// All are elsewhere.
    Teleport,
    /// All rest, and there is one more.
    Spawn,
}

/// How they move, for how many frames.
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
    // Few enough for a list to be repaired, and too many for that to pay.
    (Motion::Some(10), 16),
];

fn step(motion: Motion, boxes: &mut Vec<Aabb>, rng: &mut ChaCha8Rng) {
    let anywhere = |rng: &mut ChaCha8Rng| {
        Aabb::around_sphere(vec3(rng, -12.0..12.0), rng.random_range(0.2..0.7))
    };
    for (object, b) in boxes.iter_mut().enumerate() {
        let reach = match motion {
            Motion::Rest | Motion::Spawn => continue,
            Motion::Jitter => 0.02,
            Motion::Some(share) if object.is_multiple_of(share) => 0.5,
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
    let frame = Frame::new(boxes, 1.0 / 60.0);
    let mut pairs = Vec::new();
    pool.install(|| {
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
    });
    pairs.sort_unstable();
    pairs
}

/// All phases, with a floor under the objects or without: far larger than they, and the first of them.
fn assert_exact(with_floor: bool) {
    let pools =
        [1, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let create = |id: &str| find(id).unwrap().create(&Settings::new(OBJECTS)).unwrap();
    let mut reference = create("brute-force");
    let ids = ["auto", "neighbour-list", "sweep-grid", "box-pruning", "rest-grid"];
    let mut algorithms = ids.map(create);
    let mut rng = rng(31);
    let mut boxes = vec![Aabb::EMPTY; OBJECTS];
    step(Motion::Teleport, &mut boxes, &mut rng);
    let floor = Aabb::new(Vec3::new(-1e6, -13.0, -1e6), Vec3::new(1e6, -12.0, 1e6));
    let (mut number, mut listings, mut kept) = (0, 0, 0);
    for (motion, frames) in PHASES {
        for _ in 0..frames {
            step(motion, &mut boxes, &mut rng);
            if with_floor {
                boxes[0] = floor;
            }
            let expected = pairs_of(&mut *reference, &boxes, &pools[0]);
            assert!(expected.len() > OBJECTS / 2, "hardly a pair: {}", expected.len());
            for (id, algorithm) in ids.iter().zip(&mut algorithms) {
                // From one number of threads to another and back.
                let pairs = pairs_of(&mut **algorithm, &boxes, &pools[number / 3 % 2]);
                let place = format!("{id}: frame {number}, {motion:?}, floor {with_floor}");
                assert!(pairs == expected, "{place}");
                let mut by_object = vec![0; boxes.len()];
                algorithm.inspect().tests_by_object(&mut by_object);
                let all: u64 = by_object.into_iter().map(u64::from).sum();
                assert_eq!(all, 2 * algorithm.counters().tests, "{place}");
            }
            if number % 20 == 0 {
                algorithms.iter().for_each(|a| a.validate(&Frame::new(&boxes, 1.0 / 60.0)));
            }
            let [by_auto, anew] = [0, 2].map(|at| algorithms[at].counters().tests);
            kept += usize::from(by_auto < anew / 2);
            listings = listings.max(algorithms[1].counters().listings);
            number += 1;
        }
    }
    assert!(kept > number / 2 && kept < number, "{kept} frames of {number} are from a cache");
    let most = 40 * OBJECTS as u64;
    assert!(listings < most, "{listings} pairs are kept of {OBJECTS} objects");
}

#[test]
fn pairs_are_those_of_the_definition_whatever_the_motion() {
    assert_exact(false);
}

#[test]
fn a_floor_makes_no_list_of_all_pairs() {
    assert_exact(true);
}
