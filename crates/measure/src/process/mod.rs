//! The process and its machine: clock, memory, counters, panics, signals, exit codes.

mod calibration;
mod clock;
mod exit;
mod file_memory;
mod guarded;
mod hardware;
mod heap;
mod memory;
mod same_path;
mod signals;

pub use calibration::{calibrate, notable_drift};
pub use clock::{Clock, MonotonicClock};
pub use exit::Exit;
pub(crate) use file_memory::check_fits;
pub use file_memory::check_memory_left;
pub(crate) use guarded::guarded;
pub use hardware::{HardwareCount, HardwareCounters, HardwareCounts};
pub use heap::HeapProbe;
pub(crate) use heap::HeapWatch;
pub use memory::available_memory;
pub use same_path::is_same_file;
pub use signals::{end, handle_requests_to_end, report_file_size_limit};
