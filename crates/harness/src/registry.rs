//! The algorithms that this build can measure: ours, and peers where it is built with them.

use broadphase::registry::{ALGORITHMS, Algorithm, ParameterError};

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
    id.contains('@')
}

/// The algorithm or peer with this id, which may set parameters, `ID@PARAMETER=V`.
///
/// # Errors
///
/// What is wrong with the id, and where the right ones are.
pub(crate) fn resolve(id: &str) -> Result<&'static Algorithm, String> {
    match find(base(id)) {
        Some(peer) if peer.peer => own_values(peer, id),
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
        Some(peer) if peer.peer => own_values(peer, text).map(|peer| vec![peer]),
        _ => broadphase::registry::resolve_values(text).map_err(refusal),
    }
}

/// The id without the parameters that it sets.
pub(crate) fn base(id: &str) -> &str {
    id.split_once('@').map_or(id, |(base, _)| base)
}

/// A peer, if nothing of it is set.
fn own_values(peer: &'static Algorithm, id: &str) -> Result<&'static Algorithm, String> {
    let name = peer.id;
    if name == id {
        Ok(peer)
    } else {
        Err(format!("{name} is of another library, and has no parameters"))
    }
}

fn refusal(error: ParameterError) -> String {
    format!("{error}; `harness list` has all ids and parameters")
}
