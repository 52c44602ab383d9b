//! The one list of peers.

use crate::adapters;
use broadphase::Algorithm;

/// Every peer, grouped by crate.
pub static PEERS: &[Algorithm] = &[
    adapters::parry_rebuilt::ROW,
    adapters::parry_kept::ROW,
    adapters::rapier::ROW,
    adapters::obvhs::ROW,
    adapters::bvh::ROW,
    adapters::rstar::ROW,
];

/// The crates that are measured, with their versions.
pub const VERSIONS: &[(&str, &str)] = &[
    ("parry3d", "0.31.1"),
    ("rapier3d", "0.36.1"),
    ("obvhs", "0.4.0"),
    ("bvh", "0.13.0"),
    ("rstar", "0.14.0"),
];

/// The peer with this id.
pub fn find(id: &str) -> Option<&'static Algorithm> {
    PEERS.iter().find(|peer| peer.id == id)
}
