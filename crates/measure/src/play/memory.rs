//! Whether the objects of a case fit into memory.

use super::prescribed::MIN_STATE_BYTES;
use crate::input::{Case, MemoryError};

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
        Err(MemoryError { input: self.input.clone(), objects: self.n, needed, available })
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
        assert_eq!(error.needed, 448_000, "450 bytes per object were measured");
        assert_eq!(trace.check_memory_to_show(160_000), Ok(()));
    }
}
