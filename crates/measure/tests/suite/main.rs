//! What is measured, how faults are reported, and what is written.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

#[path = "../common/mod.rs"]
mod common;

mod cells;
mod changed_traces;
mod files;
mod impacts;
mod planted_faults;
mod probe;
mod programs;
mod resume;
mod runner;
mod stages;
