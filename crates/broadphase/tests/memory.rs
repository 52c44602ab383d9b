//! The bytes that each registry entry declares agree with the heap that it takes, and those of a pair bound it in a crowd.
//!
//! The test runs without the usual harness: the allocator counts the bytes of every thread. A reallocation
//! counts the old and the new block together, as when a list has to be moved.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair, PairLimit, WorldBoxes, WorldPairs, Worlds};
use common::{Gas, pool};
use glam::Vec3;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Objects in the measurements of each entry.
const OBJECTS: [usize; 2] = [10_000, 20_000];

/// Entries of quadratic time or memory: measured on the smaller scene only.
const QUADRATIC: &[&str] = &["brute-force", "sap-matrix"];

/// Most peak bytes, as a multiple of the declared bytes.
const MAX_OF_DECLARED: f64 = 1.5;

/// Largest relative error of `heap_bytes` against the live bytes.
const HEAP_BYTES_ERROR: f64 = 0.1;

/// Half side of a box, in units of the mean distance between neighbours: hardly any overlap.
const HALF: f32 = 0.02;

/// Distances moved in each frame of a part: slow, fast, at rest, slow.
const MOTIONS: [f32; 4] = [0.0005, 0.02, 0.0, 0.0005];

/// Most bytes of [`Worlds`] an object, without boxes and pairs.
const BYTES_OF_WORLDS: u64 = 40;

fn main() {
    let mut failures = Vec::new();
    println!("bytes: declared, peak, live, heap_bytes");
    pool(1).install(|| {
        for entry in ALGORITHMS {
            let scenes = if QUADRATIC.contains(&entry.family) { 1 } else { 2 };
            OBJECTS[..scenes].iter().for_each(|n| check_entry(entry, *n, &mut failures));
        }
    });
    for threads in [1, 2, 4] {
        println!("{threads} threads");
        pool(threads).install(|| {
            ALGORITHMS.iter().for_each(|entry| check_crowds(entry, &mut failures));
            [20, 100, 250, 2000].iter().for_each(|shapes| check_worlds(*shapes, &mut failures));
        });
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Bytes at the peak and at the end of some work, less those before; and what it returns.
fn measure<T>(work: impl FnOnce() -> T) -> (u64, u64, T) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    // A block of the pool that is older may have been freed.
    let since = |bytes: usize| bytes.saturating_sub(before) as u64;
    (since(ALLOCATOR.peak_usage()), since(ALLOCATOR.current_usage()), result)
}

fn run(algorithm: &mut dyn BroadPhase, boxes: &[Aabb], pairs: &mut Vec<Pair>) {
    pairs.clear();
    algorithm.update(&Frame::new(boxes));
    algorithm.find_pairs(&Frame::new(boxes), pairs);
}

/// Evenly spread objects in a cube, one in each unit of volume.
fn scene(n: usize) -> Gas {
    Gas::new(9, n, 0.5 * (n as f32).cbrt())
}

fn is_stated(stated: usize, live: u64) -> bool {
    (stated as u64).abs_diff(live) as f64 <= HEAP_BYTES_ERROR * live as f64
}

/// An entry takes the bytes that it declares, and states those that it holds.
fn check_entry(entry: &Algorithm, n: usize, failures: &mut Vec<String>) {
    // A structure that is rebuilt in each frame has its size after the first.
    let is_quadratic = QUADRATIC.contains(&entry.family);
    let frames = if entry.keeps_state && !is_quadratic { 12 } else { 2 };
    let mut scene = scene(n);
    let mut pairs = Vec::with_capacity(n + (1 << 13));
    let room = pairs.capacity();
    let (peak, live, algorithm) = measure(|| {
        let mut algorithm = entry.build(&Settings::new(n));
        for motion in MOTIONS.iter().flat_map(|motion| std::iter::repeat_n(*motion, frames)) {
            run(&mut *algorithm, scene.step(motion, |_| HALF), &mut pairs);
            assert!(pairs.len() < n / 50 && pairs.capacity() == room, "{}", entry.id);
        }
        algorithm
    });
    let (declared, stated) = ((entry.memory)(n as u64), algorithm.heap_bytes());
    let bytes = format!("{}, {n} objects: {declared}, {peak}, {live}, {stated}", entry.id);
    println!("{bytes}");
    let is_declared = declared <= peak && peak as f64 <= MAX_OF_DECLARED * declared as f64;
    if !is_declared || !is_stated(stated, live) {
        failures.push(bytes);
    }
}

/// Most bytes of a pair beside the list of pairs, which takes up to 32 while it grows.
const BYTES_PER_PAIR: u64 = PairLimit::BYTES_PER_PAIR as u64 - 32;

/// In a crowd of equal boxes, an entry takes at most the bytes that the library states for each pair. The numbers of pairs are those
/// just above a doubling of a list or of a table, and one between.
fn check_crowds(entry: &Algorithm, failures: &mut Vec<String>) {
    // At rest, or almost, all pairs are cached.
    let motions = if entry.keeps_state { &[0.5, 0.001, 0.0][..] } else { &[0.5] };
    for (motion, n) in motions.iter().flat_map(|motion| [1060, 1120, 1440].map(|n| (*motion, n))) {
        let pairs = n * (n - 1) / 2;
        let crowd = vec![Aabb::around_sphere(Vec3::ONE, 1.0); n];
        let (mut scene, mut found) = (scene(n), Vec::with_capacity(pairs));
        let (peak, ..) = measure(|| {
            let mut algorithm = entry.build(&Settings::new(n));
            // Lists of tasks that scattered frames left behind must not come on top.
            for frame in 0..10 {
                let (scattered, is_crowded) = (scene.step(motion, |_| HALF), frame % 5 > 2);
                run(&mut *algorithm, if is_crowded { &crowd } else { scattered }, &mut found);
                assert_eq!(found.len() == pairs, is_crowded, "{}", entry.id);
            }
        });
        let each = peak.saturating_sub((entry.memory)(n as u64)) / pairs as u64;
        let bytes = format!("{}, motion {motion}: {pairs} pairs, {each} bytes each", entry.id);
        println!("{bytes} of {BYTES_PER_PAIR}");
        if each >= BYTES_PER_PAIR {
            failures.push(bytes);
        }
    }
}

/// The search of small worlds takes few bytes at its peak, and states those that it holds.
fn check_worlds(shapes: u32, failures: &mut Vec<String>) {
    const OBJECTS: u32 = 200_000;
    let mut scene = scene(OBJECTS as usize);
    let starts = |shapes| (0..=OBJECTS / shapes).map(|world| world * shapes).collect::<Vec<u32>>();
    let (few, starts) = (starts(5), starts(shapes));
    // Room for the pairs, which are the caller's. The second call makes the room that the list keeps.
    let crowd = vec![Aabb::around_sphere(Vec3::ONE, 1.0); OBJECTS as usize];
    let mut found = WorldPairs::default();
    for _ in 0..2 {
        Worlds::default().find_pairs(&WorldBoxes::new(&crowd, &few), &mut found).unwrap();
    }
    let (peak, live, worlds) = measure(|| {
        let mut worlds = Worlds::default();
        for _ in 0..5 {
            let boxes = WorldBoxes::new(scene.step(0.1, |_| HALF), &starts);
            worlds.find_pairs(&boxes, &mut found).unwrap();
        }
        worlds
    });
    let (each, stated) = (peak / u64::from(OBJECTS), worlds.heap_bytes());
    let bytes = format!("worlds of {shapes}: {each} bytes an object, {live} live, {stated} stated");
    println!("{bytes}");
    if each > BYTES_OF_WORLDS || !is_stated(stated, live) {
        failures.push(bytes);
    }
}
