//! The algorithms that this build can measure: ours, and peers where it is built with them.

use broadphase::registry::{ALGORITHMS, Algorithm, resolve};

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

/// The algorithm with an id that sets parameters, `ID@PARAMETER=V`. `Err` says what is wrong with it.
pub(crate) fn find_configured(id: &str) -> Result<&'static Algorithm, String> {
    let base = id.split('@').next().unwrap_or_default();
    if PEERS.iter().any(|row| row.id == base) {
        return Err(format!("{base} is of another library, and has no parameters"));
    }
    resolve(id).map_err(|error| error.to_string())
}
