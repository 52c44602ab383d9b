//! Columns sorted anew, once their stale and loose entries have cost enough.

use super::super::costs::COSTS;
use super::PairCache;
use super::state::State;
use crate::Frame;

impl PairCache {
    /// The cost of the stale and loose entries in the last frame; and the cost of sorting all columns anew.
    pub(in crate::caching) fn detours(&self) -> [f32; 2] {
        let all = COSTS.relist * self.states.len() as f32
            + COSTS.retain * self.pairs.candidates().len() as f32;
        [COSTS.detour * self.columns.detours() as f32, all]
    }

    /// Lists the fat AABBs in the columns again: without the escaped objects, and each exactly. False, with an unusable
    /// cache, if the frame is stopped.
    #[must_use]
    pub(in crate::caching) fn relist(&mut self, frame: &Frame<'_>) -> bool {
        self.strip();
        self.columns.relist(&Frame { boxes: &self.fat, ..*frame });
        self.states.iter_mut().for_each(State::relist);
        self.inserted.clear();
        self.settled = 0;
        !frame.is_stopped()
    }
}
