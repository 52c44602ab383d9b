//! The process and its machine: clock, memory, counters, panics, signals, exit codes.

mod clock;
mod counters;
mod guarded;
mod memory;
mod same_path;
mod signals;

pub use clock::{Clock, MonotonicClock};
pub(crate) use clock::{Untimed, calibrate, clocked, notable_drift};
pub(crate) use counters::HeapWatch;
pub use counters::{HardwareCount, HardwareCounters, HardwareCounts, HeapProbe};
pub(crate) use guarded::guarded;
pub(crate) use memory::check_fits;
pub use memory::{available_memory, check_memory_left};
pub use same_path::is_same_file;
pub use signals::{Exit, end, handle_requests_to_end, report_file_size_limit};
