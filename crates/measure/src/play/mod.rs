//! A case in motion: its frames one after the other, each searched and responded to, and what that needs of the machine.

mod error;
mod memory;
mod meter;
mod observer;
mod order;
mod playback;
mod pools;
mod prescribed;
mod worlds;

pub use error::{Problem, RunError};
pub use memory::PairBound;
pub use meter::{AllocationCount, Drawing, Instruments, Meter};
pub use observer::Observer;
pub use order::DEFAULT_ORDER_SEED;
pub(crate) use order::Rounds;
pub use playback::find_sorted;
pub(crate) use playback::{Halt, Playback};
pub use pools::{Pools, work_on_all_processors, work_on_this_thread};
pub use prescribed::Prescribed;
pub use worlds::{ONE_CALL, world_methods};

use broadphase::registry::Algorithm;

/// The algorithm that the others are compared with wherever it was measured: brute force, the
/// first of the registry.
pub fn reference() -> &'static Algorithm {
    broadphase::registry::ALGORITHMS.reference()
}

/// The algorithm that finds the candidates of bodies where no other is asked for. They do not depend on it.
pub fn finder() -> &'static Algorithm {
    broadphase::registry::find("sweep-grid").unwrap_or_else(reference)
}

/// Most tests in all frames that brute force makes afterwards, where it was not measured: some
/// seconds.
pub(crate) const MAX_TESTS_TO_PROVE: u64 = 10_000_000_000;
