//! The memory that is left for structures.

use super::contender::Contender;
use broadphase::registry::{Algorithm, CreateError, Settings};
use measure::{Instruments, available_memory};

/// Creates structures one after the other, each within the memory that the earlier ones left.
pub(super) struct MemoryBudget {
    settings: Settings,
    instruments: Instruments<'static>,
}

impl MemoryBudget {
    /// For structures of these settings, within the memory that there is now.
    pub(super) fn new(settings: Settings, instruments: Instruments<'static>) -> Self {
        Self { settings: settings.memory_limit(available_memory()), instruments }
    }

    /// Counts bytes as free that the structures about to be replaced still hold.
    pub(super) fn release(&mut self, bytes: usize) {
        self.settings.memory_limit = self.settings.memory_limit.saturating_add(bytes as u64);
    }

    pub(super) fn create(&mut self, entry: &'static Algorithm) -> Result<Contender, CreateError> {
        let contender = Contender::new(entry, &self.settings, self.instruments)?;
        let taken = (entry.memory)(self.settings.objects as u64);
        self.settings.memory_limit = self.settings.memory_limit.saturating_sub(taken);
        Ok(contender)
    }
}
