//! What `Inspect` and `DebugDraw` report agrees with counters, boxes and pairs.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

#[path = "../common/mod.rs"]
mod common;

mod cache;
mod counters;
mod frames;
mod overlays;
mod path;
mod regions;
mod remarks;
mod sweeps;
