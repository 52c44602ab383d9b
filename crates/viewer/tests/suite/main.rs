//! The window without a window: sessions, the simulation, the panels, and the program that draws no window.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

#[path = "../common/mod.rs"]
mod common;

mod any_step;
mod driving;
mod headless;
mod measuring;
mod panel;
mod recording;
mod reproduction;
mod session;
mod simulation;
mod simulation_faults;
mod stopped_phases;
