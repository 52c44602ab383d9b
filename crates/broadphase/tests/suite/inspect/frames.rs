//! Inputs on which structures are inspected, and what they report of objects and regions.

use crate::common::{inputs, plain, run_frame};
use broadphase::inspect::{
    self, BoxMark, Change, Mark, Overlay, PairMark, Region, TreeBox, for_each_region,
};
use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Pair};
use glam::Vec3;
use std::collections::HashMap;

pub(crate) const WORLD: Aabb = Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE };

/// Calls `check` with every algorithm after every frame of every input.
pub(crate) fn for_each_frame(
    sizes: &[usize],
    mut check: impl FnMut(&'static Algorithm, &str, &dyn BroadPhase, &[Aabb]),
) {
    for entry in ALGORITHMS {
        for n in sizes {
            for (input, frames) in inputs(*n, 3, 1739) {
                for world in [WORLD, Aabb::EMPTY] {
                    let settings = Settings::new(*n).world(world);
                    let mut algorithm = entry.create(&settings).unwrap();
                    for (number, boxes) in frames.iter().enumerate() {
                        run_frame(&mut *algorithm, &plain(boxes));
                        let name = format!("{} on {input} ({n} objects), frame {number}", entry.id);
                        check(entry, &name, &*algorithm, boxes);
                    }
                }
            }
        }
    }
}

/// The same for the algorithms that show an overlay, on inputs in which they cache objects, search for all, and do
/// both.
pub(crate) fn for_each_frame_with(
    overlay: Overlay,
    sizes: &[usize],
    mut check: impl FnMut(&'static Algorithm, &str, &dyn BroadPhase, &[Aabb]),
) {
    for entry in ALGORITHMS.iter().filter(|entry| entry.shows(overlay)) {
        for n in sizes {
            play(entry, *n, false, |name, algorithm, boxes, _| {
                check(entry, name, algorithm, boxes);
            });
        }
    }
}

/// Calls `check` with an algorithm, the boxes and the pairs that it found after every frame of the motions. An
/// oversized object may be among the `n`.
pub(crate) fn play(
    entry: &'static Algorithm,
    n: usize,
    has_oversized: bool,
    mut check: impl FnMut(&str, &dyn BroadPhase, &[Aabb], &[Pair]),
) {
    let motions: [(&str, Motion); 3] = [("crawl", crawl), ("few jump", few), ("all jump", all)];
    for (motion, place) in motions {
        let mut algorithm = entry.create(&Settings::new(n)).unwrap();
        for number in 0..24 {
            let around = |i| Aabb::around_sphere(place(number, i, n), 0.55);
            let mut boxes: Vec<Aabb> = (0..n).map(around).collect();
            // One object appears and vanishes.
            if let Some(last) = boxes.last_mut().filter(|_| number % 6 == 5) {
                *last = Aabb::EMPTY;
            }
            if has_oversized {
                boxes[n / 2] = Aabb::around_sphere(place(number, n / 2, n), 200.0);
            }
            let pairs = run_frame(&mut *algorithm, &plain(&boxes));
            let name = format!("{}, {n} objects {motion}, frame {number}", entry.id);
            check(&name, &*algorithm, &boxes, &pairs);
        }
    }
}

/// The centre of object i of n in a frame.
type Motion = fn(usize, usize, usize) -> Vec3;

/// A place on a lattice.
fn site(i: usize) -> Vec3 {
    Vec3::from([i % 8, i / 8 % 8, i / 64].map(|place| place as f32))
}

/// A place anywhere, another one in each frame.
fn anywhere(number: usize, i: usize, n: usize) -> Vec3 {
    let turn = (number * 7919 + i * 104_729) as f32;
    let side = 0.5 * (n as f32).cbrt();
    Vec3::new(turn.sin(), (turn * 1.7).sin(), (turn * 2.3).sin()) * side
}

/// All move a little, and in each frame another one far.
fn crawl(number: usize, i: usize, n: usize) -> Vec3 {
    if i == number { anywhere(number, i, n) } else { site(i) + 0.004 * number as f32 }
}

/// Every tenth moves far, the others rest.
fn few(number: usize, i: usize, n: usize) -> Vec3 {
    if i.is_multiple_of(10) { anywhere(number, i, n) } else { site(i) }
}

/// All move far.
fn all(number: usize, i: usize, n: usize) -> Vec3 {
    anywhere(number, i, n)
}

/// Sixty small boxes on a lattice, none of which overlap.
pub(crate) fn lattice() -> Vec<Aabb> {
    let at = |i: usize| Vec3::from([i % 4, i / 4 % 4, i / 16].map(|place| place as f32));
    (0..60).map(|i| Aabb::around_sphere(at(i), 0.2)).collect()
}

pub(crate) fn tests_by_object(algorithm: &dyn BroadPhase, objects: usize) -> Vec<u32> {
    let mut tests = vec![u32::MAX; objects];
    inspect::tests_by_object(algorithm.inspect(), &mut tests);
    tests
}

pub(crate) fn tested_with(algorithm: &dyn BroadPhase, object: u32) -> Vec<u32> {
    let mut others = Vec::new();
    inspect::tested_with(algorithm.inspect(), object, &mut |other| others.push(other));
    others
}

pub(crate) fn regions(algorithm: &dyn BroadPhase) -> Vec<Region> {
    let mut regions = Vec::new();
    for_each_region(algorithm.inspect(), &mut |mark| regions.push(mark.region));
    regions
}

/// The nodes of a tree of boxes, parents before children.
pub(crate) fn nodes(algorithm: &dyn BroadPhase) -> Vec<TreeBox> {
    let mut nodes = Vec::new();
    algorithm.inspect().marks(Overlay::TreeBoxes, &mut |mark| {
        let Mark::Node(node) = mark else { panic!("{mark:?}") };
        nodes.push(node);
    });
    nodes
}

/// The boxes of objects that an overlay shows.
pub(crate) fn boxes_of(algorithm: &dyn BroadPhase, overlay: Overlay) -> Vec<BoxMark> {
    let mut boxes = Vec::new();
    algorithm.inspect().marks(overlay, &mut |mark| {
        let Mark::Box(mark) = mark else { panic!("{mark:?} in {overlay:?}") };
        boxes.push(mark);
    });
    boxes
}

/// The pairs that an overlay shows, with their roles.
pub(crate) fn pairs_of(algorithm: &dyn BroadPhase, overlay: Overlay) -> HashMap<Pair, usize> {
    let mut pairs = HashMap::new();
    algorithm.inspect().marks(overlay, &mut |mark| {
        let Mark::Pair(PairMark { pair, role }) = mark else { panic!("{mark:?} in {overlay:?}") };
        assert_eq!(pairs.insert(pair, role), None, "{pair:?} is shown twice");
    });
    pairs
}

/// The objects that escaped from their fat AABBs.
pub(crate) fn escapes(algorithm: &dyn BroadPhase) -> Vec<u32> {
    let mut escaped = Vec::new();
    algorithm.inspect().changes(&mut |change| {
        if let Change::Escape(object) = change {
            escaped.push(object);
        }
    });
    escaped
}
