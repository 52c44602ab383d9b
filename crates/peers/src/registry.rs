//! The one list of peers.

use crate::adapters;
use broadphase::registry::Algorithm;

/// Every peer, grouped by crate.
pub static PEERS: &[Algorithm] = &[
    adapters::parry_rebuilt::ENTRY,
    adapters::parry_kept::ENTRY,
    adapters::rapier::ENTRY,
    adapters::obvhs::ENTRY,
    adapters::bvh::ENTRY,
    adapters::rstar::ENTRY,
    adapters::packed::ENTRY,
];

/// The peers that use several threads.
pub const THREADED: &[&str] = &[
    adapters::parry_rebuilt::ENTRY.id,
    adapters::parry_kept::ENTRY.id,
    adapters::packed::ENTRY.id,
];

/// The crates that are measured, with their versions.
pub const VERSIONS: &[(&str, &str)] = &[
    ("parry3d", "0.31.1"),
    ("parry3d-f64", "0.31.1"),
    ("rapier3d", "0.36.1"),
    ("obvhs", "0.4.0"),
    ("bvh", "0.13.0"),
    ("rstar", "0.14.0"),
    ("packed_spatial_index", "0.33.0"),
];
