//! Steady frames hardly allocate, pair events included, on one thread and on two: a list grows to its largest need once.

use crate::common::{Frames, Gas, inputs, rng, vec3};
use crate::{POOLS, allocations_so_far};
use broadphase::query::{Frustum, Hit, MovingBox, Probe, Query, QueryTree, Ray, Sphere};
use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{
    Aabb, Auto, BroadPhase, Frame, Join, Layer, Pair, PairEvents, Space, WorldBoxes, WorldPairs,
    Worlds,
};
use glam::{DVec4, Vec3};
use rand::RngExt;
use rayon::ThreadPool;
use std::ops::ControlFlow;

/// The last frames of an input, which are steady.
const STEADY: usize = 60;

/// Most allocations in steady frames: measured none on one thread, but two of a space; up to eight on two threads, whose tasks
/// divide the work differently from frame to frame. A list that is made in each frame would be 60.
fn max_allocations(pool: &ThreadPool) -> usize {
    if pool.current_num_threads() == 1 { 2 } else { 10 }
}

/// Runs all frames, and returns the allocations of the steady ones.
fn allocations(pool: &ThreadPool, frames: &Frames, mut run: impl FnMut(&[Aabb]) + Send) -> usize {
    let mut count = |frames: &[Vec<Aabb>]| {
        pool.install(|| {
            let before = allocations_so_far();
            frames.iter().for_each(|boxes| run(boxes));
            allocations_so_far() - before
        })
    };
    let (first, steady) = frames.split_at(frames.len() - STEADY);
    assert!(count(first) > 0, "the counter counts no allocation before");
    count(steady)
}

/// Large objects among small ones in a cube with walls. The pairs of a large one are found by one task now, by
/// another later.
fn large_objects_among_small(n: usize, frames: usize) -> Frames {
    let mut gas = Gas::new(5, n, 1.0);
    let half = |object: usize| if object.is_multiple_of(100) { 0.4 } else { 0.03 };
    (0..frames).map(|_| gas.step(0.02, half).to_vec()).collect()
}

/// Many resting objects, of which a random twentieth moves in each frame. Their number is enough for
/// several threads in some frames only.
fn some_begin_to_move(n: usize, frames: usize) -> Frames {
    let mut rng = rng(7);
    let mut boxes: Vec<_> =
        (0..n).map(|_| Aabb::around_sphere(vec3(&mut rng, -1.0..1.0), 0.03)).collect();
    let frame = |_| {
        for b in &mut boxes {
            if rng.random_bool(0.05) {
                *b = Aabb::around_sphere(b.center() + vec3(&mut rng, -1.0..1.0) * 0.02, 0.03);
            }
        }
        boxes.clone()
    };
    (0..frames).map(frame).collect()
}

/// A gas, then the last 30 of its frames backwards and forwards, three times: objects that scatter need less and less memory,
/// whose return allocates.
fn settled_gas(n: usize, number: usize) -> Frames {
    let (_, mut frames) = inputs(n, number, 3).swap_remove(0);
    let last = frames[number - 30..].to_vec();
    for _ in 0..3 {
        frames.extend(last.iter().rev().cloned());
        frames.extend_from_slice(&last);
    }
    frames
}

pub(crate) fn steady_frames() {
    let entries_of = |ids: &'static [&str]| move |entry: &Algorithm| ids.contains(&entry.id);
    let caching = entries_of(&["sweep-grid", "rest-grid", "neighbour-list", "auto"]);
    let all_pairs = entries_of(&["neighbour-list", "auto"]);
    let is_quadratic =
        entries_of(&["brute-force", "brute-force+scalar", "sap-matrix", "sap-matrix+scalar"]);
    // The gas thins out: `auto` changes its search for the first time in frame 48.
    assert_steady("gas", |_| true, &settled_gas(2500, 120), &POOLS[..]);
    // To save time, on two threads only, whose lists of tasks may grow; and not by every pair of objects: the
    // gas covers both. In frame 195, `neighbour-list` builds its cache again, and two of its lists grow.
    let large = large_objects_among_small(2500, 300);
    assert_steady("large objects", |entry| !is_quadratic(entry), &large, &POOLS[1..]);
    // On two threads a few lists of tasks still grow: the work is divided differently from rebuild to rebuild.
    assert_steady("some begin to move", caching, &some_begin_to_move(12_000, 240), &POOLS[..1]);
    // Cached pairs that are rebuilt again and again, and repaired in between.
    for n in [200, 1000] {
        assert_steady("small gas", all_pairs, &settled_gas(n, 260), &POOLS[..]);
    }
}

fn assert_steady(
    input: &str,
    is_run: impl Fn(&Algorithm) -> bool,
    frames: &Frames,
    pools: &[ThreadPool],
) {
    for pool in pools {
        for entry in ALGORITHMS.iter().filter(|entry| is_run(entry)) {
            let mut algorithm = entry.build(&Settings::new(frames[0].len()));
            let (mut pairs, mut events) = (Vec::new(), PairEvents::default());
            let found = allocations(pool, frames, |boxes| {
                let frame = Frame::new(boxes);
                pairs.clear();
                algorithm.update(&frame);
                algorithm.find_pairs(&frame, &mut pairs);
                events.advance(&pairs);
            });
            assert!(found <= max_allocations(pool), "{} on {input}, {pool:?}: {found}", entry.id);
        }
    }
}

/// Objects move, and in each step one is removed and another inserted.
pub(crate) fn steady_steps_of_a_space() {
    let frames = settled_gas(2500, 120);
    for pool in &*POOLS {
        let mut space = Space::with(Box::<Auto>::default());
        let insert = |space: &mut Space, b: &Aabb| space.insert(*b, Layer::ALL, 0).unwrap();
        let mut ids: Vec<_> = frames[0].iter().map(|b| insert(&mut space, b)).collect();
        let (mut number, mut events) = (0, 0);
        let found = allocations(pool, &frames, |boxes| {
            for (id, b) in ids.iter().zip(boxes) {
                space.set_box(*id, *b).unwrap();
            }
            space.remove(ids[number]).unwrap();
            ids[number] = insert(&mut space, &boxes[number]);
            number += 1;
            events += space.step().began().len();
        });
        assert!(found <= max_allocations(pool) && events > 1000, "{pool:?}: {found}, {events}");
    }
}

/// Worlds of 25 shapes: enough for two threads. Shapes are shared, and pairs filtered, too.
pub(crate) fn steady_call_of_worlds() {
    let frames = large_objects_among_small(30_000, 120);
    let starts: Vec<u32> = (0..=1200).map(|world| world * 25).collect();
    let (shared, excluded) = ([Aabb::around_sphere(Vec3::ZERO, 0.5); 3], [Pair::new(2, 5)]);
    let layers = vec![Layer::ALL; 30_003];
    for pool in &*POOLS {
        let (mut worlds, mut pairs) = (Worlds::default(), WorldPairs::default());
        let found = allocations(pool, &frames, |boxes| {
            let boxes = WorldBoxes::new(boxes, &starts).shared(&shared).layered(&layers);
            worlds.find_pairs(&boxes.excluded(&[&excluded]), &mut pairs).unwrap();
        });
        assert!(found == 0 && pairs.pairs().len() > 10_000, "{pool:?}: {found}");
    }
}

/// A set that moves, joined with the half of it.
pub(crate) fn steady_joins() {
    for (pool, n) in POOLS.iter().zip([2500, 12_000]) {
        let (mut join, mut pairs) = (Join::default(), Vec::new());
        let found = allocations(pool, &some_begin_to_move(n, 200), |boxes| {
            pairs.clear();
            join.find_pairs(boxes, &boxes[..n / 2], &mut pairs);
        });
        assert!(found <= max_allocations(pool), "{n} boxes: {found}");
    }
}

/// Frames in which the tree of queries is refitted, and others in which it is rebuilt.
pub(crate) fn steady_queries() {
    let gas = settled_gas(2500, 120);
    for pool in &*POOLS {
        let (mut auto, mut tree) = (Auto::default(), QueryTree::default());
        let (mut pairs, mut hits) = (Vec::new(), Vec::with_capacity(2500));
        let found = allocations(pool, &gas, |boxes| {
            auto.update(&Frame::new(boxes));
            pairs.clear();
            auto.find_pairs(&Frame::new(boxes), &mut pairs);
            ask(tree.over(boxes), boxes, &mut hits);
        });
        assert_eq!(found, 0, "{pool:?}");
    }
}

/// Asks every question with every shape.
fn ask(query: &dyn Query, boxes: &[Aabb], hits: &mut Vec<Hit>) {
    let planes = [DVec4::new(1.0, 0.5, 0.0, 0.0)];
    let (ray, sphere) = (Ray::new(Vec3::NEG_ONE, Vec3::ONE), Sphere::unbounded(Vec3::ZERO));
    let (sweep, frustum) = (MovingBox::new(boxes[7], Vec3::Y), Frustum { planes: &planes });
    let shapes: [&dyn Probe; 5] = [&boxes[7], &ray, &sphere, &sweep, &frustum];
    for shape in shapes {
        hits.clear();
        query.all(shape, hits);
        query.each(shape, &mut |_| ControlFlow::Continue(()));
        assert_eq!(query.any(shape), query.first(shape).is_some());
        hits.clear();
        query.nearest_few(shape, 9, hits);
    }
    assert_eq!(hits.len(), 9);
}
