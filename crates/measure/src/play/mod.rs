//! A case in motion: its frames one after the other, each searched and responded to, and what that needs of the machine.

mod error;
mod memory;
mod meter;
mod observer;
mod order;
mod pair_bound;
mod playback;
mod pools;
mod prescribed;
mod problem;
mod reference;
mod sorting;
mod start;
mod worlds;

pub use error::RunError;
pub use meter::{AllocationCount, Drawing, Instruments, Meter};
pub use observer::Observer;
pub(crate) use order::Rounds;
pub use order::{DEFAULT_ORDER_SEED, measuring_order};
pub use pair_bound::PairBound;
pub(crate) use playback::{Halt, Untimed};
pub use playback::{Playback, Step, find_sorted};
pub use pools::{Pools, work_on_all_processors, work_on_this_thread};
pub use prescribed::Prescribed;
pub use problem::Problem;
pub(crate) use reference::MAX_TESTS_TO_PROVE;
pub use reference::{finder, reference};
pub use worlds::{ONE_CALL, world_methods};
