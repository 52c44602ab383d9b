//! Inputs on which structures are inspected, and what they report of objects and regions.

use crate::common::{Frames, inputs, pairs_by_definition, plain};
use crate::inspect::overlays::shown;
use broadphase::inspect::{
    self, BoxMark, Change, Mark, Overlay, PairMark, TreeBox, region_by_object,
};
use broadphase::registry::{ALGORITHMS, Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Pair};
use glam::Vec3;
use std::collections::HashMap;

/// An algorithm after a frame.
pub(crate) struct Now<'a> {
    pub(crate) entry: &'static Algorithm,
    pub(crate) name: &'a str,
    pub(crate) algorithm: &'a dyn BroadPhase,
    pub(crate) boxes: &'a [Aabb],
    /// Its pairs, as found, and in order.
    pub(crate) found: &'a [Pair],
    pub(crate) pairs: &'a [Pair],
}

/// How much of each kind was checked: a check of nothing proves nothing.
#[derive(Default)]
pub(crate) struct Seen(HashMap<String, usize>);

impl Seen {
    pub(crate) fn add(&mut self, what: impl Into<String>, number: usize) {
        *self.0.entry(what.into()).or_default() += number;
    }

    #[track_caller]
    pub(crate) fn assert(&self, what: &str, least: usize) {
        let found = self.0.get(what).copied().unwrap_or(0);
        assert!(found >= least, "{what}: only {found} in {:?}", self.0);
    }
}

/// Calls `check` with every algorithm after every frame of every input.
pub(crate) fn for_each_frame(sizes: &[usize], mut check: impl FnMut(&Now<'_>)) {
    for n in sizes {
        let worlds = [Aabb::EMPTY, Aabb::new(Vec3::NEG_ONE, Vec3::ONE)].into_iter().cycle();
        let inputs = inputs(*n, 3, 1739).into_iter().chain(motions(*n));
        for ((input, frames), world) in inputs.zip(worlds) {
            let expected: Vec<_> = frames.iter().map(|boxes| pairs_by_definition(boxes)).collect();
            for entry in ALGORITHMS {
                let mut created = entry.create(&Settings::new(*n).world(world)).unwrap();
                let before = (shown(&*created).next(), tests_by_object(&*created, 3));
                assert_eq!(before, (None, vec![0; 3]), "{}", entry.id);
                for (number, (boxes, pairs)) in frames.iter().zip(&expected).enumerate() {
                    let (frame, mut found) = (plain(boxes), Vec::new());
                    created.update(&frame);
                    // Without a search, and for more objects than there are, or fewer.
                    tests_by_object(&*created, 3);
                    region_by_object(created.inspect(), &mut [7; 3]);
                    created.find_pairs(&frame, &mut found);
                    let name = &format!("{} on {input} ({n} objects), frame {number}", entry.id);
                    check(&Now { entry, name, algorithm: &*created, boxes, found: &found, pairs });
                }
            }
        }
    }
}

/// Inputs in which caches keep objects, search for all, and do both. An oversized object is among those of the last.
fn motions(n: usize) -> impl Iterator<Item = (&'static str, Frames)> {
    let motions: [(&str, Motion); 4] =
        [("crawl", crawl), ("few jump", few), ("all jump", anywhere), ("crawl about one", crawl)];
    motions.into_iter().map(move |(name, place)| {
        let frame = |number| {
            let around = |i| Aabb::around_sphere(place(number, i, n), 0.55);
            let mut boxes: Vec<Aabb> = (0..n).map(around).collect();
            // One object appears and vanishes.
            if let Some(last) = boxes.last_mut().filter(|_| number % 6 == 5) {
                *last = Aabb::EMPTY;
            }
            if let Some(b) = boxes.get_mut(n / 2).filter(|_| name == "crawl about one") {
                *b = Aabb::around_sphere(place(number, n / 2, n), 200.0);
            }
            boxes
        };
        (name, (0..24).map(frame).collect())
    })
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

/// The nodes of a tree of boxes, parents before children.
pub(crate) fn nodes(algorithm: &dyn BroadPhase) -> Vec<TreeBox> {
    let mut nodes = Vec::new();
    algorithm.inspect().marks(Overlay::TreeBoxes, &mut |mark| {
        let Mark::Node(node) = mark else { panic!("{mark:?}") };
        nodes.push(node);
    });
    nodes
}

/// The fat AABBs by object.
pub(crate) fn fat_aabbs(algorithm: &dyn BroadPhase) -> HashMap<u32, BoxMark> {
    let mut boxes = HashMap::new();
    algorithm.inspect().marks(Overlay::FatBoxes, &mut |mark| {
        let Mark::Box(mark) = mark else { panic!("{mark:?}") };
        assert!(boxes.insert(mark.object, mark).is_none(), "{mark:?} is shown twice");
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

pub(crate) fn changes(algorithm: &dyn BroadPhase) -> Vec<Change> {
    let mut changes = Vec::new();
    algorithm.inspect().changes(&mut |change| changes.push(change));
    changes
}
