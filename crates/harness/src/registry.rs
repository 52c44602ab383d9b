//! The algorithms that this build can measure: ours, and peers where it is built with them.

use broadphase::registry::{ALGORITHMS, Algorithm, Algorithms, ParameterError, split_id, unknown};
use narrowphase::impact::{ImpactKind, TIMES_OF_IMPACT};
use narrowphase::narrow::{NARROW_PHASES, NarrowPhaseKind};
use std::sync::LazyLock;

/// Broad phases of other libraries; none unless the feature `peers` is on.
#[cfg(feature = "peers")]
pub(crate) static PEERS: &[Algorithm] = peers::PEERS;
#[cfg(not(feature = "peers"))]
pub(crate) static PEERS: &[Algorithm] = &[];

/// Narrow phases and times of impact of another library; none unless the feature `peers` is on.
#[cfg(feature = "peers")]
static PEERS_OF_BODIES: (&[NarrowPhaseKind], &[ImpactKind]) =
    (peers::bodies::NARROW_PHASES, peers::bodies::TIMES_OF_IMPACT);
#[cfg(not(feature = "peers"))]
static PEERS_OF_BODIES: (&[NarrowPhaseKind], &[ImpactKind]) = (&[], &[]);

/// Our narrow phases in their order, then the peer.
pub(crate) fn narrow_phases() -> &'static [NarrowPhaseKind] {
    static OFFERED: LazyLock<Vec<NarrowPhaseKind>> =
        LazyLock::new(|| [NARROW_PHASES, PEERS_OF_BODIES.0].concat());
    &OFFERED
}

/// Our times of impact in their order, then the peer.
pub(crate) fn times_of_impact() -> &'static [ImpactKind] {
    static OFFERED: LazyLock<Vec<ImpactKind>> =
        LazyLock::new(|| [TIMES_OF_IMPACT, PEERS_OF_BODIES.1].concat());
    &OFFERED
}

/// Whether a peer uses several threads.
pub(crate) fn is_threaded(id: &str) -> bool {
    #[cfg(feature = "peers")]
    let threaded = peers::THREADED;
    #[cfg(not(feature = "peers"))]
    let threaded: &[&str] = &[];
    threaded.contains(&id)
}

/// Ours in their order, then the peers.
static OFFERED: LazyLock<Algorithms> = LazyLock::new(|| ALGORITHMS.with(PEERS));

/// The crates that the peers are from, `name version`.
pub(crate) fn peer_versions() -> Vec<String> {
    #[cfg(feature = "peers")]
    let versions = peers::VERSIONS;
    #[cfg(not(feature = "peers"))]
    let versions: &[(&str, &str)] = &[];
    versions.iter().map(|(name, version)| format!("{name} {version}")).collect()
}

/// The algorithms that a command line may name: ours in their order, then the peers.
pub(crate) fn offered() -> Algorithms {
    *OFFERED
}

/// Whether an id sets parameters.
pub(crate) fn sets_parameters(id: &str) -> bool {
    split_id(id).1.is_some()
}

/// Whether an id is that of an algorithm which other ones replace.
pub(crate) fn is_removed(id: &str) -> bool {
    matches!(unknown(id), ParameterError::Removed { .. })
}

/// The message of a refused id, with the place of the right ones.
pub(crate) fn refusal(error: ParameterError) -> String {
    format!("{error}; `harness list` prints all ids and parameters")
}
