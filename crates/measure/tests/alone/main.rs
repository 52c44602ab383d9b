//! Tests that need a process to themselves, one after the other: the allocator counts the bytes of every thread, and the
//! instruction set holds for all.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

#[path = "../common/mod.rs"]
mod common;

mod stage_memory;
mod trajectories;

use peak_alloc::PeakAlloc;
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Held by the test that runs.
static ALONE: Mutex<()> = Mutex::new(());
