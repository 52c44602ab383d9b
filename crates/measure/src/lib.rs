//! What a measurement is: clocked phases, verified checksums, rows, statistics, tables.
//!
//! From the outside in:
//!
//! - an [`Input`] is a scene file or a trace; with [`CaseOptions`] it becomes [`Case`]s, one for
//!   each number of objects;
//! - [`measure_case`] measures algorithms on a case, interleaved by repetition, and compares their
//!   checksums outside the clock; [`verify_case`] compares whole pair lists and trajectories instead;
//! - a [`Meter`] clocks a single frame, for programs that drive the frames themselves (a window);
//! - [`Sample`]s become [`FrameRow`]s and, by [`summarise`], a [`SummaryRow`]; [`Output`] writes
//!   both as CSV, beside a [`Machine`]; [`summary_table`] sets them for a person.
//!
//! The library knows no command line, and prints nothing.

mod agreement;
mod case;
mod clock;
mod fault;
mod frames_file;
mod input;
mod machine;
mod memory;
mod meter;
mod order;
mod output;
mod repetition;
mod rows;
mod run_id;
mod runner;
mod sample;
mod stats;
mod summary;
mod table;
mod verify;

pub use agreement::reference;
pub use case::{Case, Playback};
pub use clock::{Clock, MonotonicClock};
pub use fault::{PairFault, first_difference, own_fault};
pub use frames_file::FramesFile;
pub use input::{CaseError, CaseOptions, Input, InputError};
pub use machine::{Git, Machine};
pub use memory::{MemoryError, available_memory};
pub use meter::{AllocationCount, Collision, Meter};
pub use order::measuring_order;
pub use output::{Output, OutputError, run_directory};
pub use repetition::Instruments;
pub use rows::{Checksum, FrameRow, Phase, Status, SummaryRow};
pub use run_id::RunId;
pub use runner::{Cell, MeasuredCase, Outcome, Plan, RunError, measure_case};
pub use sample::{Labels, Sample};
pub use stats::{Interval, mean, median, median_interval, percentile};
pub use summary::summarise;
pub use table::{Group, summary_table};
pub use verify::{Finding, Problem, VerifyPlan, VerifyReport, verify_case};
