//! Steady frames hardly allocate, pair events included, on one thread and on two: a list grows to its largest need once.

use crate::common::{Frames, vec3};
use crate::{ALLOCATOR, POOLS};
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

/// Most allocations in 60 steady frames: measured none on one thread, but two of a space; up to eight on two threads, whose tasks
/// divide the work differently from frame to frame. A list that is made in each frame would be 60.
fn max_allocations(threads: usize) -> usize {
    if threads == 1 { 2 } else { 10 }
}

/// Large objects among small ones in a cube with walls. The pairs of a large one are found by one task now, by
/// another later.
fn large_objects_among_small(n: usize, frames: usize) -> Frames {
    let mut rng = crate::common::rng(5);
    let mut bodies: Vec<_> =
        (0..n).map(|_| (vec3(&mut rng, -1.0..1.0), vec3(&mut rng, -1.0..1.0) * 0.02)).collect();
    let half = |object: usize| if object.is_multiple_of(100) { 0.4 } else { 0.03 };
    let frame = |_| {
        for (at, velocity) in &mut bodies {
            let outwards = at.abs().cmpgt(Vec3::ONE) & (*at * *velocity).cmpgt(Vec3::ZERO);
            *velocity = Vec3::select(outwards, -*velocity, *velocity);
            *at += *velocity;
        }
        let around =
            |(object, (at, _)): (usize, &(Vec3, Vec3))| Aabb::around_sphere(*at, half(object));
        bodies.iter().enumerate().map(around).collect()
    };
    (0..frames).map(frame).collect()
}

/// Many resting objects, of which a random twentieth moves in each frame. Their number is enough for
/// several threads in some frames only.
fn some_begin_to_move(n: usize, frames: usize) -> Frames {
    let mut rng = crate::common::rng(7);
    let mut boxes: Vec<_> =
        (0..n).map(|_| Aabb::around_sphere(vec3(&mut rng, -1.0..1.0), 0.03)).collect();
    let frame = |_| {
        for b in &mut boxes {
            if rng.random_bool(0.95) {
                continue;
            }
            *b = Aabb::around_sphere(b.center() + vec3(&mut rng, -1.0..1.0) * 0.02, 0.03);
        }
        boxes.clone()
    };
    (0..frames).map(frame).collect()
}

/// Frames, then the last 30 of them backwards and forwards, three times: objects that scatter need less and less memory,
/// whose return allocates.
fn settled(mut frames: Frames) -> Frames {
    let last = frames[frames.len() - 30..].to_vec();
    for _ in 0..3 {
        frames.extend(last.iter().rev().cloned());
        frames.extend_from_slice(&last);
    }
    frames
}

pub(crate) fn steady_frames_hardly_allocate_on_one_thread_and_on_two() {
    let pools = &*POOLS;
    let [on_one, on_two] = pools;
    // The gas thins out: `auto` changes its search for the first time in frame 48.
    let (_, gas) = crate::common::inputs(2500, 120, 3).swap_remove(0);
    assert_steady("gas", ALGORITHMS.iter(), &settled(gas), pools);
    // To save time, on two threads only, whose lists of tasks may grow; and not by every pair of objects: the
    // gas covers both. In frame 195, `neighbour-list` builds its cache again, and two of its lists grow.
    let large = large_objects_among_small(2500, 300);
    let is_quadratic = |row: &&Algorithm| ["brute-force", "sap-matrix"].contains(&row.family);
    let fast = ALGORITHMS.iter().filter(|entry| !is_quadratic(entry));
    assert_steady("large objects", fast, &large, [on_two]);
    let rows_of = |ids: &'static [&str]| ALGORITHMS.iter().filter(|entry| ids.contains(&entry.id));
    let caching = rows_of(&["sweep-grid", "rest-grid", "neighbour-list", "auto"]);
    // On two threads a few lists of tasks still grow: the work is divided differently from rebuild to rebuild.
    assert_steady("some begin to move", caching, &some_begin_to_move(12_000, 240), [on_one]);
    // Cached pairs that are rebuilt again and again, and repaired in between.
    for n in [200, 1000] {
        let (_, gas) = crate::common::inputs(n, 260, 4).swap_remove(0);
        let gas = settled(gas);
        assert_steady("small gas", rows_of(&["neighbour-list", "auto"]), &gas, pools);
    }
    println!("{} algorithms hardly allocate in steady frames", ALGORITHMS.len());
}

/// Worlds of 25 shapes: enough for two threads. Shapes are shared, and pairs filtered, too.
pub(crate) fn steady_call_of_worlds_allocates_nothing() {
    let frames = settled(large_objects_among_small(30_000, 60));
    let starts: Vec<u32> = (0..=1200).map(|world| world * 25).collect();
    let (shared, excluded) = ([Aabb::around_sphere(Vec3::ZERO, 0.5); 3], [Pair::new(2, 5)]);
    let layers = vec![Layer::ALL; 30_003];
    for pool in &*POOLS {
        let (mut worlds, mut found) = (Worlds::default(), WorldPairs::default());
        let mut run = |frames: &[Vec<Aabb>]| {
            pool.install(|| {
                let before = count();
                for boxes in frames {
                    let boxes = WorldBoxes::new(boxes, &starts).shared(&shared).layered(&layers);
                    worlds.find_pairs(&boxes.excluded(&[&excluded]), &mut found).unwrap();
                }
                count() - before
            })
        };
        let (first, last) = frames.split_at(frames.len() - 60);
        assert!(run(first) > 0, "the counter counts no allocation before");
        assert_eq!(run(last), 0, "{} threads", pool.current_num_threads());
        assert!(found.pairs().len() > 10_000, "{} pairs", found.pairs().len());
    }
}

/// Asserts that the last 60 frames hardly allocate.
fn assert_steady<'a>(
    input: &str,
    rows: impl Iterator<Item = &'a Algorithm> + Clone,
    frames: &Frames,
    pools: impl IntoIterator<Item = &'a ThreadPool>,
) {
    let steady_from = frames.len() - 60;
    for pool in pools {
        let threads = pool.current_num_threads();
        for row in rows.clone() {
            let mut algorithm = row.create(&Settings::new(frames[0].len())).unwrap();
            let mut pairs = Vec::new();
            let mut events = PairEvents::default();
            let mut run = |frames: &[Vec<_>]| {
                pool.install(|| {
                    let before = count();
                    for boxes in frames {
                        let frame = Frame::new(boxes);
                        pairs.clear();
                        algorithm.update(&frame);
                        algorithm.find_pairs(&frame, &mut pairs);
                        events.advance(&pairs);
                    }
                    count() - before
                })
            };
            assert!(
                run(&frames[..steady_from]) > 0,
                "{}: the counter counts no allocation before",
                row.id
            );
            let steady = run(&frames[steady_from..]);
            let message = format!("{} on {input}, {threads} threads: {steady}", row.id);
            assert!(steady <= max_allocations(threads), "{message} allocations in 60 frames");
        }
    }
}

/// Objects move, and in each step one is removed and another inserted.
pub(crate) fn steady_steps_of_a_space_hardly_allocate() {
    let (_, gas) = crate::common::inputs(2500, 120, 3).swap_remove(0);
    let frames = settled(gas);
    for pool in &*POOLS {
        let mut space = Space::with(Box::<Auto>::default());
        let insert = |space: &mut Space, b: &Aabb| space.insert(*b, Layer::ALL, 0).unwrap();
        let mut ids: Vec<_> = frames[0].iter().map(|b| insert(&mut space, b)).collect();
        let mut events = 0;
        let mut run = |frames: &[Vec<Aabb>]| {
            pool.install(|| {
                let before = count();
                for (number, boxes) in frames.iter().enumerate() {
                    for (id, b) in ids.iter().zip(boxes) {
                        space.set_box(*id, *b).unwrap();
                    }
                    space.remove(ids[number]).unwrap();
                    ids[number] = insert(&mut space, &boxes[number]);
                    events += space.step().began().len();
                }
                count() - before
            })
        };
        let (first, steady) = frames.split_at(frames.len() - 60);
        assert!(run(first) > 0, "the counter counts no allocation before");
        let (allocations, threads) = (run(steady), pool.current_num_threads());
        assert!(
            allocations <= max_allocations(threads),
            "{allocations} in 60 steps, {threads} threads"
        );
        assert!(events > 1000, "{events} events");
    }
}

/// Sets that move, with a burst in between: all boxes of both in one place.
pub(crate) fn steady_joins_hardly_allocate_and_return_a_burst() {
    for (pool, n) in POOLS.iter().zip([2500, 12_000]) {
        let (a, b) = (some_begin_to_move(n, 200), some_begin_to_move(n / 2, 200));
        let crowd = vec![Aabb::around_sphere(Vec3::ONE, 1.0); 1500];
        let (mut join, mut pairs) = (Join::default(), Vec::new());
        let mut run = |frames: std::ops::Range<usize>| {
            let before = count();
            for frame in frames {
                pairs.clear();
                join.find_pairs(&a[frame], &b[frame], &mut pairs);
            }
            count() - before
        };
        pool.install(|| {
            assert!(run(0..140) > 0, "the counter counts no allocation before");
            let allocations = run(140..200);
            assert!(
                allocations <= max_allocations(rayon::current_num_threads()),
                "{n} boxes: {allocations} in 60 frames"
            );
        });
        let steady = join.heap_bytes();
        pool.install(|| {
            let mut burst = Join::default();
            let mut pairs = Vec::new();
            burst.find_pairs(&crowd.repeat(100), &crowd[..9], &mut pairs);
            let of_burst = burst.heap_bytes();
            for frame in 0..120 {
                pairs.clear();
                burst.find_pairs(&a[frame], &b[frame], &mut pairs);
            }
            let held = burst.heap_bytes();
            assert!(of_burst > 2 * held, "{n} boxes: {of_burst} bytes of the burst, then {held}");
            assert!(held < 4 * steady + (384 << 10), "{n} boxes: {held} and {steady} bytes");
        });
    }
}

/// Frames in which the tree of queries is refitted, and others in which it is rebuilt.
pub(crate) fn steady_frame_with_queries_allocates_nothing() {
    let (_, gas) = crate::common::inputs(2500, 120, 3).swap_remove(0);
    let gas = settled(gas);
    for pool in &*POOLS {
        let (mut auto, mut tree) = (Auto::default(), QueryTree::default());
        let (mut pairs, mut hits) = (Vec::new(), Vec::with_capacity(2500));
        let mut run = |frames: &[Vec<Aabb>]| {
            let before = count();
            for boxes in frames {
                auto.update(&Frame::new(boxes));
                pairs.clear();
                auto.find_pairs(&Frame::new(boxes), &mut pairs);
                ask(tree.over(boxes), boxes, &mut hits);
            }
            count() - before
        };
        let steady_from = gas.len() - 60;
        assert!(pool.install(|| run(&gas[..steady_from])) > 0, "no allocation before");
        assert_eq!(pool.install(|| run(&gas[steady_from..])), 0, "allocations in 60 frames");
    }
}

/// Asks every question with every shape.
fn ask(query: &dyn Query, boxes: &[Aabb], hits: &mut Vec<Hit>) {
    let planes = [DVec4::new(1.0, 0.5, 0.0, 0.0)];
    let (ray, sphere) = (Ray::new(Vec3::NEG_ONE, Vec3::ONE), Sphere::unbounded(Vec3::ZERO));
    let (sweep, frustum) = (MovingBox::new(boxes[7], Vec3::Y), Frustum { planes: &planes });
    let shapes: [&dyn Probe; 5] = [&boxes[7], &ray, &sphere, &sweep, &frustum];
    let mut met = 0;
    for shape in shapes {
        hits.clear();
        query.all(shape, hits);
        met += hits.len();
        query.each(shape, &mut |_| {
            met -= 1;
            ControlFlow::Continue(())
        });
        assert_eq!(query.any(shape), query.first(shape).is_some());
        hits.clear();
        query.nearest_few(shape, 9, hits);
    }
    assert!(met == 0 && hits.len() == 9, "{met} of one question only, {} hits", hits.len());
}

/// Heap blocks allocated so far, and those that grew.
fn count() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}
