//! Whether the objects of a case fit into memory, and how many pairs of a frame do.

use super::prescribed::MIN_STATE_BYTES;
use crate::input::{Case, MemoryError};
use crate::table::numbers::thousands;
use broadphase::{Frame, PairLimit};
use bytesize::ByteSize;

/// Bytes of one object without algorithms and pair lists: its box twice (in the world and in the
/// frame), position, velocity, radius, cell of the placement grid, with room for vectors that grow.
const BYTES_PER_OBJECT: u64 = 160;

/// Bytes of a body without volumes and its path, on top of those of an object: state, mass and inertia, what it meets.
const BYTES_PER_BODY: u64 = 640;

impl Case {
    /// Refuses a case whose objects do not fit into `available` bytes, before any is made.
    ///
    /// # Errors
    ///
    /// What it would take, and what there is.
    pub fn check_memory(&self, available: u64) -> Result<(), MemoryError> {
        self.check_memory_with(0, available)
    }

    /// [`check_memory`](Self::check_memory) for a case of which any frame can be shown, by
    /// [`prescribed`](Self::prescribed): generated boxes keep some of their states.
    ///
    /// # Errors
    ///
    /// As [`check_memory`](Self::check_memory).
    pub fn check_memory_to_show(&self, available: u64) -> Result<(), MemoryError> {
        let is_generated = self.scene().is_none() && self.trace().is_none();
        let states = if is_generated { MIN_STATE_BYTES * self.n as u64 } else { 0 };
        self.check_memory_with(states, available)
    }

    /// [`check_memory`](Self::check_memory), where other `bytes` are needed too.
    pub(crate) fn check_memory_with(&self, bytes: u64, available: u64) -> Result<(), MemoryError> {
        let of_body = BYTES_PER_BODY + sim::BYTES_PER_PATH as u64;
        let body = if self.scene().is_some() && self.has_bodies() { of_body } else { 0 };
        // The first is one of the program, as that of any other case.
        let of_worlds = u64::from(self.worlds() - 1) * size_of::<sim::GeneratedBoxes>() as u64;
        let of_objects = (self.n as u64).saturating_mul(BYTES_PER_OBJECT + body);
        let needed = of_objects.saturating_add(bytes).saturating_add(of_worlds);
        if needed <= available {
            return Ok(());
        }
        let [needed, available] = [needed, available].map(|bytes| ByteSize(bytes).display().si());
        Err(MemoryError(format!(
            "{}: {} objects need about {needed}, but only {available} of memory can be had; \
             take fewer objects, or smaller ones",
            self.input, self.n
        )))
    }
}

/// The largest number of pairs of a frame for which there is memory. Every search counts its pairs, so that a time does not
/// depend on the memory of the machine. Structures stay within the bound, too. Adapters to other libraries do not count.
#[derive(Clone, Copy, Debug)]
pub struct PairBound {
    /// Bytes of a pair.
    each: u64,
    available: u64,
}

impl PairBound {
    /// No bound.
    pub const NONE: Self = Self { each: 1, available: u64::MAX };

    /// As many pairs as fit into `available` bytes, where `holders` hold them at the same time: searches, and what answers
    /// about their pairs. Each takes [`PairLimit::BYTES_PER_PAIR`].
    pub fn within(available: u64, holders: usize) -> Self {
        let each = (holders as u64).saturating_mul(PairLimit::BYTES_PER_PAIR as u64).max(1);
        Self { each, available }
    }

    /// The same memory, where another number of holders takes its share of each pair.
    pub(crate) fn held_by(self, holders: usize) -> Self {
        Self::within(self.available, holders)
    }

    /// Bytes of a number of pairs.
    pub fn bytes_of(self, pairs: usize) -> u64 {
        self.each.saturating_mul(pairs as u64)
    }

    /// A limit for one frame.
    pub fn limit(self) -> PairLimit {
        PairLimit::new(usize::try_from(self.available / self.each).unwrap_or(usize::MAX))
    }

    /// # Errors
    ///
    /// More pairs were found than the limit allows.
    pub fn check(self, limit: &PairLimit) -> Result<(), String> {
        let Self { each, available } = self;
        if !limit.is_exceeded() {
            return Ok(());
        }
        let [of_each, memory] = [each, available].map(|bytes| ByteSize(bytes).display().si());
        Err(format!(
            "more than {} pairs found, each of which takes up to {of_each}, but only {memory} of memory can \
             be had; take fewer objects, or smaller ones, or fewer algorithms at a time",
            thousands((available / each) as f64)
        ))
    }

    /// Searches a frame within the bound: `search` is given the frame to search.
    ///
    /// # Errors
    ///
    /// The frame has more pairs. The search ended early, and what it found must not be used.
    pub fn search<T>(
        self,
        frame: &Frame<'_>,
        search: impl FnOnce(&Frame<'_>) -> T,
    ) -> Result<T, String> {
        let limit = self.limit();
        let found = search(&frame.most_pairs(&limit));
        self.check(&limit).map(|()| found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_boxes_to_be_shown_need_room_for_their_states() {
        let generated = crate::input::Input::boxes("line:1000".parse().unwrap());
        let generated = generated.cases(&Default::default()).unwrap().remove(0);
        let trace = Case::of_trace("a.bpt", "a.bpt".into(), 1000, 0, 1);
        assert_eq!(generated.check_memory(160_000), Ok(()));
        let error = generated.check_memory_to_show(440_000).unwrap_err();
        // 450 bytes per object were measured.
        assert!(error.to_string().contains("need about 448.0 kB"), "{error}");
        assert_eq!(trace.check_memory_to_show(160_000), Ok(()));
    }
}
