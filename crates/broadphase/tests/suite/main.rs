//! Laws of every algorithm, query and example.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

#[path = "../common/mod.rs"]
mod common;

mod cached_pairs;
mod changing_motion;
mod differential;
mod examples;
mod inspect;
mod joins;
mod large_worlds;
mod limits;
mod modules;
mod pair_events;
mod query;
mod space;
mod swept_pairs;
mod worlds;
