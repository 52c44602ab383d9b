//! Measuring and verifying algorithms and programs on a case.

mod agreement;
mod cell;
mod plan;
mod probe;
mod program;
mod recording;
mod repetition;
mod runner;
mod settings;
mod verify;

pub use cell::{Cell, MeasuredCase};
pub use plan::{Checks, Plan, Watch};
pub use probe::probe_case;
pub use recording::record_case;
pub use runner::{measure_case, measure_case_watched};
pub use settings::{case_settings, run_settings};
pub use verify::{Finding, VerifyReport, verify_case};
