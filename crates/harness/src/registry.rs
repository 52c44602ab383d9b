//! The algorithms that this build can measure: ours, and peers where it is built with them.

use broadphase::registry::{ALGORITHMS, Algorithm, Algorithms, ParameterError, split_id};
use narrowphase::impact::{ImpactKind, TIMES_OF_IMPACT};
use narrowphase::narrow::{NARROW_PHASES, NarrowPhaseKind};
use std::sync::LazyLock;

#[cfg(feature = "peers")]
use peers::bodies;

/// What the crate has, where it is not built in.
#[cfg(not(feature = "peers"))]
mod peers {
    pub(super) static PEERS: &[super::Algorithm] = &[];
    pub(super) static THREADED: &[&str] = &[];
    pub(super) static VERSIONS: &[(&str, &str)] = &[];
}
#[cfg(not(feature = "peers"))]
mod bodies {
    pub(super) static NARROW_PHASES: &[super::NarrowPhaseKind] = &[];
    pub(super) static TIMES_OF_IMPACT: &[super::ImpactKind] = &[];
}

/// Broad phases of other libraries; none unless the feature `peers` is on.
pub(crate) static PEERS: &[Algorithm] = peers::PEERS;

/// Our narrow phases in their order, then the peer.
pub(crate) fn narrow_phases() -> &'static [NarrowPhaseKind] {
    static OFFERED: LazyLock<Vec<NarrowPhaseKind>> =
        LazyLock::new(|| [NARROW_PHASES, bodies::NARROW_PHASES].concat());
    &OFFERED
}

/// Our times of impact in their order, then the peer.
pub(crate) fn times_of_impact() -> &'static [ImpactKind] {
    static OFFERED: LazyLock<Vec<ImpactKind>> =
        LazyLock::new(|| [TIMES_OF_IMPACT, bodies::TIMES_OF_IMPACT].concat());
    &OFFERED
}

/// Whether a peer uses several threads.
pub(crate) fn is_threaded(id: &str) -> bool {
    peers::THREADED.contains(&id)
}

/// Ours in their order, then the peers.
static OFFERED: LazyLock<Algorithms> = LazyLock::new(|| ALGORITHMS.with(PEERS));

/// The crates that the peers are from, `name version`.
pub(crate) fn peer_versions() -> Vec<String> {
    peers::VERSIONS.iter().map(|(name, version)| format!("{name} {version}")).collect()
}

/// The algorithms that a command line may name: ours in their order, then the peers.
pub(crate) fn offered() -> Algorithms {
    *OFFERED
}

/// Whether an id sets parameters.
pub(crate) fn sets_parameters(id: &str) -> bool {
    split_id(id).1.is_some()
}

/// The message of a refused id, with the place of the right ones.
pub(crate) fn refusal(error: ParameterError) -> String {
    format!("{error}; `harness list` prints all ids and parameters")
}
