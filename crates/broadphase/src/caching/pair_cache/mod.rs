//! The cache itself: fat AABBs, candidate pairs, and the objects that escaped.
//!
//! [`PairCache`] is their one owner. Each kind of change has its file: a build, objects that escape,
//! an insertion.

mod anchors;
mod build;
mod check;
mod escape;
mod insert;
mod inspect;
mod pairs;
mod state;
mod validate;

use super::costs;
use super::policy::Inflation;
use crate::columns::{CachedColumns, Origin};
use crate::managed::Structure;
use crate::memory::memory;
use crate::parallel::Tasks;
use crate::{Aabb, Counters, Frame, Layer, Pair};
use anchors::{Anchors, motion};
use glam::{Vec3, Vec3A};
use pairs::CachedPairs;
use state::State;

/// Boxes checked before the number of escaped objects is compared with the limit again.
const STRETCH: usize = 1024;

/// Frames from one anchor to the next, while all boxes are searched.
const FRAMES_PER_ANCHOR: u32 = 12;

/// A cache is of no use where more than this share of the objects has escaped.
const MAX_ESCAPED: f32 = 0.6;

/// An object that is searched for in each frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escaped {
    object: u32,
    /// The frame in which it escaped, or was found to be fast, and its lower corner then.
    since: u32,
    from: Vec3,
}

impl Escaped {
    /// Mean motion in units a frame: since it escaped, and in the frame of its escape since its
    /// anchor was taken.
    fn motion(&self, b: &Aabb, frame: u32, anchors: &Anchors) -> Vec3A {
        match frame.wrapping_sub(self.since) {
            0 => anchors.motion(self.object, b),
            frames => motion(self.from, b, frames),
        }
    }
}

/// The result of a check of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// It may answer the frame.
    Current,
    /// Too many objects have escaped.
    Expired,
    /// There is none, or it is for other objects or layers.
    None,
}

/// The cached state of all objects, from one build to the next.
///
/// An object is slow, resting or escaped ([`State`]). Objects with overlapping fat AABBs are a
/// candidate pair if at least one was not resting when cached. Pairs of two resting objects are
/// kept apart until one escapes. Every other pair has an escaped object.
#[derive(Clone, Debug, Default)]
pub(super) struct PairCache {
    /// The fat AABB of each object; empty where it is not cached.
    fat: Vec<Aabb>,
    states: Vec<State>,
    /// The layers by which candidate pairs were chosen.
    layers: Vec<Layer>,
    pairs: CachedPairs,
    pub(super) columns: CachedColumns,
    /// Objects that are searched for in each frame.
    pub(super) escaped: Vec<Escaped>,
    /// For each task the objects that it found to escape in this frame.
    checks: Tasks<Vec<u32>>,
    /// Escaped objects that are likely to be too fast for an insertion.
    fast: usize,
    /// Objects that were inserted since the columns were last sorted.
    pub(super) inserted: Vec<u32>,
    /// Number of leading entries of `inserted` that are from earlier frames.
    settled: usize,
    anchors: Anchors,
    frame: u32,
    /// The rule of the last build.
    pub(super) policy: usize,
    inflation: Option<Inflation>,
    is_built: bool,
    /// Tests of the insertion in this frame.
    insert_tests: u64,
    /// Scratch of an insertion.
    new_pairs: Vec<Pair>,
}

memory!(PairCache: fat, states, layers, pairs, columns, escaped, checks, inserted, new_pairs, anchors);

impl PairCache {
    /// A cache without objects, for a value of [`Grid::COLUMNS`](crate::columns::Grid::COLUMNS).
    pub(super) fn of(columns: usize) -> Self {
        Self { columns: CachedColumns::of(columns), ..Self::default() }
    }

    /// Escaped objects slow enough for an attempt to insert them.
    pub(super) fn idle(&self) -> usize {
        self.escaped.len() - self.fast
    }

    /// Candidate pairs and pairs of resting objects.
    pub(super) fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The origin of an object's entry in the columns, if it has one that is not stale.
    fn entry(&self, object: u32) -> Option<Origin> {
        self.states[object as usize].entry()
    }

    /// Cost of a frame without escaped objects.
    pub(super) fn running(&self) -> f32 {
        let pairs = [&self.pairs.candidates, &self.pairs.resting].map(|list| list.len() as f32);
        costs::of_cached(self.states.len() as f32, pairs[0], pairs[1])
    }

    /// Drops the cache.
    pub(super) fn clear(&mut self) {
        self.is_built = false;
        // Empty lists count as unused.
        self.fat.clear();
        self.states.clear();
        self.layers.clear();
        self.pairs.clear();
        self.columns.clear();
        self.escaped.clear();
        self.inserted.clear();
        self.new_pairs.clear();
        self.checks.resize(0);
        (self.fast, self.settled) = (0, 0);
    }

    /// Ends a frame that was searched without the cache.
    pub(super) fn pass(&mut self, boxes: &[Aabb]) {
        if self.anchors.age >= FRAMES_PER_ANCHOR || self.anchors.corners.len() != boxes.len() {
            self.anchors.take(boxes);
        }
    }

    /// Finds the objects that escape. A cache that is not current is dropped.
    pub(super) fn check(&mut self, frame: &Frame<'_>) -> Check {
        self.frame = self.frame.wrapping_add(1);
        self.anchors.advance(frame.boxes.len());
        (self.settled, self.insert_tests) = (self.inserted.len(), 0);
        let (known, boxes) = (self.states.len(), frame.boxes);
        let was_empty = known == 0 && !boxes.is_empty();
        if !self.is_built || was_empty || boxes.len() < known || self.layers != frame.layers {
            self.clear();
            return Check::None;
        }
        let most = (boxes.len() as f32 * MAX_ESCAPED) as usize;
        self.find_escaping(&boxes[..known], most);
        if self.escaping() + self.escaped.len() > most {
            self.clear();
            return Check::Expired;
        }
        self.escape(boxes);
        if boxes.len() > known {
            self.appear(boxes);
        }
        Check::Current
    }

    /// Lists the escaped objects; false where they touch far too many columns.
    #[must_use]
    pub(super) fn list_escaped(&mut self, frame: &Frame<'_>) -> bool {
        let boxes = frame.boxes;
        let escaped = self.escaped.iter().map(|e| (e.object, &boxes[e.object as usize]));
        self.columns.list_escaped(escaped, boxes.len())
    }

    /// Appends all pairs of the frame.
    pub(super) fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if frame.is_stopped() {
            return;
        }
        self.pairs.find_overlapping(frame, pairs);
        let Self { fat, states, columns, .. } = self;
        let boxes = frame.boxes;
        let is_current =
            |object: u32, origin: Origin| states[object as usize].entry() == Some(origin);
        let is_pair = |pair: Pair| {
            let [a, b] = [pair.a as usize, pair.b as usize];
            let [of_a, of_b] = [states[a], states[b]];
            let is_exact = of_a.is_exact() && of_b.is_exact();
            let was_copied = of_a.was_resting() && of_b.was_resting();
            (is_exact || boxes[a].overlaps(&boxes[b])) && (was_copied || !fat[a].overlaps(&fat[b]))
        };
        columns.find_pairs_of_escaped(frame, is_current, is_pair, pairs);
    }

    /// Counters of a frame, in which the cache was built or not.
    pub(super) fn counters(&self, is_new: bool) -> Counters {
        let built = is_new.then(|| self.columns.grid.counters());
        let of_columns = self.columns.counters();
        let built_tests = built.map_or(0, |built| built.tests);
        Counters {
            tests: built_tests
                + self.insert_tests
                + self.pairs.candidates.len() as u64
                + of_columns.tests,
            rebuilds: u64::from(built.is_some()),
            duplicates: of_columns.duplicates + built.map_or(0, |built| built.duplicates),
            ..of_columns
        }
    }
}
