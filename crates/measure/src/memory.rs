//! How much memory there is, and whether a case fits.

use crate::Case;
use bytesize::ByteSize;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes left to the rest of the machine, which would swap or kill processes without them.
const RESERVE: u64 = 256 << 20;

/// Bytes of one object without algorithms and pair lists: its box twice (in the world and in the
/// frame), position, velocity, radius, cell of the placement grid, with room for vectors that grow.
const BYTES_PER_OBJECT: u64 = 160;

/// Bytes of a pair: in a list that may have doubled just before, in an algorithm and outside it.
const BYTES_PER_PAIR: f64 = 32.0;

/// A case that cannot be held.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{input}: {objects} objects and their pairs need about {}, but only {} of memory can be had; \
     take fewer objects, or smaller ones",
    ByteSize(*needed).display().si(), ByteSize(*available).display().si()
)]
pub struct MemoryError {
    /// The input as the user named it.
    pub input: String,
    /// Number of objects.
    pub objects: usize,
    /// Bytes they need.
    pub needed: u64,
    /// Bytes there are.
    pub available: u64,
}

/// Bytes that may be taken now: what the system and the control group (containers) have free, less
/// a reserve. `u64::MAX` where the system does not report it.
pub fn available_memory() -> u64 {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::everything());
    let Ok(system) = System::new_with_specifics(refresh) else {
        return u64::MAX;
    };
    let free = match system.cgroup_limits() {
        Some(limits) => system.available_memory().min(limits.free_memory),
        None => system.available_memory(),
    };
    if free == 0 { u64::MAX } else { free.saturating_sub(RESERVE) }
}

impl Case {
    /// Refuses a case whose objects do not fit into `available` bytes, before any is made.
    ///
    /// # Errors
    ///
    /// What it would take, and what there is.
    pub fn check_memory(&self, available: u64) -> Result<(), MemoryError> {
        let pairs = (self.expected_pairs() * BYTES_PER_PAIR) as u64;
        let needed = (self.n as u64).saturating_mul(BYTES_PER_OBJECT).saturating_add(pairs);
        if needed <= available {
            return Ok(());
        }
        Err(MemoryError { input: self.input.clone(), objects: self.n, needed, available })
    }
}
