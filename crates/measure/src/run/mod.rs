//! Measuring and verifying algorithms and programs on a case.

mod agreement;
mod plan;
mod probe;
mod program;
mod recording;
mod repetition;
mod runner;
mod verify;

pub use plan::{Checks, Plan, Watch, case_settings, run_settings};
pub use probe::probe_case;
pub use recording::record_case;
pub use runner::{Cell, MeasuredCase, measure_case, measure_case_watched};
pub use verify::{Finding, VerifyReport, verify_case};
