//! Fat AABBs and cached pairs.

use super::tree_boxes::MOST_BOXES;
use broadphase::inspect::{CacheState, CachedPair, FatBox};
use broadphase::{BroadPhase, Pair};

/// Most cached pairs that are kept. More hide each other.
pub const MOST_PAIRS: usize = 20_000;

/// The fat AABBs of a structure.
#[derive(Clone, Debug, Default)]
pub struct FatBoxes {
    /// Above [`MOST_BOXES`], those of every n-th object, and of inspected ones.
    pub kept: Vec<FatBox>,
    /// Objects in each state, in the order of [`CacheState::ALL`].
    pub counts: [usize; 4],
    /// Whether each object rests, index = object; shorter where the last ones do not.
    resting: Vec<bool>,
}

impl FatBoxes {
    /// The number of all objects.
    pub fn number(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Whether an object rests in the cache.
    pub fn rests(&self, object: usize) -> bool {
        self.resting.get(object).copied().unwrap_or_default()
    }

    pub(super) fn fill(
        &mut self,
        structure: &dyn BroadPhase,
        objects: usize,
        is_inspected: &dyn Fn(u32) -> bool,
    ) {
        let stride = objects.div_ceil(MOST_BOXES).max(1) as u32;
        structure.inspect().fat_boxes(&mut |fat| {
            let state = CacheState::ALL.iter().position(|state| *state == fat.state);
            self.counts[state.unwrap_or_default()] += 1;
            if fat.state == CacheState::Resting {
                self.resting.resize(objects, false);
                if let Some(rests) = self.resting.get_mut(fat.object as usize) {
                    *rests = true;
                }
            }
            if fat.object.is_multiple_of(stride) || is_inspected(fat.object) {
                self.kept.push(fat);
            }
        });
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.counts = [0; 4];
        self.resting.clear();
    }
}

/// The cached pairs of a structure.
#[derive(Clone, Debug, Default)]
pub struct CachedPairs {
    /// Above [`MOST_PAIRS`], every n-th one, and all of the picked object.
    pub kept: Vec<CachedPair>,
    /// The number of all.
    pub number: usize,
    /// The number of those whose objects both rest.
    pub resting: usize,
}

impl CachedPairs {
    /// The objects that are in a pair with an object, of those that are drawn.
    pub fn partners_of(&self, object: u32) -> impl Iterator<Item = u32> {
        self.kept.iter().filter_map(move |cached| match cached.pair {
            Pair { a, b } if a == object => Some(b),
            Pair { a, b } if b == object => Some(a),
            _ => None,
        })
    }

    pub(super) fn fill(&mut self, structure: &dyn BroadPhase, picked: Option<u32>) {
        // Counting first lets the kept part be spread over the whole.
        structure.inspect().cached_pairs(&mut |cached| {
            self.number += 1;
            self.resting += usize::from(cached.is_resting);
        });
        let stride = self.number.div_ceil(MOST_PAIRS).max(1);
        let mut place = 0usize;
        structure.inspect().cached_pairs(&mut |cached| {
            let is_own = picked.is_some_and(|o| cached.pair.a == o || cached.pair.b == o);
            if is_own || place.is_multiple_of(stride) {
                self.kept.push(cached);
            }
            place += 1;
        });
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        (self.number, self.resting) = (0, 0);
    }
}
