//! parry3d's tree, cached from frame to frame.
//!
//! Leaves of slow objects are enlarged by a margin, as parry3d's documentation describes, so that only
//! objects that escaped their fat AABB are touched. An object that moved further than its margin gets none,
//! since it would escape again in the next frame. Resting objects get none either.
//!
//! If few objects escaped, each is reinserted where it fits best, and only its ancestors are refitted. If
//! many did, their leaves are changed in place and the whole tree is refitted. Once traversals of the
//! degraded tree have cost about as much as a rebuild, it is rebuilt from its leaves.
//!
//! Unless most objects escape, the pairs of leaves are cached, as in rapier: the traversal with change
//! detection reports the pairs with a changed leaf, and the others stay. So nothing is traversed while no
//! object escapes.
//!
//! Tried instead, by alternated runs unless stated:
//!
//! - `optimize_incremental` in every frame and no rebuilds, as documented: 4 to 7 times as long on gas of
//!   20,000 and 100,000 and cluster of 100,000, and 3 times on stadium (single runs on a busy machine). It
//!   does not keep up if everything moves fast.
//! - A rebuild at a fixed wear, whatever a traversal costs: 1.2 times the median of cluster.
//! - Trees by PLOC: traversed no faster, and 3 to 4 times as long to build.
//! - No cached pairs: 10 times as long on a settled pile and on jitter, 1.5 times on a falling pile.
//! - Pairs always cached: 1.3 times as long on brownian with a fifth moving.
//! - Link-time optimisation: inlines the test of two nodes, which makes the traversal no faster.
//!
//! Timed: finding escaped objects, all changes of the tree, its self-traversal, and the test of candidates by
//! the exact boxes.
//!
//! On several threads: its traversal and the refit of the whole tree. All else runs on one.

use super::candidates::append_overlapping;
use super::parry::{build, convert, refit, traverse};
use super::parry_wear::{Wear, extent};
use super::{present, typical_side};
use broadphase::registry::{Algorithm, Kind};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Pair};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// Its entry in the list.
pub(crate) const ENTRY: Algorithm = Algorithm {
    name: "parry3d, kept",
    summary: "parry3d's bounding volume hierarchy, cached with its pairs: margins, refits, rebuilt \
              once degraded",
    source: "crate parry3d, partitioning::Bvh",
    memory: |n| n * 220,
    peer: true,
    keeps_state: true,
    ..Algorithm::new("parry3d-bvh-kept", Kind::BoxTree, |_| Box::<Kept>::default())
};

/// The margin on each side, as a share of the typical side. On a falling pile rapier's own 0.04 took
/// 1.1 times as long.
const MARGIN: f32 = 0.06;

/// Leaves are moved one by one if fewer than one in `MOVED_SHARE` has to be moved.
const MOVED_SHARE: usize = 16;

/// Pairs are cached if fewer than one object in `CACHE_FROM` escaped its fat AABB.
const CACHE_FROM: usize = 10;

/// With more candidates than objects, the pairs dominate the time of a traversal: they are cached if more
/// than one object in `CACHE_MANY_FROM` has not escaped.
const CACHE_MANY_FROM: usize = 10;

#[derive(Default)]
struct Kept {
    tree: Bvh,
    workspace: BvhWorkspace,
    /// The boxes in the tree, by object; empty for absent objects.
    held: Vec<Aabb>,
    /// Whether that is the object's exact box.
    exact: Vec<bool>,
    /// Objects that escaped their boxes in the tree, now and in the previous frame.
    escaped: Vec<u32>,
    escaped_before: Vec<u32>,
    /// How many of those moved no further than the margin in the previous frame.
    slow: usize,
    /// Objects that escaped or vanished: their cached pairs are stale.
    stale: Vec<bool>,
    /// The typical side, in units; `None` until an object is present.
    side: Option<f32>,
    wear: Wear,
    /// Pairs of leaves to be tested: all pairs if they are cached.
    candidates: Vec<Pair>,
    is_caching: bool,
    /// Number of pairs of leaves in the previous frame.
    leaf_pairs: usize,
}

impl Kept {
    /// Removes absent objects and lists escaped ones. Returns whether any was removed.
    fn compare(&mut self, boxes: &[Aabb]) -> bool {
        let mut removed = false;
        std::mem::swap(&mut self.escaped, &mut self.escaped_before);
        self.escaped.clear();
        self.stale.clear();
        self.stale.resize(self.held.len().max(boxes.len()), false);
        for object in boxes.len()..self.held.len() {
            if !self.held[object].is_empty() {
                self.tree.remove(object as u32);
                self.stale[object] = true;
                removed = true;
            }
        }
        self.held.resize(boxes.len(), Aabb::EMPTY);
        self.exact.resize(boxes.len(), false);
        let held = self.held.iter_mut().zip(&mut self.exact).zip(&mut self.stale);
        for ((object, b), ((held, exact), stale)) in (0..).zip(boxes).zip(held) {
            if *exact && held == b {
                continue;
            }
            // An object that shrank is still inside its box, but the box is no longer exact.
            *exact = false;
            if b.is_empty() {
                if !held.is_empty() {
                    self.tree.remove(object);
                    *held = Aabb::EMPTY;
                    *stale = true;
                    removed = true;
                }
            } else if !held.contains(b) {
                self.escaped.push(object);
                *stale = true;
            }
        }
        removed
    }

    /// Builds a tree of the exact boxes: an object gets its margin when it escapes.
    fn build(&mut self, boxes: &[Aabb]) {
        for &object in &self.escaped {
            self.held[object as usize] = boxes[object as usize];
            self.exact[object as usize] = true;
        }
        let leaves = self.escaped.iter().map(|&object| object as usize);
        self.tree = build(leaves.map(|object| (object, convert(&boxes[object]))));
        self.wear = Wear::new(extent(&self.tree, self.side.unwrap_or_default()));
        self.is_caching = false;
    }

    /// Changes the leaves of escaped objects. If pairs are cached, changed leaves must be marked in the tree.
    fn change_leaves(&mut self, boxes: &[Aabb], few: bool, cache: bool) {
        let margin = self.side.unwrap_or_default() * MARGIN;
        // A margin is of no use to a few slow objects among fast ones, which change the tree anyway.
        let enlarge = cache || self.slow * 2 > self.escaped_before.len();
        self.slow = 0;
        for &object in &self.escaped {
            let b = &boxes[object as usize];
            let held = &mut self.held[object as usize];
            let is_new = held.is_empty();
            // A faster object would escape its fat AABB in the next frame too.
            let is_slow = !is_new && enlarged(held, margin).contains(b);
            self.slow += usize::from(is_slow);
            let margin = match (is_slow && enlarge, cache && !is_new) {
                (true, _) => margin,
                // The smallest margin with which the tree marks the leaf.
                (false, true) => f32::MIN_POSITIVE,
                (false, false) => 0.0,
            };
            *held = enlarged(b, margin);
            self.exact[object as usize] = margin == 0.0 || *held == *b;
            if few {
                self.tree.reinsert_or_update_with_change_detection(convert(b), object, margin);
            } else {
                self.tree.insert_or_update_partially(convert(b), object, margin);
            }
        }
    }

    /// Rebuilds the refitted tree if that pays.
    fn rebuild_if_degraded(&mut self) {
        let side = self.side.unwrap_or_default();
        let (leaves, pairs) = (f64::from(self.tree.leaf_count()), self.leaf_pairs as f64);
        if self.wear.add(extent(&self.tree, side), leaves, pairs) {
            self.tree.rebuild(&mut self.workspace, BvhBuildStrategy::Binned);
            self.wear = Wear::new(extent(&self.tree, side));
        }
    }

    /// Updates the cached pairs from the tree.
    fn update_pairs(&mut self, removed: bool) {
        let Self { tree, workspace, candidates, stale, .. } = self;
        if !self.is_caching {
            candidates.clear();
            let mut push = |a, b| candidates.push(Pair { a, b });
            traverse::<false>(tree, workspace, &mut push);
        } else if removed || !self.escaped.is_empty() {
            candidates.retain(|pair| !stale[pair.a as usize] && !stale[pair.b as usize]);
            let mut push = |a, b| candidates.push(Pair { a, b });
            traverse::<true>(tree, workspace, &mut push);
        }
        self.leaf_pairs = candidates.len();
    }
}

/// The box with a margin on each side, as the tree enlarges it.
fn enlarged(b: &Aabb, margin: f32) -> Aabb {
    Aabb::new(b.min - margin, b.max + margin)
}

impl BroadPhase for Kept {
    fn update(&mut self, frame: &Frame<'_>) {
        self.side = self.side.or_else(|| typical_side(frame.boxes));
        let removed = self.compare(frame.boxes);
        if self.tree.is_empty() {
            self.build(frame.boxes);
            return;
        }
        let leaves = self.tree.leaf_count() as usize;
        let few = self.escaped.len() * MOVED_SHARE < leaves;
        let cache = self.escaped.len() * CACHE_FROM < leaves
            || self.leaf_pairs > leaves
                && leaves.saturating_sub(self.escaped.len()) * CACHE_MANY_FROM > leaves;
        self.change_leaves(frame.boxes, few, cache);
        if !removed && (self.escaped.len() + self.escaped_before.len()) * MOVED_SHARE < leaves {
            self.tree.refit_partial(&self.escaped_before, &self.escaped);
        } else {
            refit(&mut self.tree, &mut self.workspace);
        }
        if !few {
            // After the refit, since a rebuild would treat removed leaves as present.
            self.rebuild_if_degraded();
        }
        if cache {
            self.update_pairs(removed);
        }
        self.is_caching = cache;
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if frame.is_stopped() {
            return;
        }
        let Self { tree, workspace, candidates, exact, .. } = self;
        let is_guaranteed = |i: u32, j: u32| exact[i as usize] && exact[j as usize];
        if self.is_caching {
            append_overlapping(frame, candidates, is_guaranteed, pairs);
            return;
        }
        let mut guaranteed = 0;
        candidates.clear();
        traverse::<false>(tree, workspace, &mut |i, j| {
            if !is_guaranteed(i, j) {
                candidates.push(Pair { a: i, b: j });
                return;
            }
            guaranteed += 1;
            if frame.admits(i, j) {
                pairs.push(Pair::new(i, j));
            }
        });
        append_overlapping(frame, candidates, |_, _| false, pairs);
        self.leaf_pairs = candidates.len() + guaranteed;
    }

    fn counters(&self) -> Counters {
        let rebuilds = self.escaped.len() as u64;
        Counters { tests: self.leaf_pairs as u64, rebuilds, ..Counters::default() }
    }

    fn heap_bytes(&self) -> usize {
        self.tree.heap_memory_size()
            + self.held.capacity() * size_of::<Aabb>()
            + self.exact.capacity()
            + self.stale.capacity()
            + (self.escaped.capacity() + self.escaped_before.capacity()) * size_of::<u32>()
            + self.candidates.capacity() * size_of::<Pair>()
    }

    fn validate(&self, frame: &Frame<'_>) {
        assert_eq!(self.tree.leaf_count() as usize, present(frame).count());
        assert_eq!(self.held.len(), frame.boxes.len());
        for (object, b) in present(frame) {
            let leaf = self.tree.leaf_node(object as u32).map(|leaf| leaf.aabb());
            let held = self.held[object];
            assert_eq!(leaf, Some(convert(&held)), "object {object}");
            assert!(held.contains(b), "object {object}");
            assert!(!self.exact[object] || held == *b, "object {object}");
        }
    }
}
