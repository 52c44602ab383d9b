//! The bytes that each registry entry declares agree with the heap that it takes, and those of a pair bound it in a crowd.
//!
//! The test runs without the usual harness: the allocator counts the bytes of every thread. A reallocation
//! counts the old and the new block together, as when a list has to be moved.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{Aabb, Frame, Pair, WorldBoxes, WorldPairs, Worlds};
use common::vec3;
use glam::Vec3;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Objects in the measurements of each entry; the last only of the entries with a goal, which need no bytes more an
/// object than for fewer.
const OBJECTS: [usize; 3] = [10_000, 20_000, 100_000];

/// Entries of quadratic time or memory: measured on the smaller scene only.
const QUADRATIC: &[&str] = &["brute-force", "sap-matrix"];

/// Most peak bytes, as a multiple of the declared bytes.
const MAX_OF_DECLARED: f64 = 1.5;

/// Largest relative error of `heap_bytes` against the live bytes.
const HEAP_BYTES_ERROR: f64 = 0.1;

/// Goal for the peak, in bytes an object: entries that search all boxes, then entries that cache pairs.
/// Printed, not asserted.
const GOALS: [(&[&str], u64); 2] =
    [(&["sweep-grid", "box-pruning"], 70), (&["rest-grid", "neighbour-list", "auto"], 200)];

/// Half side of a box, in units of the mean distance between neighbours.
const HALF: f32 = 0.02;

/// Frames, and distance moved in each: slow, fast, at rest, slow.
const MOTIONS: [(usize, f32); 4] = [(12, 0.0005), (12, 0.02), (12, 0.0), (12, 0.0005)];

/// Bytes of an algorithm over all motions.
struct Measured {
    objects: usize,
    declared: u64,
    peak: u64,
    live: u64,
    heap_bytes: u64,
}

fn main() {
    let only_crowds = std::env::args().any(|argument| argument == "crowds");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut failures = Vec::new();
    println!("id: objects, declared, peak, live, heap_bytes, peak an object");
    for entry in ALGORITHMS.iter().filter(|_| !only_crowds) {
        let is_quadratic = QUADRATIC.contains(&entry.family);
        // A structure that is rebuilt in each frame has its size after the first.
        let frames = if entry.keeps_state && !is_quadratic { 24 } else { 2 };
        let scenes = match goal(entry.id) {
            Some(_) => 3,
            None if is_quadratic => 1,
            None => 2,
        };
        for n in &OBJECTS[..scenes] {
            let measured = pool.install(|| measure(entry, *n, frames));
            failures.extend(measured.check(entry.id));
        }
    }
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        println!("{threads} threads");
        let beyond = |entry: &'static Algorithm| pool.install(|| check_crowds(entry));
        failures.extend(ALGORITHMS.iter().flat_map(beyond));
        let of_worlds = |shapes: &u32| pool.install(|| check_worlds(*shapes));
        failures.extend([20, 100, 250, 2000].iter().flat_map(of_worlds));
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Frames of a crowd: how many at a time are scattered, then crowded, and so on. Lists of tasks that scattered frames
/// left behind must not come on top.
const CROWDED: [(usize, bool); 4] = [(3, false), (2, true), (3, false), (2, true)];

/// Returns a message for each crowd of equal boxes in which an entry takes more at its peak than it declares. The numbers of
/// pairs are those just above a doubling of a list or of a table, and one between.
fn check_crowds(entry: &Algorithm) -> Vec<String> {
    let check = |(n, motion): (usize, f32)| {
        let pairs = (n * (n - 1) / 2) as u64;
        let crowd = vec![Aabb::around_sphere(Vec3::ONE, 1.0); n];
        let mut scene = Scene::new(n);
        let mut found = Vec::with_capacity(pairs as usize);
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let mut algorithm = entry.create(&Settings::new(n)).unwrap();
        for (frames, is_crowded) in CROWDED {
            for _ in 0..frames {
                scene.step(motion);
                let frame = Frame::new(if is_crowded { &crowd } else { &scene.boxes });
                found.clear();
                algorithm.update(&frame);
                algorithm.find_pairs(&frame, &mut found);
            }
            assert_eq!(found.len() as u64 == pairs, is_crowded, "{}", entry.id);
        }
        let peak = (ALLOCATOR.peak_usage() - before) as u64;
        let held = peak.saturating_sub((entry.memory)(n as u64));
        let each = held / pairs;
        println!(
            "{}, motion {motion}: {pairs} pairs, {each} of {} bytes each",
            entry.id, entry.pair_memory
        );
        (held > entry.pair_memory * pairs).then(|| {
            let (id, declared) = (entry.id, entry.pair_memory);
            format!("{id}, motion {motion}, {pairs} pairs: declares {declared} bytes a pair, takes {each}")
        })
    };
    // At rest, or almost, all pairs are cached.
    let motions = if entry.keeps_state { &[0.5, 0.001, 0.0][..] } else { &[0.5] };
    let crowds = motions.iter().flat_map(|motion| [1060, 1120, 1440].map(|n| (n, *motion)));
    crowds.filter_map(check).collect()
}

/// Most bytes of [`Worlds`] an object, without boxes and pairs.
const BYTES_OF_WORLDS: u64 = 40;

/// Returns a message if the search of small worlds takes more at its peak than it states, or states other bytes than it holds.
fn check_worlds(shapes: u32) -> Vec<String> {
    const OBJECTS: u32 = 200_000;
    let mut scene = Scene::new(OBJECTS as usize);
    let starts: Vec<u32> = (0..=OBJECTS / shapes).map(|world| world * shapes).collect();
    let mut found = WorldPairs::default();
    // Room for the pairs, which are the caller's.
    let crowd = vec![Aabb::around_sphere(Vec3::ONE, 1.0); OBJECTS as usize];
    let few: Vec<u32> = (0..=OBJECTS / 5).map(|world| world * 5).collect();
    for _ in 0..2 {
        // The second call makes the room that the list keeps.
        Worlds::default().find_pairs(&WorldBoxes::new(&crowd, &few), &mut found).unwrap();
    }
    drop((crowd, few));
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let mut worlds = Worlds::default();
    for _ in 0..5 {
        scene.step(0.1);
        worlds.find_pairs(&WorldBoxes::new(&scene.boxes, &starts), &mut found).unwrap();
    }
    let peak = (ALLOCATOR.peak_usage() - before) as u64 / u64::from(OBJECTS);
    let (live, stated) = (ALLOCATOR.current_usage() - before, worlds.heap_bytes());
    println!("worlds of {shapes}: {peak} bytes an object, {live} live, {stated} stated");
    let mut failures = Vec::new();
    if peak > BYTES_OF_WORLDS {
        failures.push(format!("worlds of {shapes}: {peak} bytes an object"));
    }
    if stated.abs_diff(live) as f64 > HEAP_BYTES_ERROR * live as f64 {
        failures.push(format!("worlds of {shapes}: heap_bytes is {stated}, yet {live} are live"));
    }
    failures
}

fn goal(id: &str) -> Option<u64> {
    GOALS.iter().find(|(ids, _)| ids.contains(&id)).map(|(_, goal)| *goal)
}

impl Measured {
    /// Prints the bytes, and returns a message for each that is out of bounds.
    fn check(&self, id: &str) -> Vec<String> {
        let &Self { objects, declared, peak, live, heap_bytes } = self;
        let each = peak as f64 / objects as f64;
        let goal = goal(id).map_or(String::new(), |goal| {
            let verdict = if each <= goal as f64 { "met" } else { "missed" };
            format!(" (goal {goal}: {verdict})")
        });
        println!("{id}: {objects}, {declared}, {peak}, {live}, {heap_bytes}, {each:.1}{goal}");
        let mut failures = Vec::new();
        if declared > peak || peak as f64 > MAX_OF_DECLARED * declared as f64 {
            let ratio = peak as f64 / declared as f64;
            failures.push(format!(
                "{id}, {objects} objects: declares {declared} bytes, held {peak} at its peak, \
                 {ratio:.2} times as many; expected 1 to {MAX_OF_DECLARED} times"
            ));
        }
        if heap_bytes.abs_diff(live) as f64 > HEAP_BYTES_ERROR * live as f64 {
            failures.push(format!(
                "{id}, {objects} objects: heap_bytes is {heap_bytes}, yet {live} bytes are live"
            ));
        }
        failures
    }
}

/// Runs an algorithm on one thread, at most `most` frames of each motion.
fn measure(entry: &Algorithm, n: usize, most: usize) -> Measured {
    let mut scene = Scene::new(n);
    let mut pairs: Vec<Pair> = Vec::with_capacity(n + (1 << 13));
    let room = pairs.capacity();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let mut algorithm = entry.create(&Settings::new(n)).unwrap();
    for (frames, motion) in MOTIONS {
        for _ in 0..frames.min(most) {
            scene.step(motion);
            let frame = Frame::new(&scene.boxes);
            pairs.clear();
            algorithm.update(&frame);
            algorithm.find_pairs(&frame, &mut pairs);
            assert!(pairs.len() < n / 50, "{}: {} pairs, more than n / 50", entry.id, pairs.len());
        }
    }
    assert_eq!(pairs.capacity(), room, "{}: the output grew", entry.id);
    let since = |bytes: usize| (bytes - before) as u64;
    Measured {
        objects: n,
        declared: (entry.memory)(n as u64),
        peak: since(ALLOCATOR.peak_usage()),
        live: since(ALLOCATOR.current_usage()),
        heap_bytes: algorithm.heap_bytes() as u64,
    }
}

/// Small boxes spread evenly in a cube with walls; hardly any overlap.
struct Scene {
    side: f32,
    centers: Vec<Vec3>,
    directions: Vec<Vec3>,
    boxes: Vec<Aabb>,
}

impl Scene {
    fn new(n: usize) -> Self {
        let mut rng = common::rng(9);
        let side = (n as f64).cbrt() as f32;
        let centers = (0..n).map(|_| vec3(&mut rng, 0.0..side)).collect();
        let directions = (0..n).map(|_| vec3(&mut rng, -1.0..1.0)).collect();
        Self { side, centers, directions, boxes: vec![Aabb::EMPTY; n] }
    }

    fn step(&mut self, motion: f32) {
        let bodies = self.centers.iter_mut().zip(&mut self.directions);
        for ((center, direction), b) in bodies.zip(&mut self.boxes) {
            let beyond = center.cmplt(Vec3::ZERO) & direction.cmplt(Vec3::ZERO)
                | center.cmpgt(Vec3::splat(self.side)) & direction.cmpgt(Vec3::ZERO);
            *direction = Vec3::select(beyond, -*direction, *direction);
            *center += *direction * motion;
            *b = Aabb::around_sphere(*center, HALF);
        }
    }
}
