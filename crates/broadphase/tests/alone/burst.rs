//! Memory of a burst is returned within 120 frames, and steady frames hardly allocate afterwards either.

use crate::common::{Gas, pairs_by_definition};
use crate::{ALLOCATOR, POOLS, allocations_so_far};
use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair};
use glam::Vec3;
use libtest_mimic::Trial;

/// Frames in which the memory of a burst is returned, and the most that is held then: this many times the bytes of an
/// instance that had only these frames, and some bytes.
const FRAMES: usize = 120;
const MAX_RATIO: usize = 4;
const ALLOWANCE: usize = 384 << 10;

/// Frames after the first burst. In the last ones a few lists may grow. Memory that were returned and taken again would grow
/// more often.
const AFTER: usize = 600;
const STEADY: usize = 240;
const MAX_GROWTHS: usize = 4;

/// Objects of most bursts, and of one in which their number falls.
const OBJECTS: usize = 400;
const MANY: usize = 6_000;

/// Entries of quadratic time or memory, which have fewer objects in the last one.
const QUADRATIC: &[&str] = &["brute-force", "sap-matrix", "areas"];

/// Half the side of most objects.
const SMALL: f32 = 0.01;

/// A burst: its name, its frames, the motion after it (units a frame), and the objects after it.
type Burst = (&'static str, Vec<Vec<Aabb>>, f32, usize);

fn bursts(many: usize) -> Vec<Burst> {
    let small = Gas::new(11, OBJECTS, 1.0).step(0.002, |_| SMALL).to_vec();
    let crowd = vec![Aabb::around_sphere(Vec3::ONE, 1.0); OBJECTS];
    let needles = small.iter().map(|b| Aabb::new(b.min - Vec3::X * 2.0, b.max + Vec3::X * 2.0));
    let mut one_is_huge = small.clone();
    one_is_huge[7] = Aabb::around_sphere(Vec3::ZERO, 1e3);
    let after_ten = |burst: &[Aabb], frames: usize| {
        let mut all = vec![small.clone(); 10];
        all.resize(10 + frames, burst.to_vec());
        all
    };
    let mut fall = Gas::new(11, many, 1.0);
    let fall = (0..30).map(|_| fall.step(0.002, |_| 0.02).to_vec()).collect();
    vec![
        ("all in one place, then slow", after_ten(&crowd, 5), 0.002, OBJECTS),
        ("all in one place, then at rest", after_ten(&crowd, 5), 0.0, OBJECTS),
        ("all in one place, then fast", after_ten(&crowd, 5), 0.3, OBJECTS),
        ("all in one place for long", after_ten(&crowd, 50), 0.002, OBJECTS),
        ("needles", after_ten(&needles.collect::<Vec<_>>(), 20), 0.002, OBJECTS),
        ("one object is huge", after_ten(&one_is_huge, 20), 0.002, OBJECTS),
        ("number falls", fall, 0.002, 300),
    ]
}

/// Runs some frames. Returns the number of allocations and the pairs of the last frame.
fn run(algorithm: &mut dyn BroadPhase, frames: &[Vec<Aabb>]) -> (usize, Vec<Pair>) {
    let (before, mut pairs) = (allocations_so_far(), Vec::new());
    for boxes in frames {
        let frame = Frame::new(boxes);
        pairs.clear();
        algorithm.update(&frame);
        algorithm.find_pairs(&frame, &mut pairs);
    }
    (allocations_so_far() - before, pairs)
}

/// Runs frames in a new instance, then its first frames after a burst. Returns it and its bytes: as it states, and live ones.
fn held(
    entry: &Algorithm,
    burst: &[Vec<Aabb>],
    after: &[Vec<Aabb>],
) -> (Box<dyn BroadPhase>, [usize; 2]) {
    let live = || ALLOCATOR.stats().bytes_allocated - ALLOCATOR.stats().bytes_deallocated;
    let before = live();
    let world = Aabb::around_sphere(Vec3::ZERO, 1.0);
    let mut algorithm = entry.build(&Settings::new(OBJECTS).world(world));
    run(&mut *algorithm, burst);
    run(&mut *algorithm, &after[..FRAMES]);
    let bytes = [algorithm.heap_bytes(), live() - before];
    (algorithm, bytes)
}

/// Plays a burst.
fn check(entry: &Algorithm, (name, burst, speed, objects): &Burst, is_first: bool) {
    let mut gas = Gas::new(11, *objects, 1.0);
    let number = if is_first { AFTER } else { FRAMES };
    let after: Vec<_> = (0..number).map(|_| gas.step(*speed, |_| SMALL).to_vec()).collect();
    let name = format!("{}, {name}, {} threads", entry.id, rayon::current_num_threads());
    let (mut algorithm, bytes) = held(entry, burst, &after);
    let (mut fresh, needed) = held(entry, &[], &after);
    for (of, held, needed) in [("heap_bytes", bytes[0], needed[0]), ("live", bytes[1], needed[1])] {
        let is_returned = held <= MAX_RATIO * needed + ALLOWANCE;
        assert!(is_returned, "{name}: {of} are {held}, of a fresh instance {needed}");
    }
    if is_first {
        let (between, steady) = after[FRAMES..].split_at(AFTER - FRAMES - STEADY);
        let [(found, mut pairs), (of_fresh, _)] = [&mut algorithm, &mut fresh].map(|algorithm| {
            run(&mut **algorithm, between);
            run(&mut **algorithm, steady)
        });
        // A few lists of a fresh instance still grow then, too. One is that of the pairs.
        let is_steady = found <= of_fresh + MAX_GROWTHS;
        assert!(is_steady, "{name}: {found} allocations, {of_fresh} if fresh");
        pairs.sort_unstable();
        assert!(pairs == pairs_by_definition(&after[AFTER - 1]), "{name}: wrong pairs");
    }
}

/// A test for each entry.
pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    ALGORITHMS.iter().map(|entry| {
        let name = format!("memory_of_a_burst_is_returned_by_{}", entry.id);
        Trial::test(name, move || {
            let many = if QUADRATIC.contains(&entry.family) { MANY / 10 } else { MANY };
            let bursts = bursts(many);
            for (number, burst) in bursts.iter().enumerate() {
                POOLS[0].install(|| check(entry, burst, number == 0));
            }
            // Lists of tasks are the same for any crowd.
            POOLS[1].install(|| check(entry, &bursts[0], true));
            Ok(())
        })
    })
}
