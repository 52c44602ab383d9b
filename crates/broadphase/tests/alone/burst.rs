//! Memory of a burst is returned within 120 frames, and steady frames hardly allocate afterwards either.

use crate::common::{self, vec3};
use crate::{ALLOCATOR, POOLS};
use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair, PairEvents};
use glam::Vec3;
use libtest_mimic::Trial;

/// Frames in which the memory of a burst is returned, and the most that is held then: this many times the bytes of an
/// instance that had only these frames, and some bytes.
const FRAMES: usize = 120;
const MAX_RATIO: usize = 4;
const ALLOWANCE: usize = 384 << 10;

/// Frames after a burst. In the last ones a few lists may grow. Memory that were returned and taken again would grow more often.
const AFTER: usize = 600;
const STEADY: usize = 240;
const MAX_GROWTHS: usize = 4;

/// Objects of most bursts, and of one in which their number falls.
const OBJECTS: usize = 400;
const MANY: usize = 6_000;

/// Entries of quadratic time or memory, which have fewer objects in the last one.
const QUADRATIC: &[&str] = &["brute-force", "sap-matrix", "areas"];

/// Objects that move in a cube with walls.
struct Gas {
    bodies: Vec<[Vec3; 2]>,
    speed: f32,
}

impl Gas {
    fn new(n: usize, speed: f32) -> Self {
        let mut rng = common::rng(11);
        let mut draw = || [vec3(&mut rng, -1.0..1.0), vec3(&mut rng, -1.0..1.0)];
        Self { bodies: (0..n).map(|_| draw()).collect(), speed }
    }

    /// The boxes of the next frame, by a half side of each object.
    fn step(&mut self, half: impl Fn(usize) -> Vec3) -> Vec<Aabb> {
        let speed = self.speed;
        let around = |(object, [at, direction]): (usize, &mut [Vec3; 2])| {
            let outwards = at.abs().cmpgt(Vec3::ONE) & (*at * *direction).cmpgt(Vec3::ZERO);
            *direction = Vec3::select(outwards, -*direction, *direction);
            *at += *direction * speed;
            Aabb::new(*at - half(object), *at + half(object))
        };
        self.bodies.iter_mut().enumerate().map(around).collect()
    }
}

/// A burst: its name, its frames, the motion after it (units a frame), and the objects after it.
struct Burst {
    name: &'static str,
    frames: Vec<Vec<Aabb>>,
    speed: f32,
    objects: usize,
}

fn bursts(many: usize) -> Vec<Burst> {
    let scattered = |half: Vec3| Gas::new(OBJECTS, 0.002).step(|_| half);
    let small = Vec3::splat(0.01);
    let around = |burst: Vec<Aabb>, frames: usize| {
        let mut all = vec![scattered(small); 10];
        all.extend(std::iter::repeat_n(burst, frames));
        all
    };
    let crowd = || vec![Aabb::around_sphere(Vec3::ONE, 1.0); OBJECTS];
    let burst = |name, frames, speed| Burst { name, frames, speed, objects: OBJECTS };
    let mut one_is_huge = scattered(small);
    one_is_huge[7] = Aabb::around_sphere(Vec3::ZERO, 1e3);
    let mut fall = Gas::new(many, 0.002);
    let crowds = (0..30).map(|_| fall.step(|_| Vec3::splat(0.02))).collect();
    vec![
        burst("all in one place, then slow", around(crowd(), 5), 0.002),
        burst("all in one place, then at rest", around(crowd(), 5), 0.0),
        burst("all in one place, then fast", around(crowd(), 5), 0.3),
        burst("all in one place for long", around(crowd(), 50), 0.002),
        burst("needles", around(scattered(Vec3::new(2.0, 0.01, 0.01)), 20), 0.002),
        burst("one object is huge", around(one_is_huge, 20), 0.002),
        Burst { name: "number falls", frames: crowds, speed: 0.002, objects: 300 },
    ]
}

/// An instance, with its pairs and their events.
struct Run {
    algorithm: Box<dyn BroadPhase>,
    /// Advanced for one entry only, to save time.
    events: PairEvents,
    has_events: bool,
    pairs: Vec<Pair>,
}

impl Run {
    fn new(entry: &Algorithm, objects: usize) -> Self {
        let settings = Settings::new(objects).world(Aabb::around_sphere(Vec3::ZERO, 1.0));
        let algorithm = entry.create(&settings).unwrap();
        let has_events = entry.id == "sweep-grid";
        Self { algorithm, events: PairEvents::default(), has_events, pairs: Vec::new() }
    }

    /// Returns the number of allocations.
    fn frames<'a>(&mut self, frames: impl IntoIterator<Item = &'a Vec<Aabb>>) -> usize {
        let before = ALLOCATOR.stats();
        for boxes in frames {
            let frame = Frame::new(boxes);
            self.pairs.clear();
            self.algorithm.update(&frame);
            self.algorithm.find_pairs(&frame, &mut self.pairs);
            if self.has_events {
                self.events.advance(&self.pairs);
            }
        }
        let after = ALLOCATOR.stats();
        (after.allocations - before.allocations) + (after.reallocations - before.reallocations)
    }

    /// Drops the list of pairs, which belongs to the caller. Returns the bytes of the algorithm and those of the events.
    fn heap_bytes(&mut self) -> [usize; 2] {
        self.pairs = Vec::new();
        [self.algorithm.heap_bytes(), self.events.heap_bytes()]
    }
}

/// Live bytes.
fn live() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Plays a burst. Returns a message for each fault.
fn check(entry: &Algorithm, burst: &Burst) -> Vec<String> {
    let threads = rayon::current_num_threads();
    let mut gas = Gas::new(burst.objects, burst.speed);
    let after: Vec<_> = (0..AFTER).map(|_| gas.step(|_| Vec3::splat(0.01))).collect();
    let name = format!("{}, {}, {threads} threads", entry.id, burst.name);
    let mut failures = Vec::new();

    let before = live();
    let mut run = Run::new(entry, burst.frames[0].len());
    run.frames(&burst.frames);
    let of_burst = run.algorithm.heap_bytes();
    run.frames(&after[..FRAMES]);
    let held = run.heap_bytes();
    let live_bytes = live() - before;

    let before = live();
    let mut fresh = Run::new(entry, burst.objects);
    fresh.frames(&after[..FRAMES]);
    let needed = fresh.heap_bytes();
    let live_needed = live() - before;
    let all = [
        ("heap_bytes", held[0], needed[0]),
        ("PairEvents", held[1], needed[1]),
        ("live bytes", live_bytes, live_needed),
    ];
    for (of, held, needed) in all {
        if held > MAX_RATIO * needed + ALLOWANCE {
            failures.push(format!("{name}: {of} are {held}, of a fresh instance {needed}"));
        }
    }
    fresh.frames(&after[FRAMES..AFTER - STEADY]);
    let fresh_allocations = fresh.frames(&after[AFTER - STEADY..]);
    let kib = [of_burst, held[0], needed[0]].map(|bytes| bytes >> 10);
    println!(
        "{name}: KiB after the burst, {FRAMES} frames later, and of a fresh instance: {kib:?}"
    );

    let expected = |boxes: &Vec<Aabb>| common::pairs_by_definition(boxes);
    run.frames(&after[FRAMES..AFTER - STEADY]);
    let allocations = run.frames(&after[AFTER - STEADY..]);
    // A few lists of a fresh instance still grow then, too.
    if allocations > fresh_allocations + MAX_GROWTHS {
        failures.push(format!(
            "{name}: {allocations} allocations in {STEADY} steady frames, {fresh_allocations} of a fresh instance"
        ));
    }
    run.pairs.sort_unstable();
    if run.pairs != expected(&after[AFTER - 1]) {
        failures.push(format!("{name}: wrong pairs"));
    }
    failures
}

/// A test for each entry.
pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    ALGORITHMS.iter().map(|entry| {
        let name = format!("memory_of_a_burst_is_returned_by_{}", entry.id);
        Trial::test(name, move || {
            let many = if QUADRATIC.contains(&entry.family) { MANY / 10 } else { MANY };
            let bursts = bursts(many);
            let mut failures = Vec::new();
            for pool in &*POOLS {
                // Lists of tasks are the same for any crowd.
                let is_one = pool.current_num_threads() == 1;
                for burst in if is_one { &bursts[..] } else { &bursts[..1] } {
                    failures.extend(pool.install(|| check(entry, burst)));
                }
            }
            if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
        })
    })
}
