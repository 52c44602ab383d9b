#![doc = include_str!("../README.md")]
#![allow(
    unsafe_code,
    reason = "a C interface takes raw pointers; no other crate needs unsafe code"
)]

mod algorithms;
mod environment;
mod failure;
mod functions;
mod instance;
mod last_error;
mod pointer;
mod queries;
mod status;
mod types;

pub use algorithms::{bp_algorithm_count, bp_algorithm_id};
pub use functions::{bp_create, bp_destroy, bp_find_pairs, bp_set_layers, bp_version};
pub use instance::BpBroadPhase;
pub use last_error::bp_last_error;
pub use queries::{BP_NO_OBJECT, bp_join, bp_query_box, bp_query_nearest, bp_query_ray};
pub use status::BpStatus;
pub use types::{BpAabb, BpJoinPair, BpLayer, BpNearest, BpPair, BpRay, BpRayHit, BpSettings};

// A panic becomes a status only if it unwinds.
#[cfg(not(panic = "unwind"))]
compile_error!("broadphase-c needs a profile with panic = \"unwind\"");
