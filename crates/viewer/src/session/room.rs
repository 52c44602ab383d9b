//! The memory that is left for structures.

use super::Session;
use super::contender::Contender;
use broadphase::{Algorithm, CreateError, Settings};
use measure::available_memory;
use sim::Scene;

/// The memory that is left for structures, as one after the other is made.
pub(super) struct Room {
    pub(super) settings: Settings,
}

impl Room {
    pub(super) fn new(scene: &Scene, objects: usize) -> Self {
        let memory_limit = available_memory();
        Self { settings: Settings { objects, world: scene.bounds(), memory_limit } }
    }

    /// So many bytes will be free when the new structures have taken the place of the old ones.
    pub(super) fn give(&mut self, bytes: usize) {
        self.settings.memory_limit = self.settings.memory_limit.saturating_add(bytes as u64);
    }

    pub(super) fn contender(
        &mut self,
        session: &Session,
        row: &'static Algorithm,
    ) -> Result<Contender, CreateError> {
        let contender = Contender::new(row, &self.settings, session.clock, session.allocations)?;
        let taken = (row.memory)(self.settings.objects as u64);
        self.settings.memory_limit = self.settings.memory_limit.saturating_sub(taken);
        Ok(contender)
    }
}
