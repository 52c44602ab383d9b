//! Every peer, as its adapter drives it, gives exactly the pairs of the definition.

use broadphase::benchmark::PairListOrigin;
use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Layer, Pair};
use glam::Vec3;
use peers::{PEERS, THREADED};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sim::{GeneratedBoxes, GeneratedKind, GeneratedSpec};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

/// Pools of one thread and of two.
static POOLS: LazyLock<[ThreadPool; 2]> = LazyLock::new(|| {
    [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
});

type Frames = Vec<Vec<Aabb>>;

/// Pairs by the definition, one box against another.
fn pairs_by_definition(frame: &Frame<'_>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (i, a) in (0..).zip(frame.boxes) {
        for (j, b) in (0..).zip(frame.boxes).skip(i as usize + 1) {
            if a.overlaps(b) && frame.admits(i, j) {
                pairs.push(Pair { a: i, b: j });
            }
        }
    }
    pairs
}

fn pairs(peer: &mut dyn BroadPhase, frame: &Frame<'_>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    peer.update(frame);
    peer.validate(frame);
    peer.find_pairs(frame, &mut pairs);
    pairs.sort_unstable();
    pairs
}

/// Compares the pairs that a peer finds in each frame.
fn assert_same(
    entry: &Algorithm,
    threads: usize,
    frames: &[Frame<'_>],
    expected: &[Vec<Pair>],
    input: &str,
) {
    let settings = Settings::new(frames[0].boxes.len());
    let mut peer = entry.create(&settings).expect("memory is not limited");
    for (number, (&frame, expected)) in frames.iter().zip(expected).enumerate() {
        let found = POOLS[threads - 1].install(|| pairs(&mut *peer, &frame));
        PairListOrigin { algorithm: entry.id, input: &input, number, frame }
            .assert_same(expected, &found);
    }
}

/// The peers that use several threads.
fn threaded() -> impl Iterator<Item = &'static Algorithm> {
    PEERS.iter().filter(|entry| THREADED.contains(&entry.id))
}

/// Compares every peer's pairs of every frame; returns the number of pairs compared with one peer.
fn assert_exact(name: &str, frames: &Frames, layers: &[Layer]) -> usize {
    let frames: Vec<_> = frames.iter().map(|boxes| Frame::new(boxes).layered(layers)).collect();
    let expected: Vec<_> = frames.iter().map(pairs_by_definition).collect();
    PEERS.iter().for_each(|entry| assert_same(entry, 1, &frames, &expected, name));
    threaded().for_each(|entry| assert_same(entry, 2, &frames, &expected, name));
    expected.iter().map(Vec::len).sum()
}

fn generated(kind: GeneratedKind, objects: u32, moving: f32, frames: usize) -> Frames {
    let spec = GeneratedSpec { kind, objects, seed: 7, moving };
    let mut generated = GeneratedBoxes::new(&spec);
    let mut boxes = vec![Vec::new(); frames];
    boxes.iter_mut().for_each(|boxes| generated.next_frame(boxes));
    boxes
}

/// Brownian boxes, 0.03 units a step in a cube of side 2; `spoil` changes each frame.
fn spoiled(n: u32, mut spoil: impl FnMut(&mut ChaCha8Rng, &mut Vec<Aabb>)) -> Frames {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut frames = generated(GeneratedKind::Brownian, n, 1.0, 25);
    frames.iter_mut().for_each(|boxes| spoil(&mut rng, boxes));
    frames
}

fn cube(center: Vec3, half: f32) -> Aabb {
    Aabb::new(center - half, center + half)
}

/// A point uniform in the cube of ± `range` about the origin.
fn somewhere(rng: &mut ChaCha8Rng, range: f32) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| rng.random_range(-range..range)))
}

#[test]
fn peers_are_exact_on_generated_boxes() {
    let mut compared = 0;
    for &kind in GeneratedKind::ALL {
        for n in [1, 2, 3, 4, 20, 150, 700] {
            for moving in [1.0, 0.03] {
                let frames = generated(kind, n, moving, 12);
                compared += assert_exact(&format!("{} {n}", kind.name()), &frames, &[]);
            }
        }
    }
    assert!(compared > 30_000, "the inputs hardly overlap: {compared} pairs");
}

#[test]
fn threaded_peers_are_exact_where_their_crates_use_threads() {
    // Refits of parry3d use them from 2,048 leaves on, builds of packed_spatial_index from 32,000 boxes on.
    let frames = generated(GeneratedKind::Gas, 40_000, 1.0, 4);
    let frames: Vec<_> = frames.iter().map(|boxes| Frame::new(boxes)).collect();
    let mut reference = broadphase::Auto::default();
    let expected: Vec<_> = frames.iter().map(|frame| pairs(&mut reference, frame)).collect();
    assert!(expected.iter().all(|pairs| pairs.len() > 5_000), "too few pairs");
    threaded().for_each(|entry| assert_same(entry, 2, &frames, &expected, "gas 40,000"));
}

#[test]
fn appearing_and_vanishing_objects_are_exact() {
    let frames = spoiled(150, |rng, boxes| boxes.truncate(rng.random_range(0..=150)));
    assert_exact("number changes", &frames, &[]);
    for (name, chance) in [("often", 0.3), ("seldom", 0.005)] {
        let frames = spoiled(200, |rng, boxes| {
            for b in boxes {
                match rng.random::<f32>() {
                    x if x < chance / 2.0 => *b = Aabb::EMPTY,
                    x if x < chance => std::mem::swap(&mut b.min.y, &mut b.max.y),
                    _ => {}
                }
            }
        });
        assert_exact(name, &frames, &[]);
    }
    // Down to no object and to one, and back.
    let frames = spoiled(3, |rng, boxes| {
        boxes.iter_mut().filter(|_| rng.random::<bool>()).for_each(|b| *b = Aabb::EMPTY);
    });
    assert_exact("few", &frames, &[]);
}

#[test]
fn changing_motion_is_exact() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for (name, half) in [("sparse", 0.08), ("dense", 0.25)] {
        let mut boxes: Vec<_> = (0..300).map(|_| cube(somewhere(&mut rng, 1.0), half)).collect();
        let mut frames = vec![boxes.clone()];
        for phase in 0..40 {
            // Three frames in which some or all move alternate with three in which all rest.
            let share = [0.02, 0.3, 0.8, 1.0][rng.random_range(0..4)] * (phase % 2) as f32;
            let far = [0.01, 0.1, 2.0][rng.random_range(0..3)] * half;
            for _ in 0..3 {
                for b in &mut boxes {
                    if rng.random::<f32>() >= share {
                        continue;
                    }
                    *b = match rng.random_range(0..20) {
                        _ if b.is_empty() => cube(somewhere(&mut rng, 1.0), half),
                        0 => Aabb::EMPTY,
                        // The box shrinks or grows about its centre.
                        1..5 => cube(b.center(), b.size().x * 0.4),
                        5..7 => cube(b.center(), half),
                        _ => {
                            let by = somewhere(&mut rng, far);
                            Aabb::new(b.min + by, b.max + by)
                        }
                    };
                }
                frames.push(boxes.clone());
            }
        }
        assert_exact(name, &frames, &[]);
    }
}

#[test]
fn degenerate_boxes_are_exact() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut point = |range: f32| somewhere(&mut rng, range);
    let points: Vec<_> = (0..200).map(|_| cube(point(2.0).round(), 0.0)).collect();
    let far: Vec<_> = (0..200).map(|_| cube(point(20.0) + 1e7, 3.0)).collect();
    let vast: Vec<_> = (0..150).map(|_| cube(point(1e6), 10f32.powf(6.0 * point(1.0).x))).collect();
    let lattice = |i: usize| Vec3::new((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32);
    let touching: Vec<_> = (0..150).map(|i| Aabb::new(lattice(i), lattice(i) + 1.0)).collect();
    let mut holds_all = touching.clone();
    holds_all[77] = cube(Vec3::ZERO, 100.0);
    for (name, boxes) in [
        ("points", points),
        ("coordinates of 1e7", far),
        ("sizes of all orders", vast),
        ("touching", touching),
        ("one holds all", holds_all),
        ("all equal", vec![cube(Vec3::ONE, 0.5); 60]),
        ("one point", vec![cube(Vec3::ZERO, 0.0); 60]),
    ] {
        let mut frames = vec![boxes.clone(); 3];
        // Some move a little, then all do.
        let mut moved = boxes;
        for _ in 0..4 {
            for (k, b) in moved.iter_mut().enumerate().filter(|(k, _)| k % 29 == 0) {
                *b = Aabb::new(b.min + k as f32 * 0.01, b.max + k as f32 * 0.01);
            }
            frames.push(moved.clone());
        }
        moved.iter_mut().for_each(|b| *b = Aabb::new(b.min - 1.0, b.max - 1.0));
        frames.push(moved);
        assert_exact(name, &frames, &[]);
    }
}

#[test]
fn layers_filter_the_pairs() {
    let frames = generated(GeneratedKind::Cluster, 300, 1.0, 6);
    let layers: Vec<_> = (0..250)
        .map(|i| Layer { group: i % 3, mask: !(1 << (i % 2)), is_static: i % 5 == 0 })
        .collect();
    let admitted = assert_exact("layers", &frames, &layers);
    assert!((100..assert_exact("no layers", &frames, &[])).contains(&admitted));
}

#[test]
fn frame_after_a_stopped_one_is_exact() {
    let boxes = generated(GeneratedKind::Cluster, 300, 1.0, 6);
    let stops = [true, false].map(AtomicBool::new);
    let frames = (0..).zip(&boxes).map(|(at, boxes)| Frame::new(boxes).stopped_by(&stops[at % 2]));
    let frames: Vec<_> = frames.collect();
    let pairs = |(at, frame)| if at % 2 == 0 { Vec::new() } else { pairs_by_definition(frame) };
    let expected: Vec<_> = (0..).zip(&frames).map(pairs).collect();
    PEERS.iter().for_each(|entry| assert_same(entry, 1, &frames, &expected, "cluster, stopped"));
}
