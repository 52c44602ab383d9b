//! parry3d's tree, kept from frame to frame.
//!
//! Leaves of what moves slowly are enlarged by a margin, so that only what leaves its box in the tree is
//! touched, as parry3d's documentation describes; a leaf that went further than its margin gets none, as
//! it would leave it again in the next frame, and none is given to what rests. Where few leave, each is
//! inserted anew where it fits best, and only the way up from it is refitted. Where many do, all are
//! changed in place, and the tree is refitted as a whole; once walks through a worn tree have cost about
//! what a building does, it is built anew from its leaves.
//!
//! Unless most leave, the pairs of leaves are kept, as rapier does: the walk with change detection
//! reports those of which one has changed, and the others stay. So nothing is walked while nothing leaves.
//!
//! Tried instead: `optimize_incremental` in every frame and no building, as documented, took 4 to 7 times
//! as long on gas of 20,000 and 100,000 and cluster of 100,000, and 3 times on stadium, by single runs on
//! a busy machine: where all moves fast, it does not keep up. The rest by alternated runs. Building at a
//! fixed wear, whatever a walk costs, made the median of cluster 1.2 times as long. Trees by PLOC are
//! walked no faster, and take 3 to 4 times as long to build. With no pairs kept a settled pile and jitter
//! took 10 times as long, a falling pile 1.5 times; with pairs kept whatever moves, brownian with a fifth
//! moving 1.3 times. Link-time optimisation brings the test of two nodes into the walk, which is no
//! faster for it.
//!
//! Timed: finding what left its box in the tree, all changes of the tree, its walk against itself, and
//! the test of what it reports by the real boxes.

use super::candidates::append_real;
use super::parry::{build, convert};
use super::typical_side;
use broadphase::{Aabb, Algorithm, BroadPhase, Counters, Frame, Pair};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace, TraversalAction};

/// Its row in the list.
pub(crate) const ROW: Algorithm = Algorithm {
    id: "parry3d-bvh-kept",
    name: "parry3d, kept",
    summary: "parry3d's bounding volume hierarchy, kept with its pairs: a margin, refitting, built \
              anew once worn",
    source: "crate parry3d, partitioning::Bvh",
    overlays: &[],
    memory: |n| n * 220,
    build: |_| Box::<Kept>::default(),
};

/// The margin on each side, as a share of the typical side. On a falling pile rapier's own 0.04 took
/// 1.1 times as long.
const MARGIN: f32 = 0.06;

/// The tree is built anew once its wear, summed over the walks since the last building and weighed
/// by objects and candidates, comes to this for each object. With half of it or twice as much the means
/// are the same.
const WORN: f64 = 4.0;

/// Leaves are moved one by one where fewer than one in so many is to be moved.
const FEW: usize = 16;

/// Pairs are kept where fewer than one leaf in so many leaves its box.
const KEEP: usize = 10;

/// With more candidates than objects, the pairs are what a walk takes its time for: they are kept
/// where more than one leaf in so many stays.
const KEEP_MANY: usize = 10;

#[derive(Default)]
struct Kept {
    tree: Bvh,
    workspace: BvhWorkspace,
    /// The boxes in the tree, by object; empty where there is none.
    held: Vec<Aabb>,
    /// Whether that is the real box.
    exact: Vec<bool>,
    /// Objects outside their boxes in the tree, now and in the frame before.
    left: Vec<u32>,
    left_before: Vec<u32>,
    /// How many of those went no further than the margin in the last frame.
    slow: usize,
    /// Whether an object is among those, or has gone.
    stale: Vec<bool>,
    /// The typical side, in units; once an object was there.
    side: Option<f32>,
    /// The least [extent](Self::extent) of the tree since it was built.
    best: f64,
    /// The sum over the walks since then of how much of it they had more.
    wear: f64,
    /// Pairs of leaves that are to be tested: all of them if they are kept.
    candidates: Vec<Pair>,
    is_keeping: bool,
    /// Pairs of leaves in the last frame.
    met: usize,
}

impl Kept {
    /// Removes what is absent, and lists what is outside its box in the tree. Tells whether anything
    /// was removed.
    fn compare(&mut self, boxes: &[Aabb]) -> bool {
        let mut removed = false;
        std::mem::swap(&mut self.left, &mut self.left_before);
        self.left.clear();
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
            // What has shrunk within its box is in it no more exactly.
            *exact = false;
            if b.is_empty() {
                if !held.is_empty() {
                    self.tree.remove(object);
                    *held = Aabb::EMPTY;
                    *stale = true;
                    removed = true;
                }
            } else if !contains(held, b) {
                self.left.push(object);
                *stale = true;
            }
        }
        removed
    }

    /// A tree of the boxes as they are: what moves gets its margin when it leaves them.
    fn build(&mut self, boxes: &[Aabb]) {
        for &object in &self.left {
            self.held[object as usize] = boxes[object as usize];
            self.exact[object as usize] = true;
        }
        let leaves = self.left.iter().map(|&object| object as usize);
        self.tree = build(leaves.map(|object| (object, convert(&boxes[object]))));
        self.best = self.extent();
        self.wear = 0.0;
        self.is_keeping = false;
    }

    /// Changes the leaves of what is outside its box. Where pairs are kept, what has changed has to be
    /// marked in the tree.
    fn change_leaves(&mut self, boxes: &[Aabb], few: bool, keep: bool) {
        let margin = self.side.unwrap_or_default() * MARGIN;
        // Of no use to a few slow ones among fast ones, which keep the tree changing anyway.
        let enlarge = keep || self.slow * 2 > self.left_before.len();
        self.slow = 0;
        for &object in &self.left {
            let b = &boxes[object as usize];
            let held = &mut self.held[object as usize];
            let is_new = held.is_empty();
            // What is faster would leave the enlarged box in the next frame too.
            let is_slow = !is_new && contains(&enlarged(held, margin), b);
            self.slow += usize::from(is_slow);
            let margin = match (is_slow && enlarge, keep && !is_new) {
                (true, _) => margin,
                // The least with which the tree marks it.
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

    /// Builds the refitted tree anew if that pays.
    fn renew(&mut self) {
        let extent = self.extent();
        self.best = self.best.min(extent);
        // Of two leaves there is no inner node, and nothing to wear.
        if self.best > 0.0 {
            self.wear += extent / self.best - 1.0;
        }
        let leaves = f64::from(self.tree.leaf_count());
        if self.wear * (leaves + self.met as f64) > WORN * leaves {
            self.tree.rebuild(&mut self.workspace, BvhBuildStrategy::Binned);
            self.best = self.extent();
            self.wear = 0.0;
        }
    }

    /// What a walk through the tree has to expect: the volumes of all inner nodes, enlarged by a
    /// typical box so that flat ones count too, in cubic units.
    fn extent(&self) -> f64 {
        let side = self.side.unwrap_or_default();
        let mut sum = 0.0;
        self.tree.traverse(|node| {
            if node.is_leaf() {
                return TraversalAction::Prune;
            }
            let [x, y, z] =
                (node.maxs() - node.mins()).to_array().map(|size| f64::from(size + side));
            sum += x * y * z;
            TraversalAction::Continue
        });
        sum
    }

    /// Brings the kept pairs up to date with the tree.
    fn keep_pairs(&mut self, removed: bool) {
        let Self { tree, workspace, candidates, stale, .. } = self;
        if !self.is_keeping {
            candidates.clear();
            let mut push = |a, b| candidates.push(Pair { a, b });
            tree.traverse_bvtt_single_tree::<false>(workspace, &mut push);
        } else if removed || !self.left.is_empty() {
            candidates.retain(|pair| !stale[pair.a as usize] && !stale[pair.b as usize]);
            let mut push = |a, b| candidates.push(Pair { a, b });
            tree.traverse_bvtt_single_tree::<true>(workspace, &mut push);
        }
        self.met = candidates.len();
    }
}

/// The box with a margin on each side, as the tree enlarges it.
fn enlarged(b: &Aabb, margin: f32) -> Aabb {
    Aabb::new(b.min - margin, b.max + margin)
}

/// An empty box contains nothing.
fn contains(held: &Aabb, b: &Aabb) -> bool {
    held.min.cmple(b.min).all() && b.max.cmple(held.max).all()
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
        let few = self.left.len() * FEW < leaves;
        let keep = self.left.len() * KEEP < leaves
            || self.met > leaves && leaves.saturating_sub(self.left.len()) * KEEP_MANY > leaves;
        self.change_leaves(frame.boxes, few, keep);
        if !removed && (self.left.len() + self.left_before.len()) * FEW < leaves {
            self.tree.refit_partial(&self.left_before, &self.left);
        } else {
            self.tree.refit(&mut self.workspace);
        }
        if !few {
            // After the refitting, as a building would take removed leaves for present ones.
            self.renew();
        }
        if keep {
            self.keep_pairs(removed);
        }
        self.is_keeping = keep;
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if frame.is_stopped() {
            return;
        }
        let Self { tree, workspace, candidates, exact, .. } = self;
        let is_sure = |i: u32, j: u32| exact[i as usize] && exact[j as usize];
        if self.is_keeping {
            append_real(frame, candidates, is_sure, pairs);
            return;
        }
        let mut sure = 0;
        candidates.clear();
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |i, j| {
            if !is_sure(i, j) {
                candidates.push(Pair { a: i, b: j });
                return;
            }
            sure += 1;
            if frame.admits(i, j) {
                pairs.push(Pair::new(i, j));
            }
        });
        append_real(frame, candidates, |_, _| false, pairs);
        self.met = candidates.len() + sure;
    }

    fn counters(&self) -> Counters {
        let rebuilds = self.left.len() as u64;
        Counters { tests: self.met as u64, rebuilds, ..Counters::default() }
    }

    fn heap_bytes(&self) -> usize {
        self.tree.heap_memory_size()
            + self.held.capacity() * size_of::<Aabb>()
            + self.exact.capacity()
            + self.stale.capacity()
            + (self.left.capacity() + self.left_before.capacity()) * size_of::<u32>()
            + self.candidates.capacity() * size_of::<Pair>()
    }

    fn validate(&self, frame: &Frame<'_>) {
        let present = frame.boxes.iter().filter(|b| !b.is_empty()).count();
        assert_eq!(self.tree.leaf_count() as usize, present);
        assert_eq!(self.held.len(), frame.boxes.len());
        for (object, b) in frame.boxes.iter().enumerate().filter(|(_, b)| !b.is_empty()) {
            let leaf = self.tree.leaf_node(object as u32).map(|leaf| leaf.aabb());
            let held = self.held[object];
            assert_eq!(leaf, Some(convert(&held)), "object {object}");
            assert!(contains(&held, b), "object {object}");
            assert!(!self.exact[object] || held == *b, "object {object}");
        }
    }
}
