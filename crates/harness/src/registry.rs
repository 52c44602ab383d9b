//! The algorithms that this build can measure: ours, and peers where it is built with them.

use broadphase::registry::{ALGORITHMS, Algorithm, split_id};
use std::fmt::Display;

/// Broad phases of other libraries; none unless the feature `peers` is on.
#[cfg(feature = "peers")]
pub(crate) static PEERS: &[Algorithm] = peers::PEERS;
#[cfg(not(feature = "peers"))]
pub(crate) static PEERS: &[Algorithm] = &[];

/// The crates that the peers are from, `name version`.
pub(crate) fn peer_versions() -> Vec<String> {
    #[cfg(feature = "peers")]
    let versions = peers::VERSIONS;
    #[cfg(not(feature = "peers"))]
    let versions: &[(&str, &str)] = &[];
    versions.iter().map(|(name, version)| format!("{name} {version}")).collect()
}

/// Ours in their order, then the peers.
pub(crate) fn rows() -> impl Iterator<Item = &'static Algorithm> + Clone {
    ALGORITHMS.iter().chain(PEERS)
}

/// The algorithm or peer with this id, which sets no parameters.
pub(crate) fn find(id: &str) -> Option<&'static Algorithm> {
    rows().find(|row| row.id == id)
}

/// Whether an id sets parameters.
pub(crate) fn sets_parameters(id: &str) -> bool {
    split_id(id).1.is_some()
}

/// The algorithm or peer with this id, which may set parameters, `ID@PARAMETER=V`.
///
/// # Errors
///
/// What is wrong with the id, and where the right ones are.
pub(crate) fn resolve(id: &str) -> Result<&'static Algorithm, String> {
    let (entry, assignments) = split_id(id);
    match (find(entry), assignments) {
        (Some(peer), None) if peer.peer => Ok(peer),
        (Some(peer), Some(_)) if peer.peer => Err(refusal(no_parameters(peer))),
        _ => broadphase::registry::resolve(id).map_err(refusal),
    }
}

/// The algorithm with each of some values of a parameter, `ID.PARAMETER=V[,V..]`.
///
/// # Errors
///
/// As [`resolve`].
pub(crate) fn resolve_values(text: &str) -> Result<Vec<&'static Algorithm>, String> {
    match text.split('.').next().and_then(find) {
        Some(peer) if peer.peer => Err(refusal(no_parameters(peer))),
        _ => broadphase::registry::resolve_values(text).map_err(refusal),
    }
}

/// Why nothing of a peer can be set.
fn no_parameters(peer: &Algorithm) -> String {
    format!("{} is of another library, and has no parameters", peer.id)
}

fn refusal(error: impl Display) -> String {
    format!("{error}; `harness list` prints all ids and parameters")
}
