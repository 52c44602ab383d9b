//! What is measured, how faults are reported, and what is written.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

#[path = "../common/mod.rs"]
mod common;

mod changed_traces;
mod files;
mod planted_faults;
mod programs;
mod resume;
mod runner;
mod stages;
