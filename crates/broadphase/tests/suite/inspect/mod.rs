//! What `Inspect` reports agrees with counters, boxes and pairs.

mod cache;
mod counters;
mod frames;
mod overlays;
mod path;
mod regions;
mod remarks;
mod sweeps;
